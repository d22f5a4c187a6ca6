// The scatter plot: dots on a canvas, and what is selected over them. Units are what is selected,
// see payload.js.

import { plotlyText, shorten } from "../shared/format.js";
import { CLOUD_FROM, dotRadius, mixedOrder } from "./cloud.js";
import { dotColors } from "./colors.js";
import { DotGrid, extent, unitsInside } from "./dots.js";
import { boxOf, extentOf, insidePolygon } from "./gestures.js";
import { ScatterInk } from "./scatter_ink.js";
import { settings } from "./settings.js";
import { describeDot } from "./wording.js";
import { ZoomWindow } from "./zoom.js";

const REACH = 14; // pixels from a dot within which a click means it
const TOUCH_REACH = 24;
const MOST_UNLIKE = 4;

export class ScatterPanel extends ScatterInk {
  /** @type {DotGrid} */ grid;
  /** @type {Record<string, number[]>} dots where a key stops, in order */ walks = {};

  load({ dots, points }) {
    const [x0, x1] = padded(dots.x);
    const [y0, y1] = padded(dots.y);
    const limits = alike({ x0, x1, y0, y1 });
    this.zoom = new ZoomWindow(points, limits, 1 / 200);
    this.cursor = null;
    this.hovered = null;
    this.grid = new DotGrid(dots);
    this.walks = {};
    this.isCloud = dots.count > CLOUD_FROM;
    this.mixed = mixedOrder(dots.count);
    this.plainRadius = dotRadius(dots.count);
  }

  resize(width, height) {
    super.resize(width, height);
    this.groundStale = true;
  }

  recolor() {
    this.colors = dotColors(this.view);
    this.groundStale = true;
    this.view.showScatterLegend(this.colors);
  }

  prepare() {
    this.frame.zoom = this.zoom;
    this.recolor();
  }

  axes() {
    const { theme, content } = this.view;
    const [x, y] = content.axisTitles.map((text) => ({
      showline: true,
      mirror: true,
      linecolor: theme.border,
      nticks: 6,
      title: { text: plotlyText(shorten(text, 40)), standoff: 6 },
    }));
    return { x, y };
  }

  moved() {
    this.groundStale = true;
    super.moved();
  }

  // Colours may hang on the selection.
  selectionChanged() {
    if (this.view.options.color_by === "interaction") this.recolor();
  }

  get bandShape() {
    return settings.shape;
  }

  spotAt(p) {
    return this.grid.nearest(this.frame, p, REACH);
  }

  clickAt(p, event) {
    const dot = this.grid.nearest(this.frame, p, event.pointerType === "touch" ? TOUCH_REACH : REACH);
    if (dot === null) return;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!more) return this.choose(dot, event);
    const unit = this.view.content.dots.units[dot];
    const units = this.view.model.points;
    this.select(units.includes(unit) ? units.filter((other) => other !== unit) : [...units, unit], event);
  }

  selectBand(path, event) {
    const { content, model } = this.view;
    const { x, y } = content.dots;
    const isLasso = settings.shape === "lasso";
    const { left, right, top, bottom } = isLasso ? extentOf(path) : boxOf(path);
    const units = unitsInside(content, (dot) => {
      const px = this.frame.x(x[dot]);
      const py = this.frame.y(y[dot]);
      if (px < left || px > right || py < top || py > bottom) return false;
      return !isLasso || insidePolygon(px, py, path);
    });
    this.select(event.shiftKey ? [...model.points, ...units] : units, event);
  }

  choose(dot, event) {
    this.select([this.view.content.dots.units[dot]], event);
  }

  select(units, event) {
    this.view.select(units, units, "scatter", event);
  }

  describe(dot) {
    const { content, model, options } = this.view;
    return describeDot(content, dot, options, model.current.rows);
  }

  dotsAt(dot) {
    return [dot];
  }

  // Keys walk from unit to unit, from left to right or from bottom to top.
  moveCursor(dx, dy) {
    const { units, hearts } = this.view.content.dots;
    const walk = this.walk(dx ? "x" : "y");
    const by = dx || -dy;
    const at = this.cursor === null ? (by > 0 ? -1 : walk.length) : walk.indexOf(hearts[units[this.cursor]]);
    this.cursor = walk[Math.max(0, Math.min(walk.length - 1, at + by))];
    this.drawCursor();
    return this.cursor;
  }

  walk(letter) {
    const { dots } = this.view.content;
    const along = dots[letter];
    this.walks[letter] ??= Array.from(dots.hearts.filter((dot) => dot >= 0)).sort(
      (a, b) => along[a] - along[b] || a - b,
    );
    return this.walks[letter];
  }
}

// As many units to the pixel on both axes, so that distances in the picture are distances; unless
// one axis reaches so much further that the dots would lie in a line.
function alike({ x0, x1, y0, y1 }) {
  const half = Math.max(x1 - x0, y1 - y0) / 2;
  if (2 * half > MOST_UNLIKE * Math.min(x1 - x0, y1 - y0)) return { x0, x1, y0, y1 };
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return { x0: x - half, x1: x + half, y0: y - half, y1: y + half };
}

function padded(values) {
  const [low, high] = extent(values);
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - pad, high + pad];
}
