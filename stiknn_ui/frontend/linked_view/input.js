// What the person does -> what the view does: buttons, gestures, hovering, keys.
// The base of LinkedView, apart only to keep both readable.

import { element } from "../shared/elements.js";
import { Gestures } from "./gestures.js";
import { choice, showTip } from "./layout.js";
import { REACH } from "./scatter.js";
import { settings } from "./settings.js";

export class ViewInput {
  /** @type {ViewParts} */ parts;
  /** @type {MatrixPanel} */ matrix;
  /** @type {ScatterPanel} */ scatter;
  /** @type {Content} */ content;

  onDocumentKey = (event) => this.onKey(event);

  // What a view does:
  save() {}
  undo(_event) {}
  clear(_event) {}

  buildToolbar() {
    const { toolbar, undo, clear, save, scatter, root } = this.parts;
    const modes = choice(
      "What dragging does",
      [
        ["select", "Select", "Dragging selects"],
        ["zoom", "Zoom", "Dragging moves the plot, the wheel zooms"],
      ],
      (mode) => {
        settings.mode = mode;
        showMode();
      },
    );
    const showMode = () => {
      modes.show(settings.mode);
      root.classList.toggle("stiknn-zooming", settings.mode === "zoom");
    };
    const shapes = choice(
      "Shape of a selection",
      [
        ["lasso", "Lasso", "Dragging draws around points; with Shift it adds"],
        ["box", "Box", "Dragging draws a box; with Shift it adds"],
      ],
      (shape) => {
        settings.shape = shape;
        shapes.show(shape);
      },
    );
    showMode();
    shapes.show(settings.shape);
    toolbar.append(modes.group, undo, clear, save);
    scatter.tools.prepend(shapes.group);
    undo.addEventListener("click", (event) => this.undo(event));
    clear.addEventListener("click", (event) => this.clear(event));
    save.addEventListener("click", () => this.save());
  }

  listen() {
    const { matrix, scatter } = this;
    const shared = (panel) => ({
      inside: (p) => this.content && panel.frame.holds(p),
      mode: () => settings.mode,
      clear: (event) => this.clear(event),
      leave: () => this.unhover(panel),
      drag: (path) => {
        panel.band = path;
        panel.drawCursor();
      },
      dragCancel: () => {
        panel.band = null;
        panel.drawCursor();
      },
      dragEnd: (path, event) => {
        panel.band = null;
        panel.selectBand(path, event);
        panel.drawCursor();
      },
      pan: (dx, dy) => {
        const { box, zoom, flipY } = panel.frame;
        const up = flipY ? 1 : -1;
        zoom.pan((-dx / box.width) * (zoom.x1 - zoom.x0), ((up * dy) / box.height) * (zoom.y1 - zoom.y0));
        panel.moved();
      },
      zoom: (p, factor) => this.zoomPanel(panel, factor, p),
    });
    new Gestures(this.parts.matrix.plot, {
      ...shared(matrix),
      hover: (p, event) => this.hoverMatrix(p, event),
      click: (p, event) => {
        const at = matrix.placeAt(p);
        matrix.selectAt(at, event.altKey || matrix.single, event);
        if (event.pointerType === "touch") this.hoverMatrix(p, event);
      },
    });
    new Gestures(this.parts.scatter.plot, {
      ...shared(scatter),
      hover: (p, event) => this.hoverScatter(p, event),
      click: (p, event) => scatter.clickAt(p, event),
    });
    for (const panel of [matrix, scatter]) {
      const { zoomIn, zoomOut, reset, plot } = panel.parts;
      zoomIn.addEventListener("click", () => this.zoomPanel(panel, 0.5));
      zoomOut.addEventListener("click", () => this.zoomPanel(panel, 2));
      reset.addEventListener("click", () => this.resetZoom(panel));
      plot.addEventListener("keydown", (event) => this.onPlotKey(panel, event));
      plot.addEventListener("blur", () => this.unhover(panel));
    }
    document.addEventListener("keydown", this.onDocumentKey);
  }

  zoomPanel(panel, factor, p) {
    const { frame, zoom } = panel;
    const { box } = frame;
    const at = p ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    zoom.zoom(frame.toX(at.x), frame.toY(at.y), factor);
    this.unhover(panel);
    panel.moved();
  }

  resetZoom(panel) {
    panel.zoom.reset();
    panel.moved();
  }

  hoverMatrix(p, event) {
    const { matrix, parts } = this;
    if (!matrix.frame.holds(p)) return this.unhover(matrix);
    const at = matrix.placeAt(p);
    const pair = event.altKey || matrix.single;
    matrix.hovered = { ...at, pair };
    matrix.drawCursor();
    showTip(parts.tip, parts.root, matrix.describe(at, pair), event);
  }

  hoverScatter(p, event) {
    const { scatter, parts } = this;
    const dot = scatter.frame.holds(p) ? scatter.nearest(p, REACH) : null;
    if (dot === null) return this.unhover(scatter);
    scatter.hovered = dot;
    scatter.drawCursor();
    showTip(parts.tip, parts.root, scatter.describe(dot), event);
  }

  unhover(panel) {
    this.parts.tip.style.display = "none";
    if (panel.hovered === null || panel.hovered === undefined) return;
    panel.hovered = null;
    panel.drawCursor();
  }

  // Escape and undo work anywhere in the view, and when nothing on the page has focus.
  onKey(event) {
    const active = document.activeElement;
    const ours = this.parts.root.contains(active);
    if (!this.content || !(ours || active === document.body)) return;
    if (event.key === "Escape") this.clear(event);
    const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (undo && ours) {
      event.preventDefault();
      this.undo(event);
    }
  }

  onPlotKey(panel, event) {
    if (!this.content || event.ctrlKey || event.metaKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const isMatrix = panel === this.matrix;
    const pair = isMatrix && (event.altKey || panel.single);
    if (arrows[event.key]) {
      const at = panel.moveCursor(...arrows[event.key], pair);
      this.say(isMatrix ? panel.describe(at, pair) : panel.describe(at));
    } else if (event.key === "Enter" && panel.cursor !== null) {
      if (isMatrix) panel.selectAt(panel.cursor, pair, event);
      else panel.chooseDot(panel.cursor, event);
    } else if (event.key === "+" || event.key === "=") this.zoomPanel(panel, 0.5);
    else if (event.key === "-") this.zoomPanel(panel, 2);
    else if (event.key === "0") this.resetZoom(panel);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit has keys of its own
  }

  say(lines) {
    this.parts.spoken.textContent = lines.join(": ");
    this.parts.status.replaceChildren(element("span", "", lines.join(": ")));
  }
}
