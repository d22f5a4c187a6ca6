// The matrix plot: a picture of means on a canvas, and what is selected over it.

import { plotlyText, shorten } from "../shared/format.js";
import { paintMatrix } from "./aggregate.js";
import { boxOf } from "./gestures.js";
import {
  clipTo,
  drawBand,
  drawBandLines,
  drawBlockBorders,
  drawClassStrips,
  drawEdgeBars,
  Layer,
  outline,
  spans,
  veilMatrix,
} from "./highlight.js";
import { Panel } from "./panel.js";
import { describeArea, describeCell, tickName } from "./wording.js";
import { ZoomWindow } from "./zoom.js";

const SINGLE_CELLS = 40; // from this many visible cells on, single pairs are meant
const MOST_BAND_LINES = 24; // more lit rows and columns than this get no lines of their own
const SETTLE = 140; // ms after the last zoom step until the picture is made anew

export class MatrixPanel extends Panel {
  /** @type {Picture} */ picture;
  /** @type {Map<string, string[]>} lines of text about blocks */ described = new Map();

  constructor(view, parts) {
    super(view, parts, false);
    this.marks = new Layer(parts.plot);
    this.cursorLayer = new Layer(parts.plot);
    this.layers = [this.marks, this.cursorLayer];
  }

  get single() {
    return this.zoom.x1 - this.zoom.x0 <= SINGLE_CELLS;
  }

  load(content, order) {
    const n = content.n;
    this.zoom = new ZoomWindow(`${content.points}|${order.name}`, { x0: 0, x1: n, y0: 0, y1: n }, Math.min(1, 6 / n));
    this.cursor = null;
    this.described = new Map();
  }

  prepare() {
    this.frame.zoom = this.zoom;
    this.paintPicture();
  }

  axes() {
    const axis = { ticks: "", tickmode: "array" };
    return { x: axis, y: axis };
  }

  range(letter) {
    return { ...super.range(letter), ...this.axisTicks(letter) };
  }

  visibleArea() {
    const { n } = this.view.content;
    const { x0, x1, y0, y1 } = this.zoom;
    const low = (v) => Math.max(0, Math.floor(v + 1e-9));
    const high = (v) => Math.min(n, Math.ceil(v - 1e-9));
    return { r0: low(y0), r1: high(y1), c0: low(x0), c1: high(x1) };
  }

  paintPicture() {
    const { content, order, theme, range } = this.view;
    this.picture = paintMatrix(content, order.points, this.visibleArea(), range, theme.divergingTable);
    this.view.showMatrixLegend(this.picture.factor);
  }

