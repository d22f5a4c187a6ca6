// Two matrices and their difference, with one cursor and one zoom for all three.

import { element } from "../shared/elements.js";
import { oneForEachHost } from "../shared/hosts.js";
import { colorTable, divergingStep, readTheme } from "../shared/palette.js";

function read(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const size = header.cells * header.cells;
  const body = bytes.slice(4 + length);
  header.layers = [0, 1, 2].map((at) => new Float32Array(body.buffer, 4 * size * at, size));
  return header;
}

function shown(value) {
  if (Number.isNaN(value)) return "none";
  return value === 0 ? "0" : `${value > 0 ? "+" : "−"}${Math.abs(value).toPrecision(3)}`;
}

class Pictures {
  constructor(host) {
    this.host = host;
    this.panels = [0, 1, 2].map(() => this.panel());
    this.readout = element("div", { class: "stiknn-compare-readout", role: "status" });
    const boxes = this.panels.map((panel) => panel.box);
    this.root = element("div", "stiknn-compare", element("div", "stiknn-compare-panels", ...boxes), this.readout);
    this.root.dataset.testid = "compare-view";
    host.append(this.root);
    this.resized = new ResizeObserver(() => this.paint());
    this.resized.observe(this.root);
  }

  close() {
    this.resized.disconnect();
  }

