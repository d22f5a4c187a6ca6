// One point and everything that is known about it: elements, and filling them.

import { button, element, nameElement } from "../shared/elements.js";
import { formatNumber, shorten } from "../shared/format.js";
import { classColor } from "../shared/palette.js";
import { picture } from "../shared/pictures.js";
import { classSymbol, symbolPath } from "../shared/symbols.js";
import { PlanePicture } from "./canvas.js";
import { classKeys, opinionsOf, percent, reason, support } from "./evidence.js";
import { nameOf } from "./points.js";
import { whereIs } from "./queue.js";
import { reading } from "./reading.js";
import { describe } from "./record.js";
import { Tables, table } from "./tables.js";
import { typedNumber } from "./typed.js";

const MOST_KEYS = 10;
const MOST_COPIES = 5;
const PICTURES = 6;
const div = (name, ...children) => element("div", `stiknn-review-${name}`, ...children);

export class Card {
  /** @param {ReviewActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.plane = new PlanePicture();
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    this.title = element("h2", "stiknn-review-title");
    this.where = div("where");
    this.saved = element("span", { class: "stiknn-review-saved", role: "status" });
    this.closely = button("stiknn-review-link", () => actions.lookClosely(), "Look closely");
    this.told = element("div", { class: "stiknn-review-told", role: "alert" });
    this.reason = element("p", "stiknn-review-reason");
    this.opinions = div("caption");
    this.said = div("said");
    this.note = div("note");
    this.copies = element("label", "stiknn-review-copies");
    this.classes = div("classes");
    this.drawn = div("drawn");
    this.support = div("support");
    this.nearest = div("nearest");
    this.tables = new Tables(actions);
    this.pictures = div("pictures");
    this.reading = div("reading");
    this.root = element(
      "section",
      { class: "stiknn-review-card", "aria-label": "Point in view" },
      div("head", this.title, element("span", "stiknn-review-side", this.closely, this.saved)),
      this.where,
      this.told,
      this.reason,
      this.opinions,
      this.said,
      this.copies,
      this.note,
      this.reading,
      div("actions", this.verdicts(), this.moves(), this.classes),
      div(
        "evidence",
        div("place", this.plane.canvas, this.drawn),
        div("around", this.pictures, this.support, this.nearest),
        this.tables.root,
      ),
    );
  }

  key(name, key, label, hint, act, kind = "") {
    const node = button(`stiknn-review-button ${kind}`, act, element("span", {}, label), element("kbd", {}, key));
    node.title = hint;
    node.dataset.action = name;
    this.buttons[name] = node;
    return node;
  }

  label(name, text) {
    /** @type {Element} */ (this.buttons[name].firstElementChild).textContent = text;
  }

  verdicts() {
    const { actions } = this;
    return div(
      "group",
      this.key("accept", "A", "Accept", "Give it the suggested class.", () => actions.accept(), "stiknn-review-main"),
      this.key("keep", "K", "Keep", "The given label is right.", () => actions.decide("keep")),
      this.key("remove", "X", "Remove", "Leave this row out of the corrected data.", () => actions.decide("remove")),
      this.key("skip", "S", "Skip", "Leave it open and go on; it comes again at the end.", () =>
        actions.decide("skip"),
      ),
    );
  }

  moves() {
    const { actions } = this;
    const still = "Changes nothing.";
    return div(
      "group",
      this.key("back", "B", "Back", still, () => actions.move(-1)),
      this.key("next", "N", "Next", still, () => actions.move(1)),
      this.key("note", "M", "Note", "A remark that goes into the exports. It decides nothing.", () =>
        actions.openNote(),
      ),
      this.key("undo", "U", "Undo", "", () => actions.turn("undo")),
      this.key("redo", "Y", "Redo", "", () => actions.turn("redo")),
    );
  }

  // The classes of the data: a few as buttons with figures as their keys, many as a list.
  /** @param {ReviewContent} content */
  load(content) {
    const { classes } = content;
    if (content.shades.length) {
      this.keys = [];
      this.classes.replaceChildren(...this.targetField());
      return;
    }
    this.keys = classes.length <= MOST_KEYS ? classKeys(classes) : [];
    if (this.keys.length) {
      const nodes = classes.map((name, i) =>
        this.key(`class-${i}`, this.keys[i], shorten(name, 18), `Its class is ${name}.`, () =>
          this.actions.decide("relabel", name),
        ),
      );
      this.classes.replaceChildren(element("span", {}, "Its class is"), ...nodes);
      return;
    }
    const list = element("select", { "aria-label": "Its class is" }, element("option", { value: "" }, "another class"));
    classes.forEach((name, i) => list.append(element("option", { value: i }, name)));
    list.addEventListener("change", () => {
      const name = classes[list.value];
      list.value = "";
      list.blur();
      if (name !== undefined) this.actions.decide("relabel", name);
    });
    this.classes.replaceChildren(element("span", {}, "Its class is"), list);
  }

  // Measured targets: any number may be the right one.
  targetField() {
    // A field of numbers would drop a comma in silence, so that 812,5 becomes 8125.
    const field = element("input", { type: "text", inputMode: "decimal", "aria-label": "Its target is" });
    field.addEventListener("input", () => field.setCustomValidity(""));
    const set = () => {
      if (field.value.trim() === "") return;
      const number = typedNumber(field.value);
      if (number === null) {
        field.setCustomValidity("Expected one number, such as 812.5 or 812,5, without signs between thousands.");
        field.reportValidity();
        return;
      }
      field.value = "";
      field.blur();
      this.actions.decide("relabel", String(number));
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") set();
      if (event.key === "Escape") field.blur();
      event.stopPropagation();
    });
    return [element("span", {}, "Its target is"), field, button("stiknn-review-button", set, "Set")];
  }

  /** @param {ReviewState} state */
  paint(state) {
    const { content, point, card, record, queue } = state;
    const [given, suggested] = [content.labels[content.given[point]], content.labels[content.suggested[point]]];
    const decision = record.of(point);
    this.title.textContent = `${card?.name ?? nameOf(content, point)}: given ${given}, suggested ${suggested}`;
    this.title.title = this.title.textContent;
    const now = describe(decision, given);
    this.where.replaceChildren(whereIs(queue, point), " · ", element(now ? "b" : "span", {}, now || "not decided yet"));
    this.told.textContent = state.told;
    this.told.hidden = !state.told;
    this.reason.textContent = card ? reason(content, card) : "Fetching this point …";
    const opinions = card ? opinionsOf(content, card) : [];
    this.opinions.hidden = !opinions.length;
    this.opinions.textContent = `For the given label: ${opinions.join(", ")}`;
    this.paintSaid(content, card, given);
    this.paintCopies(state);
    if (!this.editing) this.paintNote(decision?.[2] ?? "");
    const { accept, back, next, undo, redo } = this.buttons;
    this.label("accept", `Accept: ${shorten(suggested, 18)}`);
    accept.disabled = given === suggested;
    const what = content.shades.length ? "target" : "class";
    accept.title = accept.disabled
      ? `The given ${what} is the suggested one, so there is nothing to accept.`
      : `Give it the suggested ${what}.`;
    back.disabled = queue.step(point, -1) === point;
    next.disabled = queue.step(point, 1) === point;
    this.label("note", decision?.[2] ? "Note ✓" : "Note");
    for (const [node, steps, word] of /** @type {const} */ ([
      [undo, record.undoable, "undo"],
      [redo, record.redoable, "redo"],
    ])) {
      node.disabled = !steps.length;
      node.title = steps.at(-1)?.what ?? `Nothing to ${word}.`;
    }
    this.closely.hidden = content.side === "test";
    this.root.classList.toggle("stiknn-review-awaited", !card);
    this.tables.paint(state);
    this.paintPlane(state);
    if (!card) return; // what stands there of another point is not to be seen
    this.paintSupport(content, card);
    this.paintReading(content, card);
    this.paintNearest(content, card);
  }

  // Drawn anew for another card alone: whoever scrolls in a text stays where they are.
  paintReading(content, card) {
    this.reading.hidden = !content.texts && !(content.pictures && !content.pixelated);
    if (this.reading.hidden || this.read === card) return;
    const longer = this.read?.point === card.point;
    this.read = card;
    const held = longer ? this.reading.firstElementChild?.scrollTop : 0;
    this.reading.replaceChildren(...reading(content, card, symbol, () => this.actions.readAll()));
    if (held) this.reading.firstElementChild.scrollTop = held;
  }

  paintPlane({ content, point, card, theme }) {
    this.plane.canvas.setAttribute(
      "aria-label",
      "The plane of the points: the point in view and its nearest are ringed",
    );
    const dot = card?.place ? { code: content.given[point], place: card.place } : null;
    this.plane.paint(content, dot, card?.near ?? [], theme);
    const [drawn, all] = [content.cloudCodes.length, content.nTrain];
    this.drawn.hidden = drawn === all;
    this.drawn.textContent = `${drawn.toLocaleString("en")} of ${all.toLocaleString("en")} points are drawn`;
  }

  paintCopies({ content, point, together }) {
    const members = content.members.get(content.groups[point]) ?? [];
    this.copies.hidden = members.length < 2;
    if (this.copies.hidden) return;
    const labels = new Set(members.map((one) => content.given[one]));
    const named = members
      .slice(0, MOST_COPIES)
      .map((one) => `${nameOf(content, one)} (${content.labels[content.given[one]]})`);
    const more = members.length > MOST_COPIES ? ` and ${(members.length - MOST_COPIES).toLocaleString("en")} more` : "";
    const box = element("input", { type: "checkbox" });
    box.checked = together;
    box.addEventListener("change", () => this.actions.takeTogether(box.checked));
    const kind = labels.size > 1 ? "with different labels" : "with the same label";
    const all = members.length.toLocaleString("en");
    this.copies.replaceChildren(
      box,
      `Decide for all ${all} together: ${all} identical rows ${kind}, ${named.join(", ")}${more}.`,
    );
  }

  // Who gave the row which label.
  paintSaid({ annotated, labels }, card, given) {
    this.said.hidden = !annotated;
    if (!annotated) return;
    const told = (card?.said ?? []).map(([label, names, count]) => {
      const code = labels.indexOf(label);
      const head = element(label === given ? "span" : "b", {}, `${label}: ${count.toLocaleString("en")}`);
      const who = element("span", "stiknn-review-caption", names);
      return element("span", { title: `${label}: ${names}` }, ...(code < 0 ? [] : [symbol(code)]), head, " ", who);
    });
    this.said.replaceChildren(told.length ? "Annotators" : "No annotator labelled it.", ...told);
  }

  paintNote(text) {
    this.note.hidden = !text;
    this.note.replaceChildren(`Note: ${text}`);
  }

  // A line to write in; `save` gets the text.
  editNote(text, most, save) {
    const field = element("input", {
      type: "text",
      maxlength: most,
      "aria-label": "Note",
      placeholder: "A remark for the exports",
    });
    field.value = text;
    this.editing = true;
    const end = (saved) => {
      if (!this.editing) return;
      this.editing = false;
      if (saved) save(field.value.trim());
      else this.actions.repaint();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") end(true);
      if (event.key === "Escape") end(false);
      event.stopPropagation();
    });
    const ok = button("stiknn-review-button", () => end(true), "Save");
    const no = button("stiknn-review-button", () => end(false), "Cancel");
    this.note.hidden = false;
    this.note.replaceChildren(field, ok, no);
    field.focus();
  }

  paintSupport(content, card) {
    this.support.hidden = content.shades.length > 0; // the sentence above says all of a target
    if (this.support.hidden) return;
    const rows = support(content, card).map((row) => {
      const bar = element("span", "stiknn-review-bar");
      bar.style.width = `${100 * row.share}%`;
      bar.style.background = classColor(row.code);
      const what = row.given ? "given" : row.suggested ? "suggested" : "";
      const named = nameElement(row.name);
      named.title = row.name;
      const line = div(
        "share",
        symbol(row.code),
        named,
        element("span", "stiknn-review-track", bar),
        element("span", "stiknn-review-number", percent(row.share)),
        element("span", "stiknn-review-what", what),
      );
      line.dataset.what = what;
      return line;
    });
    const told = div("caption", "Share of the support; near points weigh more");
    told.title =
      "All points around it count, not the nearest alone. Each class is divided by the square root of its frequency, so that a common one does not always win. The share of the given label is the label quality, and the class with the largest share is suggested.";
    this.support.replaceChildren(told, ...rows);
  }

  paintNearest(content, card) {
    const { labels, pixelated } = content;
    const { near } = card;
    this.pictures.hidden = !pixelated;
    if (pixelated) {
      const told = ["this point", ...near.slice(0, PICTURES).map(({ code }) => labels[code])];
      const files = [card.picture, ...near.map((one) => one.picture)];
      this.pictures.replaceChildren(
        ...told.map((text, i) => {
          const what = i ? `Picture of a near point, label ${text}` : "Picture of the point in view";
          const drawn = files[i] ? [picture(files[i], i ? 34 : 72, true, what)] : [];
          return element("figure", {}, ...drawn, element("figcaption", {}, text));
        }),
      );
    }
    this.nearest.hidden = !this.reading.hidden; // they stand there already
    const rows = near.map(({ name, code, distance }) => [
      element("td", { title: name }, name),
      element("td", { title: labels[code] }, labels[code]),
      element("td", "stiknn-review-number", Number.isNaN(distance) ? "" : formatNumber(distance)),
    ]);
    const heads = [
      "nearest",
      content.shades.length ? "target" : "label",
      Number.isNaN(near[0]?.distance) ? "" : "distance",
    ];
    this.nearest.replaceChildren(table(heads, rows));
  }
}

function symbol(code) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-7 -7 14 14");
  svg.setAttribute("class", "stiknn-review-symbol");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", symbolPath(classSymbol(code), 4.5));
  path.setAttribute("fill", classColor(code));
  svg.append(path);
  return svg;
}
