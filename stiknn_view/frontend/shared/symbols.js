// The symbols of classes, one description for canvases and for SVG.

// Nine, and fourteen colours: 126 classes look different.
const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star", "hourglass"];

const arm = [-0.4, -1.2, 0.4, -1.2, 0.4, -0.4]; // of a cross: out, across, back in
const cross = [0, 1, 2, 3].flatMap((quarter) => turned(arm, (quarter * Math.PI) / 2));
// Corners as x, y, x, y, … of a symbol whose circle has radius 1: all look about equally large.
const CORNERS = {
  square: [-0.95, -0.95, 0.95, -0.95, 0.95, 0.95, -0.95, 0.95],
  diamond: [0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0],
  "triangle-up": [0, -1.2, 1.15, 0.8, -1.15, 0.8],
  "triangle-down": [0, 1.2, 1.15, -0.8, -1.15, -0.8],
  hourglass: [-1.25, -1.25, 1.25, -1.25, -1.25, 1.25, 1.25, 1.25],
  cross,
  x: turned(cross, Math.PI / 4),
  star: Array.from({ length: 10 }, (_, i) => turned([0, i % 2 ? -0.6 : -1.4], (i * Math.PI) / 5)).flat(),
};

function turned(corners, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return corners.map((value, i) => (i % 2 ? corners[i - 1] * sin + value * cos : value * cos - corners[i + 1] * sin));
}

export function classSymbol(code) {
  return SYMBOLS[code % SYMBOLS.length];
}

// As the path of a canvas.
export function tracePath(context, symbol, x, y, r) {
  const corners = CORNERS[symbol];
  context.beginPath();
  if (!corners) return context.arc(x, y, r, 0, 2 * Math.PI);
  for (let i = 0; i < corners.length; i += 2) context.lineTo(x + corners[i] * r, y + corners[i + 1] * r);
  context.closePath();
}

// As the path of an SVG element, around (0, 0).
export function symbolPath(symbol, r) {
  const corners = CORNERS[symbol];
  if (!corners) return `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;
  return `M${corners.map((value) => (value * r).toFixed(2)).join(" ")}Z`;
}

/** @param {Ink} context @param {string} symbol @param {string} color @param {number} x @param {number} y @param {number} r @param {Theme} theme */
export function drawPoint(context, symbol, color, x, y, r, theme) {
  tracePath(context, symbol, x, y, r);
  context.fillStyle = color;
  context.fill();
  context.strokeStyle = theme.dotLine; // a dot that is neutral, and as good as the ground, is seen by it
  context.lineWidth = 0.7;
  context.stroke();
}