  panel() {
    const part = (name, ...children) => element("div", `stiknn-compare-${name}`, ...children);
    const [title, bar, ticks] = [part("title"), part("bar"), part("ticks")];
    const [picture, over] = [element("canvas"), element("canvas")];
    const frame = part("frame", picture, over);
    frame.tabIndex = 0;
    frame.setAttribute("role", "img");
    const panel = { box: part("panel", title, frame, bar, ticks), title, frame, bar, ticks, picture, over };
    const cell = (event) => {
      const box = frame.getBoundingClientRect();
      const { x0, y0, size } = this.zoom;
      const within = (share) => Math.min(0.9999, Math.max(0, share));
      return [
        Math.floor(x0 + size * within((event.clientX - box.left) / box.width)),
        Math.floor(y0 + size * within((event.clientY - box.top) / box.height)),
      ];
    };
    frame.addEventListener("pointermove", (event) => this.point(...cell(event)));
    frame.addEventListener("pointerleave", () => this.leave());
    frame.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") return this.point(...cell(event));
      frame.setPointerCapture(event.pointerId);
      this.from = cell(event);
    });
    frame.addEventListener("pointerup", (event) => this.release(...cell(event)));
    frame.addEventListener("dblclick", () => this.reset());
    frame.addEventListener("keydown", (event) => this.key(event));
    return panel;
  }

  update(message) {
    const data = read(message.data);
    const fresh = this.data?.id !== data.id;
    this.data = data;
    if (fresh) {
      this.zoom = { x0: 0, y0: 0, size: data.cells };
      this.at = null;
    }
    this.readout.textContent = data.hint;
    this.root.dataset.cells = data.cells;
    this.paint();
    this.root.dataset.ready = "true";
  }

  paint() {
    if (!this.data) return;
    const { data } = this;
    const { diverging, gap } = readTheme(this.host);
    const palettes = [diverging, diverging, gap];
    this.panels.forEach((panel, at) => {
      panel.title.textContent = data.titles[at];
      panel.title.title = data.told[at];
      panel.frame.setAttribute("aria-label", data.alts[at]);
      panel.bar.style.background = `linear-gradient(to right, ${palettes[at].join(",")})`;
      panel.ticks.replaceChildren(...data.ticks[at].map((text) => element("span", "", text)));
      this.draw(panel, colorTable(palettes[at]), data.layers[at], data.limits[at]);
    });
    this.mark();
  }

  draw(panel, colors, cells, limit) {
    const count = this.data.cells;
    const small = element("canvas");
    small.width = small.height = count;
    const image = new ImageData(count, count);
    for (let i = 0; i < cells.length; i++) {
      if (Number.isNaN(cells[i])) continue; // the diagonal is no pair
      const color = colors[divergingStep(cells[i], limit)];
      image.data.set([color[0], color[1], color[2], 255], 4 * i);
    }
    small.getContext("2d").putImageData(image, 0, 0);
    const side = Math.round(panel.frame.clientWidth * devicePixelRatio);
    for (const canvas of [panel.picture, panel.over]) canvas.width = canvas.height = side;
    const ink = panel.picture.getContext("2d");
    ink.imageSmoothingEnabled = this.zoom.size > side; // more cells than dots are averaged
    ink.imageSmoothingQuality = "high";
    const { x0, y0, size } = this.zoom;
    ink.drawImage(small, x0, y0, size, size, 0, 0, side, side);
  }

  // Borders of the blocks, the cursor, and what is being dragged over.
  mark() {
    const { data, zoom } = this;
    const color = getComputedStyle(this.root).color;
    for (const panel of this.panels) {
      const side = panel.over.width;
      const ink = panel.over.getContext("2d");
      const place = (cell, start) => ((cell - start) / zoom.size) * side;
      ink.clearRect(0, 0, side, side);
      ink.strokeStyle = color;
      ink.lineWidth = Math.max(1, devicePixelRatio);
      ink.globalAlpha = data.blocks.length > 12 ? 0.2 : 0.45;
      for (const [, , stop] of data.blocks.slice(0, -1)) {
        const [x, y] = [place(stop, zoom.x0), place(stop, zoom.y0)];
        ink.strokeRect(x, -2, 0, side + 4);
        ink.strokeRect(-2, y, side + 4, 0);
      }
      if (this.at) {
        const [x, y] = [place(this.at[0], zoom.x0), place(this.at[1], zoom.y0)];
        const width = side / zoom.size;
        ink.globalAlpha = 0.35;
        ink.strokeRect(x + width / 2, -2, 0, side + 4);
        ink.strokeRect(-2, y + width / 2, side + 4, 0);
        ink.globalAlpha = 1;
        ink.strokeRect(x - 1, y - 1, width + 2, width + 2);
      }
      if (this.from && this.at) {
        const window = this.window(...this.at);
        ink.strokeStyle = getComputedStyle(this.root).getPropertyValue("--st-primary-color");
        ink.lineWidth *= 2;
        const span = (window.size / zoom.size) * side;
        ink.strokeRect(place(window.x0, zoom.x0), place(window.y0, zoom.y0), span, span);
      }
    }
  }

  point(x, y) {
    const { cells, layers, names, own } = this.data;
    this.at = [Math.min(cells - 1, Math.max(0, x)), Math.min(cells - 1, Math.max(0, y))];
    const [column, row] = this.at;
    const values = layers.map((layer) => layer[row * cells + column]);
    const what =
      row === column && this.data.step === 1
        ? `${names[row]}: no pair`
        : `${names[row]} × ${names[column]} · A ${shown(values[0])} · B ${shown(values[1])} · ` +
          `${own ? "standardised A − B" : "A − B"} ${shown(values[2])}`;
    this.readout.textContent = what;
    this.mark();
  }

  leave() {
    if (this.from) return;
    this.at = null;
    this.readout.textContent = this.data.hint;
    this.mark();
  }

  // The square window from where a drag began to here.
  window(x, y) {
    const [left, top] = [Math.min(x, this.from[0]), Math.min(y, this.from[1])];
    const size = 1 + Math.max(Math.abs(x - this.from[0]), Math.abs(y - this.from[1]));
    const fit = (start) => Math.max(0, Math.min(start, this.data.cells - size));
    return { x0: fit(left), y0: fit(top), size };
  }

  release(x, y) {
    if (!this.from) return;
    const window = this.window(x, y);
    this.from = null;
    if (window.size >= 4) this.zoom = window;
    this.paint();
  }

  reset() {
    this.zoom = { x0: 0, y0: 0, size: this.data.cells };
    this.paint();
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { zoom } = this;
    if (event.key === "Escape") this.reset();
    if (!moves[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const middle = [zoom.x0 + Math.floor(zoom.size / 2), zoom.y0 + Math.floor(zoom.size / 2)];
    const [x, y] = this.at ?? middle;
    this.point(x + far * moves[event.key][0], y + far * moves[event.key][1]);
  }
}

export const { show, close } = oneForEachHost(Pictures);
