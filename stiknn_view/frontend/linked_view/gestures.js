// Mouse, pen, touch and wheel on one plot -> a few plain gestures in pixels.
//
// Own handlers instead of Plotly's select mode: that one fires an empty selection before
// each click and one more click after each double click, and it traps scrolling on phones.

const DRAG_FROM = 5; // pixels before a press becomes a drag
const DOUBLE_WITHIN = 350; // ms
const QUIET_AFTER_CLEAR = 400; // ms in which the rest of a double click is ignored

export class Gestures {
  // on = {inside(p), pans(), wheels(), hover(p, event), leave(), click(p, event), clear(event),
  //       drag(path, event), dragEnd(path, event), dragCancel(), pan(dx, dy), zoom(p, factor)}
  // pans() says whether dragging moves the plot, wheels() whether the wheel zooms by itself.
  constructor(surface, on) {
    this.surface = surface;
    this.on = on;
    this.pointers = new Map();
    this.press = null;
    this.lastClick = { time: -1e9, x: 0, y: 0 };
    this.clearedAt = -1e9;
    const listen = (type, handler, options) => surface.addEventListener(type, handler.bind(this), options);
    listen("pointerdown", this.down);
    listen("pointermove", this.move);
    listen("pointerup", this.up);
    listen("pointercancel", this.cancel);
    // A finger leaves as soon as it is lifted; what it tapped stays named.
    listen("pointerleave", (event) => event.pointerType !== "touch" && on.leave());
    listen("keydown", () => surface.classList.remove("stiknn-pointed"));
    listen("blur", () => surface.classList.remove("stiknn-pointed"));
    listen("wheel", this.wheel, { passive: false });
    listen("dragstart", (event) => event.preventDefault());
  }

  point(event) {
    const box = this.surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event) {
    if (event.button !== 0) return;
    const p = this.point(event);
    // Focus by mouse shows no ring; the first key press brings it back.
    this.surface.classList.add("stiknn-pointed");
    this.surface.focus({ preventScroll: true });
    if (!this.on.inside(p)) return;
    this.pointers.set(event.pointerId, p);
    if (this.pointers.size === 2) {
      this.on.dragCancel();
      this.press = null;
      return;
    }
    this.press = { id: event.pointerId, path: [p], dragging: false, pans: false };
    // A mouse may leave the plot while dragging; a finger may still become a scroll.
    if (event.pointerType === "mouse") this.surface.setPointerCapture(event.pointerId);
  }

  move(event) {
    const p = this.point(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.on.hover(p, event);
      return;
    }
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, p);
    this.pointers.set(event.pointerId, p);
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    const start = press.path[0];
    if (!press.dragging && Math.hypot(p.x - start.x, p.y - start.y) < DRAG_FROM) return;
    if (!press.dragging) {
      // A finger that starts up or down is scrolling the page.
      if (event.pointerType === "touch" && Math.abs(p.y - start.y) >= Math.abs(p.x - start.x)) {
        this.press = null;
        return;
      }
      press.dragging = true;
      press.pans = this.on.pans();
      this.surface.setPointerCapture(event.pointerId);
      this.on.leave();
    }
    const last = press.path[press.path.length - 1];
    press.path.push(p);
    if (press.pans) this.on.pan(p.x - last.x, p.y - last.y);
    else this.on.drag(press.path, event);
  }

  pinch(id, before, now) {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1] ?? before;
    const distance = (p) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.on.zoom(middle, distance(before) / distance(now));
    this.on.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  up(event) {
    const { press } = this;
    this.pointers.delete(event.pointerId);
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    if (press.dragging) {
      if (!press.pans) this.on.dragEnd(press.path, event);
      return;
    }
    this.clicked(press.path[0], event);
  }

  clicked(p, event) {
    const now = event.timeStamp;
    const { lastClick } = this;
    if (now - this.clearedAt < QUIET_AFTER_CLEAR) return;
    const near = Math.hypot(p.x - lastClick.x, p.y - lastClick.y) < DRAG_FROM;
    this.lastClick = { time: now, x: p.x, y: p.y };
    if (near && now - lastClick.time < DOUBLE_WITHIN) {
      this.clearedAt = now;
      this.on.clear(event);
    } else {
      this.on.click(p, event);
    }
  }

  cancel(event) {
    this.pointers.delete(event.pointerId);
    this.press = null;
    this.on.dragCancel();
  }

  // The wheel scrolls the page as everywhere, unless it was told apart: by Ctrl, or by a click into
  // a plot that is being zoomed.
  wheel(event) {
    const p = this.point(event);
    if (!this.on.inside(p) || !(event.ctrlKey || event.metaKey || this.on.wheels())) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.on.zoom(p, Math.exp(Math.max(-1, Math.min(1, (event.deltaY * lines) / 400))));
  }
}

// Even-odd rule.
export function insidePolygon(x, y, path) {
  let inside = false;
  for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
    const a = path[i];
    const b = path[j];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

export function boxOf(path) {
  const a = path[0];
  const b = path[path.length - 1];
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
}

export function extentOf(path) {
  const xs = path.map((p) => p.x);
  const ys = path.map((p) => p.y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
