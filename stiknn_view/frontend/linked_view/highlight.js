// Drawing on the canvases over both plots. Restyling Plotly traces takes three times as
// long, and a highlight must follow the hand.

import { element } from "../shared/elements.js";
import { groupColors } from "./colors.js";
import { boxOf } from "./gestures.js";

const MATRIX_VEIL = 0.62;
export const SCATTER_VEIL = 0.74;
const STRIP = 7; // thickness of a class strip
const GAP = 3;
export const LEAST_SEEN = 4; // pixels of a bar or an outline
const FEW_BLOCKS = 12; // up to so many, borders of clusters are drawn in full
const MOST_COUNTED = 11; // radius of the largest circle of a count
const BORDER_FROM = 4; // pixels of the larger block beside a border from which that is drawn
const BORDER_FULL = 30; // and from which it is drawn in full

// One canvas as large as its plot, sharp on any screen.
export class Layer {
  constructor(parent) {
    this.canvas = element("canvas", "stiknn-layer");
    this.canvas.setAttribute("aria-hidden", "true");
    this.context = this.canvas.getContext("2d");
    parent.append(this.canvas);
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  start() {
    const { context } = this;
    const ratio = this.canvas.width / this.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }
}

export function clipTo(context, box) {
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
}

// An interval of pixels, or one around its middle where it is too short to be seen.
export function widened([a, b], least) {
  const middle = (a + b) / 2;
  return b - a < least ? [middle - least / 2, middle + least / 2] : [a, b];
}

// Runs of places -> pixel intervals, at least 1.5 px so that one point of thousands shows.
export function spans(runs, toPixel, low, high) {
  return runs
    .map(([start, stop]) => [toPixel(start), toPixel(stop)])
    .filter(([a, b]) => b >= low && a <= high)
    .map((span) => widened(span, 1.5))
    .map(([a, b]) => [Math.max(a, low), Math.min(b, high)]);
}

function stroke(context, path, color, width, dash = []) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.stroke(path);
  context.setLineDash([]);
}

function pathOf(lines) {
  const path = new Path2D();
  for (const [x0, y0, x1, y1] of lines) {
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  }
  return path;
}

// A veil over the matrix that leaves the selected cells clear.
export function veilMatrix(context, box, rowSpans, colSpans, isCross, theme) {
  const ratio = context.getTransform().a;
  const veil = element("canvas");
  veil.width = Math.max(1, Math.round(box.width * ratio));
  veil.height = Math.max(1, Math.round(box.height * ratio));
  const ink = veil.getContext("2d");
  ink.scale(ratio, ratio);
  ink.fillStyle = theme.background;
  const rows = () => rowSpans.forEach(([a, b]) => ink.fillRect(0, a - box.top, box.width, b - a));
  const cols = () => colSpans.forEach(([a, b]) => ink.fillRect(a - box.left, 0, b - a, box.height));
  if (isCross) {
    ink.fillRect(0, 0, box.width, box.height);
    ink.globalCompositeOperation = "destination-out";
    rows();
    cols();
  } else {
    // Rows, of them only what is in the columns too, then everything but that.
    rows();
    const rowMask = veil.cloneNode();
    rowMask.getContext("2d").drawImage(veil, 0, 0);
    ink.clearRect(0, 0, box.width, box.height);
    cols();
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.globalCompositeOperation = "source-in";
    ink.drawImage(rowMask, 0, 0);
    ink.globalCompositeOperation = "source-out";
    ink.fillRect(0, 0, veil.width, veil.height);
  }
  context.save();
  context.globalAlpha = MATRIX_VEIL;
  context.drawImage(veil, box.left, box.top, box.width, box.height);
  context.restore();
}

// Borders of blocks, each as strong as there is room for it: where hundreds of classes share the
// picture it would else be a fence. Many clusters within a class are only hinted at.
export function drawBlockBorders(context, frame, order, content, theme) {
  const { box, zoom } = frame;
  const { blocks } = order;
  const classAt = (place) => content.codes[order.points[place]];
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const perPlace = box.width / (zoom.x1 - zoom.x0);
  context.save();
  for (let i = 1; i < blocks.length; i++) {
    const { start, stop } = blocks[i];
    const room = perPlace * Math.max(stop - start, start - blocks[i - 1].start);
    const strength = Math.min(1, (room - BORDER_FROM) / (BORDER_FULL - BORDER_FROM));
    const [x, y] = [Math.round(frame.x(start)) + 0.5, Math.round(frame.y(start)) + 0.5];
    const lines = [];
    if (x > box.left && x < right) lines.push([x, box.top, x, bottom]);
    if (y > box.top && y < bottom) lines.push([box.left, y, right, y]);
    if (strength <= 0 || lines.length === 0) continue;
    const isOfClasses = classAt(start) !== classAt(start - 1);
    context.globalAlpha = strength * (isOfClasses ? 1 : Math.min(1, FEW_BLOCKS / blocks.length));
    stroke(context, pathOf(lines), theme.border, 1);
  }
  context.restore();
}

