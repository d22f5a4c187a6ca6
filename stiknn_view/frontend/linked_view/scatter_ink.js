// Drawing the dots of the scatter: all of them, the lit ones, the known flips, the cursor.
// The base of ScatterPanel, apart only to keep both readable.

import { css, parseColor } from "../shared/palette.js";
import { drawPoint } from "../shared/symbols.js";
import { CLOUD_ZOOMED, Cloud, MOST_MARKED, packColor } from "./cloud.js";
import { groupSymbol } from "./colors.js";
import { dotsOf } from "./dots.js";
import {
  clipTo,
  drawChangedMarks,
  drawColMarks,
  drawCrosses,
  drawRowMarks,
  Layer,
  outline,
  SCATTER_VEIL,
} from "./highlight.js";
import { Panel } from "./panel.js";

export class ScatterInk extends Panel {
  isCloud = false;
  plainRadius = 0;
  groundStale = true;
  /** @type {Int32Array} order of drawing */ mixed;
  /** @type {DotColors} */ colors;

  constructor(view, parts) {
    super(view, parts, true);
    this.ground = new Layer(parts.plot); // the dots, which a selection does not change
    this.marks = new Layer(parts.plot);
    this.layers = [this.ground, this.marks, new Layer(parts.plot)];
  }

  // Dots of a cloud grow while zooming in, until their symbols can be told apart.
  get radius() {
    if (!this.isCloud) return this.plainRadius;
    const { limits, x0, x1 } = this.zoom;
    const grown = this.plainRadius * Math.sqrt((limits.x1 - limits.x0) / (x1 - x0));
    return Math.min(CLOUD_ZOOMED, Math.round(10 * grown) / 10);
  }

  // [x, y, dot] on screen, of those in sight.
  spots(dots) {
    const { frame } = this;
    const { x, y } = this.view.content.dots;
    const { left, top, width, height } = frame.box;
    const rim = this.radius + 8;
    const found = [];
    for (const dot of dots) {
      const px = frame.x(x[dot]);
      const py = frame.y(y[dot]);
      if (px < left - rim || px > left + width + rim || py < top - rim || py > top + height + rim) continue;
      found.push([px, py, dot]);
    }
    return found;
  }

  draw() {
    if (this.groundStale) {
      this.groundStale = false;
      this.drawDots(this.ground.start());
    }
    this.drawMarks(this.marks.start());
    this.drawCursor();
  }

  ink(context) {
    this.drawDots(context);
    this.drawMarks(context);
  }

  drawDots(context) {
    const spots = this.spots(this.mixed);
    clipTo(context, this.frame.box);
    if (this.isCloud) this.drawCloud(context, (cloud) => this.fillCloud(cloud, spots));
    else this.drawPoints(context, spots);
    context.restore();
  }

  drawMarks(context) {
    const { theme, model, options } = this.view;
    const { box } = this.frame;
    clipTo(context, box);
    if (!model.empty) {
      if (options.color_by !== "interaction") {
        // There the others are what one looks at.
        context.fillStyle = css(theme.rgb, SCATTER_VEIL);
        context.fillRect(box.left, box.top, box.width, box.height);
      }
      this.drawLit(context);
    }
    if (options.show_changed) this.drawChanged(context);
    if (options.marks) {
      const spots = options.marks.xy.map(([x, y]) => [this.frame.x(x), this.frame.y(y)]);
      drawCrosses(context, spots, this.radius, theme);
    }
    context.restore();
  }

  // Outlines first: in a crowd they merge into one contour and hide no point.
  drawLit(context) {
    const { content, theme, model } = this.view;
    const rows = this.spots(dotsOf(content, model.current.rows));
    // Who is both, in a block on the diagonal or drawn around, is marked once.
    const cols = model.same ? [] : this.spots(dotsOf(content, model.current.cols));
    const lit = this.spots(dotsOf(content, model.points));
    const r = this.radius;
    if (lit.length <= MOST_MARKED && !this.isCrowd) {
      drawColMarks(context, cols, r, theme);
      drawRowMarks(context, rows, r, theme);
      this.drawPoints(context, lit);
      return;
    }
    this.drawCloud(context, (cloud) => {
      const put = (spots, wider, color) => {
        const stamp = cloud.stamp("circle", r + wider);
        for (const [x, y] of spots) cloud.put(stamp, x, y, color);
      };
      put(cols, 3, packColor(parseColor(theme.colMark)));
      put(rows, 1.6, packColor(parseColor(theme.rowMark)));
      this.fillCloud(cloud, lit);
    });
  }

  // So small that marks around each dot would be all one sees.
  get isCrowd() {
    return this.isCloud && this.radius < CLOUD_ZOOMED;
  }

  drawChanged(context) {
    if (this.isCrowd) return; // their rings are part of the cloud
    const { content, theme } = this.view;
    const changed = [];
    content.dots.changed.forEach((flag, dot) => flag && changed.push(dot));
    drawChangedMarks(context, this.spots(changed), this.radius, theme);
  }

  drawCloud(context, fill) {
    const cloud = new Cloud(this.frame.box, context.getTransform().a);
    fill(cloud);
    cloud.draw(context);
  }

  // Dots, then once more those with a flipped label, in a ring.
  fillCloud(cloud, spots) {
    const { content, options, theme } = this.view;
    const { codes, changed } = content.dots;
    const { palette, index } = this.colors;
    const colors = palette.map(packColor);
    const stamps = content.classes.map((_, code) => cloud.stamp(groupSymbol(content, code), this.radius));
    if (options.color_by === "interaction") {
      // Many are neutral there, and as good as the ground.
      const rim = cloud.stamp("circle", this.radius + 0.9);
      const line = packColor(parseColor(theme.dark ? "#8a8c90" : "#808080"));
      for (const [x, y] of spots) cloud.put(rim, x, y, line);
    }
    for (const [x, y, dot] of spots) cloud.put(stamps[codes[dot]], x, y, colors[index[dot]]);
    if (!options.show_changed || !this.isCrowd) return;
    const ring = cloud.stamp("circle", this.radius + 1.3);
    const ringColor = packColor(parseColor(theme.changedMark));
    for (const [x, y, dot] of spots) {
      if (!changed[dot]) continue;
      cloud.put(ring, x, y, ringColor);
      cloud.put(stamps[codes[dot]], x, y, colors[index[dot]]);
    }
  }

  drawPoints(context, spots) {
    const { content, theme } = this.view;
    const { palette, index } = this.colors;
    const texts = palette.map((rgb) => css(rgb));
    for (const [x, y, dot] of spots) {
      drawPoint(context, groupSymbol(content, content.dots.codes[dot]), texts[index[dot]], x, y, this.radius, theme);
    }
  }

  outlineSpot(context, dot) {
    const half = this.radius + 7;
    for (const [x, y] of this.spots([dot]))
      outline(context, this.view.theme, x - half, y - half, 2 * half, 2 * half, 1);
  }
}
