// Colour bars and class keys: one description, drawn as elements on the page and as ink
// in the downloaded picture.

import { button, element, nameElement } from "../shared/elements.js";
import { formatNumber, shorten } from "../shared/format.js";
import { classColor } from "../shared/palette.js";
import { classSymbol, drawPoint } from "../shared/symbols.js";
import { matrixLegendTitle } from "./wording.js";

const MOST_KEYS = 20; // more classes than this do not get a key each
const FEW_KEYS = 6;

/** @returns {Legend} */
export function matrixLegend(content, options, range, factor, theme) {
  return {
    kind: "bar",
    title: matrixLegendTitle(content, options, factor),
    stops: theme.diverging,
    ticks: symmetricTicks(range),
  };
}

export function symmetricTicks(range) {
  return [`≤ ${formatNumber(-range)}`, "0", `≥ ${formatNumber(range)}`];
}

/** @returns {Legend} @param {Content} content @param {DotColors} colors */
export function scatterLegend(content, colors) {
  if (colors.kind !== "class") return { ...colors, kind: "bar" };
  const { classes } = content;
  const codes = classes.length > MOST_KEYS ? largest(content, FEW_KEYS) : [...classes.keys()];
  return {
    kind: "classes",
    items: codes.map((code) => ({
      text: classes[code],
      code,
      hint: `Select all ${content.kind} of class ${classes[code]}`,
      color: classColor(code),
      symbol: classSymbol(code),
    })),
    more: classes.length - codes.length,
    classes,
  };
}

// The classes with most dots.
function largest({ classes, dots }, count) {
  const sizes = new Int32Array(classes.length);
  for (const code of dots.codes) sizes[code]++;
  const codes = Array.from(classes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
  return codes.slice(0, count).sort((a, b) => a - b);
}

export function showLegend(parent, legend, onClass, theme) {
  const node = legend.kind === "bar" ? barElement(legend) : classElement(legend, onClass, theme);
  parent.replaceChildren(node);
}

function barElement(legend) {
  const strip = element("div", "stiknn-bar-strip");
  strip.style.background = `linear-gradient(to right, ${legend.stops.join(", ")})`;
  const ticks = legend.ticks.map((text) => element("span", {}, text));
  const scale = element("div", "stiknn-bar-scale", strip, element("div", "stiknn-bar-ticks", ...ticks));
  return element("div", "stiknn-bar", element("span", "stiknn-bar-title", legend.title), scale);
}

function classElement(legend, onClass, theme) {
  const keys = legend.items.map((item) => {
    const given = { class: "stiknn-class", title: item.hint, "aria-label": `${item.text}: ${item.hint}` };
    return button(given, (event) => onClass(item.code, event), symbolElement(item, theme), nameElement(item.text));
  });
  if (legend.more) {
    keys.unshift(classFinder(legend, onClass)); // in sight whatever the length of names
    keys.push(element("span", {}, moreText(legend)));
  }
  return element("div", "stiknn-classes", ...keys);
}

function moreText({ more }) {
  return `and ${more.toLocaleString("en")} more`;
}

// Any class by its name, where there are too many for a key each.
function classFinder({ classes }, onClass) {
  const id = `stiknn-classes-${Math.random().toString(36).slice(2)}`;
  const label = `Find in ${classes.length.toLocaleString("en")} classes`;
  const given = { class: "stiknn-find", type: "search", list: id, placeholder: label, "aria-label": label };
  const field = element("input", given);
  field.addEventListener("change", (event) => {
    const code = classes.indexOf(field.value.trim());
    if (code >= 0) onClass(code, event);
  });
  return element(
    "span",
    {},
    field,
    element("datalist", { id }, ...classes.map((value) => element("option", { value }))),
  );
}

function symbolElement(item, theme) {
  return symbolCanvas(16, (context) => drawPoint(context, item.symbol, item.color, 8, 8, 5, theme));
}

// A small drawing beside its words.
export function symbolCanvas(size, draw) {
  const given = { class: "stiknn-symbol", width: 2 * size, height: 2 * size, "aria-hidden": "true" };
  const canvas = element("canvas", given);
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  draw(context);
  return canvas;
}

/** @param {Ink} context @param {Legend} legend @param {number} x @param {number} y @param {number} width @param {Theme} theme */
export function inkLegend(context, legend, x, y, width, theme) {
  context.fillStyle = theme.text;
  context.textBaseline = "top";
  context.textAlign = "left";
  if (legend.kind === "bar") {
    context.fillText(legend.title, x, y, width);
    const fill = context.createLinearGradient(x, 0, x + width, 0);
    legend.stops.forEach((stop, i) => fill.addColorStop(i / (legend.stops.length - 1), stop));
    context.fillStyle = fill;
    context.fillRect(x, y + 17, width, 9);
    context.fillStyle = theme.text;
    legend.ticks.forEach((text, i) => {
      context.textAlign = /** @type {const} */ (["left", "center", "right"])[i];
      context.fillText(text, x + (i / 2) * width, y + 29);
    });
    return;
  }
  let left = x;
  let line = y;
  for (const item of legend.items) {
    const text = shorten(item.text, 24);
    const size = 26 + context.measureText(text).width;
    if (left > x && left + size > x + width) {
      left = x;
      line += 18;
    }
    drawPoint(context, item.symbol, item.color, left + 6, line + 7, 5, theme);
    context.fillStyle = theme.text;
    context.fillText(text, left + 16, line);
    left += size;
  }
  if (!legend.more) return;
  context.fillStyle = theme.text;
  context.fillText(moreText(legend), left, line);
}
