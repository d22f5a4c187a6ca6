// Algorithm 1, or the theorem, step by step. All steps are here; nothing is asked of Python while it plays.

import { element } from "../shared/elements.js";
import { oneForEachHost } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, largest, paint, press, rich } from "./common.js";

const PACE = 1400; // ms a step stays while playing
const REST = 500; // ms after which Python hears where we stand, for the link

class Stepper {
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;
  /** @type {number[]} steps told whose echo may still come */ sent = [];
  /** @type {HTMLElement[]} of the pseudo-code */ lines = [];
  /** @type {number} the last step */ end;
  step = 0;
  id = "";

  constructor(host) {
    this.host = host;
    this.first = press("First", "First step", () => this.go(0));
    this.back = press("Back", "One step back", () => this.go(this.step - 1));
    this.playing = press("Play", "", () => this.toggle());
    this.playing.classList.add("learn-main");
    this.forward = press("Forward", "One step forward", () => this.go(this.step + 1));
    this.last = press("Last", "Last step", () => this.go(Infinity));
    this.count = element("span", "learn-count");
    const { first, back, playing, forward, last, count } = this;
    const bar = element("div", "learn-bar", first, back, playing, forward, last, count);
    this.slider = element("input", { class: "learn-slider", type: "range", min: 0, step: 1, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.sentence = element("div", { class: "learn-sentence", "aria-live": "polite" });
    this.formula = element("div", "learn-formula");
    this.code = element("ol", { class: "learn-code", "aria-label": "Pseudo-code" });
    this.matrix = element("div", "learn-wide");
    this.verdict = element("div", "learn-verdict");
    const { slider, sentence, formula, matrix, verdict, code } = this;
    const given = { class: "learn learn-stepper", tabindex: 0, role: "group" };
    this.root = element("div", given, bar, slider, sentence, formula, matrix, verdict, code);
    this.root.dataset.testid = "learn-steps";
    this.root.addEventListener("keydown", (event) => this.key(event));
    host.replaceChildren(this.root);
  }

  update({ data, send }) {
    this.send = send;
    this.data = data;
    this.theme = readTheme(this.host);
    const said = `${this.by()}, step by step. Arrow keys step, space plays.`;
    this.root.setAttribute("aria-label", said);
    const id = JSON.stringify([data.names, data.steps]);
    if (id !== this.id) {
      this.stop();
      this.id = id;
      this.step = this.told = data.step;
      this.lines = data.code.map(([depth, text]) => {
        const inside = element("span", {}, rich(text));
        inside.style.marginLeft = `${depth * 1.3}em`;
        return element("li", {}, inside);
      });
      this.code.replaceChildren(...this.lines);
      this.sent = [];
    } else if (data.step === this.told) {
      this.sent = [];
    } else if (!this.sent.includes(data.step)) {
      this.step = this.told = data.step; // an undo or another link, and no late echo
    }
    this.end = data.steps.length - 1;
    this.slider.max = this.end;
    this.range = largest([this.filled(this.end)]); // so that colours do not change on the way
    this.show();
  }

  // "Algorithm 1" or "The theorem", as a sentence begins.
  by() {
    return this.data.by.replace(/^./, (first) => first.toUpperCase());
  }

  // The matrix after a step, as far as it is filled.
  filled(step) {
    const { data } = this;
    const rows = data.names.map(() => []);
    for (const { written } of data.steps.slice(0, step + 1))
      for (const [row, column, text] of written) rows[row][column] = text;
    return rows;
  }

  go(step) {
    this.stop();
    this.move(step);
  }

  move(step) {
    this.step = Math.max(0, Math.min(this.end, step));
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
    if (this.timer) return this.go(this.step);
    if (this.step === this.end) this.move(0);
    this.timer = setInterval(() => {
      if (this.step + 1 < this.end) this.move(this.step + 1);
      else this.go(this.end);
    }, PACE);
    this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  close() {
    this.stop();
  }

  key(event) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === " " && target !== this.root) return; // a button's own
    if (target === this.slider) return;
    const [back, forward] = [() => this.go(this.step - 1), () => this.go(this.step + 1)];
    const acts = {
      ArrowRight: forward,
      ArrowDown: forward,
      ArrowLeft: back,
      ArrowUp: back,
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
    const { data, step, end } = this;
    const now = data.steps[step];
    const filled = this.filled(step);
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
    this.drawMatrix(now, filled);
    const [row, column] = data.pair;
    this.judge(filled[row][column]);
  }

  drawMatrix(now, filled) {
    const { data, theme, range } = this;
    const isAt = (cell, row, column) => cell[0] === row && cell[1] === column;
    const label = "The matrix as far as it is filled, nearest point first";
    const table = grid(data.names, label, (cell, row, column) => {
      const isNew = now.written.some((one) => isAt(one, row, column));
      cell.classList.toggle("learn-new", isNew && now.kind !== "done");
      cell.classList.toggle("learn-source", Boolean(now.source) && isAt(now.source, row, column));
      cell.classList.toggle("learn-chosen", isAt(data.pair, row, column));
      const text = filled[row][column];
      if (text === undefined) return cell.append(element("span", "learn-empty", column > row ? "·" : ""));
      if (row !== column) paint(cell, text, range, theme);
      cell.append(fraction(text));
    });
    this.matrix.replaceChildren(table);
  }

  judge(found) {
    const { pair_names, tied, sum } = this.data;
    const pair = rich(`φ_{${pair_names.join(", ")}}`);
    if (found === undefined) return this.verdict.replaceChildren(pair, " is not there yet.");
    const value = fraction(found);
    value.dataset.testid = "learn-found";
    const sign = element("strong", {}, found === sum ? " ✓" : " ✗");
    const rest = tied
      ? [" in this order: ", value, ". The mean over the orders is below."]
      : [`: ${this.data.by} `, value, " · sum over subsets ", fraction(sum), sign];
    this.verdict.replaceChildren(pair, ...rest);
  }
}

export const { show, close } = oneForEachHost(Stepper);