  // One step of a zoom stretches the picture that is there; a sharp one follows.
  moved() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (!this.view.alive) return;
      this.paintPicture();
      this.draw();
    }, SETTLE);
    super.moved();
  }

  // Names of blocks, or ids once single cells are visible; only those that have room.
  axisTicks(letter) {
    const { content, order, theme } = this.view;
    const low = letter === "x" ? this.zoom.x0 : this.zoom.y0;
    const high = letter === "x" ? this.zoom.x1 : this.zoom.y1;
    const length = letter === "x" ? this.frame.box.width : this.frame.box.height;
    const perCell = length / (high - low);
    const tickvals = [];
    const ticktext = [];
    if (this.single) {
      const step = Math.max(1, Math.ceil(13 / perCell));
      for (let place = Math.max(0, Math.ceil(low - 0.5)); place + 0.5 <= high && place < content.n; place += step) {
        tickvals.push(place + 0.5);
        ticktext.push(plotlyText(shorten(tickName(content, order.points[place]), 6)));
      }
      return { tickvals, ticktext, tickangle: letter === "x" ? -90 : 0, ticklabelstandoff: letter === "x" ? 2 : 14 };
    }
    let free = -Infinity;
    for (const block of order.blocks) {
      const start = Math.max(block.start, low);
      const stop = Math.min(block.stop, high);
      const middle = ((start + stop) / 2 - low) * perCell;
      const text = block.label.replace(/^class /, ""); // the strips show that these are classes
      const label = fitText(this.marks.context, text, (stop - start) * perCell - 4, theme.font);
      const half = label.width / 2;
      if (!label.text || middle - half < free) continue;
      free = middle + half + 3;
      tickvals.push((start + stop) / 2);
      ticktext.push(plotlyText(label.text));
    }
    return { tickvals, ticktext, tickangle: letter === "x" ? 0 : -90, ticklabelstandoff: letter === "x" ? 4 : 16 };
  }

  draw() {
    this.ink(this.marks.start());
    this.drawCursor();
  }

  ink(context) {
    const { content, order, theme, model } = this.view;
    const { box } = this.frame;
    clipTo(context, box);
    this.drawPicture(context);
    const lit = !model.empty;
    let rowSpans = [];
    let colSpans = [];
    if (lit) {
      rowSpans = spans(order.runs(model.current.rows), (v) => this.frame.y(v), box.top, box.top + box.height);
      colSpans = spans(order.runs(model.current.cols), (v) => this.frame.x(v), box.left, box.left + box.width);
      veilMatrix(context, box, rowSpans, colSpans, model.isCross, theme);
    }
    drawBlockBorders(context, this.frame, order, content, theme);
    if (lit && model.isCross && rowSpans.length + colSpans.length <= MOST_BAND_LINES) {
      drawBandLines(context, box, rowSpans, colSpans, theme);
    }
    if (lit && !model.isCross && rowSpans.length * colSpans.length <= 100) {
      for (const [top, bottom] of rowSpans) {
        for (const [left, right] of colSpans) outline(context, theme, left, top, right - left, bottom - top);
      }
    }
    context.restore();
    drawClassStrips(context, this.frame, order, content, theme);
    if (lit) drawEdgeBars(context, box, rowSpans, colSpans, theme);
  }

  drawCursor() {
    const context = this.cursorLayer.start();
    const { theme } = this.view;
    clipTo(context, this.frame.box);
    if (this.band) drawBand(context, theme, this.band, "box");
    else if (this.hovered ?? this.cursor) {
      const at = this.hovered ?? this.cursor;
      const area = this.areaAt(at, at.pair);
      const [x0, x1] = widen(this.frame.x(area.c0), this.frame.x(area.c1));
      const [y0, y1] = widen(this.frame.y(area.r0), this.frame.y(area.r1));
      outline(context, theme, x0, y0, x1 - x0, y1 - y0, 1);
    }
    context.restore();
  }

  // With hard edges: a cell is a cell.
  drawPicture(context) {
    const { frame, picture } = this;
    const { area } = picture;
    const left = frame.x(area.c0);
    const top = frame.y(area.r0);
    context.imageSmoothingEnabled = false;
    context.drawImage(picture.canvas, left, top, frame.x(area.c1) - left, frame.y(area.r1) - top);
  }

  placeAt(p) {
    const { n } = this.view.content;
    const limit = (v) => Math.max(0, Math.min(n - 1, Math.floor(v)));
    return { row: limit(this.frame.toY(p.y)), col: limit(this.frame.toX(p.x)) };
  }

  // The block under a place, or the single cell.
  areaAt({ row, col }, pair) {
    const { order } = this.view;
    const rows = pair ? null : order.blockAt(row);
    const cols = pair ? null : order.blockAt(col);
    if (!rows || !cols) return { r0: row, r1: row + 1, c0: col, c1: col + 1, pair: true };
    return { r0: rows.start, r1: rows.stop, c0: cols.start, c1: cols.stop, rows, cols, pair: false };
  }

  selectAt(at, pair, event) {
    const { order } = this.view;
    const area = this.areaAt(at, pair);
    this.view.select(
      order.pointsBetween(area.r0, area.r1),
      order.pointsBetween(area.c0, area.c1),
      area.pair ? "pair" : "block",
      event,
    );
  }

  selectBand(path, event) {
    const box = boxOf(path);
    const a = this.placeAt({ x: box.left, y: box.top });
    const b = this.placeAt({ x: box.right, y: box.bottom });
    const { order } = this.view;
    this.view.select(order.pointsBetween(a.row, b.row + 1), order.pointsBetween(a.col, b.col + 1), "drag", event);
  }

  // Lines of text about what is under a place.
  describe(at, pair) {
    const { content, order } = this.view;
    const area = this.areaAt(at, pair);
    if (area.pair) {
      return describeCell(content, order.points[at.row], order.points[at.col]);
    }
    const known = `${area.r0}|${area.c0}`;
    if (!this.described.has(known)) {
      const rows = order.pointsBetween(area.r0, area.r1);
      const cols = order.pointsBetween(area.c0, area.c1);
      this.described.set(known, describeArea(content, area, rows, cols));
    }
    return this.described.get(known);
  }

  // Keys move by one block, or by one cell where single cells are meant.
  moveCursor(dx, dy, pair) {
    const { order, content } = this.view;
    const middle = (low, high) => Math.max(0, Math.min(content.n - 1, Math.floor((low + high) / 2)));
    const at = this.cursor ?? { row: middle(this.zoom.y0, this.zoom.y1), col: middle(this.zoom.x0, this.zoom.x1) };
    const step = (place, by) => {
      if (!by || !this.cursor) return place;
      const block = pair ? null : order.blocks[order.blockOf[place] + by];
      if (pair || order.blocks.length === 0) return Math.max(0, Math.min(content.n - 1, place + by));
      return block ? Math.floor((block.start + block.stop) / 2) : place;
    };
    this.cursor = { row: step(at.row, dy), col: step(at.col, dx), pair };
    this.follow();
    this.drawCursor();
    return this.cursor;
  }

  // Keep the cursor in sight.
  follow() {
    const { row, col } = this.cursor;
    const { x0, x1, y0, y1 } = this.zoom;
    const shift = (v, low, high) => (v < low ? v - low : v + 1 > high ? v + 1 - high : 0);
    const dx = shift(col, x0, x1);
    const dy = shift(row, y0, y1);
    if (!dx && !dy) return;
    this.zoom.pan(dx, dy);
    this.moved();
  }
}

function widen(a, b) {
  return b - a >= 4 ? [a, b] : [(a + b) / 2 - 2, (a + b) / 2 + 2];
}

// A tick label as it fits into so many pixels; empty rather than a stump that could be any.
function fitText(context, text, room, font) {
  context.font = `11px ${font}`;
  const width = context.measureText(text).width;
  if (width <= room) return { text, width };
  const letters = Math.floor((room / width) * [...text].length);
  return letters >= 8 ? { text: shorten(text, letters), width: room } : { text: "", width: 0 };
}
