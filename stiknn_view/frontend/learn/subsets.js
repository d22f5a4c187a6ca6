// v(S) of every subset, to be clicked: who votes in it and what it is worth.

import { button, element } from "../shared/elements.js";
import { betweenPresses } from "../shared/hosts.js";
import { bracketed, fraction, joined, keepFocus, LOOK, unseen } from "./common.js";

const kept = new WeakMap(); // host -> which subset is looked at

export const show = betweenPresses(({ host, data, send }) => {
  const here = kept.get(host) ?? { chosen: data.chosen, id: "" };
  kept.set(host, here);
  const id = JSON.stringify([data.names, data.subsets]);
  if (here.id !== id || here.sent === undefined || here.sent === data.chosen) {
    here.chosen = data.chosen;
    here.sent = undefined;
  }
  here.id = id;
  const told = element("div", { class: "learn-told", "aria-live": "polite" });

  const choose = (mask) => {
    here.chosen = here.chosen === mask ? null : mask;
    here.sent = here.chosen;
    const votes = refresh()?.votes.map(([point]) => point) ?? [];
    window.dispatchEvent(new CustomEvent(LOOK, { detail: { subset: here.chosen, votes } }));
    send("subset", { subset: here.chosen, about: data.about });
  };

  const chips = data.subsets.map(({ mask, members, value }) => {
    const name = element("span", "learn-chip-name", members.join(" ") || "∅");
    const given = { class: "learn-chip", "data-mask": mask };
    return button(given, () => choose(mask), unseen("v of "), name, unseen(": "), fraction(value));
  });

  const refresh = () => {
    data.subsets.forEach(({ mask }, i) => chips[i].setAttribute("aria-pressed", mask === here.chosen));
    const subset = data.subsets.find((one) => one.mask === here.chosen);
    told.replaceChildren(...describe(data, subset));
    return subset;
  };

  const lines = Array.from({ length: data.names.length + 1 }, (_none, size) => {
    const title = element("div", "learn-size-title", `${size} ${size === 1 ? "point" : "points"}`);
    const group = { class: "learn-chips", role: "group", "aria-label": `Subsets of ${size}` };
    const own = chips.filter((_chip, i) => data.subsets[i].members.length === size);
    return element("div", "learn-size", title, element("div", group, ...own));
  });
  const list = element("div", "learn-subsets", ...lines);
  list.addEventListener("keydown", (event) => walk(event, chips));
  const scrolled = host.querySelector(".learn-subsets")?.scrollTop ?? 0;
  keepFocus(host, "mask", () => {
    host.replaceChildren(element("div", { class: "learn", "data-testid": "learn-subsets" }, told, list));
    list.scrollTop = scrolled;
  });
  refresh();
});

function walk(event, chips) {
  const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = chips.indexOf(event.target);
  if (!move || at < 0) return;
  event.preventDefault();
  chips[(at + move + chips.length) % chips.length].focus();
}

function describe(data, subset) {
  if (!subset) return [element("div", "", "Click a subset: who votes in it, and what it is worth.")];
  const { members, votes, value } = subset;
  const set = members.length ? `{${members.join(", ")}}` : "∅";
  const all = votes.length === members.length && votes.every(([, share]) => share === "1");
  const some = data.k === 1 ? "The nearest votes: " : `The ${data.k} nearest vote: `;
  const who = votes.map(([point, share]) => {
    const voter = element("span", {}, element("strong", {}, data.names[point]));
    if (share !== "1") voter.append(" (", fraction(share), " of a place)");
    return voter;
  });
  const told = votes.length ? [all ? "All of them vote: " : some, ...joined(who, ", "), "."] : ["Nobody votes."];
  const parts = votes.map(([, , part], m) => (m ? bracketed(part) : fraction(part)));
  const sum = votes.length > 1 ? [...joined(parts, " + "), " = "] : [];
  return [
    element("div", {}, `S = ${set}. `, ...told),
    element("div", "learn-sum", `v(${set}) = `, ...sum, fraction(value)),
  ];
}
