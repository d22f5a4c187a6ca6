// The visible part of a plot, in data units, and its memory in this tab.

const zooms = new Map();

export class ZoomWindow {
  // limits = {x0, x1, y0, y1}; leastPart = how far one can zoom in.
  constructor(key, limits, leastPart) {
    this.key = key;
    this.limits = limits;
    this.leastPart = leastPart;
    Object.assign(this, zooms.get(key) ?? limits);
  }

  get zoomed() {
    const { limits } = this;
    return this.x1 - this.x0 < 0.999 * (limits.x1 - limits.x0);
  }

  // factor < 1 zooms in around the point (x, y), which stays where it is.
  zoom(x, y, factor) {
    const { limits } = this;
    const full = limits.x1 - limits.x0;
    const part = (this.x1 - this.x0) / full;
    const next = Math.min(1, Math.max(this.leastPart, part * factor));
    const ratio = next / part;
    this.set(
      x + (this.x0 - x) * ratio,
      x + (this.x1 - x) * ratio,
      y + (this.y0 - y) * ratio,
      y + (this.y1 - y) * ratio,
    );
  }

  // To a rectangle, with as much around it as keeps the shape.
  fit({ x0, x1, y0, y1 }) {
    const { limits } = this;
    const [width, height] = [limits.x1 - limits.x0, limits.y1 - limits.y0];
    const part = Math.min(1, Math.max(this.leastPart, (x1 - x0) / width, (y1 - y0) / height));
    const around = (low, high, full) => [(low + high - part * full) / 2, (low + high + part * full) / 2];
    const [left, right] = around(x0, x1, width);
    const [low, high] = around(y0, y1, height);
    this.set(left, right, low, high);
  }

  pan(dx, dy) {
    this.set(this.x0 + dx, this.x1 + dx, this.y0 + dy, this.y1 + dy);
  }

  reset() {
    const { x0, x1, y0, y1 } = this.limits;
    this.set(x0, x1, y0, y1);
  }

  // Keeps the size and shifts the window back inside the limits.
  set(x0, x1, y0, y1) {
    const { limits } = this;
    const shiftX = shiftInside(x0, x1, limits.x0, limits.x1);
    const shiftY = shiftInside(y0, y1, limits.y0, limits.y1);
    this.x0 = x0 + shiftX;
    this.x1 = x1 + shiftX;
    this.y0 = y0 + shiftY;
    this.y1 = y1 + shiftY;
    if (this.zoomed) zooms.set(this.key, { x0: this.x0, x1: this.x1, y0: this.y0, y1: this.y1 });
    else zooms.delete(this.key);
  }
}

function shiftInside(low, high, least, most) {
  if (low < least) return least - low;
  if (high > most) return most - high;
  return 0;
}

// Where data stand on screen: a plot rectangle in pixels over a zoom window.
export class Frame {
  constructor(box, zoom, flipY) {
    this.box = box;
    this.zoom = zoom;
    this.flipY = flipY; // true: y grows upwards (scatter); false: downwards (matrix)
  }

  x(value) {
    const { box, zoom } = this;
    return box.left + ((value - zoom.x0) / (zoom.x1 - zoom.x0)) * box.width;
  }

  y(value) {
    const { box, zoom } = this;
    const part = (value - zoom.y0) / (zoom.y1 - zoom.y0);
    return box.top + (this.flipY ? 1 - part : part) * box.height;
  }

  toX(pixel) {
    const { box, zoom } = this;
    return zoom.x0 + ((pixel - box.left) / box.width) * (zoom.x1 - zoom.x0);
  }

  toY(pixel) {
    const { box, zoom } = this;
    const part = (pixel - box.top) / box.height;
    return zoom.y0 + (this.flipY ? 1 - part : part) * (zoom.y1 - zoom.y0);
  }

  holds(p) {
    const { box } = this;
    return p.x >= box.left && p.x <= box.left + box.width && p.y >= box.top && p.y <= box.top + box.height;
  }
}
