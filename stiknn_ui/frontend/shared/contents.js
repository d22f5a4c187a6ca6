// Bytes of the server -> header and arrays; the layout is described in packing.py.

const ARRAYS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };
const PREAMBLE = 24;

/** @param {Uint8Array} bytes @returns {any} what the header says, the arrays by name, and the id */
export function unpack(bytes) {
  const buffer = bytes.slice().buffer; // typed arrays need aligned memory
  const length = new DataView(buffer).getUint32(4, true);
  const text = (start, size) => new TextDecoder().decode(new Uint8Array(buffer, start, size));
  const { sections, types, ...header } = JSON.parse(text(PREAMBLE, length));
  const arrays = Object.entries(sections).map(([name, [offset, size]]) => [
    name,
    new ARRAYS[types[name]](buffer, PREAMBLE + length + offset, size),
  ]);
  return { ...header, ...Object.fromEntries(arrays), id: text(8, 16) };
}
