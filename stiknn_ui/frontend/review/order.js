// One score of all points, and their order by it: most suspicious, which is lowest, first.

import { unpack } from "../shared/contents.js";
import { holding } from "../shared/held.js";

/** @type {(bytes: Uint8Array) => Ranking} */
const parse = unpack;
export const { show, heldContent: heldOrder, onContent: onOrder } = holding(parse);

// How many points come before a score; all that is counted of very many points is asked here.
/** @param {{ scores: Float64Array }} ranking @param {Int32Array} order @param {number} score */
export function countBelow({ scores }, order, score) {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scores[order[middle]] < score) low = middle + 1;
    else high = middle;
  }
  return low;
}
