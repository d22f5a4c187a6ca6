// Points on a line as the board draws them, to look at only.

import { element } from "../shared/elements.js";
import { classColor, parseColor } from "../shared/palette.js";
import { classSymbol, symbolPath } from "../shared/symbols.js";
import { classesOf, fraction, inkOn, paint, svg } from "./common.js";

const WIDE = [340, 340, 300, 200]; // by how many pictures there are
const EDGE = 30;
const MARK = 12;
const STEP = 2 * MARK + 3; // of points on top of each other

// Only as much of the line as there is something on it.
export function line({ title, points, tests, pair, value }, count, asked, theme) {
  const classes = classesOf([...points.map(([, label]) => label), ...tests.map(([label]) => label)]);
  const width = WIDE[count - 1];
  const all = [...points.map(([, , x]) => x), ...tests.map(([, x]) => x)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const px = (x) => EDGE + ((x - low) * (width - 2 * EDGE)) / (high - low);
  const up = levels(points.map(([, , x]) => px(x)));
  const down = levels(tests.map(([, x]) => px(x)));
  const axis = 8 + STEP * (1 + Math.max(...up));
  const height = axis + 8 + STEP * (1 + Math.max(...down));
  const near = tests.length === 1 ? "from near to far" : "from left to right";
  const sorted = [...points].sort((a, b) => Math.abs(a[2] - tests[0][1]) - Math.abs(b[2] - tests[0][1]));
  const said = `${near}: ${sorted.map(([name, label, x]) => `${name} of class ${label} at ${x}`).join(", ")}; test point ${tests
    .map(([label, x]) => `of class ${label} at ${x}`)
    .join(", ")}`;
  const plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "card-line", role: "img", "aria-label": said });
  plot.append(svg("line", { x1: 6, x2: width - 6, y1: axis, y2: axis, class: "learn-axis" }));
  points.forEach(([name, label, x], i) => {
    const at = [px(x), axis - MARK - 4 - up[i] * STEP];
    plot.append(mark(classes.indexOf(label), `${label}`, at, true, pair.includes(i)));
    plot.append(svg("text", { x: at[0] + MARK + 4, y: at[1] - 7, class: "card-point" }, name));
  });
  tests.forEach(([label, x], i) => {
    const name = tests.length > 1 ? `T${i + 1}` : label;
    plot.append(mark(classes.indexOf(label), name, [px(x), axis + MARK + 4 + down[i] * STEP], false, false));
  });
  const chip = element("span", "card-value");
  if (value !== undefined) {
    paint(chip, value, 1, theme);
    chip.append(fraction(value));
  } else if (pair.length) chip.append("interaction ?");
  const caption = element("figcaption", {}, title, pair.length ? chip : "");
  return element("figure", asked ? "card-picture card-asked" : "card-picture", caption, plot);
}

// The level of each mark, so that none hides another.
function levels(places) {
  const found = [];
  places.forEach((x, i) => {
    const near = found.filter((_, j) => Math.abs(places[j] - x) < STEP);
    found[i] = [...places.keys()].find((level) => !near.includes(level));
  });
  return found;
}

/** @param {number} code @param {string} name @param {number[]} at @param {boolean} isPoint @param {boolean} inPair */
function mark(code, name, at, isPoint, inPair) {
  const [x, y] = at;
  const color = classColor(code);
  const group = svg("g", { transform: `translate(${x},${y})` });
  if (inPair) group.append(svg("circle", { r: MARK + 3, class: "card-ring" }));
  const fill = isPoint ? color : "var(--st-background-color)";
  group.append(svg("path", { d: symbolPath(classSymbol(code), MARK), fill, stroke: color, class: "learn-shape" }));
  const ink = isPoint ? inkOn(parseColor(color)) : "var(--st-text-color)";
  group.append(svg("text", { y: 4.5, class: "learn-name", "font-size": name.length > 1 ? 10 : 13, fill: ink }, name));
  return group;
}
