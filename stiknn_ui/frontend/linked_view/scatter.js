// The scatter plot: a Plotly trace for all dots, or a canvas for very many; canvases for what
// is lit. Units are what is selected, see payload.js.

import { plotlyText, shorten } from "../shared/format.js";
import { css } from "../shared/palette.js";
import { classSymbol } from "../shared/symbols.js";
import { CLOUD_FROM, dotRadius, mixedOrder } from "./cloud.js";
import { dotColors } from "./colors.js";
import { DotGrid, unitsInside } from "./dots.js";
import { boxOf, extentOf, insidePolygon } from "./gestures.js";
import { PLOT_CONFIG } from "./heatmap.js";
import { Layer } from "./highlight.js";
import { ScatterInk } from "./scatter_ink.js";
import { settings } from "./settings.js";
import { describeDot } from "./wording.js";
import { Frame, ZoomWindow } from "./zoom.js";

export const REACH = 14; // pixels from a dot within which a click means it
const TOUCH_REACH = 24;

export class ScatterPanel extends ScatterInk {
  constructor(view, parts) {
    super();
    this.view = view;
    this.parts = parts;
    this.ground = new Layer(parts.plot); // the dots, where Plotly does not draw them
    this.marks = new Layer(parts.plot);
    this.cursorLayer = new Layer(parts.plot);
    this.margins = { l: 54, r: 10, t: 16, b: 42 };
    this.band = null;
    this.cursor = null; // dot
    this.hovered = null;
  }

  load({ dots, points }) {
    const limits = { ...padded(dots.x, "x"), ...padded(dots.y, "y") };
    this.zoom = new ZoomWindow(points, limits, 1 / 200);
    this.cursor = null;
    this.hovered = null;
    this.grid = new DotGrid(dots);
    this.walks = {};
    this.isCloud = dots.count > CLOUD_FROM;
    this.mixed = this.isCloud ? mixedOrder(dots.count) : null;
    this.plainRadius = dotRadius(dots.count);
  }

  resize(width, height) {
    const { l, r, t, b } = this.margins;
    this.size = { width, height };
    const box = { left: l, top: t, width: width - l - r, height: height - t - b };
    this.frame = new Frame(box, this.zoom, true);
    this.ground.resize(width, height);
    this.groundStale = true;
    this.marks.resize(width, height);
    this.cursorLayer.resize(width, height);
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

  async render() {
    const { theme, content } = this.view;
    const axis = {
      showgrid: false,
      zeroline: false,
      showline: true,
      mirror: true,
      linecolor: theme.border,
      fixedrange: true,
      nticks: 6,
    };
    const title = (text) => ({ text: plotlyText(shorten(text, 40)), standoff: 6 });
    const layout = {
      ...this.size,
      margin: { ...this.margins, pad: 0 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: theme.font, size: 11, color: theme.text },
      hovermode: false,
      dragmode: false,
      showlegend: false,
      xaxis: { ...axis, range: this.ranges().x, title: title(content.axisTitles[0]) },
      yaxis: { ...axis, range: this.ranges().y, title: title(content.axisTitles[1]) },
    };
    const { x, y } = content.dots;
    const data = this.isCloud
      ? [{ type: "scatter", x: [null], y: [null], hoverinfo: "skip" }] // so that axes are drawn
      : [{ type: "scatter", mode: "markers", x, y, hoverinfo: "skip", marker: this.marker() }];
    await Plotly.react(this.parts.graph, data, layout, PLOT_CONFIG);
    this.plotted = true;
    this.draw();
  }

  marker() {
    const { content, theme } = this.view;
    return {
      color: this.colorList(),
      symbol: Array.from(content.dots.codes, classSymbol),
      size: 2 * this.radius,
      line: { width: 0.7, color: theme.dark ? "rgba(0,0,0,0.6)" : "rgba(0,0,0,0.35)" },
    };
  }

  colorList() {
    const { palette, index } = this.colors;
    const texts = palette.map((rgb) => css(rgb));
    return Array.from(index, (entry) => texts[entry]);
  }

  ranges() {
    const { x0, x1, y0, y1 } = this.zoom;
    return { x: [x0, x1], y: [y0, y1] };
  }

  moved() {
    if (this.moving) return;
    this.moving = requestAnimationFrame(() => {
      this.moving = 0;
      const { x, y } = this.ranges();
      if (this.plotted) Plotly.relayout(this.parts.graph, { "xaxis.range": x, "yaxis.range": y });
      this.groundStale = true;
      this.draw();
    });
  }

  // Colours that hang on the selection: canvas at once, the trace when there is time.
  selectionChanged() {
    if (this.view.options.color_by !== "interaction") return;
    this.recolor();
    if (this.isCloud) return;
    clearTimeout(this.restyling);
    this.restyling = setTimeout(() => {
      if (this.view.alive && this.plotted) Plotly.restyle(this.parts.graph, { "marker.color": [this.colorList()] });
    }, 60);
  }

  nearest(p, reach) {
    return this.grid.nearest(this.frame, p, reach);
  }

  clickAt(p, event) {
    const dot = this.nearest(p, event.pointerType === "touch" ? TOUCH_REACH : REACH);
    if (dot === null) return;
    const { model } = this.view;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!more) return this.chooseDot(dot, event);
    const unit = this.view.content.dots.units[dot];
    const units = model.points;
    this.choose(units.includes(unit) ? units.filter((other) => other !== unit) : [...units, unit], event);
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
    this.choose(event.shiftKey ? [...model.points, ...units] : units, event);
  }

  chooseDot(dot, event) {
    this.choose([this.view.content.dots.units[dot]], event);
  }

  choose(units, event) {
    this.view.select(units, units, "scatter", event);
  }

  describe(dot) {
    const { content, model, options } = this.view;
    return describeDot(content, dot, options, model.current.rows);
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

function padded(values, letter) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return { [`${letter}0`]: low - pad, [`${letter}1`]: high + pad };
}
