// The tables of the card: columns by how unusual they are, scores, and the row as it is in the file.

import { button, element } from "../shared/elements.js";
import { formatNumber, shorten } from "../shared/format.js";
import { scoreRows, signed, unusual } from "./evidence.js";

const MOST_COLUMNS = 100;
const LONGEST_WORD = 20; // as many letters as fit beside the numbers; more lines hold more words
const NAMES = { columns: "Columns", scores: "Scores", file: "Row in the file" };
const EXPLAINED_ALL = "How far a value lies from the mean of all rows, in standard deviations; most unusual first.";
const EXPLAINED = "How far a value lies from the mean of the class, in standard deviations; most unusual first.";

export class Tables {
  /** @type {"given" | "suggested"} */ sort = "given";
  tab = "columns";

  /** @param {ReviewActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.tabs = element("div", { class: "stiknn-review-tabs", role: "tablist" });
    this.table = element("div", "stiknn-review-table");
    this.root = element("div", "stiknn-review-rows", this.tabs, this.table);
  }

  choice(given, part, name, text) {
    const act = () => {
      this[part] = name;
      this.actions.repaint();
    };
    return button({ ...given, "data-choice": name }, act, text);
  }

  /** @param {ReviewState} state */
  paint({ content, card, inFile }) {
    // Parts of texts, pictures and embeddings are no columns that anybody reads.
    const there = { columns: content.featureNames.length > 0, scores: true, file: inFile };
    if (!there[this.tab]) this.tab = there.columns ? "columns" : "scores";
    const held = /** @type {HTMLElement | null} */ (this.root.querySelector(":focus"))?.dataset.choice;
    const names = Object.keys(NAMES).filter((name) => there[name]);
    this.tabs.replaceChildren(
      ...names.map((name) => {
        const given = { class: "stiknn-review-tab", role: "tab", "aria-selected": name === this.tab };
        return this.choice(given, "tab", name, NAMES[name]);
      }),
    );
    const shown = { columns: (one) => this.columns(content, one), scores: (one) => scores(content, one), file: row };
    this.table.replaceChildren(...(card ? shown[this.tab](card) : []));
    // Buttons are drawn anew; the keyboard stays with the one that had it.
    if (held) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-choice="${held}"]`))?.focus();
  }

  columns(content, card) {
    const rows = unusual(content, card, content.shades.length ? "given" : this.sort);
    const { point } = card;
    const codes = { given: content.given[point], suggested: content.suggested[point] };
    const measured = content.shades.length > 0;
    const which = measured || codes.given === codes.suggested ? ["given"] : ["given", "suggested"];
    const lines = rows.slice(0, MOST_COLUMNS).map((row) => [
      element(
        "th",
        { scope: "row", title: row.name },
        row.name.replace(/\S+/g, (word) => shorten(word, LONGEST_WORD)),
      ),
      element("td", "stiknn-review-number", written(row.value)),
      ...which.map((name) => distance(row[name])),
    ]);
    const heads = which.map((name) => {
      if (measured) return "from the mean";
      const label = content.labels[codes[name]];
      const sorted = which.length === 1 || this.sort === name;
      const head = this.choice(
        { class: "stiknn-review-sort", "aria-pressed": sorted },
        "sort",
        name,
        `for ${shorten(label, 12)}${sorted ? " ▾" : ""}`,
      );
      head.title = `Sort by how unusual the value is for class ${label}`;
      return head;
    });
    const all = rows.length.toLocaleString("en");
    const more = rows.length > MOST_COLUMNS ? ` The ${MOST_COLUMNS} most unusual of ${all} columns.` : "";
    return [
      element("div", "stiknn-review-caption", (measured ? EXPLAINED_ALL : EXPLAINED) + more),
      table(["column", "value", ...heads], lines),
    ];
  }
}

// It stands in the file on the server, and is fetched when somebody looks.
function row({ cells }) {
  if (!cells) return [element("div", "stiknn-review-caption", "Fetching the row …")];
  return [
    table(
      ["column", "cell"],
      cells.map((texts) => texts.map((text) => element("td", {}, text))),
    ),
  ];
}

function distance({ far, mean, spread, count }) {
  const text = Number.isNaN(far) ? "–" : Number.isFinite(far) ? signed(far, 1) : "alone";
  const told = `mean ${formatNumber(mean)}, standard deviation ${formatNumber(spread)}, ${count.toLocaleString("en")} points`;
  const cell = element("td", { class: "stiknn-review-number", title: told }, text);
  cell.classList.toggle("stiknn-review-far", Math.abs(far) >= 2);
  return cell;
}

function scores(content, card) {
  const rows = scoreRows(content, card).map(({ title, value, rank, meaning }) => [
    element("th", { scope: "row" }, title, element("div", "stiknn-review-caption", meaning)),
    element("td", "stiknn-review-number", formatNumber(value)),
    element("td", "stiknn-review-number", rank.toLocaleString("en")),
  ]);
  return [table(["score", "value", "rank"], rows)];
}

export function table(heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  return element(
    "table",
    {},
    element("thead", {}, head),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells))),
  );
}

// Six digits: what stands in a file is mostly shorter, and a float holds no more.
function written(value) {
  return Number.isFinite(value) ? String(+value.toPrecision(6)).replace("-", "−") : "–";
}
