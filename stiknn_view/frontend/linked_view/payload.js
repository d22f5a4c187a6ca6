// Bytes -> content. The layout is described in packing.py.
//
// A content has *units*, the rows and columns of the matrix, and *dots*, the marks of the
// scatter. Where the rows are points, unit i is dot i. Where they are blocks of points, each
// dot is a point of one unit. Selections are units.

import { groupDots } from "./dots.js";

/** @param {Uint8Array} bytes */
export function parseContent(bytes) {
  // Copied once: typed arrays need aligned memory, and the message can then be freed.
  const buffer = bytes.slice().buffer;
  const headerLength = new DataView(buffer).getUint32(4, true);
  /** @type {{ sections: Record<string, [offset: number, size: number]> } & ContentHeader} */
  const { sections, ...header } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 24, headerLength)));
  /** @returns {[ArrayBuffer, number, number]} */
  const section = (name) => [buffer, 24 + headerLength + sections[name][0], sections[name][1]];
  const floats = (name) => new Float32Array(...section(name)).slice();
  const integers = (name) => new Int32Array(...section(name)).slice();
  const codes16 = (name) => new Int16Array(...section(name));
  const measured = (given, said) => ({
    targets: sections[given] ? floats(given) : null, // measured; then classes are bands of them
    proposed: sections[said] ? floats(said) : null,
  });
  const { n, ids } = header;
  const blocks = header.kind === "blocks";
  const cells = fullMatrix(codes16("cells"), n, blocks ? codes16("inside") : null);
  const own = { codes: integers("codes"), values: floats("values"), quality: floats("quality") };
  const dots = blocks
    ? {
        total: header.total,
        ids: header.dotIds,
        units: integers("dotUnits"),
        codes: integers("dotCodes"),
        values: floats("dotValues"),
        quality: floats("dotQuality"),
        suggested: null,
        ...measured("dotTargets", "dotProposed"),
      }
    : {
        ...own,
        total: n,
        ids,
        units: Int32Array.from(ids.keys()),
        suggested: integers("suggested"),
        ...measured("targets", "proposed"),
      };
  const xy = new Float32Array(...section(blocks ? "dotXy" : "xy"));
  const count = dots.ids.length;
  const changed = new Uint8Array(count);
  for (const dot of integers("changed")) changed[dot] = 1;
  const x = Float32Array.from({ length: count }, (_, dot) => xy[2 * dot]);
  const y = Float32Array.from({ length: count }, (_, dot) => xy[2 * dot + 1]);
  return {
    ...header,
    ...own,
    id: new TextDecoder().decode(new Uint8Array(buffer, 8, 16)),
    cells,
    diagonal: floats("diagonal"),
    sizes: blocks ? integers("sizes") : new Int32Array(n).fill(1), // points of each unit
    magnitudes: countMagnitudes(cells),
    dots: { ...dots, count, changed, x, y, ...groupDots(dots.units, x, y, n) },
  };
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
