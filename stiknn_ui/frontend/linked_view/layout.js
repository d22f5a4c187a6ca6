// The elements of the view. Text goes in as text, never as HTML.

import { element } from "../shared/elements.js";

const MATRIX_KEYS =
  "Arrow keys move over the blocks, with Alt or when zoomed in over single cells. Enter selects, Escape clears, Control+Z takes back, plus and minus zoom, 0 shows everything.";
const SCATTER_KEYS =
  "Arrow keys move from point to point. Enter selects, Escape clears, Control+Z takes back, plus and minus zoom, 0 shows everything.";

function button(text, label, className = "") {
  // Who speaks to the computer says the word they see, so a button's name begins with it.
  const name = /\w/.test(text) && !label.startsWith(text) ? `${text}: ${label}` : label;
  const given = { class: `stiknn-button ${className}`, type: "button", title: label, "aria-label": name };
  return element("button", given, text);
}

// The first stop of the Tab key: over all links and controls to the matrix, as long as there is one.
export function buildSkip(target) {
  const skip = button("Skip to the picture", "Skip to the picture", "stiknn-skip");
  skip.addEventListener("click", () => {
    target.scrollIntoView({ block: "nearest" });
    target.focus();
  });
  document.body.prepend(skip);
  return skip;
}

// Two or more buttons of which one is pressed.
export function choice(label, items, picked, onPick) {
  const nodes = items.map(([value, text, hint]) => {
    const node = button(text, hint, "stiknn-small");
    node.addEventListener("click", () => {
      show(value);
      onPick(value);
    });
    return node;
  });
  const show = (shown) => nodes.forEach((node, i) => node.setAttribute("aria-pressed", items[i][0] === shown));
  show(picked);
  return element("div", { class: "stiknn-choice", role: "group", "aria-label": label }, ...nodes);
}

function buildPanel(name, title, keys) {
  const heading = element("div", "stiknn-title", title);
  const zoomOut = button("−", `Zoom out of the ${name}`, "stiknn-small");
  const zoomIn = button("+", `Zoom into the ${name}`, "stiknn-small");
  const reset = button("Reset", `Show the whole ${name}`, "stiknn-small");
  const tools = element("div", "stiknn-tools", zoomOut, zoomIn, reset);
  const head = element("div", "stiknn-head", heading, tools);
  const id = `stiknn-help-${Math.random().toString(36).slice(2)}`;
  const help = element("span", { class: "stiknn-hidden", id }, keys);
  const graph = element("div", { class: "stiknn-graph", "data-testid": name });
  const given = { class: "stiknn-plot", tabindex: 0, role: "application", "aria-roledescription": "interactive plot" };
  const plot = element("div", { ...given, "aria-describedby": id }, graph);
  const legend = element("div", "stiknn-legend");
  const panel = element("section", `stiknn-panel stiknn-panel-${name}`, head, plot, legend, help);
  return { panel, head, heading, tools, zoomIn, zoomOut, reset, plot, graph, legend };
}

export function buildLayout(host) {
  const undo = button("Undo", "Undo the last selection (Ctrl+Z)", "stiknn-small");
  const clear = button("Clear", "Clear the selection (Escape)", "stiknn-small");
  const save = button("PNG", "Download both plots as one picture", "stiknn-small");
  const matrix = buildPanel("matrix", "Interaction matrix", MATRIX_KEYS);
  const scatter = buildPanel("scatter", "Points", SCATTER_KEYS);
  const panels = element("div", "stiknn-panels", matrix.panel, scatter.panel);
  const status = element("div", { class: "stiknn-status", role: "status" });
  const foot = element("div", "stiknn-foot", status, element("div", "stiknn-tools", undo, clear, save));
  const spoken = element("div", { class: "stiknn-hidden", "aria-live": "polite" });
  const tip = element("div", { class: "stiknn-tip", "aria-hidden": "true" });
  const given = { class: "stiknn-view", "data-testid": "linked-view", "data-ready": "false" };
  const root = element("div", given, panels, foot, spoken, tip);
  host.replaceChildren(root);
  return { root, undo, clear, save, panels, matrix, scatter, foot, status, spoken, tip };
}

// `told` is lines of text and elements below them; null where they stand there already.
export function showTip(tip, root, told, event) {
  if (told) {
    const [lines, shown] = told;
    tip.replaceChildren(...lines.map((line, i) => element("div", i ? "" : "stiknn-tip-head", line)), ...shown);
  }
  tip.style.display = "block";
  const box = root.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  const left = x + 14 + tip.offsetWidth > box.width ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, y - tip.offsetHeight - 10)}px`;
}
