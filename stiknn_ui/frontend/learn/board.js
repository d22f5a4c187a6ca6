// The board: what the hand moves, told to Python when it lets go.

import { element } from "../shared/elements.js";
import { readTheme } from "../shared/palette.js";
import { Plot } from "./board_plot.js";
import { Table } from "./board_table.js";
import { classesOf, LOOK } from "./common.js";

const SNAP = 0.5;
const FINE = 0.1;
const CALM = 350; // ms without a key before Python hears of a move by keys

const boards = new Map(); // host -> its board

export function show(message) {
  const { host } = message;
  if (!boards.has(host)) boards.set(host, new Board(host));
  boards.get(host).update(message);
}

export function close(host) {
  boards.get(host)?.close();
  boards.delete(host);
}

class Board {
  /** @type {[name: string, label: string, x: number, y: number][]} */ points;
  /** @type {[label: string, x: number, y: number][]} */ tests;
  /** @type {string[]} */ classes = [];

  constructor(host) {
    this.host = host;
    this.seq = 0;
    this.root = "";
    this.node = element("div", "learn learn-board");
    this.node.dataset.testid = "learn-board";
    this.frame = element("div", "learn-frame");
    const how =
      "Drag the points, or move them with the arrow keys: half a unit, with Shift a tenth. " +
      "i and j mark the pair of section 3.";
    this.frame.append(element("div", "learn-hint", how));
    this.plot = new Plot(this);
    this.table = new Table(this);
    this.frame.prepend(this.plot.node);
    this.said = element("div", "learn-hidden");
    this.said.setAttribute("aria-live", "polite");
    this.node.append(this.frame, this.table.node, this.said);
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
      this.points = data.points.map((row) => [...row]);
      this.tests = data.tests.map((row) => [...row]);
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
    this.classes = classesOf([...this.points.map((p) => p[1]), ...this.tests.map((t) => t[0])]);
    this.plot.draw();
    this.table.draw();
    this.node.dataset.order = this.nearest()
      .order.map((i) => this.points[i][0])
      .join(",");
  }

  // Neighbours of the active test point, in the tenths that places are counted in.
  nearest() {
    const tenths = (value) => Math.round(value * 10);
    const [, x, y] = this.tests[this.test];
    const squared = this.points.map(([, , a, b]) => (tenths(a) - tenths(x)) ** 2 + (tenths(b) - tenths(y)) ** 2);
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

  // --- moving ---------------------------------------------------------------------

  /** @param {{ kind: "point" | "test", i: number, node: SVGElement }} item */
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
      const at = this.where(item);
      held = { dx: at[0] - x, dy: at[1] - y, before: at.join() };
    });
    node.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = this.plot.place(event);
      this.put(item, x + held.dx, y + held.dy, event.shiftKey ? FINE : SNAP);
      node.classList.add("learn-held");
    });
    const drop = () => {
      if (!held) return;
      const moved = held.before !== this.where(item).join();
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
    const step = event.shiftKey ? FINE : SNAP;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (ways[event.key]) {
      const [dx, dy] = ways[event.key];
      const [x, y] = this.where(item);
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
    const ranks = this.nearest().ranks;
    const called = item.kind === "point" ? this.points[item.i][0] : `T${item.i + 1}`;
    const rank = item.kind === "point" ? `, neighbour ${ranks[item.i]}` : "";
    const at = this.where(item).slice(0, this.data.space === "line" ? 1 : 2);
    this.said.textContent = `${called} at ${at.join(", ")}${rank}`;
  }

  /** @returns {any[]} */
  row(item) {
    return item.kind === "point" ? this.points[item.i] : this.tests[item.i];
  }

  where(item) {
    return this.row(item).slice(-2);
  }

  put(item, x, y, step) {
    const { span, space } = this.data;
    const snap = (value) => {
      const near = Math.round(Math.round(value / step) * step * 10) / 10;
      return Math.max(0, Math.min(span, near));
    };
    const row = this.row(item);
    row.splice(-2, 2, snap(x), space === "line" ? 0 : snap(y));
    this.draw();
  }

  // --- other changes ----------------------------------------------------------------

  activate(i) {
    if (i === this.test) return;
    this.test = i;
    this.changed();
  }

  nextClass(i) {
    const at = this.classes.indexOf(this.points[i][1]);
    this.points[i][1] = this.classes[(at + 1) % this.classes.length];
    this.changed();
  }

  edit(kind, i, column, text) {
    const row = kind === "point" ? this.points[i] : this.tests[i];
    const isPlace = column >= row.length - 2;
    const value = Number(text);
    if (text === "" || (isPlace && !Number.isFinite(value))) return this.draw();
    const within = Math.max(0, Math.min(this.data.span, Math.round(value * 10) / 10));
    row[column] = isPlace ? within : text;
    this.changed();
  }

  remove(kind, i) {
    const list = kind === "point" ? this.points : this.tests;
    list.splice(i, 1);
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
    this.seq += 1;
    const { root, seq, points, tests, test } = this;
    this.send("edit", { root, seq, points, tests, test });
  }
}
