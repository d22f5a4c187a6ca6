// Algorithm 1 step by step. All steps are here; nothing is asked of Python while it plays.

import { element } from "../shared/elements.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, paint, press, rich, set, toNumber } from "./common.js";

const PACE = 1400; // ms a step stays while playing
const REST = 500; // ms after which Python hears where we stand, for the link

const kept = new Map(); // host -> where it stands

export function show(message) {
  const { host } = message;
  if (!kept.has(host)) kept.set(host, new Stepper(host));
  kept.get(host).update(message);
}

export function close(host) {
  kept.get(host)?.stop();
  kept.delete(host);
}

class Stepper {
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;
  /** @type {number[]} steps told whose echo may still come */ sent = [];
  /** @type {HTMLElement[]} of the pseudo-code */ lines = [];
  /** @type {Map<string, string>} */ filled = new Map();

  constructor(host) {
    this.host = host;
    this.step = 0;
    this.id = "";
    this.build();
  }

  build() {
    const root = (this.root = element("div", "learn learn-stepper"));
    root.dataset.testid = "learn-steps";
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Algorithm 1, step by step. Arrow keys step, space plays.");
    root.addEventListener("keydown", (event) => this.key(event));
    this.first = press("First", "First step", () => this.go(0));
    this.back = press("Back", "One step back", () => this.go(this.step - 1));
    this.playing = press("Play", "", () => this.toggle());
    this.playing.classList.add("learn-main");
    this.forward = press("Forward", "One step forward", () => this.go(this.step + 1));
    this.last = press("Last", "Last step", () => this.go(Infinity));
    this.count = element("span", "learn-count");
    const bar = element("div", "learn-bar");
    bar.append(this.first, this.back, this.playing, this.forward, this.last, this.count);
    this.slider = element("input", "learn-slider");
    set(this.slider, { type: "range", min: 0, step: 1, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.sentence = element("div", "learn-sentence");
    this.sentence.setAttribute("aria-live", "polite");
    this.formula = element("div", "learn-formula");
    this.code = element("ol", "learn-code");
    this.code.setAttribute("aria-label", "Pseudo-code");
    this.matrix = element("div");
    this.verdict = element("div", "learn-verdict");
    root.append(bar, this.slider, this.sentence, this.formula, this.matrix, this.verdict, this.code);
    this.host.replaceChildren(root);
  }

  update({ data, send }) {
    this.send = send;
    this.data = data;
    this.theme = readTheme(this.host);
    const id = JSON.stringify([this.data.names, this.data.steps]);
    if (id !== this.id) {
      this.stop();
      this.id = id;
      this.step = this.told = this.data.step;
      this.lines = this.data.code.map(([depth, text]) => {
        const line = element("li");
        const inside = element("span");
        inside.style.marginLeft = `${depth * 1.3}em`;
        inside.append(rich(text));
        line.append(inside);
        return line;
      });
      this.code.replaceChildren(...this.lines);
      this.sent = [];
    } else if (this.data.step === this.told) {
      this.sent = [];
    } else if (!this.sent.includes(this.data.step)) {
      this.step = this.told = this.data.step; // an undo or another link, and no late echo
    }
    this.slider.max = this.data.steps.length - 1;
    this.range = this.scale();
    this.show();
  }

  // All colours by the finished matrix, so that they do not change on the way.
  scale() {
    let most = 0;
    for (const step of this.data.steps)
      for (const [row, column, text] of step.written)
        if (row !== column) most = Math.max(most, Math.abs(toNumber(text)));
    return most;
  }

  go(step) {
    this.stop();
    this.move(step);
  }

  move(step) {
    this.step = Math.max(0, Math.min(this.data.steps.length - 1, step));
    this.show();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.tell(), REST);
  }

  tell() {
    if (this.timer || this.told === this.step || !this.host.isConnected) return;
    this.sent.push(this.told);
    this.told = this.step;
    this.send("step", { step: this.step, about: this.data.about });
  }

  toggle() {
    if (this.timer) {
      this.stop();
      this.show();
      this.move(this.step);
      return;
    }
    if (this.step === this.data.steps.length - 1) this.move(0);
    this.timer = setInterval(() => {
      this.move(this.step + 1);
      if (this.step === this.data.steps.length - 1) {
        this.stop();
        this.show();
        this.move(this.step);
      }
    }, PACE);
    this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  key(event) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === " " && target !== this.root) return; // a button's own
    if (target === this.slider) return;
    const acts = {
      ArrowRight: () => this.go(this.step + 1),
      ArrowDown: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      ArrowUp: () => this.go(this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      " ": () => this.toggle(),
    };
    if (!acts[key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[key]();
  }

  show() {
    const { data, step } = this;
    const now = data.steps[step];
    const end = data.steps.length - 1;
    this.root.dataset.step = step;
    this.root.dataset.kind = now.kind;
    this.root.dataset.playing = Boolean(this.timer);
    this.first.disabled = this.back.disabled = step === 0;
    this.last.disabled = this.forward.disabled = step === end;
    this.playing.textContent = this.timer ? "Pause" : "Play";
    const loop = Object.entries(now.loop).map(([name, value]) => `${name} = ${value}`);
    this.count.textContent = [`Step ${step} of ${end}`, ...loop].join(" · ");
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `Step ${step} of ${end}`);
    this.sentence.textContent = now.sentence;
    this.formula.replaceChildren(rich(now.formula));
    this.lines.forEach((line, i) => {
      line.classList.toggle("learn-here", i === now.line);
      if (i === now.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.drawMatrix(now);
    this.judge();
  }

  drawMatrix(now) {
    const { data, step, theme, range } = this;
    const filled = new Map();
    for (const one of data.steps.slice(0, step + 1))
      for (const [row, column, text] of one.written) filled.set(`${row},${column}`, text);
    this.filled = filled;
    const fresh = new Set(now.written.map(([row, column]) => `${row},${column}`));
    const source = now.source ? now.source.join(",") : "";
    const label = "The matrix as far as it is filled, nearest point first";
    const table = grid(data.names, label, (cell, row, column) => {
      const place = `${row},${column}`;
      const text = filled.get(place);
      cell.classList.toggle("learn-new", fresh.has(place) && now.kind !== "done");
      cell.classList.toggle("learn-source", place === source);
      const [r, c] = data.pair;
      cell.classList.toggle("learn-chosen", row === r && column === c);
      if (text === undefined) return cell.append(element("span", "learn-empty", column > row ? "·" : ""));
      paint(cell, text, range, theme, row === column);
      cell.append(fraction(text));
    });
    this.matrix.replaceChildren(table);
  }

  judge() {
    const [r, c] = this.data.pair;
    const [i, j] = this.data.pair_names;
    const found = this.filled.get(`${r},${c}`);
    const pair = rich(`φ_{${i}, ${j}}`);
    if (found === undefined) {
      this.verdict.replaceChildren(pair, " is not there yet.");
      return;
    }
    const value = fraction(found);
    value.dataset.testid = "learn-found";
    if (this.data.tied) {
      this.verdict.replaceChildren(pair, " in this order: ", value, ". The mean over the orders is below.");
      return;
    }
    const sum = fraction(this.data.sum);
    const sign = element("strong", "", found === this.data.sum ? " ✓" : " ✗");
    this.verdict.replaceChildren(pair, ": Algorithm 1 ", value, " · sum over subsets ", sum, sign);
  }
}
