// The points on a line or a plane, as SVG. What is near is worked out here too, so that lines and
// rings follow the hand; Python counts again, exactly, when it lets go.

import { set } from "../shared/elements.js";
import { classColor, parseColor } from "../shared/palette.js";
import { classSymbol, symbolPath } from "../shared/symbols.js";
import { inkOn, svg } from "./common.js";

const MARK = 14;
const EDGE = 30;
const ABOVE = 96; // room above the line, for two points on top of each other
const BELOW = 106; // and two test points below it
const MOST_WIDE = 560;
const MOST_HIGH = 350; // of a plane: it is to be seen at once, with the matrix beside it

export class Plot {
  room = 0; // what there is, and what of it is used
  width = 0;
  height = 0;
  axis = 0; // where the line is

  constructor(board) {
    this.board = board;
    this.ground = svg("g");
    this.links = svg("g");
    this.marks = svg("g");
    const label = "Points. Drag them, or use the arrow keys.";
    const about = { class: "learn-plot", role: "group", "aria-label": label };
    this.node = svg("svg", about, this.ground, this.links, this.marks);
    this.items = [];
  }

  get flat() {
    return this.board.data.space === "line";
  }

  resize(width) {
    this.width = Math.max(240, Math.min(MOST_WIDE, width));
    this.axis = this.flat ? ABOVE : 0;
    this.height = this.flat ? ABOVE + BELOW : Math.min(this.width, MOST_HIGH);
    set(this.node, { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` });
    this.drawGround();
  }

  // Coordinates -> pixels. On a plane both axes have one scale, so that rings are round.
  get unit() {
    const { span } = this.board.data;
    const room = this.flat ? this.width : Math.min(this.width, this.height);
    return (room - 2 * EDGE) / span;
  }

  get left() {
    return (this.width - this.unit * this.board.data.span) / 2;
  }

  px(x) {
    return this.left + x * this.unit;
  }

  py(y) {
    return this.flat ? this.axis : this.height - EDGE - y * this.unit;
  }

  // Pixels of the mouse -> coordinates.
  place(event) {
    const box = this.node.getBoundingClientRect();
    const scale = this.width / box.width;
    const x = ((event.clientX - box.left) * scale - this.left) / this.unit;
    const y = (this.height - EDGE - (event.clientY - box.top) * scale) / this.unit;
    return [x, this.flat ? 0 : y];
  }

  drawGround() {
    const { span } = this.board.data;
    this.ground.replaceChildren();
    const line = (x1, y1, x2, y2, name) => this.ground.append(svg("line", { x1, y1, x2, y2, class: name }));
    const text = (x, y, words) => this.ground.append(svg("text", { x, y, class: "learn-tick" }, words));
    for (let at = 0; at <= span; at += 1) {
      const x = this.px(at);
      if (this.flat) {
        line(x, this.axis - 4, x, this.axis + 4, "learn-axis");
        text(x, this.height - 6, String(at));
      } else {
        line(x, this.py(0), x, this.py(span), "learn-rule");
        line(this.px(0), this.py(at), this.px(span), this.py(at), "learn-rule");
        if (at % 2 === 0) {
          text(x, this.py(0) + 20, String(at));
          text(this.px(0) - 14, this.py(at) + 4, String(at));
        }
      }
    }
    if (this.flat) line(this.px(0), this.axis, this.px(span), this.axis, "learn-axis");
  }

  // Where marks are drawn: those that would hide each other are stacked or moved apart. The board keeps its size
  // whatever is on it: the higher a stack, the closer its marks.
  spots() {
    if (this.flat) {
      return {
        points: this.stacked(this.board.points, this.axis - MARK - 8, MARK + 22),
        tests: this.stacked(this.board.tests, this.axis + MARK + 10, this.height - MARK - 34),
      };
    }
    const apart = (list) => {
      const done = [];
      for (const { x, y } of list) {
        const spot = [this.px(x), this.py(y)];
        while (done.some(([a, b]) => Math.hypot(a - spot[0], b - spot[1]) < MARK)) {
          [spot[0], spot[1]] = [spot[0] + MARK * 0.9, spot[1] - MARK * 0.9];
        }
        done.push(spot);
      }
      return done;
    };
    return { points: apart(this.board.points), tests: apart(this.board.tests) };
  }

  // On the line: from the first place towards the last one there is room for.
  stacked(list, first, last) {
    const levels = [];
    list.forEach(({ x }, i) => {
      const near = levels.filter((_, j) => Math.abs(this.px(list[j].x) - this.px(x)) < 2 * MARK);
      levels[i] = [...list.keys()].find((level) => !near.includes(level));
    });
    const most = Math.max(1, ...levels);
    const step = Math.sign(last - first) * Math.min(2 * MARK + 2, Math.abs(last - first) / most);
    return list.map(({ x }, i) => [this.px(x), first + levels[i] * step]);
  }

  draw() {
    const { board } = this;
    const wanted = ["point", "test"].flatMap((kind) => board.list(kind).map((_, i) => ({ kind, i })));
    if (this.items.length !== wanted.length || this.items.some((m, i) => m.kind !== wanted[i].kind)) {
      this.marks.replaceChildren();
      this.items = wanted.map((item) => this.mark(item));
    }
    const spots = this.spots();
    const near = board.nearest();
    this.drawLinks(spots, near);
    for (const item of this.items) this.dress(item, spots, near);
  }

  mark({ kind, i }) {
    const shape = svg("path", { class: "learn-shape" });
    const halo = svg("circle", { r: MARK + 5, class: "learn-halo" });
    const node = svg("g", { tabindex: 0, role: "button", class: `learn-mark learn-${kind}` }, halo, shape);
    node.dataset.testid = `learn-${kind}-${i + 1}`;
    const name = svg("text", { class: "learn-name" });
    const rank = svg("text", { class: "learn-rank" });
    const letter = svg("text", { class: "learn-letter", x: -MARK - 6, y: 5, "text-anchor": "end" });
    // Beside the button, as its label says the same in words.
    const words = svg("g", { class: "learn-words", "aria-hidden": "true" }, name, rank, letter);
    this.marks.append(node, words);
    const item = { kind, i, node, shape, words, name, rank, letter };
    this.board.movable(item);
    return item;
  }

  dress(item, spots, near) {
    const { board } = this;
    const { kind, i, node, shape, words, name, rank, letter } = item;
    const isPoint = kind === "point";
    const [x, y] = (isPoint ? spots.points : spots.tests)[i];
    const { label } = board.spot(item);
    const code = board.classes.indexOf(label);
    const color = classColor(code);
    const called = board.called(item);
    for (const part of [node, words]) set(part, { transform: `translate(${x.toFixed(1)},${y.toFixed(1)})` });
    set(shape, {
      d: symbolPath(classSymbol(code), MARK),
      fill: isPoint ? color : "var(--st-background-color)",
      stroke: color,
    });
    name.textContent = called;
    set(name, {
      y: called.length > 2 ? 4 : 5,
      "font-size": called.length > 2 ? 10 : 14,
      fill: isPoint ? inkOn(parseColor(color)) : "var(--st-text-color)",
    });
    rank.textContent = isPoint ? near.ranks[i] : "";
    letter.textContent = isPoint ? "ij".charAt(board.pair.indexOf(i)) : "";
    const covered = spots.points.some(([a, b]) => Math.abs(a - x) < MARK && b < y && y - b < 3 * MARK);
    set(
      rank,
      covered ? { x: MARK + 5, y: 5, "text-anchor": "start" } : { x: 0, y: -MARK - 7, "text-anchor": "middle" },
    );
    const active = isPoint || i === board.test;
    const { subset, votes } = board.look;
    const idle = !active || (isPoint && subset !== null && !((subset >> i) & 1));
    for (const part of [node, words]) part.classList.toggle("learn-idle", idle);
    node.classList.toggle("learn-lit", isPoint ? subset !== null && votes.includes(i) : i === board.test);
    const where = `${called}, class ${label}, at ${board.where(item)}`;
    const ofPair = letter.textContent ? `, ${letter.textContent} of the pair` : "";
    const what = isPoint
      ? `Training point ${where}, neighbour ${near.ranks[i]}${ofPair}`
      : `Test point ${where}${active ? ", looked at" : ""}`;
    const more = isPoint ? "Enter changes its class." : "Enter looks at it.";
    node.setAttribute("aria-label", `${what}. Arrow keys move it. ${more}`);
  }

  // The reach of the k nearest, and a line to each of them.
  drawLinks(spots, near) {
    this.links.replaceChildren();
    const { x, y } = this.board.tests[this.board.test];
    const reach = near.reach * this.unit;
    if (this.flat) {
      const left = Math.max(this.px(0) - EDGE / 2, this.px(x) - reach);
      const right = Math.min(this.px(this.board.data.span) + EDGE / 2, this.px(x) + reach);
      const box = { x: left, y: this.axis - 6, width: right - left, height: 12, rx: 6 };
      this.links.append(svg("rect", { ...box, class: "learn-reach" }));
    } else {
      this.links.append(svg("circle", { cx: this.px(x), cy: this.py(y), r: reach, class: "learn-reach" }));
    }
    const [tx, ty] = spots.tests[this.board.test];
    for (const i of near.inside) {
      const [px, py] = spots.points[i];
      this.links.append(svg("line", { x1: tx, y1: ty, x2: px, y2: py, class: "learn-link" }));
    }
  }
}
