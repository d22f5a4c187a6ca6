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
