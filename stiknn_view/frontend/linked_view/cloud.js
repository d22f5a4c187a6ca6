// Tens of thousands of dots, written pixel by pixel. Paths of a canvas need tenths of seconds
// for as many.

import { element } from "../shared/elements.js";
import { tracePath } from "../shared/symbols.js";

export const CLOUD_FROM = 4000; // from more dots on they are drawn here
export const MOST_MARKED = 2000; // more lit dots get one contour around all instead of marks of their own
export const CLOUD_ZOOMED = 4; // radius that dots grow to while zooming in, in pixels

// Pixels of a plot's box, with a rim so that a dot on the edge needs no check of its own.
export class Cloud {
  // ratio = device pixels in one pixel of the page
  constructor(box, ratio) {
    this.box = box;
    this.ratio = ratio;
    this.rim = Math.ceil(24 * ratio);
    this.width = Math.ceil(box.width * ratio) + 2 * this.rim;
    this.height = Math.ceil(box.height * ratio) + 2 * this.rim;
    this.image = new ImageData(this.width, this.height);
    this.words = new Uint32Array(this.image.data.buffer); // premultiplied until draw()
    this.stamps = new Map();
  }

  // The pixels of one dot: those it covers wholly, and those at its edge by how much.
  stamp(symbol, radius) {
    const name = `${symbol}|${radius}`;
    if (!this.stamps.has(name)) this.stamps.set(name, makeStamp(symbol, radius * this.ratio, this.width));
    return this.stamps.get(name);
  }

  // Put a dot at (x, y) in pixels of the plot; color from packColor().
  put(stamp, x, y, color) {
    const { words, rim, width, height, ratio, box } = this;
    const column = Math.round((x - box.left) * ratio) + rim;
    const line = Math.round((y - box.top) * ratio) + rim;
    const half = rim >> 1; // no stamp reaches further
    if (!(column >= half && line >= half && column < width - half && line < height - half)) return;
    const at = line * width + column;
    const { full, edge, cover } = stamp;
    for (let i = 0; i < full.length; i++) words[at + full[i]] = color;
    for (let i = 0; i < edge.length; i++) {
      const pixel = at + edge[i];
      words[pixel] = blend(words[pixel], color, cover[i]);
    }
  }

  draw(context) {
    const { words, box, rim, ratio } = this;
    for (let i = 0; i < words.length; i++) {
      const alpha = words[i] >>> 24;
      if (alpha !== 0 && alpha !== 255) words[i] = divideByAlpha(words[i], alpha);
    }
    const canvas = element("canvas");
    canvas.width = this.width;
    canvas.height = this.height;
    canvas.getContext("2d").putImageData(this.image, 0, 0);
    context.drawImage(canvas, box.left - rim / ratio, box.top - rim / ratio, this.width / ratio, this.height / ratio);
  }
}

// Red in the lowest byte, opaque.
/** @param {Color} color */
export function packColor([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// An opaque colour over a premultiplied pixel; cover of 0 to 256. Two bytes at a time.
function blend(below, color, cover) {
  const rest = 256 - cover;
  const even = (color & 0xff00ff) * cover + (below & 0xff00ff) * rest;
  const odd = ((color >>> 8) & 0xff00ff) * cover + ((below >>> 8) & 0xff00ff) * rest;
  return (((even >>> 8) & 0xff00ff) | (odd & 0xff00ff00)) >>> 0;
}

function divideByAlpha(word, alpha) {
  const part = (shift) => Math.min(255, Math.round((((word >>> shift) & 255) * 255) / alpha)) << shift;
  return ((alpha << 24) | part(16) | part(8) | part(0)) >>> 0;
}

// Draws the symbol once and reads its pixels; offsets fit an image so many pixels wide.
function makeStamp(symbol, radius, width) {
  const reach = Math.ceil(1.5 * radius) + 1;
  const size = 2 * reach + 1;
  const canvas = element("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  tracePath(context, symbol, reach + 0.5, reach + 0.5, radius);
  context.fill();
  const { data } = context.getImageData(0, 0, size, size);
  const full = [];
  const edge = [];
  const cover = [];
  for (let line = 0; line < size; line++) {
    for (let column = 0; column < size; column++) {
      const alpha = data[4 * (line * size + column) + 3];
      const offset = (line - reach) * width + column - reach;
      if (alpha > 250) full.push(offset);
      else if (alpha > 4) {
        edge.push(offset);
        cover.push(Math.round((alpha * 256) / 255));
      }
    }
  }
  return { full: Int32Array.from(full), edge: Int32Array.from(edge), cover: Int32Array.from(cover) };
}

// An order of drawing in which no class hides the others by coming last: places that are a
// golden section apart.
export function mixedOrder(count) {
  let step = Math.max(1, Math.round(count * 0.618));
  while (commonFactor(step, count) > 1) step++;
  return Int32Array.from({ length: count }, (_, i) => (i * step) % count);
}

function commonFactor(a, b) {
  return b ? commonFactor(b, a % b) : a;
}

// Smaller where more dots share the plot.
export function dotRadius(count) {
  const sizes = [
    [150, 4.6],
    [400, 4],
    [1000, 3.2],
    [4000, 2.6],
    [10000, 2.1],
    [20000, 1.8],
  ];
  return sizes.find(([most]) => count <= most)?.[1] ?? 1.5;
}
