// Canvases of the card: the plane with the point and its nearest, the histogram, pictures of rows.

import { element } from "../shared/elements.js";
import { classColor } from "../shared/palette.js";
import { classSymbol, drawPoint, tracePath } from "../shared/symbols.js";

const RIM = 10;
const BINS = 40;

// Fit a canvas to its box; gives its ink in pixels of the page, or null without a box.
export function inkOf(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return null;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const ink = canvas.getContext("2d");
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.clearRect(0, 0, width, height);
  return { ink, width, height, ratio };
}

// The training points by class; drawn once for a size and theme, then copied.
export class PlanePicture {
  constructor() {
    this.canvas = element("canvas", { class: "stiknn-review-plane", role: "img" });
    this.ground = element("canvas");
    this.drawn = "";
  }

  /** @param {ReviewContent} content @param {number | null} point @param {number[]} near @param {Theme} theme */
  paint(content, point, near, theme) {
    const fit = inkOf(this.canvas);
    if (!fit) return;
    const { ink, width, height, ratio } = fit;
    const at = placer(content.xy, width, height);
    const radius = content.codes.length > 1000 ? 2.2 : content.codes.length > 300 ? 2.8 : 3.6;
    const name = [content.id, width, height, ratio, theme.dark].join("|");
    if (this.drawn !== name) {
      this.drawn = name;
      Object.assign(this.ground, { width: this.canvas.width, height: this.canvas.height });
      const below = this.ground.getContext("2d");
      below.setTransform(ratio, 0, 0, ratio, 0, 0);
      below.globalAlpha = 0.6;
      content.codes.forEach((_, other) => mark(below, content, other, at, radius, theme));
    }
    ink.drawImage(this.ground, 0, 0, width, height);
    for (const other of [...near].reverse()) {
      mark(ink, content, other, at, radius + 1.5, theme);
      ring(ink, at(other), radius + 4, theme.colMark, 1.6);
    }
    if (point === null) return;
    mark(ink, content, point, at, radius + 2.5, theme);
    ring(ink, at(point), radius + 7, theme.rowMark, 2.2);
  }
}

// Both axes in one scale, so that near looks near.
function placer(xy, width, height) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    x0 = Math.min(x0, xy[i]);
    x1 = Math.max(x1, xy[i]);
    y0 = Math.min(y0, xy[i + 1]);
    y1 = Math.max(y1, xy[i + 1]);
  }
  const scale = Math.min((width - 2 * RIM) / (x1 - x0 || 1), (height - 2 * RIM) / (y1 - y0 || 1));
  const [left, top] = [(width - scale * (x1 - x0)) / 2, (height - scale * (y1 - y0)) / 2];
  /** @returns {[number, number]} */
  return (point) => [left + scale * (xy[2 * point] - x0), top + scale * (y1 - xy[2 * point + 1])];
}

function mark(ink, content, point, at, radius, theme) {
  const code = content.codes[point];
  const [x, y] = at(point);
  drawPoint(ink, classSymbol(code), classColor(code), x, y, radius, theme);
}

function ring(ink, [x, y], radius, color, width) {
  tracePath(ink, "circle", x, y, radius);
  ink.strokeStyle = color;
  ink.lineWidth = width;
  ink.stroke();
}

// How the scores are spread, and where the line is.
/** @param {HTMLCanvasElement} canvas @param {Float64Array} scores @param {Line} line @param {Theme} theme */
export function paintHistogram(canvas, scores, line, theme) {
  const fit = inkOf(canvas);
  if (!fit) return;
  const { ink, width, height } = fit;
  const [low, high] = [line.low, line.high];
  const counts = [new Float64Array(BINS), new Float64Array(BINS)];
  for (const score of scores) {
    const bin = Math.floor(((score - low) / (high - low || 1)) * BINS);
    const flagged = score < line.value || line.value >= high;
    counts[flagged ? 0 : 1][Math.min(BINS - 1, Math.max(0, bin))]++;
  }
  const most = Math.max(...counts[0].map((count, bin) => count + counts[1][bin]));
  const step = width / BINS;
  for (let bin = 0; bin < BINS; bin++) {
    // A root keeps single points in sight beside hundreds.
    const tall = (count) => (height - 2) * Math.sqrt(count / most);
    const [flagged, all] = [counts[0][bin], counts[0][bin] + counts[1][bin]];
    ink.fillStyle = theme.dark ? "#5d7084" : "#9fb0bf";
    if (all) ink.fillRect(bin * step, height - tall(all), step - 1, tall(all));
    ink.fillStyle = "#E69F00";
    if (flagged) ink.fillRect(bin * step, height - tall(flagged), step - 1, tall(flagged));
  }
  ink.fillStyle = theme.text;
  ink.fillRect(Math.min(width - 2, ((line.value - low) / (high - low || 1)) * width), 0, 2, height);
}

// A row whose columns are pixels, grey, dark where the value is small.
/** @param {Float32Array} features @param {number} row @param {number} d @param {[number, number]} ends @param {number} size */
export function rowPicture(features, row, d, [low, high], size) {
  const side = Math.round(Math.sqrt(d));
  const canvas = element("canvas", { class: "stiknn-review-picture", role: "img" });
  Object.assign(canvas, { width: side, height: side });
  canvas.style.width = canvas.style.height = `${size}px`;
  const image = new ImageData(side, side);
  for (let i = 0; i < d; i++) {
    const grey = Math.round((255 * (features[d * row + i] - low)) / (high - low));
    image.data.set([grey, grey, grey, 255], 4 * i);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
