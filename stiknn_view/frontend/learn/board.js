// The board: what the hand moves, told to Python when it lets go.

import { element } from "../shared/elements.js";
import { oneForEachHost } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { Plot } from "./board_plot.js";
import { Table } from "./board_table.js";
import { classesOf, LOOK } from "./common.js";

const SNAP = 2; // places in a unit where a point falls when it is dragged
const FINE = 10;
const HOW =
  "Drag the points, or move them with the arrow keys: half a unit, with Shift a tenth. " +
  "Names, classes and places can be typed below; i and j are the chosen pair.";
const CALM = 350; // ms without a key before Python hears of a move by keys

/** @typedef {{ name?: string, label: string, x: number, y: number }} Spot a point or a test point */
/** @typedef {{ kind: "point" | "test", i: number }} Item which one */

class Board {
  /** @type {Spot[]} */ points;
  /** @type {Spot[]} */ tests;
  /** @type {string[]} */ classes = [];
  seq = 0;
  root = "";

  constructor(host) {
    this.host = host;
    this.plot = new Plot(this);
    this.table = new Table(this);
    this.hint = element("div", { class: "learn-hint", role: "status" }, HOW);
    this.frame = element("div", "learn-frame", this.plot.node, this.hint);
    this.said = element("div", { class: "learn-hidden", "aria-live": "polite" });
    this.node = element("div", "learn learn-board", this.frame, this.table.node, this.said);
    this.node.dataset.testid = "learn-board";
    host.replaceChildren(this.node);
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.frame);
    this.onLook = (event) => {
      this.look = event.detail;
      this.draw();
    };
    window.addEventListener(LOOK, this.onLook);
  }

  close() {
    this.watch.disconnect();
    window.removeEventListener(LOOK, this.onLook);
    clearTimeout(this.calm);
  }

  update({ data, send }) {
    this.send = send;
    const flat = this.data?.space !== data.space;
    this.data = data;
    this.theme = readTheme(this.host);
    // What Python says of an earlier report than our last would pull the points back.
    if (data.root !== this.root || data.seq >= this.seq) {
      this.seq = data.root === this.root ? this.seq : data.seq;
      this.root = data.root;
      this.points = data.points.map(([name, label, x, y]) => ({ name, label, x, y }));
      this.tests = data.tests.map(([label, x, y]) => ({ label, x, y }));
      this.test = data.test;
      this.look = { subset: data.subset, votes: data.votes };
      this.pair = data.pair;
      clearTimeout(this.calm);
    }
    if (flat) this.plot.width = 0;
    this.fit();
    this.draw();
  }

  fit() {
    const width = this.frame.clientWidth;
    if (!this.data || !width || width === this.plot.room) {
      if (this.plot.width) return;
    }
    this.plot.room = width;
    this.plot.resize(width);
    this.draw();
  }

  draw() {
    this.classes = classesOf([...this.points, ...this.tests].map((spot) => spot.label));
    this.plot.draw();
    this.table.draw();
    const { order } = this.nearest();
    this.node.dataset.order = order.map((i) => this.points[i].name).join(",");
  }

  // Neighbours of the active test point, in the tenths that places are counted in.
  nearest() {
    const tenths = (value) => Math.round(value * 10);
    const { x, y } = this.tests[this.test];
    const squared = this.points.map((p) => (tenths(p.x) - tenths(x)) ** 2 + (tenths(p.y) - tenths(y)) ** 2);
    const order = [...squared.keys()].sort((a, b) => squared[a] - squared[b] || a - b);
    const ranks = [];
    for (const i of order) {
      const first = squared.filter((other) => other < squared[i]).length + 1;
      const last = squared.filter((other) => other <= squared[i]).length;
      ranks[i] = first === last ? String(first) : `${first}–${last}`;
    }
    const edge = squared[order[Math.min(this.data.k, order.length) - 1]];
    const inside = order.filter((i) => squared[i] <= edge);
    return { order, ranks, inside, reach: Math.sqrt(edge) / 10 };
  }

  // --- one of them --------------------------------------------------------------------

  list(kind) {
    return kind === "point" ? this.points : this.tests;
  }

  /** @param {Item} item */
  spot({ kind, i }) {
    return this.list(kind)[i];
  }

  called(item) {
    return this.spot(item).name ?? `T${item.i + 1}`;
  }

  // "3, 4", or "3" on a line.
  where(item) {
    const { x, y } = this.spot(item);
    return this.data.space === "line" ? `${x}` : `${x}, ${y}`;
  }

  within(value, perUnit) {
    return Math.max(0, Math.min(this.data.span, Math.round(value * perUnit) / perUnit));
  }

  // --- moving ---------------------------------------------------------------------

  /** @param {Item & { node: SVGElement }} item */
  movable(item) {
    const { node } = item;
    /** @type {{ dx: number, dy: number, before: string } | null} */
    let held = null;
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      node.focus({ preventScroll: true });
      node.setPointerCapture(event.pointerId);
      const [x, y] = this.plot.place(event);
      const at = this.spot(item);
      held = { dx: at.x - x, dy: at.y - y, before: this.where(item) };
    });
    node.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = this.plot.place(event);
      this.put(item, x + held.dx, y + held.dy, event.shiftKey ? FINE : SNAP);
      node.classList.add("learn-held");
    });
    const drop = () => {
      if (!held) return;
      const moved = held.before !== this.where(item);
      held = null;
      node.classList.remove("learn-held");
      if (moved) this.report();
      else if (item.kind === "test") this.activate(item.i);
    };
    node.addEventListener("pointerup", drop);
    node.addEventListener("pointercancel", drop);
    node.addEventListener("keydown", (event) => this.key(event, item));
  }

  key(event, item) {
    const step = 1 / (event.shiftKey ? FINE : SNAP);
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (ways[event.key]) {
      const [dx, dy] = ways[event.key];
      const { x, y } = this.spot(item);
      this.put(item, x + dx * step, y + dy * step, FINE);
      clearTimeout(this.calm);
      this.calm = setTimeout(() => this.report(), CALM);
      this.say(item);
    } else if (event.key === "Enter" || event.key === " ") {
      if (item.kind === "test") this.activate(item.i);
      else this.nextClass(item.i);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  say(item) {
    const rank = item.kind === "point" ? `, neighbour ${this.nearest().ranks[item.i]}` : "";
    this.said.textContent = `${this.called(item)} at ${this.where(item)}${rank}`;
  }

  // A sentence in the place of the hint, so that nothing moves; the hint again without one.
  tell(sentence) {
    this.hint.textContent = sentence || HOW;
    this.hint.classList.toggle("learn-corrected", sentence !== "");
  }

  put(item, x, y, perUnit) {
    const spot = this.spot(item);
    spot.x = this.within(x, perUnit);
    spot.y = this.data.space === "line" ? 0 : this.within(y, perUnit);
    this.draw();
  }

  // --- other changes ----------------------------------------------------------------

  activate(i) {
    if (i === this.test) return;
    this.test = i;
    this.changed();
  }

  nextClass(i) {
    const at = this.classes.indexOf(this.points[i].label);
    this.points[i].label = this.classes[(at + 1) % this.classes.length];
    this.changed();
  }

  // What a box of the table says; both return what it is from now on.
  /** @param {Item} item @param {"name" | "label"} part @param {string} text @returns {string | undefined} */
  rename(item, part, text) {
    if (text !== "") {
      this.spot(item)[part] = text;
      this.changed();
    }
    return this.spot(item)[part];
  }

  /** @param {Item} item @param {"x" | "y"} axis @param {string} text @returns {number} */
  place(item, axis, text) {
    const spot = this.spot(item);
    const typed = text === "" ? Number.NaN : Number(text);
    const before = spot[axis];
    if (Number.isFinite(typed)) spot[axis] = this.within(typed, FINE);
    if (spot[axis] !== before) this.changed();
    const why = `Places are tenths from 0 to ${this.data.span}, so ${axis} of ${this.called(item)} is ${spot[axis]}.`;
    this.tell(spot[axis] === typed ? "" : why);
    return spot[axis];
  }

  remove({ kind, i }) {
    this.list(kind).splice(i, 1);
    if (kind === "point") this.pair = []; // other positions now; Python says which
    if (kind === "test" && this.test >= i) this.test = Math.max(0, this.test - 1);
    this.changed();
  }

  changed() {
    this.look = { subset: null, votes: [] };
    this.draw();
    this.report();
  }

  report() {
    clearTimeout(this.calm);
    this.tell("");
    this.seq += 1;
    const { root, seq, test } = this;
    const points = this.points.map(({ name, label, x, y }) => [name, label, x, y]);
    const tests = this.tests.map(({ label, x, y }) => [label, x, y]);
    this.send("edit", { root, seq, points, tests, test });
  }
}

export const { show, close } = oneForEachHost(Board);
