// Operations on their way to the server, in order. They stay in the storage of this tab until the
// server has said that it heard them, so that neither a lost connection nor a reload loses one.
// Each has the name of the page load that made it and a number: what comes twice is done once.

const SOON = 2500; // ms until what was not heard is sent again
const LATE = 15000;

const boxes = new Map(); // scope -> its box; outlives page switches

/** @param {ReviewData} data @returns {Outbox} */
export function boxFor(data) {
  if (!boxes.has(data.scope)) boxes.set(data.scope, new Outbox(data));
  const box = boxes.get(data.scope);
  box.take(data);
  return box;
}

export class Outbox {
  /** @type {Asked[]} */ waiting = [];
  number = 0;
  turn = 0;
  timer = 0;
  pause = SOON;
  sentAt = 0;
  waitingSince = 0; // since when nothing was heard
  /** @type {((name: string, value: object) => void) | null} */ send = null;

  /** @param {ReviewData} data */
  constructor({ scope, review, begun, heard }) {
    this.scope = scope;
    this.review = review;
    this.client = randomName();
    this.waiting = load(scope, review);
    if (review) {
      // The first ones were made before the review had a name. They are for this one if this
      // visit began it, or if it has heard of the page that made them.
      const early = load(scope, "");
      const ours = early.filter(({ client }) => begun || client in heard);
      if (ours.length) {
        this.waiting = [...ours, ...this.waiting];
        store(scope, "", []);
        this.store();
      }
    }
  }

  // Take over what the server says: the name of the review, and what it has heard.
  /** @param {ReviewData} data */
  take({ review, heard }) {
    if (review !== this.review) {
      if (this.review) this.waiting = load(this.scope, review);
      else store(this.scope, "", []);
      this.review = review;
      this.store();
    }
    const left = this.waiting.filter(({ client, number }) => number > (heard[client] ?? 0));
    if (left.length === this.waiting.length) return;
    this.waiting = left;
    this.store();
    this.sentAt = 0;
    this.pause = SOON;
    this.waitingSince = Date.now();
  }

  // Let operations go to the server from here on; null holds them back.
  connect(send) {
    this.send = send;
    clearTimeout(this.timer);
    if (send) this.flush();
  }

  /** @param {Omit<Asked, "client" | "number">} asked @returns {Asked} */
  add(asked) {
    const made = { ...asked, client: this.client, number: ++this.number };
    if (!this.waiting.length) this.waitingSince = Date.now();
    this.waiting.push(made);
    this.store();
    this.flush();
    return made;
  }

  // All that waits goes at once, so that a message that was lost costs nothing. While the server
  // works on one, others wait: a new message would make it start again.
  flush(now = false) {
    if (!this.send || !this.waiting.length) return;
    const left = this.sentAt + this.pause - Date.now();
    clearTimeout(this.timer);
    if (!now && left > 0) {
      this.timer = setTimeout(() => this.flush(), left);
      return;
    }
    if (this.sentAt) this.pause = Math.min(LATE, 2 * this.pause);
    this.sentAt = Date.now();
    this.timer = setTimeout(() => this.flush(), this.pause);
    const operations = this.waiting.map(({ what, ...told }) => told);
    // The turn makes each message another one, or nobody would be told of it.
    this.send("outbox", { scope: this.scope, review: this.review, turn: ++this.turn, operations });
  }

  store() {
    store(this.scope, this.review, this.waiting);
  }
}

const place = (scope, review) => `stiknn-review|${scope}|${review}`;

/** @returns {Asked[]} */
function load(scope, review) {
  try {
    const found = JSON.parse(sessionStorage.getItem(place(scope, review)) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // no storage, or something else in it
  }
}

function store(scope, review, operations) {
  try {
    if (operations.length) sessionStorage.setItem(place(scope, review), JSON.stringify(operations));
    else sessionStorage.removeItem(place(scope, review));
  } catch {
    // No storage, or full: they still wait here.
  }
}

function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
