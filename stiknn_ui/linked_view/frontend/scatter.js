// The scatter plot: a Plotly trace for all points, canvases for what is lit.

const REACH = 14; // pixels from a point within which a click means it
const TOUCH_REACH = 24;

class ScatterPanel {
  constructor(view, parts) {
    this.view = view;
    this.parts = parts;
    this.marks = new Layer(parts.plot);
    this.cursorLayer = new Layer(parts.plot);
    this.margins = { l: 54, r: 10, t: 16, b: 42 };
    this.band = null;
    this.cursor = null; // point id
    this.hovered = null;
  }

  load(content) {
    const limits = { ...padded(content.x, "x"), ...padded(content.y, "y") };
    this.zoom = new ZoomWindow(content.points, limits, 1 / 200);
    this.cursor = null;
    this.hovered = null;
    const crowd = content.n;
    this.radius = crowd <= 150 ? 4.6 : crowd <= 400 ? 4 : crowd <= 1000 ? 3.2 : 2.6;
  }

  resize(width, height) {
    const { l, r, t, b } = this.margins;
    this.size = { width, height };
    const box = { left: l, top: t, width: width - l - r, height: height - t - b };
    this.frame = new Frame(box, this.zoom, true);
    this.marks.resize(width, height);
    this.cursorLayer.resize(width, height);
  }

