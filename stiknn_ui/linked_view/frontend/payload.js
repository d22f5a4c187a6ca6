// Bytes -> content. The layout is described in payload.py.

function parseContent(bytes) {
  // Copied once: typed arrays need aligned memory, and the message can then be freed.
  const buffer = bytes.slice().buffer;
  const headerLength = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 24, headerLength)));
  const section = (name, Kind) => {
    const [offset, size] = header.sections[name];
    return new Kind(buffer, 24 + headerLength + offset, size);
  };
  const { n } = header;
  const changed = new Uint8Array(n);
  for (const id of section("changed", Int32Array)) changed[id] = 1;
  const xy = section("xy", Float32Array);
  const cells = fullMatrix(section("cells", Int16Array), n);
  return {
    id: new TextDecoder().decode(new Uint8Array(buffer, 8, 16)),
    n,
    points: header.points,
    name: header.name,
    classes: header.classes,
    ids: header.ids,
    axisTitles: header.axisTitles,
    scale: header.scale,
    cells,
    diagonal: section("diagonal", Float32Array).slice(),
    x: Float32Array.from({ length: n }, (_, i) => xy[2 * i]),
    y: Float32Array.from({ length: n }, (_, i) => xy[2 * i + 1]),
    values: section("values", Float32Array).slice(),
    quality: section("quality", Float32Array).slice(),
    codes: section("codes", Int32Array).slice(),
    suggested: section("suggested", Int32Array).slice(),
    changed,
    magnitudes: countMagnitudes(cells),
  };
}

// Upper triangle of codes -> whole matrix with an empty diagonal.
function fullMatrix(upper, n) {
  const cells = new Int16Array(n * n);
  let next = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const code = upper[next++];
      cells[i * n + j] = code;
      cells[j * n + i] = code;
    }
  }
  return cells;
}

function cellValue(content, i, j) {
  if (i === j) return content.diagonal[i];
  const code = content.cells[i * content.n + j];
  return content.scale * code * Math.abs(code);
}

// How many cells have each |code|, so that any quantile is a short walk.
function countMagnitudes(cells) {
  const counts = new Uint32Array(32769);
  for (let i = 0; i < cells.length; i++) counts[Math.abs(cells[i])]++;
  return counts;
}

// The quantile of |off-diagonal|; the largest cell if that is zero, 1 if all are.
function colorRange(content, quantile) {
  const { n, magnitudes, scale } = content;
  const off = n * (n - 1);
  let wanted = Math.ceil(quantile * off) + n; // the n diagonal cells were counted as zeros
  let code = -1;
  while (wanted > 0 && code < 32767) wanted -= magnitudes[++code];
  if (code <= 0) {
    code = 32767;
    while (code > 0 && magnitudes[code] === 0) code--;
  }
  return scale * code * code || 1;
}
