// Matrix and scatter side by side: message in, selection out.

import { element } from "../shared/elements.js";
import { formatNumber } from "../shared/format.js";
import { readTheme } from "../shared/palette.js";
import { startPlotly } from "../shared/plotly.js";
import { meanInteraction } from "./aggregate.js";
import { heldContent, onContent } from "./contents.js";
import { downloadPicture } from "./export.js";
import { MatrixPanel } from "./heatmap.js";
import { drawColMarks, drawRowMarks } from "./highlight.js";
import { ViewInput } from "./input.js";
import { buildLayout, buildSkip } from "./layout.js";
import { matrixLegend, scatterLegend, showLegend, symbolCanvas } from "./legend.js";
import { Order } from "./order.js";
import { colorRange } from "./payload.js";
import { ScatterPanel } from "./scatter.js";
import { SelectionModel } from "./selection.js";
import { settings } from "./settings.js";
import { countUnits, matrixLabel, matrixTitle, scatterLabel, scatterTitle } from "./wording.js";

const NARROW = 560; // pixels below which the plots stand one above the other
const GAP_BETWEEN = 16;
const PAPER = 680; // pixels across a page of A4 or Letter within its margins
const BELOW = 8; // pixels left free under the last line

export class LinkedView extends ViewInput {
  /** @type {Message<ViewData>["send"]} */ send;
  /** @type {Theme} */ theme;
  /** @type {ViewOptions} */ options;
  /** @type {Order} */ order;
  /** @type {Content} */ content = /** @type {any} */ (undefined); // none yet
  /** @type {Record<string, Legend>} */ legends = {};
  range = 1; // of the colours of cells
  room = ""; // that the plots were measured for
  run = 0; // of drawing whole figures
  resizing = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    super();
    this.host = host;
    this.parts = buildLayout(host);
    this.parts.root.stiknnView = this; // for tests and for whoever looks in the console
    this.model = new SelectionModel();
    this.alive = true;
    this.matrix = new MatrixPanel(this, this.parts.matrix);
    this.scatter = new ScatterPanel(this, this.parts.scatter);
    this.skip = buildSkip(this.parts.matrix.plot);
    this.buildToolbar();
    this.listen();
    this.observer = new ResizeObserver(this.resized);
    this.observer.observe(this.parts.root);
    window.addEventListener("resize", this.resized);
  }

  close() {
    this.alive = false;
    this.forgetPictures();
    this.skip.remove();
    this.observer.disconnect();
    window.removeEventListener("resize", this.resized);
    document.removeEventListener("keydown", this.onDocumentKey);
    for (const { graph } of [this.parts.matrix, this.parts.scatter]) window.Plotly?.purge(graph);
  }

  // A new message, or the same one again: only what changed is drawn.
  /** @param {Message<ViewData>} message */
  update({ data, send }) {
    this.send = send;
    const newContent = this.content?.id !== data.content;
    const content = newContent ? heldContent(data.content) : this.content;
    if (!content) return; // on its way; we are called again
    const theme = readTheme(this.host);
    const newOrder = newContent || this.order.id !== data.order.id;
    const newTheme = JSON.stringify(theme) !== JSON.stringify(this.theme);
    const newOptions = JSON.stringify(data.options) !== JSON.stringify(this.options);
    let newPoints = false;
    this.theme = theme;
    this.options = data.options;
    this.shownId = data.shown;
    if (newContent) {
      newPoints = this.content?.points !== content.points;
      this.content = content;
      this.scatter.load(this.content);
      if (newPoints) this.model.restart(data.selection, this.content.n);
    }
    if (newOrder) {
      this.order = new Order(data.order);
      this.matrix.load(this.content, this.order);
    }
    const newSelection = !newPoints && this.model.adopt(data.selection, this.content.n);
    if (newContent || newOrder || newTheme || newOptions) this.render();
    else if (newSelection) this.showSelection();
  }

  render() {
    const { root, matrix, scatter } = this.parts;
    this.range = colorRange(this.content, this.options.range_quantile);
    root.classList.toggle("stiknn-dark", this.theme.dark);
    root.dataset.n = root.dataset.units = this.content.n;
    root.dataset.kind = this.content.kind;
    root.dataset.dots = this.content.dots.count;
    root.dataset.order = this.order.name;
    matrix.heading.textContent = matrix.heading.title = matrixTitle(this.content, this.order);
    scatter.heading.textContent = scatter.heading.title = scatterTitle(this.content, this.options);
    matrix.plot.setAttribute("aria-label", matrixLabel(this.content, this.order, this.options));
    scatter.plot.setAttribute("aria-label", scatterLabel(this.content));
    this.measure();
    this.drawAll();
  }

  // Whole figures anew. A later call overtakes an earlier one that still waits.
  async drawAll() {
    const run = ++this.run;
    this.reportSelection();
    for (const panel of [this.matrix, this.scatter]) {
      panel.prepare();
      panel.parts.plot.classList.toggle("stiknn-zoomed", panel.zoom.zoomed);
    }
    // Canvases alone already make a picture that can be clicked; axes follow.
    for (const panel of [this.matrix, this.scatter]) panel.draw();
    this.parts.root.dataset.painted = "true";
    if (!window.Plotly) await afterPaint();
    await startPlotly();
    if (!this.alive || run !== this.run) return;
    await Promise.all([this.matrix.render(), this.scatter.render()]);
    if (!this.alive || run !== this.run) return;
    this.parts.root.dataset.ready = "true";
  }

  // Square plots, as large as the width and the window below our upper edge allow, so that they
  // are seen whole with legend and status; never lower than the page asks for.
  measure() {
    const { root, panels, matrix, scatter, foot } = this.parts;
    const width = Math.max(240, Math.floor(root.clientWidth));
    const narrow = width < NARROW;
    panels.classList.toggle("stiknn-narrow", narrow);
    const each = narrow ? width : Math.floor((width - GAP_BETWEEN) / 2);
    for (const { panel } of [matrix, scatter]) panel.style.width = `${each}px`;
    const around = matrix.head.offsetHeight + matrix.legend.offsetHeight + foot.offsetHeight + BELOW;
    const free = window.innerHeight - topOf(root) - around;
    const side = narrow ? each : Math.min(each, Math.max(this.options.height, Math.floor(free)));
    this.room = roomOf(root);
    const across = narrow ? side : 2 * side + GAP_BETWEEN;
    panels.style.setProperty("--stiknn-print", `${Math.min(1, PAPER / across)}`);
    for (const panel of [this.matrix, this.scatter]) {
      const { plot, legend } = panel.parts;
      plot.style.width = plot.style.height = legend.style.width = `${side}px`;
      panel.resize(side, side);
    }
  }

  resized = () => {
    const { root } = this.parts;
    if (!this.content || root.clientWidth === 0 || roomOf(root) === this.room) return; // or in a hidden tab
    cancelAnimationFrame(this.resizing);
    this.resizing = requestAnimationFrame(() => {
      this.measure();
      this.drawAll();
    });
  };

  async save() {
    const { save } = this.parts;
    save.disabled = true;
    try {
      await startPlotly();
      await downloadPicture(this);
    } finally {
      save.disabled = false;
    }
  }

  // --- selection -----------------------------------------------------------------

  select(rows, cols, origin, event) {
    if (this.model.choose(rows, cols, origin)) this.selected(event);
  }

  clear(event) {
    this.select([], [], "clear", event);
  }

  undo(event) {
    if (this.model.undo()) this.selected(event);
  }

  // Paint first, then tell Python: its rerun must not delay what the person sees.
  selected(event) {
    this.showSelection();
    const began = event?.timeStamp ?? performance.now();
    afterPaint().then(() => {
      this.parts.root.dataset.lastPaintMs = (performance.now() - began).toFixed(1);
      this.publish();
    });
  }

  showSelection() {
    this.scatter.selectionChanged();
    this.matrix.draw();
    this.scatter.draw();
    this.reportSelection();
  }

  // What to do where nothing is selected.
  get hint() {
    const touch = matchMedia("(hover: none)").matches;
    if (settings.mode === "select") {
      if (touch) return "Tap a block or a point, or drag over either, sideways first. Two fingers zoom.";
      return "Click a block, with Alt one pair, or draw around points. Double click or Escape clears, Ctrl and the wheel zoom.";
    }
    const zoomed = this.matrix.zoom.zoomed || this.scatter.zoom.zoomed;
    const drag = zoomed ? "Drag to move what is zoomed in" : "Drag a rectangle to zoom into it";
    const more = touch ? "two fingers zoom too" : "click into a plot, and the wheel zooms there";
    return `${drag}; ${more}. Reset shows everything.`;
  }

  publish() {
    const { rows, cols, origin, seq } = this.model.current;
    if (this.published === seq) return;
    this.published = seq;
    this.send("selection", { rows, cols, origin, seq, points: this.content.points });
  }

  reportSelection() {
    const { root, undo, clear, status } = this.parts;
    const { theme } = this;
    const { rows, cols, origin } = this.model.current;
    root.dataset.selectedRows = rows.length;
    root.dataset.selectedCols = cols.length;
    root.dataset.selection = origin;
    undo.disabled = this.model.past.length === 0;
    clear.disabled = this.model.empty;
    const say = (text) => element("span", {}, text);
    if (this.model.empty) {
      status.replaceChildren(say(this.hint));
      return;
    }
    const [row, col] = [mark("row", theme), mark("col", theme)];
    const parts = this.model.same
      ? [row, say(`${countUnits(this.content, rows)} selected`)]
      : [row, say(`rows: ${countUnits(this.content, rows)}`), col, say(`columns: ${countUnits(this.content, cols)}`)];
    const mean = meanInteraction(this.content, rows, cols);
    if (Number.isFinite(mean)) parts.push(say(`mean interaction ${formatNumber(mean)}`));
    status.replaceChildren(...parts);
  }

  // --- legends -------------------------------------------------------------------

  showMatrixLegend(factor) {
    this.legends.matrix = matrixLegend(this.content, this.options, this.range, factor, this.theme);
    showLegend(this.parts.matrix.legend, this.legends.matrix, null, this.theme);
  }

  /** @param {DotColors} colors */
  showScatterLegend(colors) {
    this.legends.scatter = scatterLegend(this.content, colors);
    const pick = (code, event) => {
      const units = [];
      this.content.codes.forEach((other, id) => other === code && units.push(id));
      this.select(units, units, "scatter", event);
    };
    showLegend(this.parts.scatter.legend, this.legends.scatter, pick, this.theme);
  }
}

