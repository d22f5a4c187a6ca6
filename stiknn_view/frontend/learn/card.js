// One card of the lesson: a bet, then the answer. What is right and what it says comes from Python.

import { button, element } from "../shared/elements.js";
import { oneForEachHost } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { dial } from "./card_dial.js";
import { line } from "./card_line.js";
import { fraction, grid, keepFocus, largest, paint, rich, unseen } from "./common.js";

const SIGNS = { "": "", begun: "…", right: "✓", wrong: "✗" };
const STANDS = { "": "not begun", begun: "begun", right: "all bets right", wrong: "done, not all bets right" };

class Card {
  /** @type {any} */ data;

  constructor(host) {
    /** @type {(kind: string, number: number) => void} */
    this.tell = () => {};
    this.host = host;
    this.onKey = (event) => this.key(event);
    host.addEventListener("keydown", this.onKey);
  }

  close() {
    this.host.removeEventListener("keydown", this.onKey);
  }

  update({ data, send }) {
    this.data = data;
    this.theme = readTheme(this.host);
    // Each press is a report of its own, though it may read as the last one did.
    this.tell = (kind, number) => send("press", { kind, number, about: data.about, at: Date.now() });
    const hadFocus = this.host.contains(document.activeElement);
    keepFocus(this.host, "name", () => this.host.replaceChildren(this.drawn()));
    // What was pressed may be gone: then on with what comes next.
    if (hadFocus && !this.host.contains(document.activeElement)) {
      this.host.querySelector(".card-bet, .card-next")?.focus({ preventScroll: true });
    }
  }

  // The digits bet while the focus is on the card.
  key(event) {
    const { open } = this.data;
    if (!open || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = Number(event.key) - 1;
    if (!Number.isInteger(choice) || !open.choices[choice]) return;
    event.preventDefault();
    this.tell("bet", choice);
  }

  drawn() {
    const { data } = this;
    const body = data.summary ? this.summary() : this.card();
    const about = { class: "learn card", "data-testid": "learn-card", "data-card": data.card + 1 };
    if (!data.summary) Object.assign(about, { "data-round": data.rounds.length + 1, "data-of": data.of });
    return element("div", about, this.row(), ...body);
  }

  row() {
    const { row, card } = this.data;
    const number = ({ title, standing }, i) => {
      const here = i === card ? { "aria-current": "step" } : {};
      const given = { class: `card-number card-${standing || "new"}`, "data-name": `card-${i + 1}`, title, ...here };
      const said = unseen(`. ${title}: ${STANDS[standing]}`);
      return button(
        given,
        () => this.tell("card", i),
        `${i + 1}`,
        element("span", { "aria-hidden": "true" }, SIGNS[standing]),
        said,
      );
    };
    const end = {
      class: "card-number",
      "data-name": "card-end",
      ...(row.length === card && { "aria-current": "step" }),
    };
    const summary = button(end, () => this.tell("card", row.length), "Summary");
    const again = button(
      { class: "card-number card-again", "data-name": "again" },
      () => this.tell("again", 0),
      "Start again",
    );
    return element("nav", { class: "card-row", "aria-label": "Cards" }, ...row.map(number), summary, again);
  }

  card() {
    const { data } = this;
    const { open, rounds } = data;
    const before = rounds.slice(0, open ? rounds.length : -1);
    const last = rounds.at(-1);
    const pictures = data.pictures.map((one, i) => {
      const asked = open !== null && data.pictures.length > 1 && open.picture === i;
      return line(one, data.pictures.length, asked, this.theme);
    });
    const drawn = element("div", { class: `card-pictures card-of-${pictures.length}` }, ...pictures);
    const grids = element("div", "card-grids", ...data.grids.map((one) => this.grid(one)));
    if (data.grids.length)
      grids.append(element("p", "card-scale", "The strongest colour is the number farthest from 0."));
    const said = element("div", { class: "card-said", "aria-live": "polite" });
    // Of earlier answers the last one is said in full, those before in one line.
    before.forEach((one, i) => {
      said.append(i === before.length - 1 && open ? this.answer(one) : this.short(one));
    });
    if (!open && last) said.append(element("p", "card-was", rich(last.question)), this.answer(last));
    const asked = open ? [this.question(open)] : [this.turned(), this.next()];
    const left = element("div", "card-left", drawn, grids);
    const right = element("div", "card-right", said, ...asked.filter(Boolean));
    return [element("h3", "card-title", `${data.card + 1}. ${data.title}`), element("div", "card-body", left, right)];
  }

  question({ question, choices }) {
    const bets = choices.map((choice, i) => {
      const key = element("kbd", { class: "card-key", "aria-hidden": "true" }, `${i + 1}`);
      return button(
        { class: "learn-button card-bet", "data-name": `bet-${i + 1}` },
        () => this.tell("bet", i),
        key,
        rich(choice),
      );
    });
    const number = this.data.of > 1 ? `${this.data.rounds.length + 1} of ${this.data.of}. ` : "";
    const asked = element("p", { class: "card-question", id: "card-question" }, number, rich(question));
    const group = element("div", { class: "card-bets", role: "group", "aria-labelledby": "card-question" }, ...bets);
    return element("div", {}, asked, group);
  }

  verdict({ bet, right, choices }) {
    const isRight = bet === right;
    const name = isRight ? "card-verdict card-right-bet" : "card-verdict card-wrong-bet";
    const words = isRight
      ? ["✓ Right: ", rich(choices[right])]
      : ["✗ You said ", rich(choices[bet]), "; it is ", rich(choices[right])];
    return element("span", name, ...words, ".");
  }

  answer(one) {
    return element("div", "card-answer", this.verdict(one), " ", rich(one.told));
  }

  short(one) {
    return element("div", "card-short", this.verdict(one), " ", element("span", "card-told", rich(one.told)));
  }

  grid({ title, names, cells, asked, changed }) {
    const range = largest(this.data.grids.map((one) => one.cells));
    const table = grid(
      names,
      title,
      (cell, row, column) => {
        const text = cells[row][column];
        if (asked[0] === row && asked[1] === column) {
          cell.classList.add("learn-new");
          cell.append("?");
        } else if (text) {
          paint(cell, text, range, this.theme);
          cell.append(fraction(text));
        }
        if (changed.some(([i, j]) => i === row && j === column)) {
          cell.classList.add("learn-new");
          cell.append(unseen(" changed"));
        }
      },
      "learn-small card-grid",
    );
    return element("figure", {}, element("figcaption", {}, title), table);
  }

  turned() {
    return this.data.dial && dial(this.data.dial, this.tell);
  }

  next() {
    const { card, last } = this.data;
    const label = last ? "Summary" : "Next card";
    return button(
      { class: "learn-button learn-main card-next", "data-name": "next" },
      () => this.tell("card", card + 1),
      label,
    );
  }

  summary() {
    const { right, made, of, ideas } = this.data.summary;
    const told = `${right} of ${made} bets were right${made < of ? `; ${of - made} of ${of} are still open` : ""}.`;
    const list = element("ol", "card-ideas", ...ideas.map((idea) => element("li", {}, idea)));
    return [
      element("h3", "card-title", "What the cards have shown"),
      element("p", { "data-testid": "card-score" }, told),
      list,
    ];
  }
}

export const { show, close } = oneForEachHost(Card);
