// Colours and the theme of the page around us.

// As in stiknn_core/plotting/palette.py, which says why these: no blue, no orange, and each shows
// on both grounds.
export const CLASS_COLORS = [
  "#187565",
  "#b960fe",
  "#9b9419",
  "#fa45b9",
  "#247819",
  "#8354a4",
  "#98916e",
  "#ca70dc",
  "#d67597",
  "#81668e",
  "#7d49c5",
  "#536d45",
  "#75a048",
  "#667d03",
];

// Blue = negative, orange = positive, grey = exactly zero, in both themes.
export const DIVERGING_LIGHT = ["#08407e", "#3d86c6", "#a9cce8", "#f1f1f1", "#f7c48a", "#e07b1a", "#8f3a00"];
export const DIVERGING_DARK = ["#b5dcff", "#4f9fe6", "#1f5184", "#34343a", "#80480f", "#e38a2e", "#ffd3a1"];
// A difference of two matrices is no interaction and has colours of its own: green = the second
// is larger, purple = the first.
const GAP_LIGHT = ["#0b5d3b", "#3aa273", "#b4dfca", "#f1f1f1", "#d9bfe6", "#9a5cbf", "#56197d"];
const GAP_DARK = ["#b8f2d6", "#43b685", "#1c5b41", "#34343a", "#5b3272", "#b17bd6", "#eccfff"];
// Low (suspicious) = violet, high = yellow, in both themes; each shows on its ground.
const SEQUENTIAL_LIGHT = ["#482173", "#3b528b", "#21918c", "#5ec962", "#d8d219"];
const SEQUENTIAL_DARK = ["#9a6be0", "#6f87dc", "#35b0a8", "#7fdc78", "#f0ea50"];

// Measured targets, low to high: one hue from pale to dark on white, and the other way round in the
// dark, so that lightness alone tells them apart; no violet and no yellow, which mean suspicion.
const TARGETS_LIGHT = ["#b7d58c", "#74b06c", "#35875f", "#175a50", "#0a2d33"];
const TARGETS_DARK = ["#2b6355", "#45936d", "#7fc084", "#c0e2a0", "#f4fbd0"];

export const STEPS = 512; // even, so that the middle entry of a table is exactly zero

/** @param {number} code */
export function classColor(code) {
  return CLASS_COLORS[code % CLASS_COLORS.length];
}

/** @param {string} text */
export function parseColor(text) {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
  if (hex) {
    const number = parseInt(hex[1], 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
  }
  const parts = text.match(/[\d.]+/g);
  return parts && parts.length >= 3 ? parts.slice(0, 3).map(Number) : [255, 255, 255];
}

// A table of STEPS + 1 colours as [r, g, b], evenly between the stops.
/** @param {string[]} stops */
export function colorTable(stops) {
  const colors = stops.map(parseColor);
  const table = [];
  for (let step = 0; step <= STEPS; step++) {
    const place = (step / STEPS) * (colors.length - 1);
    const low = Math.min(Math.floor(place), colors.length - 2);
    const part = place - low;
    table.push(colors[low].map((a, i) => Math.round(a + (colors[low + 1][i] - a) * part)));
  }
  return table;
}

// value in [-range, range] -> entry of a diverging table; zero is the middle one.
export function divergingStep(value, range) {
  const part = Math.max(-1, Math.min(1, value / range));
  return Math.round((part + 1) * (STEPS / 2));
}

// value in [low, high] -> entry of a sequential table.
export function sequentialStep(value, low, high) {
  const part = high > low ? (value - low) / (high - low) : 0.5;
  return Math.round(Math.max(0, Math.min(1, part)) * STEPS);
}

export function css(rgb, alpha = 1) {
  return `rgba(${rgb[0]},${rgb[1]},${rgb[2]},${alpha})`;
}

// Streamlit puts its theme on our parent as --st-... properties.
/** @param {Element} element */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, other) => style.getPropertyValue(name).trim() || other;
  const background = read("--st-background-color", "#ffffff");
  const rgb = parseColor(background);
  const dark = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] < 128;
  const stops = dark ? DIVERGING_DARK : DIVERGING_LIGHT;
  const sequential = dark ? SEQUENTIAL_DARK : SEQUENTIAL_LIGHT;
  return {
    dark,
    background,
    rgb,
    text: read("--st-text-color", dark ? "#fafafa" : "#31333f"),
    border: dark ? "rgba(255,255,255,0.4)" : "rgba(0,0,0,0.6)",
    font: read("--st-font", "sans-serif"),
    rowMark: dark ? "#ffffff" : "#111111",
    dotLine: dark ? "rgba(255,255,255,0.5)" : "rgba(0,0,0,0.5)",
    colMark: dark ? "#a7aebd" : "#636a78", // no hue: those are of classes and interactions
    changedMark: dark ? "#ff7b9c" : "#c2185b",
    diverging: stops,
    divergingTable: colorTable(stops),
    gap: dark ? GAP_DARK : GAP_LIGHT,
    sequential,
    sequentialTable: colorTable(sequential),
    targets: dark ? TARGETS_DARK : TARGETS_LIGHT,
    targetsTable: colorTable(dark ? TARGETS_DARK : TARGETS_LIGHT),
  };
}
