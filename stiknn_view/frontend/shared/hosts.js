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

// Draws a part whose elements are made anew with each message only when no pointer is down in it:
// a click on what was replaced between press and release would be heard by nobody.
/** @param {(message: Message) => void} show */
export function afterPress(show) {
  /** @type {WeakMap<HTMLElement, { down: boolean, waiting?: Message }>} */
  const presses = new WeakMap();
  const watched = (host) => {
    /** @type {{ down: boolean, waiting?: Message }} */
    const press = { down: false };
    const over = () => {
      const { waiting } = press;
      press.down = false;
      press.waiting = undefined;
      if (waiting) show(waiting);
    };
    host.addEventListener("pointerdown", () => {
      press.down = true;
      const ends = new AbortController();
      const release = () => {
        ends.abort();
        setTimeout(over); // the click comes right behind the release
      };
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal: ends.signal });
    });
    presses.set(host, press);
    return press;
  };
  return (message) => {
    const press = presses.get(message.host) ?? watched(message.host);
    if (press.down) press.waiting = message;
    else show(message);
  };
}
