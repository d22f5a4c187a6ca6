// Colour bars and class keys: one description, drawn as elements on the page and as ink
// in the downloaded picture.

import { element } from "../shared/elements.js";
import { formatNumber, shorten } from "../shared/format.js";
import { classColor } from "../shared/palette.js";
import { classSymbol, drawPoint } from "../shared/symbols.js";
import { matrixLegendTitle } from "./wording.js";

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

/** @returns {Legend} @param {Content} content @param {DotColors} colors @param {Theme} theme */
export function scatterLegend(content, colors, theme) {
  if (colors.kind === "class") {
    return {
      kind: "classes",
      items: content.classes.map((text, code) => ({
        text,
        code,
        hint: `Select all ${content.kind} of class ${text}`,
        color: classColor(code, theme.dark),
        symbol: classSymbol(code),
      })),
    };
  }
  return { kind: "bar", title: colors.title, stops: colors.stops, ticks: colors.ticks };
}

export function showLegend(parent, legend, onClass, theme) {
  const node = legend.kind === "bar" ? barElement(legend) : classElement(legend, onClass, theme);
  parent.replaceChildren(node);
}

function barElement(legend) {
  const node = element("div", "stiknn-bar");
  node.append(element("span", "stiknn-bar-title", legend.title));
  const scale = element("div", "stiknn-bar-scale");
  const strip = element("div", "stiknn-bar-strip");
  strip.style.background = `linear-gradient(to right, ${legend.stops.join(", ")})`;
  const ticks = element("div", "stiknn-bar-ticks");
  for (const text of legend.ticks) ticks.append(element("span", "", text));
  scale.append(strip, ticks);
  node.append(scale);
  return node;
}

function classElement(legend, onClass, theme) {
  const node = element("div", "stiknn-classes");
  for (const item of legend.items) {
    const button = element("button", "stiknn-class");
    button.type = "button";
    button.title = item.hint;
    button.append(symbolElement(item, theme), element("span", "", item.text));
    button.addEventListener("click", (event) => onClass(item.code, event));
    node.append(button);
  }
  return node;
}

function symbolElement(item, theme) {
  const canvas = element("canvas", "stiknn-symbol");
  canvas.width = canvas.height = 32;
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  drawPoint(context, item.symbol, item.color, 8, 8, 5, theme);
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
}
