// What the person does -> what the view does: buttons, gestures, hovering, keys.
// The base of LinkedView, apart only to keep both readable.

import { element } from "../shared/elements.js";
import { Gestures } from "./gestures.js";
import { choice, showTip } from "./layout.js";
import { fileOf, nearest, onPictures, want } from "./pictures.js";
import { settings } from "./settings.js";
import { heldShown, shownOf } from "./shown.js";

export class ViewInput {
  /** @type {ViewParts} */ parts;
  /** @type {MatrixPanel} */ matrix;
  /** @type {ScatterPanel} */ scatter;
  /** @type {Content} */ content;
  /** @type {SelectionModel} */ model;
  shownId = ""; // of texts and pictures; they may still be on their way
  tell = () => {}; // what the person looks at, again: its pictures have come
  forgetPictures = onPictures(() => this.tell());

  onDocumentKey = (event) => this.onKey(event);

  // What a view does:
  save() {}
  undo(_event) {}
  clear(_event) {}
  reportSelection() {}

  buildToolbar() {
    const { undo, clear, save, matrix, scatter, root } = this.parts;
    const modes = choice(
      "What dragging does",
      [
        ["select", "Select", "Dragging selects; with Ctrl the wheel zooms"],
        ["zoom", "Zoom", "Dragging zooms into a rectangle, or moves what is zoomed in; after a click the wheel zooms"],
      ],
      settings.mode,
      (mode) => {
        settings.mode = mode;
        showMode();
      },
    );
    const showMode = () => {
      root.classList.toggle("stiknn-zooming", settings.mode === "zoom");
      if (this.content && this.model.empty) this.reportSelection();
    };
    const shapes = choice(
      "Shape of a selection",
      [
        ["lasso", "Lasso", "Dragging draws around points; with Shift it adds"],
        ["box", "Box", "Dragging draws a box; with Shift it adds"],
      ],
      settings.shape,
      (shape) => {
        settings.shape = shape;
      },
    );
    showMode();
    matrix.tools.prepend(modes);
    scatter.tools.prepend(shapes);
    undo.addEventListener("click", (event) => this.undo(event));
    clear.addEventListener("click", (event) => this.clear(event));
    save.addEventListener("click", () => this.save());
  }

  listen() {
    for (const panel of [this.matrix, this.scatter]) {
      const { zoomIn, zoomOut, reset, plot } = panel.parts;
      new Gestures(plot, {
        inside: (p) => this.content && panel.frame.holds(p),
        pans: () => settings.mode === "zoom" && panel.zoom.zoomed,
        wheels: () => settings.mode === "zoom" && document.activeElement === plot,
        hover: (p, event) => this.hover(panel, p, event),
        leave: () => this.unhover(panel),
        click: (p, event) => panel.clickAt(p, event),
        clear: (event) => this.clear(event),
        drag: (path) => panel.showBand(path, settings.mode === "zoom" ? "box" : panel.bandShape),
        dragCancel: () => panel.showBand(null),
        dragEnd: (path, event) => {
          panel.showBand(null);
          if (settings.mode === "zoom") this.zoomTo(panel, path);
          else panel.selectBand(path, event);
        },
        pan: (dx, dy) => panel.pan(dx, dy),
        zoom: (p, factor) => this.zoomPanel(panel, factor, p),
      });
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
    this.showZoom(panel);
  }

  zoomTo(panel, path) {
    panel.zoomTo(path);
    this.unhover(panel);
    this.showZoom(panel);
  }

  resetZoom(panel) {
    panel.zoom.reset();
    panel.moved();
    this.showZoom(panel);
  }

  // What dragging does next hangs on it.
  showZoom(panel) {
    panel.parts.plot.classList.toggle("stiknn-zoomed", panel.zoom.zoomed);
    if (this.model.empty) this.reportSelection();
  }

  hover(panel, p, event) {
    const { tip, root } = this.parts;
    const spot = panel.frame.holds(p) ? panel.spotAt(p, event) : null;
    if (spot === null) return this.unhover(panel);
    panel.hovered = spot;
    panel.drawCursor();
    // Nothing is made anew as long as the mouse stays on a dot: pictures would flicker.
    const there = panel.dotsAt(spot).map((dot) => Boolean(fileOf(this.shownId, dot)));
    const name = JSON.stringify([spot, this.model.current.seq, heldShown(this.shownId)?.id, there]);
    this.tell = () => this.hover(panel, p, event);
    showTip(tip, root, name === panel.tipped ? null : [panel.describe(spot), this.shown(panel, spot)], event);
    panel.tipped = name;
    this.fetch(panel, spot);
  }

  // Texts and pictures of the dots at a spot.
  shown(panel, spot, low = false) {
    const { ids } = this.content.dots;
    return shownOf(heldShown(this.shownId), panel.dotsAt(spot), (dot) => ids[dot], low);
  }

  // Pictures of them that are not there yet, and of the dots around.
  fetch(panel, spot) {
    const { x, y } = this.content.dots;
    const [shown, dots] = [heldShown(this.shownId), panel.dotsAt(spot)];
    if (shown?.pictures && dots.length) want(shown.id, dots, () => nearest(x, y, dots[0]));
  }

  unhover(panel) {
    this.parts.tip.style.display = "none";
    panel.tipped = "";
    this.tell = () => {};
    if (panel.hovered === null) return;
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
    if (arrows[event.key]) {
      const spot = panel.moveCursor(...arrows[event.key], event);
      this.tell = () => {
        this.say(panel.describe(spot), this.shown(panel, spot, true));
        this.fetch(panel, spot);
      };
      this.tell();
    } else if (event.key === "Enter" && panel.cursor !== null) panel.choose(panel.cursor, event);
    else if (event.key === "+" || event.key === "=") this.zoomPanel(panel, 0.5);
    else if (event.key === "-") this.zoomPanel(panel, 2);
    else if (event.key === "0") this.resetZoom(panel);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit has keys of its own
  }

  say(lines, shown) {
    const text = lines.join(": ");
    this.parts.spoken.textContent = [text, ...shown.map((one) => one.textContent)].filter(Boolean).join(": ");
    this.parts.status.replaceChildren(element("span", "", text), ...shown);
  }
}
