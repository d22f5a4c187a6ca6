// How many of the flagged points may be wrong, and how many of the decided ones were.

import { element } from "../shared/elements.js";

export class Estimates {
  constructor() {
    this.expected = element("div", "stiknn-review-caption");
    this.found = element("div", "stiknn-review-caption");
    this.found.title = "Relabelled and removed points count as wrong, kept ones as right.";
  }

  // The server says both. While the line moves, the place of the first stays empty, so that nothing
  // below it moves.
  /** @param {ReviewData} data @param {Line} line as it stands in the browser */
  paint({ found, line: told }, line) {
    this.expected.hidden = !line.expected;
    this.expected.textContent = line.expected;
    this.expected.title = line.sure;
    this.expected.style.visibility = line.value === told.value ? "" : "hidden";
    this.found.hidden = !found;
    this.found.textContent = found;
  }
}
