// In which order points come up, and which one is next.

import { countBelow } from "./order.js";

/** @param {number} score @param {{ value: number, high: number }} line */
export function isFlagged(score, line) {
  return score < line.value || line.value >= line.high; // at the right end everything is
}

export class Queue {
  // Most suspicious first; of a group of copies the most suspicious one stands for all, unless
  // each is to come up by itself.
  /** @param {{ n: number, groups: Int32Array }} content @param {Ranking} ranking @param {boolean} together */
  constructor({ n, groups }, ranking, together) {
    this.ranking = ranking;
    this.items = ranking.order;
    if (together && groups.some((group) => group >= 0)) {
      const seen = new Set();
      this.items = ranking.order.filter((point) => {
        const group = groups[point];
        if (group >= 0 && seen.has(group)) return false;
        seen.add(group);
        return true;
      });
    }
    this.places = new Int32Array(n).fill(-1);
    this.items.forEach((point, place) => (this.places[point] = place));
    this.flagged = ranking.order.subarray(0, 0);
    this.flaggedItems = 0;
  }

  // Flag what is below a line; flagged ones come first.
  /** @param {{ value: number, high: number }} line */
  flag(line) {
    const { ranking, items } = this;
    const count = (order) => (line.value >= line.high ? order.length : countBelow(ranking, order, line.value));
    this.flagged = ranking.order.subarray(0, count(ranking.order));
    this.flaggedItems = count(items);
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

  // Points that are likely to be looked at next, the likeliest first: the one in view, the next
  // open ones, those right behind it and before it.
  /** @param {number} point @param {(point: number) => string} stateOf @param {number} most */
  ahead(point, stateOf, most) {
    const { items } = this;
    const place = Math.max(0, this.places[point]);
    const found = new Set([point]);
    for (let i = place + 1; i < items.length && i < place + 100 * most && found.size < most; i++)
      if (stateOf(items[i]) === "") found.add(items[i]);
    for (let i = 1; i <= most / 4; i++)
      for (const one of [items[place + i], items[place - i]]) if (one !== undefined) found.add(one);
    return [...found];
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

// Where a point stands, in words. The list counts copies too, of which one stands here for all.
/** @param {Queue} queue @param {number} point */
export function whereIs({ places, items, flagged, flaggedItems }, point) {
  const place = places[point];
  const told = (count) => count.toLocaleString("en");
  const copies = flaggedItems < flagged.length ? ` (${told(flagged.length)} with copies)` : "";
  if (place < 0) return "A copy of a point in the queue";
  if (place < flaggedItems) return `Suspect ${told(place + 1)} of ${told(flaggedItems)}${copies}`;
  return `Not flagged; ${told(place + 1)} of ${told(items.length)} in the ranking`;
}
