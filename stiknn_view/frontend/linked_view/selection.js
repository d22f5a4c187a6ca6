// What is selected. Point ids only, so that another order moves nothing.

/** @type {Selected} */
const NO_SELECTION = { rows: [], cols: [], origin: "none", seq: 0 };
const MOST_UNDO = 100;

function sortedUnique(ids) {
  return [...new Set(ids)].sort((a, b) => a - b);
}

export class SelectionModel {
  constructor() {
    this.current = NO_SELECTION;
    this.past = [];
  }

  get empty() {
    return this.current.rows.length === 0 && this.current.cols.length === 0;
  }

  get points() {
    return sortedUnique([...this.current.rows, ...this.current.cols]);
  }

  // Whether the rows are the columns, as in a block on the diagonal.
  get same() {
    const { rows, cols } = this.current;
    return rows.length === cols.length && rows.every((id, i) => id === cols[i]);
  }

  // Row and column points light up each as a whole (scatter, table), not as a block.
  get isCross() {
    return !["block", "pair", "drag"].includes(this.current.origin);
  }

  // A choice made here. The server's clock may be ahead of ours, hence the maximum.
  choose(rows, cols, origin) {
    const next = { rows: sortedUnique(rows), cols: sortedUnique(cols), origin };
    if (this.empty && next.rows.length === 0 && next.cols.length === 0) return false;
    this.remember();
    this.current = { ...next, seq: this.nextSeq() };
    return true;
  }

  // A choice that came from Python: taken only if it is newer.
  adopt(message, n) {
    if (message.seq <= this.current.seq) return false;
    const inside = (ids) => ids.filter((id) => id >= 0 && id < n);
    this.remember();
    this.current = { ...message, rows: inside(message.rows), cols: inside(message.cols) };
    return true;
  }

  undo() {
    const before = this.past.pop();
    if (!before) return false;
    this.current = { ...before, seq: this.nextSeq() };
    return true;
  }

  // New data: whatever was selected names other points now.
  restart(message, n) {
    this.past = [];
    this.current = NO_SELECTION;
    this.adopt(message, n);
    this.past = [];
  }

  nextSeq() {
    return Math.max(Date.now(), this.current.seq + 1);
  }

  remember() {
    this.past.push(this.current);
    if (this.past.length > MOST_UNDO) this.past.shift();
  }
}
