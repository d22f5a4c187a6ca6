// The same points as a table, to be typed: for exact places, names and classes.

import { element } from "../shared/elements.js";
import { header, press, set, symbol } from "./common.js";

export class Table {
  /** @type {any[]} */ rows = [];
  /** @type {HTMLDataListElement} */ choices;

  constructor(board) {
    this.board = board;
    this.node = element("div", "learn-table");
    this.shape = "";
  }

  // Rows anew only when there are others, so that the box someone types in stays.
  draw() {
    const { board } = this;
    const shape = [board.points.length, board.tests.length, board.data.space].join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.build();
    }
    this.rows.forEach((row) => this.fill(row));
    this.choices.replaceChildren(...board.classes.map((name) => Object.assign(element("option"), { value: name })));
  }

  build() {
    const { board } = this;
    const flat = board.data.space === "line";
    this.rows = [];
    this.choices = element("datalist");
    this.choices.id = `learn-classes-${Math.random().toString(36).slice(2)}`;
    const table = element("table");
    const section = (title, kind, list) => {
      const head = element("tr");
      for (const name of ["", title, "class", "x", ...(flat ? [] : ["y"]), ""])
        head.append(name ? header(name, "col") : element("td"));
      table.append(head);
      list.forEach((_, i) => table.append(this.row(kind, i, flat)));
    };
    section("training point", "point", board.points);
    section("test point", "test", board.tests);
    this.node.replaceChildren(table, this.choices);
  }

  row(kind, i, flat) {
    const { board } = this;
    const line = element("tr");
    const cells = { kind, i, line };
    const put = (node) => {
      const cell = element("td");
      cell.append(node);
      line.append(cell);
      return node;
    };
    cells.swatch = put(element("span", "learn-swatch"));
    const isPoint = kind === "point";
    const called = () => (isPoint ? board.points[i][0] : `T${i + 1}`);
    if (isPoint) {
      cells.name = put(
        this.box("text", `Name of point ${i + 1}`, board.data.longest_name, (text) =>
          board.edit(kind, i, 0, text.trim()),
        ),
      );
      cells.name.classList.add("learn-short");
    } else {
      const button = put(press(`T${i + 1}`, `Look at test point T${i + 1}`, () => board.activate(i)));
      cells.active = button;
    }
    const first = isPoint ? 1 : 0;
    cells.label = put(
      this.box("text", `Class of ${called()}`, board.data.longest_label, (text) =>
        board.edit(kind, i, first, text.trim()),
      ),
    );
    cells.label.setAttribute("list", this.choices.id);
    cells.places = (flat ? ["x"] : ["x", "y"]).map((axis, m) => {
      const box = put(
        this.box("number", `${axis} of ${called()}`, 5, (text) => board.edit(kind, i, first + 1 + m, text)),
      );
      set(box, { min: 0, max: board.data.span, step: 0.1 });
      return box;
    });
    const least = isPoint ? board.data.fewest : 1;
    const list = isPoint ? board.points : board.tests;
    const remove = put(press("×", `Remove ${called()}`, () => board.remove(kind, i)));
    remove.classList.add("learn-remove");
    remove.disabled = list.length <= least;
    this.rows.push(cells);
    return line;
  }

  box(type, label, longest, act) {
    const input = element("input");
    set(input, { type, maxlength: longest, "aria-label": label, autocomplete: "off" });
    input.addEventListener("change", () => act(input.value));
    return input;
  }

  fill({ kind, i, swatch, name, active, label, places }) {
    const { board } = this;
    const isPoint = kind === "point";
    const row = isPoint ? board.points[i] : board.tests[i];
    const given = isPoint ? row.slice(1) : row;
    const show = (box, value) => {
      if (box && document.activeElement !== box && box.value !== String(value)) box.value = value;
    };
    swatch.replaceChildren(symbol(board.classes.indexOf(given[0]), board.theme));
    show(name, row[0]);
    show(label, given[0]);
    places.forEach((box, m) => show(box, given[1 + m]));
    if (active) active.setAttribute("aria-pressed", i === board.test);
  }
}
