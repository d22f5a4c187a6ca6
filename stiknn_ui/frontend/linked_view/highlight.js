// Drawing on the canvases over both plots. Restyling Plotly traces takes three times as
// long, and a highlight must follow the hand.

import { element } from "../shared/elements.js";
import { classColor } from "../shared/palette.js";
import { boxOf } from "./gestures.js";

const MATRIX_VEIL = 0.62;
export const SCATTER_VEIL = 0.74;
const STRIP = 7; // thickness of a class strip
const GAP = 3;
const FEW_BLOCKS = 12; // up to so many, every border is drawn in full

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

// Runs of places -> pixel intervals, at least 1.5 px so that one point of thousands shows.
export function spans(runs, toPixel, low, high) {
  const result = [];
  for (const [start, stop] of runs) {
    let a = toPixel(start);
    let b = toPixel(stop);
    if (b < low || a > high) continue;
    if (b - a < 1.5) {
      const middle = (a + b) / 2;
      a = middle - 0.75;
      b = middle + 0.75;
    }
    result.push([Math.max(a, low), Math.min(b, high)]);
  }
  return result;
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

// Borders between classes in full; those of many clusters within a class only hinted at, or the
// picture would be a fence.
export function drawBlockBorders(context, frame, order, content, theme) {
  const { box } = frame;
  const classAt = (place) => content.codes[order.points[place]];
  const between = order.blocks.slice(1).map(({ start }) => [start, classAt(start) !== classAt(start - 1)]);
  const faint = Math.min(1, FEW_BLOCKS / order.blocks.length);
  context.save();
  context.strokeStyle = theme.border;
  context.lineWidth = 1;
  for (const [classes, alpha] of [
    [false, faint],
    [true, 1],
  ]) {
    context.globalAlpha = alpha;
    context.beginPath();
    for (const [start, ofClasses] of between) {
      if (ofClasses !== classes) continue;
      const x = Math.round(frame.x(start)) + 0.5;
      const y = Math.round(frame.y(start)) + 0.5;
      if (x > box.left && x < box.left + box.width) {
        context.moveTo(x, box.top);
        context.lineTo(x, box.top + box.height);
      }
      if (y > box.top && y < box.top + box.height) {
        context.moveTo(box.left, y);
        context.lineTo(box.left + box.width, y);
      }
    }
    context.stroke();
  }
  context.restore();
}

// Class of the point at each pixel, along the left and the upper edge.
export function drawClassStrips(context, frame, order, content, theme) {
  const { box } = frame;
  const strip = (length, toPlace, fill) => {
    let from = 0;
    let code = null;
    for (let pixel = 0; pixel <= length; pixel++) {
      const place = Math.floor(toPlace(pixel + 0.5));
      const next = pixel < length && place >= 0 && place < content.n ? content.codes[order.points[place]] : null;
      if (next === code) continue;
      if (code !== null) {
        context.fillStyle = classColor(code, theme.dark);
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
  const stroke = (segments, color, dash) => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    for (const [x0, y0, x1, y1] of segments) {
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
    }
    context.stroke();
    context.setLineDash([]);
  };
  stroke(rows, theme.rowMark, []);
  stroke(cols, theme.colMark, [5, 3]);
}

// Bars outside the class strips: which rows, which columns.
export function drawEdgeBars(context, box, rowSpans, colSpans, theme) {
  const away = STRIP + GAP + 3;
  const x = box.left - away;
  const y = box.top - away;
  const bars = (list) => list.map(([a, b]) => (b - a < 4 ? [(a + b) / 2 - 2, (a + b) / 2 + 2] : [a, b]));
  drawLines(
    context,
    theme,
    3,
    bars(rowSpans).map(([a, b]) => [x, a, x, b]),
    bars(colSpans).map(([a, b]) => [a, y, b, y]),
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
  drawRings(context, spots, r + 2.5, theme.rowMark, 1.8, []);
}

export function drawColMarks(context, spots, r, theme) {
  const half = r + 4.5;
  context.strokeStyle = theme.colMark;
  context.lineWidth = 1.8;
  context.setLineDash([4, 2.5]);
  context.beginPath();
  for (const [x, y] of spots) context.rect(x - half, y - half, 2 * half, 2 * half);
  context.stroke();
  context.setLineDash([]);
}

// Known flips: a dotted, wider ring.
export function drawChangedMarks(context, spots, r, theme) {
  context.lineCap = "round";
  drawRings(context, spots, r + 6, theme.changedMark, 2.6, [0.1, 4.4]);
  context.lineCap = "butt";
}

function drawRings(context, spots, radius, color, width, dash) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  for (const [x, y] of spots) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.stroke();
  context.setLineDash([]);
}

// Rubber band of a drag: rectangle or lasso.
export function drawBand(context, theme, path, shape) {
  context.beginPath();
  if (shape === "lasso") {
    path.forEach((p, i) => (i ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y)));
    context.closePath();
  } else {
    const box = boxOf(path);
    context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  }
  context.fillStyle = theme.dark ? "rgba(255,255,255,0.12)" : "rgba(0,0,0,0.08)";
  context.fill();
  context.strokeStyle = theme.rowMark;
  context.lineWidth = 1.5;
  context.setLineDash([6, 3]);
  context.stroke();
  context.setLineDash([]);
}
