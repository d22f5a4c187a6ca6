// All points under review: names, labels, copies, and the cloud they lie in. Stays while a person decides.

import { unpack } from "../shared/contents.js";
import { holding } from "../shared/held.js";

export const { show, heldContent: heldPoints, onContent: onPoints } = holding(parsePoints);

/** @param {Uint8Array} bytes @returns {ReviewContent} */
export function parsePoints(bytes) {
  const content = unpack(bytes);
  return { ...content, members: groupMembers(content.groups) };
}

/** @param {ReviewContent} content @param {number} point */
export function nameOf({ nameEnds, nameBytes }, point) {
  return new TextDecoder().decode(nameBytes.subarray(point ? nameEnds[point - 1] : 0, nameEnds[point]));
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
