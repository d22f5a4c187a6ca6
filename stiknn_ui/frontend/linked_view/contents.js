// The newest contents of this tab; they outlive reruns and page switches.

import { parseContent } from "./payload.js";

const MOST = 3;
/** @type {Map<string, Content>} */
const held = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Message<Uint8Array>} message with bytes, which payload.js turns into arrays once */
export function show({ data }) {
  if (!data) return;
  const id = new TextDecoder().decode(data.subarray(8, 24));
  const content = held.get(id) ?? parseContent(data);
  held.delete(id); // set again below: the newest stands last
  held.set(id, content);
  while (held.size > MOST) held.delete([...held.keys()][0]);
  for (const tell of listeners) tell();
}

export function heldContent(id) {
  return held.get(id);
}

export function onContent(tell) {
  listeners.add(tell);
}
