// Content that was squeezed for its way: see squeeze in packing.py.

/** @param {Uint8Array} packed @returns {Promise<Uint8Array>} */
export async function expand(packed) {
  const plain = new Blob([/** @type {any} */ (packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(plain).arrayBuffer());
  const headerLength = new DataView(bytes.buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(24, 24 + headerLength)));
  const [offset, count] = header.sections.cells;
  const start = 24 + headerLength + offset;
  const halves = bytes.slice(start, start + 2 * count);
  for (let place = 0; place < count; place++) {
    bytes[start + 2 * place] = halves[place];
    bytes[start + 2 * place + 1] = halves[count + place];
  }
  return bytes;
}
