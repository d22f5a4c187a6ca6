// v(S) of every subset, to be clicked: who votes in it and what it is worth.

import { element } from "../shared/elements.js";
import { fraction, keepFocus, LOOK, unseen } from "./common.js";

const kept = new WeakMap(); // host -> which subset is looked at

export function show({ host, data, send }) {
  const here = kept.get(host) ?? { chosen: data.chosen, id: "" };
  kept.set(host, here);
  const id = JSON.stringify([data.names, data.subsets]);
  if (here.id !== id || here.sent === undefined || here.sent === data.chosen) {
    here.chosen = data.chosen;
    here.sent = undefined;
  }
  here.id = id;
  const root = element("div", "learn");
  root.dataset.testid = "learn-subsets";
  const list = element("div", "learn-subsets");
  const told = element("div", "learn-told");
  told.setAttribute("aria-live", "polite");
  const chips = new Map();

  const choose = (mask) => {
    here.chosen = here.chosen === mask ? null : mask;
    here.sent = here.chosen;
    refresh();
    const subset = data.subsets.find((one) => one.mask === here.chosen);
    const votes = subset ? subset.votes.map(([point]) => point) : [];
    window.dispatchEvent(new CustomEvent(LOOK, { detail: { subset: here.chosen, votes } }));
    send("subset", { mask: here.chosen, about: data.about });
  };

  const refresh = () => {
    for (const [mask, chip] of chips) chip.setAttribute("aria-pressed", mask === here.chosen);
    told.replaceChildren(
      ...describe(
        data,
        data.subsets.find((s) => s.mask === here.chosen),
      ),
    );
  };

  let chipsOfSize = element("div");
  let size = -1;
  for (const subset of data.subsets) {
    if (subset.members.length !== size) {
      size = subset.members.length;
      const line = element("div", "learn-size");
      const title = element("div", "learn-size-title", `${size} ${size === 1 ? "point" : "points"}`);
      chipsOfSize = element("div", "learn-chips");
      chipsOfSize.setAttribute("role", "group");
      chipsOfSize.setAttribute("aria-label", `Subsets of ${size}`);
      line.append(title, chipsOfSize);
      list.append(line);
    }
    const chip = element("button", "learn-chip");
    chip.type = "button";
    chip.dataset.mask = subset.mask;
    const name = subset.members.join(" ") || "∅";
    chip.append(unseen("v of "), element("span", "learn-chip-name", name), unseen(": "), fraction(subset.value));
    chip.addEventListener("click", () => choose(subset.mask));
    chips.set(subset.mask, chip);
    chipsOfSize.append(chip);
  }
  list.addEventListener("keydown", (event) => walk(event, [...chips.values()]));
  root.append(told, list);
  const scrolled = host.querySelector(".learn-subsets")?.scrollTop ?? 0;
  keepFocus(host, "mask", () => {
    host.replaceChildren(root);
    list.scrollTop = scrolled;
  });
  refresh();
}

function walk(event, chips) {
  const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = chips.indexOf(event.target);
  if (!move || at < 0) return;
  event.preventDefault();
  chips[(at + move + chips.length) % chips.length].focus();
}

function describe(data, subset) {
  if (!subset) return [element("div", "", "Click a subset: who votes in it, and what it is worth.")];
  const set = subset.members.length ? `{${subset.members.join(", ")}}` : "∅";
  const first = element("div");
  first.append(`S = ${set}. `);
  if (!subset.votes.length) first.append("Nobody votes.");
  else {
    const shared = subset.votes.some(([, share]) => share !== "1");
    first.append(subset.votes.length < subset.members.length || shared ? "" : "All of them vote: ");
    if (subset.votes.length < subset.members.length || shared)
      first.append(`The ${data.k === 1 ? "nearest votes" : `${data.k} nearest vote`}: `);
    subset.votes.forEach(([point, share], i) => {
      if (i) first.append(", ");
      first.append(element("strong", "", data.names[point]));
      if (share !== "1") first.append(" (", fraction(share), " of a place)");
    });
    first.append(".");
  }
  const second = element("div", "learn-sum");
  second.append(`v(${set}) = `);
  subset.votes.forEach(([, , value], i) => {
    if (i) second.append(" + ");
    second.append(fraction(value));
  });
  if (subset.votes.length !== 1) second.append(subset.votes.length ? " = " : "", fraction(subset.value));
  return [first, second];
}