  // What the colours mean now, and each point's colour.
  recolor() {
    const { content, theme, options, model, range } = this.view;
    const byStep = (values, toStep, table) =>
      Array.from(values, (v) => (Number.isFinite(v) ? css(table[toStep(v)]) : theme.dark ? "#777777" : "#999999"));
    let colors;
    if (options.color_by === "value") {
      // A few far values must not leave one colour for all the others.
      const sorted = Float32Array.from(content.values).sort();
      const low = sorted[Math.floor(0.02 * (content.n - 1))];
      const high = sorted[Math.ceil(0.98 * (content.n - 1))];
      colors = {
        title: "Value of the point (low = suspicious)",
        stops: theme.sequential,
        ticks: [[0, `≤ ${formatNumber(low)}`], [0.5, formatNumber((low + high) / 2)], [1, `≥ ${formatNumber(high)}`]],
        list: byStep(content.values, (v) => sequentialStep(v, low, high), theme.sequentialTable),
      };
    } else if (options.color_by === "quality") {
      colors = {
        title: "Label quality (low = suspicious)",
        stops: theme.sequential,
        ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]],
        list: byStep(content.quality, (v) => sequentialStep(v, 0, 1), theme.sequentialTable),
      };
    } else if (options.color_by === "interaction") {
      const { rows } = model.current;
      const whom = rows.length === 1 ? content.ids[rows[0]] : `${rows.length} row points (mean)`;
      colors = {
        title: rows.length ? `Interaction with ${whom}` : "Interaction: select a point",
        stops: theme.diverging,
        ticks: symmetricTicks(range),
        list: rows.length
          ? byStep(meanWith(content, rows), (v) => divergingStep(v, range), theme.divergingTable)
          : new Array(content.n).fill(css(theme.divergingTable[STEPS / 2])),
      };
    } else {
      colors = { list: Array.from(content.codes, (code) => classColor(code, theme.dark)) };
    }
    this.colors = { ...colors, kind: options.color_by };
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
    const data = [{
      type: "scatter",
      mode: "markers",
      x: content.x,
      y: content.y,
      hoverinfo: "skip",
      marker: this.marker(),
    }];
    await Plotly.react(this.parts.graph, data, layout, PLOT_CONFIG);
    this.plotted = true;
    this.draw();
  }

  marker() {
    const { content, theme } = this.view;
    return {
      color: this.colors.list,
      symbol: Array.from(content.codes, classSymbol),
      size: 2 * this.radius,
      line: { width: 0.7, color: theme.dark ? "rgba(0,0,0,0.6)" : "rgba(0,0,0,0.35)" },
    };
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
      this.draw();
    });
  }

  // Colours that hang on the selection: canvas at once, the trace when there is time.
  selectionChanged() {
    if (this.view.options.color_by !== "interaction") return;
    this.recolor();
    clearTimeout(this.restyling);
    this.restyling = setTimeout(() => {
      if (this.view.alive && this.plotted) Plotly.restyle(this.parts.graph, { "marker.color": [this.colors.list] });
    }, 60);
  }

  spots(ids) {
    const { content } = this.view;
    return Array.from(ids, (id) => [this.frame.x(content.x[id]), this.frame.y(content.y[id]), id]);
  }

  draw() {
    this.drawMarks(this.marks.start());
    this.drawCursor();
  }

  // Everything over the trace; also drawn into the downloaded picture.
  drawMarks(context) {
    const { content, theme, model, options } = this.view;
    const { box } = this.frame;
    clipTo(context, box);
    const r = this.radius;
    if (!this.plotted) this.drawPoints(context, content.codes.keys());
    if (!model.empty) {
      if (options.color_by !== "interaction") {
        // There the others are what one looks at.
        context.fillStyle = css(theme.rgb, SCATTER_VEIL);
        context.fillRect(box.left, box.top, box.width, box.height);
      }
      // Outlines first: in a crowd they merge into one contour and hide no point.
      drawColMarks(context, this.spots(model.current.cols), r, theme);
      drawRowMarks(context, this.spots(model.current.rows), r, theme);
      this.drawPoints(context, model.points);
    }
    if (options.show_changed) {
      const changed = [];
      content.changed.forEach((flag, id) => flag && changed.push(id));
      drawChangedMarks(context, this.spots(changed), r, theme);
    }
    context.restore();
  }

  drawPoints(context, ids) {
    const { content, theme } = this.view;
    for (const [x, y, id] of this.spots(ids)) {
      drawPoint(context, classSymbol(content.codes[id]), this.colors.list[id], x, y, this.radius, theme);
    }
  }

  drawCursor() {
    const context = this.cursorLayer.start();
    const { theme } = this.view;
    clipTo(context, this.frame.box);
    if (this.band) drawBand(context, theme, this.band, hub.settings.shape);
    else {
      const id = this.hovered ?? this.cursor;
      if (id !== null) {
        const [[x, y]] = this.spots([id]);
        const half = this.radius + 7;
        outline(context, theme, x - half, y - half, 2 * half, 2 * half, 1);
      }
    }
    context.restore();
  }

  nearest(p, reach) {
    const { content } = this.view;
    let best = null;
    let least = reach;
    for (let id = 0; id < content.n; id++) {
      const distance = Math.hypot(this.frame.x(content.x[id]) - p.x, this.frame.y(content.y[id]) - p.y);
      if (distance < least) {
        least = distance;
        best = id;
      }
    }
    return best;
  }

  clickAt(p, event) {
    const id = this.nearest(p, event.pointerType === "touch" ? TOUCH_REACH : REACH);
    if (id === null) return;
    const { model } = this.view;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!more) return this.choose([id], event);
    const points = model.points;
    this.choose(points.includes(id) ? points.filter((other) => other !== id) : [...points, id], event);
  }

  selectBand(path, event) {
    const { content, model } = this.view;
    const box = boxOf(path);
    const inside =
      hub.settings.shape === "lasso"
        ? (x, y) => insidePolygon(x, y, path)
        : (x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    const points = [];
    for (let id = 0; id < content.n; id++) {
      if (inside(this.frame.x(content.x[id]), this.frame.y(content.y[id]))) points.push(id);
    }
    this.choose(event.shiftKey ? [...model.points, ...points] : points, event);
  }

  choose(points, event) {
    this.view.select(points, points, "scatter", event);
  }

  describe(id) {
    const { content, model, options } = this.view;
    const given = content.classes[content.codes[id]];
    const lines = [
      `${content.ids[id]} (${given})`,
      `value ${formatNumber(content.values[id])}, label quality ${formatNumber(content.quality[id])}`,
    ];
    if (content.suggested[id] !== content.codes[id]) {
      lines.push(`suggested class ${content.classes[content.suggested[id]]}`);
    }
    if (options.show_changed && content.changed[id]) lines.push("label known to be flipped");
    const { rows } = model.current;
    if (options.color_by === "interaction" && rows.length === 1 && rows[0] !== id) {
      lines.push(`interaction with ${content.ids[rows[0]]}: ${formatNumber(cellValue(content, rows[0], id))}`);
    }
    return lines;
  }

  // Keys walk through the points from left to right, or from bottom to top.
  moveCursor(dx, dy) {
    const { content } = this.view;
    const along = dx ? content.x : content.y;
    const by = dx || -dy;
    const ids = Array.from({ length: content.n }, (_, id) => id).sort((a, b) => along[a] - along[b] || a - b);
    const at = this.cursor === null ? (by > 0 ? -1 : ids.length) : ids.indexOf(this.cursor);
    this.cursor = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
    this.drawCursor();
    return this.cursor;
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
