// Cells -> means -> picture. By mean, never by strongest cell: that would paint a
// block in the colour of its outliers while the block as a whole says the opposite.
//
// The mean is over pairs of different points: cell (i, j) stands for sizes[i] * sizes[j] of
// them, and a diagonal cell for sizes[i] fewer, which leaves none where a unit is one point.

import { element } from "../shared/elements.js";
import { divergingStep } from "../shared/palette.js";
import { pointsIn } from "./dots.js";

const MOST_CELLS = 512;

// The smallest whole number of cells per picture cell that keeps within MOST_CELLS.
function cellsPerBin(cells) {
  return Math.max(1, Math.ceil(cells / MOST_CELLS));
}

// area = {r0, r1, c0, c1} in places of the order, half open. Returns a canvas and the
// area it covers, which may reach a little beyond (whole bins only). Bins of several cells
// are means without weights: units of several points are never so many (MAX_UNITS).
/** @param {Content} content @param {Int32Array} order @param {Picture["area"]} area @param {number} range @param {Color[]} table */
export function paintMatrix(content, order, area, range, table) {
  const factor = cellsPerBin(Math.max(area.r1 - area.r0, area.c1 - area.c0));
  const height = Math.ceil((area.r1 - area.r0) / factor);
  const width = Math.ceil((area.c1 - area.c0) / factor);
  const image = new ImageData(width, height);
  const pixels = image.data;
  const sums = new Float64Array(width);
  const counts = new Float64Array(width);
  const { n, cells, sizes, scale } = content;
  for (let bin = 0; bin < height; bin++) {
    sums.fill(0);
    counts.fill(0);
    const stop = Math.min(area.r0 + (bin + 1) * factor, area.r1);
    for (let row = area.r0 + bin * factor; row < stop; row++) {
      addRow(cells, order[row] * n, order, area, factor, sums, counts);
      // A diagonal cell without a pair is coded 0 and must not count.
      const onDiagonal = row >= area.c0 && row < area.c1;
      if (onDiagonal && sizes[order[row]] < 2) counts[Math.floor((row - area.c0) / factor)]--;
    }
    for (let column = 0; column < width; column++) {
      if (counts[column] === 0) continue; // no pair: stays clear
      const color = table[divergingStep((scale * sums[column]) / counts[column], range)];
      const at = 4 * (bin * width + column);
      pixels[at] = color[0];
      pixels[at + 1] = color[1];
      pixels[at + 2] = color[2];
      pixels[at + 3] = 255;
    }
  }
  const canvas = element("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return {
    canvas,
    factor,
    area: { r0: area.r0, r1: area.r0 + height * factor, c0: area.c0, c1: area.c0 + width * factor },
  };
}

function addRow(cells, base, order, area, factor, sums, counts) {
  let column = area.c0;
  for (let bin = 0; column < area.c1; bin++) {
    const stop = Math.min(column + factor, area.c1);
    let sum = 0;
    counts[bin] += stop - column;
    for (; column < stop; column++) {
      const code = cells[base + order[column]];
      sum += code * Math.abs(code);
    }
    sums[bin] += sum;
  }
}

// Mean interaction of all pairs (point of a row unit, another point of a column unit).
/** @param {Content} content @param {number[]} rows @param {number[]} cols */
export function meanInteraction(content, rows, cols) {
  const { n, cells, sizes, scale } = content;
  const isColumn = new Uint8Array(n);
  for (const j of cols) isColumn[j] = 1;
  const columnPoints = pointsIn(content, cols);
  let sum = 0;
  let count = 0;
  for (const i of rows) {
    let rowSum = 0;
    for (const j of cols) {
      const code = cells[i * n + j];
      rowSum += sizes[j] * code * Math.abs(code);
    }
    // The point itself is no partner.
    const own = isColumn[i] ? cells[i * n + i] : 0;
    sum += sizes[i] * (rowSum - own * Math.abs(own));
    count += sizes[i] * (columnPoints - isColumn[i]);
  }
  return count ? (scale * sum) / count : NaN;
}

// For a point of each unit its mean interaction with the selected ones, itself left out.
/** @param {Content} content @param {number[]} units */
export function meanWith(content, units) {
  const { n, cells, sizes, scale } = content;
  const means = new Float64Array(n);
  const counts = new Float64Array(n).fill(pointsIn(content, units));
  for (const i of units) {
    for (let j = 0; j < n; j++) {
      const code = cells[i * n + j];
      means[j] += sizes[i] * code * Math.abs(code);
    }
    const own = cells[i * n + i];
    means[i] -= own * Math.abs(own);
    counts[i]--;
  }
  for (let j = 0; j < n; j++) means[j] = counts[j] ? (scale * means[j]) / counts[j] : NaN;
  return means;
}
