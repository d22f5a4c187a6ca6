// The same points as a table, to be typed: for exact places, names and classes.

import { element } from "../shared/elements.js";
import { header, press, symbol } from "./common.js";

export class Table {
  shape = "";
  /** @type {any[]} */ rows = [];
  /** @type {HTMLDataListElement} */ choices;

  constructor(board) {
    this.board = board;
    this.node = element("div", "learn-table");
  }

  // Rows anew only when there are others, so that the box someone types in stays.
  draw() {
    const { board } = this;
    const shape = [board.points.length, board.tests.length, board.data.space, board.data.called].join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.build();
    }
    this.rows.forEach((row) => this.fill(row));
    this.choices.replaceChildren(...board.classes.map((value) => element("option", { value })));
  }

  build() {
    const { space, called } = this.board.data;
    const axes = space === "line" ? ["x"] : ["x", "y"];
    this.rows = [];
    this.choices = element("datalist", { id: `learn-classes-${Math.random().toString(36).slice(2)}` });
    const section = (title, kind) => {
      const titles = ["", title, called, ...axes, ""];
      const head = titles.map((name) => (name ? header(name, "col") : element("td")));
      const lines = this.board.list(kind).map((_, i) => this.row({ kind, i }, axes));
      return [element("tr", {}, ...head), ...lines];
    };
    const lines = [...section("training point", "point"), ...section("test point", "test")];
    this.node.replaceChildren(element("table", {}, ...lines), this.choices);
  }

  row(item, axes) {
    const { board } = this;
    const { longest_name, longest_label, fewest, span } = board.data;
    const called = board.called(item);
    const isPoint = item.kind === "point";
    const swatch = element("span", "learn-swatch");
    const name = isPoint
      ? box(
          { type: "text", class: "learn-short", maxlength: longest_name, "aria-label": `Name of point ${item.i + 1}` },
          (text) => board.rename(item, "name", text.trim()),
        )
      : press(called, `Look at test point ${called}`, () => board.activate(item.i));
    const label = box(
      { type: "text", maxlength: longest_label, "aria-label": `Class of ${called}`, list: this.choices.id },
      (text) => board.rename(item, "label", text.trim()),
    );
    const places = axes.map((axis) =>
      box(
        { type: "number", maxlength: 5, "aria-label": `${axis} of ${called}`, min: 0, max: span, step: 0.1 },
        (text) => board.place(item, axis, text),
      ),
    );
    const remove = press("×", `Remove ${called}`, () => board.remove(item));
    remove.classList.add("learn-remove");
    remove.disabled = board.list(item.kind).length <= (isPoint ? fewest : 1);
    this.rows.push({ item, swatch, name, label, places });
    const cells = [swatch, name, label, ...places, remove];
    return element("tr", {}, ...cells.map((node) => element("td", {}, node)));
  }

  fill({ item, swatch, name, label, places }) {
    const { board } = this;
    const spot = board.spot(item);
    const show = (box, value) => {
      if (document.activeElement !== box && box.value !== String(value)) box.value = value;
    };
    swatch.replaceChildren(symbol(board.classes.indexOf(spot.label)));
    show(label, spot.label);
    places.forEach((box, m) => show(box, m ? spot.y : spot.x));
    if (item.kind === "point") show(name, spot.name);
    else name.setAttribute("aria-pressed", item.i === board.test);
  }
}

// A box that shows what came of what was typed, also while it has the focus.
function box(given, act) {
  const input = element("input", { ...given, autocomplete: "off" });
  input.addEventListener("change", () => {
    input.value = act(input.value);
  });
  return input;
}
