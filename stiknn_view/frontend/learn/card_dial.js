// What can be turned once the bets of a card are made: orders drawn, test points taken in.

import { element } from "../shared/elements.js";
import { fraction, press, rich, toNumber } from "./common.js";

export function dial(told, tell) {
  return told.kind === "orders" ? orders(told, tell) : tests(told, tell);
}

function named(button, name) {
  button.dataset.name = name;
  return button;
}

function orders({ drawn, most, exact, titles, means, sums, last }, tell) {
  const more = [1, 10, 100].map((count) => {
    const one = named(
      press(`${count} order${count > 1 ? "s" : ""}`, "", () => tell("orders", count)),
      `draw-${count}`,
    );
    one.disabled = drawn >= most;
    return one;
  });
  const count = element(
    "span",
    { class: "learn-count", "data-testid": "card-drawn" },
    `${drawn.toLocaleString("en")} drawn`,
  );
  const lines = titles.map((title, i) => {
    const cell = { "data-testid": `card-mean-${i + 1}`, "data-value": means ? means[i] : "" };
    const mean = means
      ? [rich(sums[i]), ` / ${drawn} ≈ ${toNumber(means[i]).toFixed(3).replace("-", "\u2212")}`]
      : ["–"];
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, title),
      element("td", cell, ...mean),
      element("td", {}, fraction(exact[i])),
    );
  });
  const head = element(
    "tr",
    {},
    element("td"),
    ...["mean so far", "exact"].map((name) => element("th", { scope: "col" }, name)),
  );
  const table = element("table", "card-means", head, ...lines);
  const latest = element(
    "div",
    "card-latest",
    ...(last ? ["Last order ", rich(last)] : ["Draw orders, and watch the means settle."]),
  );
  return element("div", "card-dial", element("div", "learn-bar", ...more, count), table, latest);
}

function tests({ taken, most }, tell) {
  const all = Array.from({ length: most - 1 }, (_, i) => i + 2);
  const buttons = all.map((count) => {
    const one = named(
      press(`Mean of T1–T${count}`, "", () => tell("tests", count - 2)),
      `tests-${count}`,
    );
    one.setAttribute("aria-pressed", String(count === taken));
    return one;
  });
  return element(
    "div",
    { class: "card-dial learn-bar", role: "group", "aria-label": "Test points taken in" },
    ...buttons,
  );
}
