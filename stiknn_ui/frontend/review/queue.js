// In which order points come up, and which one is next.

/** @param {number} score @param {Line} line */
export function isFlagged(score, line) {
  return score < line.value || line.value >= line.high; // at the right end everything is
}

export class Queue {
  // Most suspicious first; of a group of copies the most suspicious one stands for all, unless
  // each is to come up by itself.
  /** @param {ReviewContent} content @param {string} by @param {Line} line @param {boolean} together */
  constructor(content, by, line, together) {
    const scores = content.scores[by];
    const seen = new Set();
    const items = [];
    this.flagged = [];
    for (const point of content.orders[by]) {
      if (isFlagged(scores[point], line)) this.flagged.push(point);
      const group = together ? content.groups[point] : -1;
      if (group >= 0 && seen.has(group)) continue;
      seen.add(group);
      items.push(point);
    }
    this.items = Int32Array.from(items);
    this.places = new Int32Array(content.n).fill(-1);
    this.items.forEach((point, place) => (this.places[point] = place));
    // Flagged ones come first: how many of the items are flagged?
    this.flaggedItems = items.filter((point) => isFlagged(scores[point], line)).length;
  }

  // The point so many places on; at either end it stays.
  step(point, by) {
    const place = Math.max(0, this.places[point]) + by;
    return this.items[Math.min(Math.max(place, 0), this.items.length - 1)];
  }

  // The next point that is open, going round once: among the flagged ones, then those of them that
  // were skipped, then among the others. `stateOf` gives "", "skip" or "done".
  /** @param {number} point @param {(point: number) => string} stateOf */
  nextOpen(point, stateOf) {
    const { items, flaggedItems } = this;
    const start = this.places[point] + 1;
    for (const [from, to] of [
      [0, flaggedItems],
      [flaggedItems, items.length],
    ]) {
      for (const wanted of ["", "skip"]) {
        for (let i = 0; i < to - from; i++) {
          const first = start >= from && start < to ? start - from : 0;
          const candidate = items[from + ((first + i) % (to - from))];
          if (candidate !== point && stateOf(candidate) === wanted) return candidate;
        }
      }
    }
    return point;
  }

  // How many flagged points are decided, and how many were skipped.
  /** @param {(point: number) => string} stateOf */
  progress(stateOf) {
    const found = { decided: 0, skipped: 0, flagged: this.flagged.length };
    for (const point of this.flagged) {
      const state = stateOf(point);
      if (state === "done") found.decided++;
      else if (state === "skip") found.skipped++;
    }
    return found;
  }
}
