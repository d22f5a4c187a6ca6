// What the view calls things: points, or blocks of points.

import { formatDigits, formatNumber } from "../shared/format.js";
import { meanInteraction } from "./aggregate.js";
import { CLOUD_FROM } from "./cloud.js";
import { pointsIn } from "./dots.js";
import { cellValue } from "./payload.js";

// A cell, with no more digits than those that travelled: it is off by at most itself divided by its code.
/** @param {Content} content @param {number} i @param {number} j */
function formatCell(content, i, j) {
  const { cells, limit, n } = content;
  const sure = i === j || limit >= 8191 || Math.abs(cells[i * n + j]) >= 500;
  const precision = sure ? 3 : Math.abs(cells[i * n + j]) >= 50 ? 2 : 1;
  return formatDigits(cellValue(content, i, j), precision);
}

function formatCount(count) {
  return count.toLocaleString("en");
}

function counted(count, what) {
  return count === 1 ? `1 ${what}` : `${formatCount(count)} ${what}s`;
}

/** @param {Content} content @param {number[]} units */
export function countUnits(content, units) {
  const points = counted(pointsIn(content, units), "point");
  return content.kind === "blocks" ? `${counted(units.length, "block")}, ${points}` : points;
}

/** @param {Content} content */
export function countAll(content) {
  const points = formatCount(pointsIn(content, content.codes.keys()));
  return content.kind === "blocks" ? `${points} in ${counted(content.n, "block")}` : points;
}

/** @param {Content} content @param {Order} order */
export function matrixTitle({ kind }, order) {
  return `${kind === "blocks" ? "Block means" : "Interactions"} · ${order.title}`;
}

/** @param {Content} content @param {ViewOptions} options */
export function scatterTitle({ dots }, options) {
  const drawn = dots.count < dots.total ? ` · ${formatCount(dots.count)} of ${formatCount(dots.total)} drawn` : "";
  const ring = dots.count > CLOUD_FROM ? "ring" : "dotted ring";
  const cross = options.marks ? " · × suspect" : "";
  return `Points${drawn}${options.show_changed ? ` · ${ring}: flipped label` : ""}${cross}`;
}

/** @param {Content} content @param {Order} order @param {ViewOptions} options */
export function matrixLabel(content, order, options) {
  const points = counted(pointsIn(content, content.codes.keys()), "point");
  const what =
    content.kind === "blocks"
      ? `mean ${options.index} interactions between ${counted(content.n, "block")} of ${points}`
      : `${options.index} interactions between ${points}`;
  return `Matrix of ${what} in ${content.classes.length} ${content.dots.targets ? "bands of targets" : "classes"}, ${order.title}.`;
}

/** @param {Content} content */
export function scatterLabel({ axisTitles, dots }) {
  const all = dots.count < dots.total ? ` drawn of ${formatCount(dots.total)}` : "";
  return `Scatter of ${counted(dots.count, "point")}${all}, ${axisTitles.join(" against ")}.`;
}

/** @param {Content} content @param {ViewOptions} options @param {number} factor */
export function matrixLegendTitle({ kind }, options, factor) {
  const means = kind === "blocks" ? ", block means" : factor > 1 ? `, means of ${factor} × ${factor}` : "";
  return `${options.index} interaction${means}`;
}

/** @param {Content} content @param {number[]} rows */
export function interactionTitle(content, rows) {
  if (!rows.length) return `Interaction: select a ${content.kind === "blocks" ? "block" : "point"}`;
  if (rows.length === 1) return `Interaction with ${content.ids[rows[0]]}`;
  if (content.kind === "blocks") return `Interaction with ${countUnits(content, rows)} (mean)`;
  return `Interaction with ${formatCount(rows.length)} row points (mean)`;
}

// Lines of text about one cell of the matrix.
/** @param {Content} content @param {number} i @param {number} j @param {ViewOptions} options */
export function describeCell(content, i, j, options) {
  const lines = linesOfCell(content, i, j);
  const { marks } = options;
  if (marks && i === j && marks.units[i]) lines.push(`${formatCount(marks.units[i])} ${marks.what}`);
  return lines;
}

