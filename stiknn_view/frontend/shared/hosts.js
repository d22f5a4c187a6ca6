// A part of a page that remembers: one object for each place it is drawn in, made with the first
// message and closed with the part.

export function oneForEachHost(Kind) {
  const made = new Map(); // host -> its object
  return {
    show(message) {
      const { host, data } = message;
      if (!data) return; // on its way
      if (!made.has(host)) made.set(host, new Kind(host));
      made.get(host).update(message);
    },
    close(host) {
      made.get(host)?.close();
      made.delete(host);
    },
  };
}

// Draws at once, or when the pointer that is down in an element is released: a click on what was
// replaced between press and release would be heard by nobody.
/** @param {HTMLElement} node */
export function afterPress(node) {
  let down = false;
  /** @type {(() => void) | undefined} */
  let waiting;
  const over = () => {
    const draw = waiting;
    down = false;
    waiting = undefined;
    draw?.();
  };
  node.addEventListener("pointerdown", () => {
    down = true;
    const ends = new AbortController();
    const release = () => {
      ends.abort();
      setTimeout(over); // the click comes right behind the release
    };
    // Where the press opens a menu, its end may be told to nobody.
    for (const end of ["pointerup", "pointercancel", "contextmenu"]) {
      addEventListener(end, release, { signal: ends.signal });
    }
  });
  /** @param {() => void} draw */
  return (draw) => {
    if (down) waiting = draw;
    else draw();
  };
}

// The same for a part that is made anew with each message.
/** @param {(message: Message) => void} show */
export function betweenPresses(show) {
  /** @type {WeakMap<HTMLElement, (draw: () => void) => void>} */
  const known = new WeakMap();
  return (message) => {
    const { host } = message;
    const later = known.get(host) ?? afterPress(host);
    known.set(host, later);
    later(() => show(message));
  };
}
