// What all parts of the Learn page share: elements, fractions, the small markup, matrices.

import { button, element, set } from "../shared/elements.js";
import { classColor, css, divergingStep } from "../shared/palette.js";
import { classSymbol, symbolPath } from "../shared/symbols.js";

const SVG = "http://www.w3.org/2000/svg";
export const MINUS = "\u2212";
const LONGEST = 6; // digits below a fraction's line

/** @param {string} tag @param {Record<string, any>} attributes @param {any[]} children @returns {any} */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  set(node, attributes);
  node.append(...children);
  return node;
}

// Words that are read aloud only.
export function unseen(text) {
  return element("span", "learn-hidden", text);
}

export function press(text, label, act) {
  return button({ class: "learn-button", ...(label && { "aria-label": label }) }, act, text);
}

// "a", "b", "c" -> "a", ", ", "b", ", ", "c"
export function joined(parts, between) {
  return parts.flatMap((part, i) => (i ? [between, part] : [part]));
}

// Draws anew, and gives the focus back to what has the same data-name inside an element.
/** @param {HTMLElement} host @param {string} name @param {() => void} draw */
export function keepFocus(host, name, draw) {
  const active = document.activeElement;
  const held = active instanceof HTMLElement && host.contains(active) ? active.dataset[name] : "";
  draw();
  const next = /** @type {HTMLElement | null} */ (held ? host.querySelector(`[data-${name}="${held}"]`) : null);
  next?.focus({ preventScroll: true });
}

// "-1/6" -> -0.1666…
export function toNumber(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

// "-1/6" as a fraction, read aloud and copied as "−1/6". One too wide for a cell is rounded; its
// tooltip has all digits.
export function fraction(text) {
  const [above, below] = text.replace("-", "").split("/");
  const sign = text.startsWith("-") ? MINUS : "";
  if (below?.length > LONGEST) {
    const about = `≈${sign}${Math.abs(toNumber(text)).toPrecision(2)}`;
    return element("span", { class: "learn-number learn-rounded", "data-value": text, title: text }, about);
  }
  const size = below === undefined ? above : stacked(above, below);
  return element("span", { class: "learn-number", "data-value": text }, sign, size);
}

// The same, in brackets where its minus would meet another sign.
export function bracketed(text) {
  return text.startsWith("-") ? element("span", {}, "(", fraction(text), ")") : fraction(text);
}

function stacked(above, below) {
  const slash = element("span", "learn-slash", "/"); // unseen, for copying and reading aloud
  return element("span", "learn-fraction", element("span", "learn-above", above), slash, element("span", {}, below));
}

// The markup of fractions_text.py: {a|b} is a fraction, _{x} goes below the line.
export function rich(text) {
  let at = 0;
  const read = (ends) => {
    const out = element("span");
    while (at < text.length && !ends.includes(text[at])) {
      if (text.startsWith("_{", at)) {
        at += 2;
        out.append(element("sub", {}, read("}")));
        at += 1;
      } else if (text[at] === "{") {
        at += 1;
        const above = read("|");
        at += 1;
        out.append(stacked(above, read("}")));
        at += 1;
      } else out.append(text[at++]);
    }
    out.normalize(); // letters next to each other are one text
    return out;
  };
  return read("");
}

export function inkOn(rgb) {
  const linear = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#111111" : "#ffffff";
}

// The largest pair of a matrix of texts; the diagonal is much larger and has no colour.
export function largest(matrices) {
  const pairsOf = (matrix) => matrix.flatMap((row, i) => row.filter((text, j) => i !== j && text));
  return Math.max(0, ...matrices.flatMap(pairsOf).map((text) => Math.abs(toNumber(text))));
}

// A table with the names along both edges. `fill(td, row, column)` writes a cell.
export function grid(names, label, fill, className = "") {
  const head = element("tr", {}, element("td"), ...names.map((name) => header(name, "col")));
  const lines = names.map((name, row) => {
    const cells = names.map((_, column) => {
      const diagonal = row === column ? "learn-diagonal" : "";
      const cell = element("td", { class: diagonal, "data-row": row, "data-column": column });
      fill(cell, row, column);
      return cell;
    });
    return element("tr", {}, header(name, "row"), ...cells);
  });
  return element("table", { class: `learn-matrix ${className}`, "aria-label": label }, head, ...lines);
}

export function header(name, scope) {
  return element("th", { scope }, name);
}

// The colour of a cell and of what is written on it; zero is the middle one.
export function paint(cell, text, range, theme) {
  const rgb = theme.divergingTable[divergingStep(toNumber(text), range || 1)];
  cell.style.background = css(rgb);
  cell.style.color = inkOn(rgb);
}

export function symbol(code) {
  const size = 18;
  const path = svg("path", { d: symbolPath(classSymbol(code), 6.5), fill: classColor(code) });
  return svg("svg", { width: size, height: size, viewBox: "-10 -10 20 20", "aria-hidden": "true" }, path);
}

// Classes in the order of their colours: as Python sorts them, by code point.
export function classesOf(labels) {
  return [...new Set(labels)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

// The subset looked at, told to the board at once; Python follows.
export const LOOK = "stiknn-learn-look";
