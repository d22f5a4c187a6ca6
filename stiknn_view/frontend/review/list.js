// The queue as a list of which only the rows in sight are elements, however long it is.

import { element } from "../shared/elements.js";
import { afterPress } from "../shared/hosts.js";

const ROW = 24; // pixels, as in review.css
const SPARE = 4; // rows above and below
const TALLEST = 8e6; // pixels; browsers draw nothing that lies further down

export class QueueList {
  /** @param {(place: number) => { name: string, told: string, score: string, flagged: boolean }} tell @param {(place: number) => void} pick */
  constructor(tell, pick) {
    this.tell = tell;
    this.pick = pick;
    this.count = 0;
    this.current = -1;
    this.space = element("div", "stiknn-review-space");
    this.unpressed = afterPress(this.space);
    this.root = element("div", { class: "stiknn-review-list", role: "listbox", tabindex: 0 }, this.space);
    this.root.setAttribute("aria-label", "Queue, most suspicious first");
    this.root.addEventListener("scroll", () => this.paint());
    this.root.addEventListener("click", (event) => {
      const row = event.target.closest("[data-place]");
      if (row) this.pick(Number(row.dataset.place));
    });
    this.root.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, Home: -this.count, End: this.count }[event.key];
      if (!by) return;
      event.preventDefault();
      this.pick(Math.min(this.count - 1, Math.max(0, this.current + by)));
    });
  }

  update(count, current) {
    const moved = current !== this.current;
    Object.assign(this, { count, current });
    this.space.style.height = `${Math.min(count * ROW, TALLEST)}px`;
    if (moved && current >= 0) this.bringIntoSight(current);
    this.paint();
  }

  bringIntoSight(place) {
    const { clientHeight } = this.root;
    const [top, seen] = [place * ROW, this.top];
    if (top < seen + ROW || top > seen + clientHeight - 2 * ROW)
      this.root.scrollTop = Math.max(0, top - clientHeight / 3) / this.scale;
  }

  // Pixels of the whole queue for each that can be scrolled.
  get scale() {
    const room = this.root.clientHeight;
    return Math.max(1, (this.count * ROW - room) / (TALLEST - room));
  }

  // Where in the whole queue the first row in sight is.
  get top() {
    return this.root.scrollTop * this.scale;
  }

  paint() {
    this.unpressed(() => this.draw());
  }

  draw() {
    const { top } = this;
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const last = Math.min(this.count, Math.ceil((top + clientHeight) / ROW) + SPARE);
    const rows = [];
    for (let place = first; place < last; place++) rows.push(this.row(place, scrollTop + place * ROW - top));
    this.space.replaceChildren(...rows);
    const id = this.current >= first && this.current < last ? `stiknn-review-row-${this.current}` : "";
    this.root.setAttribute("aria-activedescendant", id);
  }

  row(place, top) {
    const { name, told, score, flagged } = this.tell(place);
    const here = place === this.current;
    const part = (kind, text) => element("span", { class: `stiknn-review-${kind}`, title: text }, text);
    const row = element(
      "div",
      { class: "stiknn-review-row", role: "option", id: `stiknn-review-row-${place}`, "aria-selected": String(here) },
      part("row-name", name),
      part("row-told", told),
      part("row-score", score),
    );
    row.classList.toggle("stiknn-review-plain", !flagged);
    row.setAttribute("aria-posinset", String(place + 1));
    row.setAttribute("aria-setsize", String(this.count));
    row.dataset.place = String(place);
    row.style.top = `${top}px`;
    return row;
  }
}
