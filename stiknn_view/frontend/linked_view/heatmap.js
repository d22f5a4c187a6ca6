// The matrix plot: a picture of means on a canvas, and what is selected over it.

import { plotlyText, shorten } from "../shared/format.js";
import { paintMatrix } from "./aggregate.js";
import { boxOf } from "./gestures.js";
import {
  clipTo,
  drawBandLines,
  drawBlockBorders,
  drawClassStrips,
  drawCounts,
  drawEdgeBars,
  Layer,
  LEAST_SEEN,
  outline,
  spans,
  veilMatrix,
  widened,
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
    this.layers = [this.marks, new Layer(parts.plot)];
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
    const isX = letter === "x";
    const [low, high, length] = isX
      ? [this.zoom.x0, this.zoom.x1, this.frame.box.width]
      : [this.zoom.y0, this.zoom.y1, this.frame.box.height];
    const perCell = length / (high - low);
    const tickvals = [];
    const ticktext = [];
    if (this.single) {
      const step = Math.max(1, Math.ceil(13 / perCell));
      for (let place = Math.max(0, Math.ceil(low - 0.5)); place + 0.5 <= high && place < content.n; place += step) {
        tickvals.push(place + 0.5);
        ticktext.push(plotlyText(shorten(tickName(content, order.points[place]), 6)));
      }
      return { tickvals, ticktext, tickangle: isX ? -90 : 0, ticklabelstandoff: isX ? 2 : 14 };
    }
    let free = -Infinity;
    for (const block of order.blocks) {
      const start = Math.max(block.start, low);
      const stop = Math.min(block.stop, high);
      const middle = ((start + stop) / 2 - low) * perCell;
      const text = block.label.replace(/^(class|band) /, ""); // the strips show that these are classes
      const label = fitText(this.marks.context, text, (stop - start) * perCell - 4, theme.font);
      const half = label.width / 2;
      if (!label.text || middle - half < free) continue;
      free = middle + half + 3;
      tickvals.push((start + stop) / 2);
      ticktext.push(plotlyText(label.text));
    }
    return { tickvals, ticktext, tickangle: isX ? 0 : -90, ticklabelstandoff: isX ? 4 : 16 };
  }

  draw() {
    this.ink(this.marks.start());
    this.drawCursor();
  }

  ink(context) {
    const { content, order, theme, model, options } = this.view;
    const { box } = this.frame;
    clipTo(context, box);
    this.drawPicture(context);
    const lit = !model.empty;
    const { rows, cols } = model.current;
    const rowSpans = spans(order.runs(rows), (v) => this.frame.y(v), box.top, box.top + box.height);
    const colSpans = spans(order.runs(cols), (v) => this.frame.x(v), box.left, box.left + box.width);
    if (lit) veilMatrix(context, box, rowSpans, colSpans, model.isCross, theme);
    drawBlockBorders(context, this.frame, order, content, theme);
    if (lit && model.isCross && rowSpans.length + colSpans.length <= MOST_BAND_LINES) {
      drawBandLines(context, box, rowSpans, colSpans, theme);
    }
    if (lit && !model.isCross && rowSpans.length * colSpans.length <= 100) {
      for (const [top, bottom] of rowSpans) {
        for (const [left, right] of colSpans) outline(context, theme, left, top, right - left, bottom - top);
      }
    }
    if (options.marks) drawCounts(context, this.counts(options.marks.units), theme);
    context.restore();
    drawClassStrips(context, this.frame, order, content, theme);
    if (lit) drawEdgeBars(context, box, rowSpans, colSpans, theme);
  }

  // [x, y, count] on the diagonal, of the rows that hold any.
  counts(units) {
    const { points } = this.view.order;
    const spots = [];
    for (let place = 0; place < points.length; place++) {
      const count = units[points[place]];
      if (count) spots.push([this.frame.x(place + 0.5), this.frame.y(place + 0.5), count]);
    }
    return spots;
  }

  outlineSpot(context, spot) {
    const area = this.areaAt(spot);
    const [x0, x1] = widened([this.frame.x(area.c0), this.frame.x(area.c1)], LEAST_SEEN);
    const [y0, y1] = widened([this.frame.y(area.r0), this.frame.y(area.r1)], LEAST_SEEN);
    outline(context, this.view.theme, x0, y0, x1 - x0, y1 - y0, 1);
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

  // Whether single cells are meant, or blocks.
  isPair(event) {
    return event.altKey || this.single;
  }

  spotAt(p, event) {
    const { n } = this.view.content;
    const limit = (v) => Math.max(0, Math.min(n - 1, Math.floor(v)));
    return { row: limit(this.frame.toY(p.y)), col: limit(this.frame.toX(p.x)), pair: this.isPair(event) };
  }

  // The block under a spot, or the single cell.
  areaAt({ row, col, pair }) {
    const { order } = this.view;
    const rows = pair ? null : order.blockAt(row);
    const cols = pair ? null : order.blockAt(col);
    if (!rows || !cols) return { r0: row, r1: row + 1, c0: col, c1: col + 1, pair: true };
    return { r0: rows.start, r1: rows.stop, c0: cols.start, c1: cols.stop, rows, cols, pair: false };
  }

  pointsOf({ r0, r1, c0, c1 }) {
    const { order } = this.view;
    return [order.pointsBetween(r0, r1), order.pointsBetween(c0, c1)];
  }

  clickAt(p, event) {
    this.choose(this.spotAt(p, event), event);
    if (event.pointerType === "touch") this.view.hover(this, p, event);
  }

  choose(spot, event) {
    const area = this.areaAt({ ...spot, pair: this.isPair(event) });
    const [rows, cols] = this.pointsOf(area);
    this.view.select(rows, cols, area.pair ? "pair" : "block", event);
  }

  selectBand(path, event) {
    const box = boxOf(path);
    const first = this.spotAt({ x: box.left, y: box.top }, event);
    const last = this.spotAt({ x: box.right, y: box.bottom }, event);
    const [rows, cols] = this.pointsOf({ r0: first.row, r1: last.row + 1, c0: first.col, c1: last.col + 1 });
    this.view.select(rows, cols, "drag", event);
  }

  // Lines of text about what is under a spot.
  describe(spot) {
    const { content, order, options } = this.view;
    const area = this.areaAt(spot);
    if (area.pair) return describeCell(content, order.points[spot.row], order.points[spot.col], options);
    const known = `${area.r0}|${area.c0}`;
    if (!this.described.has(known)) this.described.set(known, describeArea(content, area, ...this.pointsOf(area)));
    return this.described.get(known);
  }

  // Points of a single cell, where there are any.
  dotsAt(spot) {
    const { content, order } = this.view;
    if (content.kind === "blocks" || !this.areaAt(spot).pair) return [];
    return [...new Set([order.points[spot.row], order.points[spot.col]])];
  }

  // Keys move by one block, or by one cell where single cells are meant.
  moveCursor(dx, dy, event) {
    const { order, content } = this.view;
    const pair = this.isPair(event);
    const limit = (place) => Math.max(0, Math.min(content.n - 1, place));
    const middle = (low, high) => limit(Math.floor((low + high) / 2));
    const at = this.cursor ?? { row: middle(this.zoom.y0, this.zoom.y1), col: middle(this.zoom.x0, this.zoom.x1) };
    const step = (place, by) => {
      if (!by || !this.cursor) return place;
      if (pair || order.blocks.length === 0) return limit(place + by);
      const block = order.blocks[order.blockOf[place] + by];
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

// A tick label as it fits into so many pixels; empty rather than a stump that could be any.
function fitText(context, text, room, font) {
  context.font = `11px ${font}`;
  const width = context.measureText(text).width;
  if (width <= room) return { text, width };
  const letters = Math.floor((room / width) * [...text].length);
  return letters >= 8 ? { text: shorten(text, letters), width: room } : { text: "", width: 0 };
}