// The given label of a dot: its class, or its target as measured.
/** @param {Content} content @param {number} dot */
function labelOf({ classes, dots }, dot) {
  return dots.targets ? formatNumber(dots.targets[dot]) : classes[dots.codes[dot]];
}

// A number with a word before it, where it is known.
function known(word, number) {
  return Number.isFinite(number) ? `, ${word} ${formatNumber(number)}` : "";
}

/** @param {Content} content @param {number} i @param {number} j */
function linesOfCell(content, i, j) {
  if (content.kind === "blocks") return describeBlockCell(content, i, j);
  const name = (id) => `${content.ids[id]} (${labelOf(content, id)})`; // unit i is dot i
  const cell = formatCell(content, i, j);
  return i === j ? [name(i), `diagonal ${cell}`] : [`${name(i)} × ${name(j)}`, `interaction ${cell}`];
}

/** @param {Content} content @param {number} i @param {number} j */
function describeBlockCell(content, i, j) {
  const { ids, sizes, values, quality } = content;
  const cell = formatCell(content, i, j);
  if (i !== j) {
    return [
      `${ids[i]} × ${ids[j]}`,
      `${formatCount(sizes[i])} × ${formatCount(sizes[j])} points, mean interaction ${cell}`,
    ];
  }
  return [
    ids[i],
    sizes[i] < 2 ? "1 point, no pair inside" : `${counted(sizes[i], "point")}, mean interaction inside ${cell}`,
    `mean value ${formatNumber(values[i])}${known("mean label quality", quality[i])}`,
  ];
}

// About a block of the order: its rows and columns, and their mean interaction.
export function describeArea(content, area, rows, cols) {
  const sizes = `${formatCount(pointsIn(content, rows))} × ${formatCount(pointsIn(content, cols))} points`;
  return [
    `${area.rows.label} × ${area.cols.label}`,
    `${sizes}, mean interaction ${formatNumber(meanInteraction(content, rows, cols))}`,
  ];
}

/** @param {Content} content @param {number} dot @param {ViewOptions} options @param {number[]} rows */
export function describeDot(content, dot, options, rows) {
  const { classes, dots } = content;
  const unit = dots.units[dot];
  const lines = [
    `${dots.ids[dot]} (${labelOf(content, dot)})`,
    `value ${formatNumber(dots.values[dot])}${known("label quality", dots.quality[dot])}`,
  ];
  if (dots.proposed) {
    if (Number.isFinite(dots.proposed[dot])) lines.push(`suggested ${formatNumber(dots.proposed[dot])}`);
  } else if (dots.suggested && dots.suggested[dot] !== dots.codes[dot]) {
    lines.push(`suggested class ${classes[dots.suggested[dot]]}`);
  }
  if (options.show_changed && dots.changed[dot]) lines.push("label known to be flipped");
  if (content.kind === "blocks") lines.push(`in ${content.ids[unit]}, ${counted(content.sizes[unit], "point")}`);
  if (options.color_by === "interaction" && rows.length === 1 && (rows[0] !== unit || content.sizes[unit] > 1)) {
    const cell = formatCell(content, rows[0], unit);
    const mean = content.kind === "blocks" ? "mean interaction" : "interaction";
    lines.push(`${mean} with ${content.ids[rows[0]]}: ${cell}`);
  }
  return lines;
}

// A unit's name where there is little room, without its class: the strips show that.
/** @param {Content} content @param {number} unit */
export function tickName(content, unit) {
  const name = content.ids[unit];
  if (content.kind !== "blocks") return name;
  const label = content.classes[content.codes[unit]];
  for (const start of [`class ${label}`, `band ${label}`, label]) {
    if (!name.startsWith(start)) continue;
    const rest = name.slice(start.length);
    if (/^[^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(rest)) return rest.replace(/^[^\p{L}\p{N}]+/u, "");
  }
  return name;
}
