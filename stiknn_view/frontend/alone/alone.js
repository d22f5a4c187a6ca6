// The linked view in a home of its own: a page of one file, or a cell of a notebook.

import { heldContent, show as showContent } from "../linked_view/contents.js";
import { close as closeView, show as showView } from "../linked_view/view.js";
import { element } from "../shared/elements.js";
import { formatNumber } from "../shared/format.js";
import { parseColor } from "../shared/palette.js";
import { expand } from "./squeezed.js";

export { expand };

const MOST_LISTED = 50;
const COLORS = [
  ["class", "Class"],
  ["value", "Value"],
  ["quality", "Label quality"],
  ["interaction", "Interaction with the selection"],
];
const COLORS_OF_TARGETS = [["class", "Target"], ...COLORS.filter(([key]) => key === "value" || key === "interaction")];

export class Home {
  /** @param {HTMLElement} host @param {Scene} scene @param {HomeEvents} events */
  constructor(host, scene, events = {}) {
    this.host = host;
    this.scene = scene;
    this.events = events;
    this.id = new TextDecoder().decode(scene.content.subarray(8, 24));
    this.selection = scene.selection;
    this.order = Math.max(
      0,
      scene.orders.findIndex((one) => one.name === scene.order),
    );
    this.options = { ...scene.options };
    host.classList.add("stiknn-home");
    this.view = element("div");
    showContent({ host: this.view, data: scene.content, send: () => {} });
    this.theme = window.matchMedia("(prefers-color-scheme: dark)");
    this.controls = element("div", "stiknn-home-controls");
    host.replaceChildren(...this.heading(), this.controls, this.view, ...this.below());
    this.dress();
    this.theme.addEventListener("change", this.redress);
    this.buildControls();
    this.draw();
    // The first stop of the Tab key is that of a page, not of one cell among many.
    if (!scene.whole) this.picture?.skip.remove();
  }

  get picture() {
    /** @type {HTMLElement | null} */
    const root = this.view.querySelector(".stiknn-view");
    return root?.stiknnView;
  }

  close() {
    this.theme.removeEventListener("change", this.redress);
    closeView(this.view);
  }

  draw() {
    const { n, orders } = this.scene;
    const data = {
      content: this.id,
      n,
      order: orders[this.order],
      selection: this.selection,
      options: this.options,
      shown: "",
    };
    showView({ host: this.view, data, send: this.heard });
  }

  heard = (_name, selection) => {
    this.selection = selection;
    this.events.select?.(selection);
  };

  /** @param {Selected} selection */
  select(selection) {
    this.selection = selection;
    this.draw();
  }

  /** @param {string} name */
  setOrder(name) {
    const place = this.scene.orders.findIndex((one) => one.name === name);
    if (place < 0 || place === this.order) return;
    this.order = place;
    this.orderBox.value = name;
    this.draw();
  }

  /** @param {ViewOptions["color_by"]} kind */
  setColor(kind) {
    if (this.options.color_by === kind) return;
    this.options = { ...this.options, color_by: kind };
    this.colorBox.value = kind;
    this.draw();
  }

  buildControls() {
    const { orders, options } = this.scene;
    const pick = (label, items, value, act) => {
      const box = element("select", {}, ...items.map(([key, text]) => element("option", { value: key }, text)));
      box.value = value;
      box.addEventListener("change", () => act(box.value));
      this.controls.append(element("label", {}, label, box));
      return box;
    };
    const named = orders.map((one) => [one.name, one.title]);
    this.orderBox = pick("Order", named, orders[this.order].name, (name) => {
      this.setOrder(name);
      this.events.order?.(name);
    });
    const { dots } = /** @type {Content} */ (heldContent(this.id));
    this.colorBox = pick(
      "Colour of the points",
      dots.targets ? COLORS_OF_TARGETS : COLORS,
      options.color_by,
      (kind) => {
        this.setColor(kind);
        this.events.color?.(kind);
      },
    );
  }

  heading() {
    const { title, lines, whole } = this.scene;
    if (!whole) return [];
    return [element("h1", {}, title), ...lines.map((line) => element("p", {}, line))];
  }

  // The picture in words: the points that it makes suspicious, and how to read it.
  below() {
    const { reading, whole } = this.scene;
    if (!whole) return [];
    return [
      element(
        "details",
        {},
        element("summary", {}, "How to read this"),
        ...reading.map((line) => element("p", {}, line)),
      ),
      element("details", {}, element("summary", {}, "The most suspicious labels as a table"), this.table()),
    ];
  }

  table() {
    const { dots, classes } = /** @type {Content} */ (heldContent(this.id));
    const { targets, proposed } = dots;
    if (targets && proposed) return targetTable(dots, targets, proposed);
    const known = Array.from(dots.quality, (quality, dot) => [quality, dot]).filter(([quality]) =>
      Number.isFinite(quality),
    );
    known.sort(([a], [b]) => a - b);
    const rows = known.slice(0, MOST_LISTED).map(([quality, dot]) => {
      const cells = [
        dots.ids[dot],
        classes[dots.codes[dot]],
        ...(dots.suggested ? [classes[dots.suggested[dot]]] : []),
        formatNumber(quality),
        formatNumber(dots.values[dot]),
      ];
      return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
    });
    if (!rows.length) return element("p", {}, "Label quality is not known here.");
    const titles = ["Point", "Label", ...(dots.suggested ? ["Suggested"] : []), "Label quality", "Value"];
    const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  redress = () => {
    this.dress();
    this.draw();
  };

  // Dark where the ground that we stand on is: of a page our own, of a notebook what shines through.
  dress() {
    const { host } = this;
    if (this.scene.whole) {
      host.classList.toggle("stiknn-home-dark", this.theme.matches);
      return;
    }
    const [r, g, b] = parseColor(groundOf(host));
    host.classList.toggle("stiknn-home-dark", 0.299 * r + 0.587 * g + 0.114 * b < 128);
  }
}

function groundOf(node) {
  for (let at = node.parentElement; at; at = at.parentElement ?? at.getRootNode().host) {
    const color = getComputedStyle(at).backgroundColor;
    if (color && color !== "transparent" && !/, 0\)$/.test(color)) return color;
  }
  return "#ffffff";
}

/** @param {HTMLElement} host @param {Scene} scene @param {HomeEvents} events */
export function open(host, scene, events) {
  return new Home(host, scene, events);
}

// Rows whose target is farthest from what their neighbours say.
/** @param {Content["dots"]} dots @param {Float32Array} targets @param {Float32Array} proposed */
function targetTable({ ids, values }, targets, proposed) {
  const far = Array.from(ids.keys(), (dot) => [Math.abs(targets[dot] - proposed[dot]), dot]);
  const known = far.filter(([distance]) => Number.isFinite(distance)).sort(([a], [b]) => b - a);
  if (!known.length) return element("p", {}, "Nothing is suggested here.");
  const rows = known.slice(0, MOST_LISTED).map(([distance, dot]) => {
    const cells = [ids[dot], ...[targets[dot], proposed[dot], distance, values[dot]].map(formatNumber)];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  });
  const titles = ["Point", "Target", "Suggested", "Distance", "Value"];
  const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}