// What decides on the size of the plots, but for what stands above them: that must not change it
// while one looks.
function roomOf(root) {
  return `${Math.floor(root.clientWidth)}|${window.innerHeight}`;
}

// Pixels from the top of the page, wherever it is scrolled to.
function topOf(root) {
  const scrolled = root.closest('[data-testid="stMain"]')?.scrollTop ?? window.scrollY;
  return root.getBoundingClientRect().top + scrolled;
}

// The outline of row or column points as it looks in the scatter, for the line below.
function mark(kind, theme) {
  return symbolCanvas(20, (context) => {
    if (kind === "row") drawRowMarks(context, [[10, 10]], 4, theme);
    else drawColMarks(context, [[10, 10]], 3.5, theme);
  });
}

// Resolves once what was drawn until now is on screen.
function afterPaint() {
  return new Promise((done) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null); // arrives after the frame was painted
    });
  });
}

/** @type {Map<HTMLElement, Message<ViewData>>} the newest message of each view */
const messages = new Map();
/** @type {Map<HTMLElement, LinkedView>} */
const views = new Map();
onContent(() => messages.forEach(open));

/** @param {Message<ViewData>} message */
function open(message) {
  const { host, data } = message;
  if (!views.has(host)) {
    if (!heldContent(data.content)) return;
    views.set(host, new LinkedView(host));
  }
  views.get(host)?.update(message);
}

/** @param {Message<ViewData>} message */
export function show(message) {
  messages.set(message.host, message);
  open(message);
}

/** @param {HTMLElement} host */
export function close(host) {
  messages.delete(host);
  views.get(host)?.close();
  views.delete(host);
}
