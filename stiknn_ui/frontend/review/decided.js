// All decisions as the server packed them last; what changed since then comes with each message.

import { unpack } from "../shared/contents.js";
import { holding } from "../shared/held.js";

export const { show, heldContent: heldDecided, onContent: onDecided } = holding(parseDecided);

/** @param {Uint8Array} bytes @returns {AllDecided} */
export function parseDecided(bytes) {
  const { id, n, kinds, points, codes } = unpack(bytes);
  const all = new Int32Array(n);
  points.forEach((point, i) => (all[point] = codes[i]));
  return { id, kinds, codes: all };
}
