// The elements of the view. Text goes in as text, never as HTML.

import { element } from "../shared/elements.js";

const MATRIX_KEYS =
  "Arrow keys move over the blocks, with Alt or when zoomed in over single cells. Enter selects, Escape clears, Control+Z takes back, plus and minus zoom, 0 shows everything.";
const SCATTER_KEYS =
  "Arrow keys move from point to point. Enter selects, Escape clears, Control+Z takes back, plus and minus zoom, 0 shows everything.";

export function button(text, label, className = "") {
  const node = element("button", `stiknn-button ${className}`, text);
  node.type = "button";
  // Who speaks to the computer says the word they see, so a button's name begins with it.
  node.setAttribute("aria-label", /\w/.test(text) && !label.startsWith(text) ? `${text}: ${label}` : label);
  node.title = label;
  return node;
}

// Two or more buttons of which one is pressed.
export function choice(label, items, onPick) {
  const group = element("div", "stiknn-choice");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  const nodes = items.map(([value, text, hint]) => {
    const node = button(text, hint);
    node.addEventListener("click", () => onPick(value));
    group.append(node);
    return [value, node];
  });
  const show = (picked) =>
    nodes.forEach(([value, node]) => node.setAttribute("aria-pressed", String(value === picked)));
  return { group, show };
}

function buildPanel(name, title, keys) {
  const panel = element("section", `stiknn-panel stiknn-panel-${name}`);
  const head = element("div", "stiknn-head");
  const heading = element("div", "stiknn-title", title);
  const tools = element("div", "stiknn-tools");
  const zoomOut = button("−", `Zoom out of the ${name}`, "stiknn-small");
  const zoomIn = button("+", `Zoom into the ${name}`, "stiknn-small");
  const reset = button("Reset", `Show the whole ${name}`, "stiknn-small");
  tools.append(zoomOut, zoomIn, reset);
  head.append(heading, tools);
  const plot = element("div", "stiknn-plot");
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-roledescription", "interactive plot");
  const help = element("span", "stiknn-hidden", keys);
  help.id = `stiknn-help-${Math.random().toString(36).slice(2)}`;
  plot.setAttribute("aria-describedby", help.id);
  const graph = element("div", "stiknn-graph");
  graph.dataset.testid = name;
  plot.append(graph);
  const legend = element("div", "stiknn-legend");
  panel.append(head, plot, legend, help);
  return { panel, heading, tools, zoomIn, zoomOut, reset, plot, graph, legend };
}

export function buildLayout(host) {
  const root = element("div", "stiknn-view");
  root.dataset.testid = "linked-view";
  root.dataset.ready = "false";
  const toolbar = element("div", "stiknn-toolbar");
  const undo = button("Undo", "Undo the last selection (Ctrl+Z)");
  const clear = button("Clear", "Clear the selection (Escape)");
  const save = button("PNG", "Download both plots as one picture");
  const matrix = buildPanel("matrix", "Interaction matrix", MATRIX_KEYS);
  const scatter = buildPanel("scatter", "Points", SCATTER_KEYS);
  const panels = element("div", "stiknn-panels");
  panels.append(matrix.panel, scatter.panel);
  const status = element("div", "stiknn-status");
  status.setAttribute("role", "status");
  const spoken = element("div", "stiknn-hidden");
  spoken.setAttribute("aria-live", "polite");
  const tip = element("div", "stiknn-tip");
  tip.setAttribute("aria-hidden", "true");
  root.append(toolbar, panels, status, spoken, tip);
  host.replaceChildren(root);
  return { root, toolbar, undo, clear, save, panels, matrix, scatter, status, spoken, tip };
}

export function showTip(tip, root, lines, event) {
  tip.replaceChildren(...lines.map((line, i) => element("div", i ? "" : "stiknn-tip-head", line)));
  tip.style.display = "block";
  const box = root.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  const left = x + 14 + tip.offsetWidth > box.width ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, y - tip.offsetHeight - 10)}px`;
}
