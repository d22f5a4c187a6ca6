// What both plots have in common: canvases with all that is to see, a window of the data on
// them, and below them Plotly, which draws the axes and nothing else.
//
// A plot says which layers it has, the cursor's last, its axes(), how to draw() and how to
// ink(context) for a downloaded picture, which is everything but the cursor. A cursor is at a
// *spot*, a cell or a dot: each plot knows the one at a place of the mouse, how to describe(),
// choose() and outline it, and how keys move it.

import { boxOf } from "./gestures.js";
import { clipTo, drawBand } from "./highlight.js";
import { Frame } from "./zoom.js";

const CONFIG = { staticPlot: true, displayModeBar: false, responsive: false };
const NOTHING = { type: "scatter", x: [null], y: [null], hoverinfo: "skip" }; // else no axes
const CLEAR = "rgba(0,0,0,0)";

export class Panel {
  /** @type {Frame} */ frame;
  /** @type {ZoomWindow} */ zoom;
  /** @type {Layer[]} */ layers = [];
  /** @type {Point[] | null} */ band = null; // path of a drag
  shape = "box"; // of the band
  /** @type {any} */ cursor = null; // moved by keys
  /** @type {any} */ hovered = null;
  tipped = ""; // what the tip says now
  size = { width: 0, height: 0 };
  margins = { l: 50, r: 8, t: 16, b: 42 }; // as much across as down: the square stays one inside
  plotted = false;

  /** @param {LinkedView} view @param {ViewParts["matrix"]} parts @param {boolean} flipY see Frame */
  constructor(view, parts, flipY) {
    this.view = view;
    this.parts = parts;
    this.flipY = flipY;
  }

  resize(width, height) {
    const { l, r, t, b } = this.margins;
    this.size = { width, height };
    const box = { left: l, top: t, width: width - l - r, height: height - t - b };
    this.frame = new Frame(box, this.zoom, this.flipY);
    for (const layer of this.layers) layer.resize(width, height);
  }

  // The plots' own:
  axes() {
    return { x: {}, y: {} };
  }
  draw() {}
  outlineSpot(_context, _spot) {}
  get bandShape() {
    return "box";
  }

  zoomTo(path) {
    const { frame, zoom } = this;
    const { left, right, top, bottom } = boxOf(path);
    const [y0, y1] = [frame.toY(top), frame.toY(bottom)].sort((a, b) => a - b);
    zoom.fit({ x0: frame.toX(left), x1: frame.toX(right), y0, y1 });
    this.moved();
  }

  /** @param {Point[] | null} path @param {string} shape "box" or "lasso" */
  showBand(path, shape = "box") {
    this.band = path;
    this.shape = shape;
    this.drawCursor();
  }

  drawCursor() {
    const context = this.layers[this.layers.length - 1].start();
    const spot = this.hovered ?? this.cursor;
    clipTo(context, this.frame.box);
    if (this.band) drawBand(context, this.view.theme, this.band, this.shape);
    else if (spot !== null) this.outlineSpot(context, spot);
    context.restore();
  }

  // By so many pixels.
  pan(dx, dy) {
    const { frame, zoom } = this;
    zoom.pan(frame.toX(0) - frame.toX(dx), frame.toY(0) - frame.toY(dy));
    this.moved();
  }

  // Axes anew: size, theme, data or order changed.
  async render() {
    const { theme } = this.view;
    const { x, y } = this.axes();
    const layout = {
      ...this.size,
      margin: { ...this.margins, pad: 0 },
      paper_bgcolor: CLEAR,
      plot_bgcolor: CLEAR,
      font: { family: theme.font, size: 11, color: theme.text },
      hovermode: false,
      dragmode: false,
      showlegend: false,
      xaxis: { ...this.range("x"), fixedrange: true, showgrid: false, zeroline: false, ...x },
      yaxis: { ...this.range("y"), fixedrange: true, showgrid: false, zeroline: false, ...y },
    };
    await Plotly.react(this.parts.graph, [NOTHING], layout, CONFIG);
    this.plotted = true;
  }

  // What of an axis follows the zoom.
  /** @param {"x" | "y"} letter @returns {Record<string, unknown>} */
  range(letter) {
    const ends = [this.zoom[`${letter}0`], this.zoom[`${letter}1`]];
    return { range: letter === "y" && !this.flipY ? ends.reverse() : ends };
  }

  moved() {
    this.moving ??= requestAnimationFrame(() => {
      this.moving = null;
      this.draw();
      if (!this.plotted) return;
      /** @type {Record<string, unknown>} */
      const update = {};
      for (const letter of /** @type {const} */ (["x", "y"])) {
        for (const [name, value] of Object.entries(this.range(letter))) update[`${letter}axis.${name}`] = value;
      }
      Plotly.relayout(this.parts.graph, update);
    });
  }
}
