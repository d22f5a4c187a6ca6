// What stays the same while a person decides; the layout of the bytes is described in packing.py.

import { holding } from "../shared/held.js";

const WHOLE = ["scores", "topShares"]; // compared with numbers of Python
const REAL = ["far", "xy", "features", "trainFeatures"];

export const { show, heldContent, onContent } = holding(parseReview);

/** @param {Uint8Array} bytes @returns {ReviewContent} */
export function parseReview(bytes) {
  const buffer = bytes.slice().buffer; // typed arrays need aligned memory
  const length = new DataView(buffer).getUint32(4, true);
  const { sections, ...header } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 24, length)));
  const read = (name) => {
    const Kind = WHOLE.includes(name) ? Float64Array : REAL.includes(name) ? Float32Array : Int32Array;
    const [offset, size] = sections[name];
    return new Kind(buffer, 24 + length + offset, size);
  };
  const arrays = Object.fromEntries(Object.keys(sections).map((name) => [name, read(name)]));
  const { n } = header;
  const byScore = (all) =>
    Object.fromEntries(header.scoreNames.map((name, i) => [name, all.subarray(n * i, n * (i + 1))]));
  return {
    ...header,
    ...arrays,
    scores: byScore(arrays.scores),
    orders: byScore(arrays.orders),
    id: new TextDecoder().decode(new Uint8Array(buffer, 8, 16)),
    trainFeatures: arrays.trainFeatures ?? arrays.features,
    trainNames: header.trainNames ?? header.names,
    width: arrays.near.length / n, // nearest points of each
    shown: arrays.topClasses.length / n, // classes of each
    members: groupMembers(arrays.groups),
    statistics: new Map(),
  };
}

// Group of identical points -> its points, ascending.
function groupMembers(groups) {
  const members = new Map();
  groups.forEach((group, point) => {
    if (group < 0) return;
    if (!members.has(group)) members.set(group, []);
    members.get(group).push(point);
  });
  return members;
}
