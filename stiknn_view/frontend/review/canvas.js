// Canvases of the card: the plane with the point and its nearest, the histogram.

import { element } from "../shared/elements.js";
import { classColor, css, sequentialStep } from "../shared/palette.js";
import { classSymbol, drawPoint, tracePath } from "../shared/symbols.js";
import { countBelow } from "./order.js";

const RIM = 10;
// One axis this many times as long as the other: units of two kinds.
const MOST_UNLIKE = 4;
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

// The cloud of training points by class, drawn once for a size and theme, then copied; on top a point
// and its nearest, which need not be in it.
export class PlanePicture {
  constructor() {
    this.canvas = element("canvas", { class: "stiknn-review-plane", role: "img" });
    this.ground = element("canvas");
    this.drawn = "";
  }

  /** @param {ReviewContent} content @param {Dot | null} dot @param {Dot[]} near @param {Theme} theme */
  paint(content, dot, near, theme) {
    const fit = inkOf(this.canvas);
    if (!fit) return;
    const { ink, width, height, ratio } = fit;
    const { cloudXy, cloudCodes } = content;
    const at = placer(content.bounds, width, height);
    const radius = cloudCodes.length > 1000 ? 2.2 : cloudCodes.length > 300 ? 2.8 : 3.6;
    const name = [content.id, width, height, ratio, theme.dark].join("|");
    if (this.drawn !== name) {
      this.drawn = name;
      Object.assign(this.ground, { width: this.canvas.width, height: this.canvas.height });
      const below = this.ground.getContext("2d");
      below.setTransform(ratio, 0, 0, ratio, 0, 0);
      below.globalAlpha = cloudCodes.length > 3000 ? 0.25 : 0.6; // what lies on top stays in sight
      cloudCodes.forEach((code, i) =>
        mark(below, content, code, at(cloudXy.subarray(2 * i, 2 * i + 2)), radius, theme),
      );
    }
    ink.drawImage(this.ground, 0, 0, width, height);
    for (const { code, place } of [...near].reverse()) {
      mark(ink, content, code, at(place), radius + 1.5, theme);
      ring(ink, at(place), radius + 4, theme.colMark, 1.6);
    }
    if (!dot) return;
    mark(ink, content, dot.code, at(dot.place), radius + 2.5, theme);
    ring(ink, at(dot.place), radius + 7, theme.rowMark, 2.2);
  }
}

// Both axes in one scale, so that near looks near; but of units that have nothing to do with each
// other (metres and years) one axis would be a line.
function placer([x0, y0, x1, y1], width, height) {
  const [wide, high] = [x1 - x0 || 1, y1 - y0 || 1];
  const each = [(width - 2 * RIM) / wide, (height - 2 * RIM) / high];
  const alike = Math.max(wide / high, high / wide) <= MOST_UNLIKE;
  const [across, down] = alike ? [Math.min(...each), Math.min(...each)] : each;
  const [left, top] = [(width - across * (x1 - x0)) / 2, (height - down * (y1 - y0)) / 2];
  /** @param {ArrayLike<number>} place @returns {[number, number]} */
  return (place) => [left + across * (place[0] - x0), top + down * (y1 - place[1])];
}

// Of measured targets by where they lie on the colour bar.
function mark(ink, { shades }, code, [x, y], radius, theme) {
  if (!shades.length) drawPoint(ink, classSymbol(code), classColor(code), x, y, radius, theme);
  else drawPoint(ink, "circle", css(theme.targetsTable[sequentialStep(shades[code], 0, 1)]), x, y, radius, theme);
}

function ring(ink, [x, y], radius, color, width) {
  tracePath(ink, "circle", x, y, radius);
  ink.strokeStyle = color;
  ink.lineWidth = width;
  ink.stroke();
}

// How the scores are spread, and where the line is: counted in the order, however many there are.
/** @param {HTMLCanvasElement} canvas @param {Queue} queue @param {Line} line @param {Theme} theme */
export function paintHistogram(canvas, { ranking, flagged: below }, line, theme) {
  const fit = inkOf(canvas);
  if (!fit) return;
  const { ink, width, height } = fit;
  const [low, high] = [line.low, line.high];
  const { order } = ranking;
  const ends = Array.from({ length: BINS + 1 }, (_, bin) =>
    bin === 0 ? 0 : bin === BINS ? order.length : countBelow(ranking, order, low + (bin / BINS) * (high - low)),
  );
  const counts = [new Float64Array(BINS), new Float64Array(BINS)];
  for (let bin = 0; bin < BINS; bin++) {
    const [from, to] = [ends[bin], ends[bin + 1]];
    counts[0][bin] = Math.max(0, Math.min(below.length, to) - from);
    counts[1][bin] = to - from - counts[0][bin];
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
