// What all parts of the Learn page share: elements, fractions, the small markup, matrices.

import { element } from "../shared/elements.js";
import { classColor, css, divergingStep } from "../shared/palette.js";
import { classSymbol, symbolPath } from "../shared/symbols.js";

const SVG = "http://www.w3.org/2000/svg";
export const MINUS = "\u2212";

export function svg(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  set(node, attributes);
  return node;
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// Words that are read aloud only.
export function unseen(text) {
  return element("span", "learn-hidden", text);
}

export function press(text, label, act) {
  const node = element("button", "learn-button", text);
  node.type = "button";
  if (label) node.setAttribute("aria-label", label);
  node.addEventListener("click", act);
  return node;
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

// "-1/6" as a fraction, read aloud and copied as "−1/6".
export function fraction(text) {
  const node = element("span", "learn-number");
  node.dataset.value = text;
  const [above, below] = text.replace("-", "").split("/");
  if (text.startsWith("-")) node.append(MINUS);
  node.append(below === undefined ? above : stacked(element("span", "", above), element("span", "", below)));
  return node;
}

function stacked(above, below) {
  const node = element("span", "learn-fraction");
  const slash = element("span", "learn-slash", "/"); // unseen, for copying and reading aloud
  above.classList.add("learn-above");
  node.append(above, slash, below);
  return node;
}

// The markup of fractions_text.py: {a|b} is a fraction, _{x} goes below the line.
export function rich(text) {
  let at = 0;
  const read = (ends) => {
    const out = element("span");
    let plain = "";
    const flush = () => {
      if (plain) out.append(plain);
      plain = "";
    };
    while (at < text.length && !ends.includes(text[at])) {
      if (text[at] === "_" && text[at + 1] === "{") {
        flush();
        at += 2;
        const low = element("sub");
        low.append(read("}"));
        at += 1;
        out.append(low);
      } else if (text[at] === "{") {
        flush();
        at += 1;
        const above = read("|");
        at += 1;
        const below = read("}");
        at += 1;
        out.append(stacked(above, below));
      } else plain += text[at++];
    }
    flush();
    return out;
  };
  return read("");
}

// The colour of a cell and of what is written on it; zero is the middle one.
function shade(text, range, theme) {
  const rgb = theme.divergingTable[divergingStep(toNumber(text), range || 1)];
  return { fill: css(rgb), ink: inkOn(rgb) };
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
  let most = 0;
  for (const matrix of matrices)
    matrix.forEach((row, i) =>
      row.forEach((text, j) => {
        if (i !== j && text) most = Math.max(most, Math.abs(toNumber(text)));
      }),
    );
  return most;
}

// A table with the names along both edges. `fill(td, row, column)` writes a cell.
export function grid(names, label, fill, className = "") {
  const table = element("table", `learn-matrix ${className}`);
  table.setAttribute("aria-label", label);
  const head = element("tr");
  head.append(element("td"));
  for (const name of names) head.append(header(name, "col"));
  table.append(head);
  names.forEach((name, row) => {
    const line = element("tr");
    line.append(header(name, "row"));
    names.forEach((_, column) => {
      const cell = element("td", row === column ? "learn-diagonal" : "");
      cell.dataset.row = row;
      cell.dataset.column = column;
      fill(cell, row, column);
      line.append(cell);
    });
    table.append(line);
  });
  return table;
}

export function header(name, scope) {
  const node = element("th", "", name);
  node.scope = scope;
  return node;
}

export function paint(cell, text, range, theme, diagonal) {
  const { fill, ink } = diagonal ? { fill: "", ink: "" } : shade(text, range, theme);
  cell.style.background = fill;
  cell.style.color = ink;
}

export function symbol(code, theme, size = 18) {
  const node = svg("svg", { width: size, height: size, viewBox: "-10 -10 20 20" });
  node.setAttribute("aria-hidden", "true");
  node.append(svg("path", { d: symbolPath(classSymbol(code), 6.5), fill: classColor(code, theme.dark) }));
  return node;
}

// Classes in the order of their colours: as Python sorts them, by code point.
export function classesOf(labels) {
  return [...new Set(labels)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

// The subset looked at, told to the board at once; Python follows.
export const LOOK = "stiknn-learn-look";
