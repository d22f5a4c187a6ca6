// Bytes -> content. The layout is described in packing.py.
//
// A content has *units*, the rows and columns of the matrix, and *dots*, the marks of the
// scatter. Where the rows are points, unit i is dot i. Where they are blocks of points, each
// dot is a point of one unit. Selections are units.

import { groupDots } from "./dots.js";

/** @param {Uint8Array} bytes @returns {Content} */
export function parseContent(bytes) {
  // Copied once: typed arrays need aligned memory, and the message can then be freed.
  const buffer = bytes.slice().buffer;
  const headerLength = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 24, headerLength)));
  const section = (name, Kind) => {
    const [offset, size] = header.sections[name];
    return new Kind(buffer, 24 + headerLength + offset, size);
  };
  const floats = (name) => section(name, Float32Array).slice();
  const integers = (name) => section(name, Int32Array).slice();
  const { n, kind } = header;
  const blocks = kind === "blocks";
  const cells = fullMatrix(section("cells", Int16Array), n, blocks ? section("inside", Int16Array) : null);
  const content = {
    id: new TextDecoder().decode(new Uint8Array(buffer, 8, 16)),
    kind,
    n,
    points: header.points,
    name: header.name,
    classes: header.classes,
    ids: header.ids,
    axisTitles: header.axisTitles,
    scale: header.scale,
    cells,
    diagonal: floats("diagonal"),
    sizes: blocks ? integers("sizes") : new Int32Array(n).fill(1), // points of each unit
    values: floats("values"),
    quality: floats("quality"),
    codes: integers("codes"),
    magnitudes: countMagnitudes(cells),
  };
  const { ids, codes, values, quality } = content;
  const dots = blocks
    ? {
        total: header.total,
        ids: header.dotIds,
        units: integers("dotUnits"),
        codes: integers("dotCodes"),
        values: floats("dotValues"),
        quality: floats("dotQuality"),
        suggested: null,
      }
    : { total: n, ids, units: Int32Array.from(ids.keys()), codes, values, quality, suggested: integers("suggested") };
  const xy = section(blocks ? "dotXy" : "xy", Float32Array);
  const count = dots.ids.length;
  const changed = new Uint8Array(count);
  for (const dot of section("changed", Int32Array)) changed[dot] = 1;
  const x = Float32Array.from({ length: count }, (_, dot) => xy[2 * dot]);
  const y = Float32Array.from({ length: count }, (_, dot) => xy[2 * dot + 1]);
  return { ...content, dots: { ...dots, count, changed, x, y, ...groupDots(dots.units, x, y, n) } };
}

// Upper triangle of codes -> whole matrix, its diagonal empty or as given.
/** @param {Int16Array} upper @param {number} n @param {Int16Array | null} inside */
function fullMatrix(upper, n, inside) {
  const cells = new Int16Array(n * n);
  let next = 0;
  for (let i = 0; i < n; i++) {
    if (inside) cells[i * n + i] = inside[i];
    for (let j = i + 1; j < n; j++) {
      const code = upper[next++];
      cells[i * n + j] = code;
      cells[j * n + i] = code;
    }
  }
  return cells;
}

/** @param {Content} content @param {number} i @param {number} j */
export function cellValue(content, i, j) {
  if (i === j) return content.diagonal[i];
  const code = content.cells[i * content.n + j];
  return content.scale * code * Math.abs(code);
}

// How many cells have each |code|, so that any quantile is a short walk.
export function countMagnitudes(cells) {
  const counts = new Uint32Array(32769);
  for (let i = 0; i < cells.length; i++) counts[Math.abs(cells[i])]++;
  return counts;
}

// The quantile of |cells with a pair|; the largest cell if that is zero, 1 if all are.
/** @param {Content} content @param {number} quantile */
export function colorRange(content, quantile) {
  const { n, sizes, magnitudes, scale } = content;
  let blank = 0; // units of one point: their diagonal cell holds no pair, and was counted as zero
  for (const size of sizes) if (size < 2) blank++;
  let wanted = Math.ceil(quantile * (n * n - blank)) + blank;
  let code = -1;
  while (wanted > 0 && code < 32767) wanted -= magnitudes[++code];
  if (code <= 0) {
    code = 32767;
    while (code > 0 && magnitudes[code] === 0) code--;
  }
  return scale * code * code || 1;
}