// Class of the point at each pixel, along the left and the upper edge.
export function drawClassStrips(context, frame, order, content, theme) {
  const { box } = frame;
  const colors = groupColors(content, theme);
  const strip = (length, toPlace, fill) => {
    let from = 0;
    let code = null;
    for (let pixel = 0; pixel <= length; pixel++) {
      const place = Math.floor(toPlace(pixel + 0.5));
      const next = pixel < length && place >= 0 && place < content.n ? content.codes[order.points[place]] : null;
      if (next === code) continue;
      if (code !== null) {
        context.fillStyle = colors[code];
        fill(from, pixel - from);
      }
      from = pixel;
      code = next;
    }
  };
  const near = STRIP + GAP;
  strip(
    Math.round(box.width),
    (p) => frame.toX(box.left + p),
    (from, size) => context.fillRect(box.left + from, box.top - near, size, STRIP),
  );
  strip(
    Math.round(box.height),
    (p) => frame.toY(box.top + p),
    (from, size) => context.fillRect(box.left - near, box.top + from, STRIP, size),
  );
}

// Rows: solid lines. Columns: dashed lines. The same styles as in the scatter.
function drawLines(context, theme, width, rows, cols) {
  stroke(context, pathOf(rows), theme.rowMark, width);
  stroke(context, pathOf(cols), theme.colMark, width, [5, 3]);
}

// Bars outside the class strips: which rows, which columns.
export function drawEdgeBars(context, box, rowSpans, colSpans, theme) {
  const away = STRIP + GAP + 3;
  const x = box.left - away;
  const y = box.top - away;
  const bars = (list, segment) => list.map((span) => segment(...widened(span, LEAST_SEEN)));
  drawLines(
    context,
    theme,
    3,
    bars(rowSpans, (a, b) => [x, a, x, b]),
    bars(colSpans, (a, b) => [a, y, b, y]),
  );
}

// Lines along both sides of each lit row and column, while they are few.
export function drawBandLines(context, box, rowSpans, colSpans, theme) {
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const sides = (list, segment) => list.flatMap(([a, b]) => [segment(a - 1), segment(b + 1)]);
  drawLines(
    context,
    theme,
    1,
    sides(rowSpans, (y) => [box.left, y, right, y]),
    sides(colSpans, (x) => [x, box.top, x, bottom]),
  );
}

// Two strokes, so that the outline shows on any colour below.
export function outline(context, theme, x, y, width, height, thick = 2) {
  context.strokeStyle = theme.background;
  context.lineWidth = thick + 2;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = theme.rowMark;
  context.lineWidth = thick;
  context.strokeRect(x, y, width, height);
}

// Row points: solid ring. Column points: dashed square. Both are seen when they overlap.
export function drawRowMarks(context, spots, r, theme) {
  stroke(context, rings(spots, r + 2.5), theme.rowMark, 1.8);
}

export function drawColMarks(context, spots, r, theme) {
  const half = r + 4.5;
  const squares = new Path2D();
  for (const [x, y] of spots) squares.rect(x - half, y - half, 2 * half, 2 * half);
  stroke(context, squares, theme.colMark, 1.8, [4, 2.5]);
}

// Known flips: a dotted, wider ring.
export function drawChangedMarks(context, spots, r, theme) {
  context.lineCap = "round";
  stroke(context, rings(spots, r + 6), theme.changedMark, 2.6, [0.1, 4.4]);
  context.lineCap = "butt";
}

// Marked points: crosses where they lie, circles on the diagonal where a row of the matrix holds some.
export function drawCrosses(context, spots, r, theme) {
  const arm = r + 0.8;
  const lines = spots.flatMap(([x, y]) => [
    [x - arm, y - arm, x + arm, y + arm],
    [x - arm, y + arm, x + arm, y - arm],
  ]);
  stroke(context, pathOf(lines), theme.background, 2.8);
  stroke(context, pathOf(lines), theme.text, 1.2);
}

export function drawCounts(context, spots, theme) {
  const path = new Path2D();
  for (const [x, y, count] of spots) {
    const radius = Math.min(MOST_COUNTED, 1 + 1.2 * Math.sqrt(count));
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  stroke(context, path, theme.background, 3.4);
  stroke(context, path, theme.text, 1.5);
}

function rings(spots, radius) {
  const path = new Path2D();
  for (const [x, y] of spots) {
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  return path;
}

// Rubber band of a drag: rectangle or lasso.
export function drawBand(context, theme, path, shape) {
  const band = new Path2D();
  if (shape === "lasso") {
    path.forEach((p) => band.lineTo(p.x, p.y));
    band.closePath();
  } else {
    const box = boxOf(path);
    band.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  }
  context.fillStyle = theme.dark ? "rgba(255,255,255,0.12)" : "rgba(0,0,0,0.08)";
  context.fill(band);
  stroke(context, band, theme.rowMark, 1.5, [6, 3]);
}
