// Pictures of dots: fetched when the mouse comes near, the newest thousands are kept.

import { unpack } from "../shared/contents.js";
import { partOf } from "../shared/pictures.js";

const MOST = 2000; // pictures kept
const AT_ONCE = 40; // dots around the mouse whose pictures are fetched together
const LATE = 3000; // ms until what was not answered is asked for again

/** @type {Map<number, Uint8Array>} */
const files = new Map();
const listeners = new Set();
let of = ""; // the dots they belong to, by the id of their texts
/** @type {Message<Uint8Array>["send"] | null} */
let send = null;
let askedAt = 0; // of a question without an answer; else 0
let turn = 0;

/** @param {Message<Uint8Array>} message */
export function show(message) {
  send = message.send;
  askedAt = 0;
  if (!message.data) return;
  const answer = unpack(message.data);
  if (answer.of !== of) files.clear();
  of = answer.of;
  answer.dots.forEach((dot, i) => {
    files.delete(dot); // set again: the newest stands last
    files.set(dot, partOf(answer.pictureBytes, answer.pictureEnds, i));
  });
  for (const dot of [...files.keys()].slice(0, Math.max(0, files.size - MOST))) files.delete(dot);
  for (const tell of listeners) tell();
}

/** @param {string} content @param {number} dot @returns {Uint8Array | undefined} empty where it has none */
export function fileOf(content, dot) {
  return content === of ? files.get(dot) : undefined;
}

/** @param {() => void} tell */
export function onPictures(tell) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

// See to it that the pictures of these dots are there; `around` gives those that may be next.
/** @param {string} content @param {number[]} dots @param {() => number[]} around */
export function want(content, dots, around) {
  const missing = (dot) => !fileOf(content, dot);
  if (!send || !dots.some(missing) || Date.now() - askedAt < LATE) return;
  askedAt = Date.now();
  const asked = [...new Set([...dots, ...around()])].filter(missing).slice(0, AT_ONCE);
  // The turn makes each question another one, or nobody would be told of it.
  send("ask", { content, dots: asked, turn: ++turn });
}

// The dots nearest to one, in the units of the axes.
/** @param {ArrayLike<number>} x @param {ArrayLike<number>} y @param {number} dot */
export function nearest(x, y, dot) {
  const far = Float64Array.from(x, (value, i) => (value - x[dot]) ** 2 + (y[i] - y[dot]) ** 2);
  const bound = far.slice().sort()[Math.min(AT_ONCE, far.length) - 1];
  return [...far.keys()].filter((i) => far[i] <= bound);
}
