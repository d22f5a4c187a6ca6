// The newest contents of this tab; they outlive reruns and page switches.

const MOST = 3;

/**
 * @template Kept
 * @param {(bytes: Uint8Array) => Kept} parse turns the bytes into arrays, once for each content
 */
export function holding(parse) {
  /** @type {Map<string, Kept>} */
  const held = new Map();
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    /** @param {Message<Uint8Array>} message */
    show({ data }) {
      if (!data) return;
      const id = new TextDecoder().decode(data.subarray(8, 24));
      const content = held.get(id) ?? parse(data);
      held.delete(id); // set again below: the newest stands last
      held.set(id, content);
      while (held.size > MOST) held.delete([...held.keys()][0]);
      for (const tell of listeners) tell();
    },
    /** @param {string} id */
    heldContent: (id) => held.get(id),
    /** @param {() => void} tell */
    onContent(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
}
