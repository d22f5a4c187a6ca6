// Queue and card: keys and buttons answer here at once; the server hears of it in its own time.

import { element } from "../shared/elements.js";
import { formatNumber } from "../shared/format.js";
import { oneForEachHost } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { paintHistogram } from "./canvas.js";
import { Card } from "./card.js";
import { heldDecided, onDecided } from "./decided.js";
import { Estimates } from "./estimates.js";
import { QueueList } from "./list.js";
import { heldOrder, onOrder } from "./order.js";
import { boxFor } from "./outbox.js";
import { heldPoints, nameOf, onPoints } from "./points.js";
import { isFlagged, Queue } from "./queue.js";
import { DecisionRecord, describe, same } from "./record.js";
import { cardOf, onWindow, want } from "./windows.js";

const WIDE = 900; // from this width on, queue and card fill the window and no more
const LEAST = 400;
const AHEAD = 32; // points that are fetched before they are looked at
const LONG = 5000; // ms without an answer, after which it is said
const cursors = new Map(); // scope -> point in view; outlives page switches
const choices = { together: true };

class Review {
  /** @type {ReviewData} */ data;
  /** @type {ReviewContent} */ content;
  /** @type {Ranking} */ ranking;
  /** @type {Queue} */ queue;
  /** @type {DecisionRecord} */ record;
  /** @type {Outbox} */ box;
  /** @type {Line} */ line;
  /** @type {Message<ReviewData>["send"]} */ send;
  /** @type {{ name: string, value: number } | null} */ movedLine = null;
  told = "";
  whole = -1; // point of which all of the text is read
  heardTold = -1;
  point = 0;

  constructor(host) {
    this.host = host;
    this.card = new Card(this);
    this.list = new QueueList(
      (place) => this.tellRow(place),
      (place) => this.lookAt(this.queue.items[place]),
    );
    const div = (name, ...children) => element("div", `stiknn-review-${name}`, ...children);
    this.progress = element("progress", { "aria-label": "Flagged points decided" });
    this.progressText = element("div", { class: "stiknn-review-progress", role: "status" });
    this.histogram = element("canvas", { class: "stiknn-review-histogram", role: "img" });
    this.slider = element("input", { type: "range", "aria-label": "Flag below" });
    this.lineText = div("caption");
    this.estimates = new Estimates();
    this.slider.addEventListener("input", () => this.moveLine(Number(this.slider.value)));
    this.slider.addEventListener("change", () => this.sendLine());
    const queue = element(
      "section",
      { class: "stiknn-review-queue", "aria-label": "Queue" },
      this.progressText,
      this.progress,
      this.histogram,
      this.slider,
      this.lineText,
      this.estimates.expected,
      this.estimates.found,
      this.list.root,
    );
    this.root = element("div", "stiknn-review", queue, this.card.root);
    this.root.dataset.testid = "review";
    host.replaceChildren(this.root);
    this.onKey = (event) => this.press(event);
    this.onLeave = () => this.box?.flush(true);
    this.onSize = () => this.fit();
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("pagehide", this.onLeave);
    window.addEventListener("online", this.onLeave);
    window.addEventListener("resize", this.onSize);
    const news = () => this.data && this.take();
    const ends = [onPoints(news), onOrder(news), onDecided(news), onWindow(() => this.record && this.paint())];
    this.forget = () => ends.forEach((end) => end());
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(host.closest('[data-testid="stMainBlockContainer"]') ?? host);
    this.clock = setInterval(() => this.lookAgain(), 1000);
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("pagehide", this.onLeave);
    window.removeEventListener("online", this.onLeave);
    window.removeEventListener("resize", this.onSize);
    this.forget();
    this.watch.disconnect();
    clearInterval(this.clock);
    this.box?.connect(null);
  }

  /** @param {Message<ReviewData>} message */
  update({ data, send }) {
    this.data = data;
    this.send = send;
    this.take();
  }

  // Take over what the server says, and on top of it what it has not heard yet.
  take() {
    const { data } = this;
    const content = heldPoints(data.contents.points);
    const ranking = heldOrder(data.contents.order);
    const decided = heldDecided(data.contents.decided);
    if (!content || !ranking || !decided) return; // on their way
    if (content !== this.content) this.card.load(content);
    this.content = content;
    this.ranking = ranking;
    const box = boxFor(data);
    if (box !== this.box) this.box?.connect(null);
    this.box = box;
    this.record = new DecisionRecord(decided, data);
    for (const asked of box.waiting) this.record.apply(asked);
    if (data.told[0] !== this.heardTold) {
      // What was said before this page was loaded is no news.
      if (this.heardTold >= 0) this.told = data.told[1];
      this.heardTold = data.told[0];
    }
    this.takeLine(data.line);
    this.makeQueue();
    if (!cursors.has(data.scope)) {
      const first = this.queue.items[0];
      cursors.set(data.scope, this.isOpen(first) ? first : this.queue.nextOpen(first, this.stateOf));
    }
    this.point = cursors.get(data.scope);
    this.fit();
    this.paint();
    this.root.dataset.ready = "true";
    box.connect(this.send);
    this.paintSaved();
  }

  stateOf = (point) => this.record.stateOf(point);

  isOpen(point) {
    return this.stateOf(point) === "";
  }

  makeQueue() {
    const { content, ranking, line } = this;
    const name = [content.id, ranking.id, choices.together].join("|");
    if (name !== this.queueName) this.queue = new Queue(content, ranking, choices.together);
    this.queueName = name;
    this.queue.flag(line);
  }

  // --- the line ---

  takeLine(line) {
    const { slider } = this;
    // One that was moved here wins until the server has heard of it.
    const moved = this.movedLine;
    const kept = moved !== null && moved.name === line.name && moved.value !== line.value;
    if (!kept) this.movedLine = null;
    this.line = kept ? { ...line, value: moved.value } : line;
    const { low, high, step, value, help } = this.line;
    Object.assign(slider, { min: low, max: high, step });
    slider.value = String(value);
    slider.title = `${help} At the left end nothing is flagged, at the right end everything.`;
  }

  moveLine(value) {
    this.movedLine = { name: this.line.name, value: Number(value.toFixed(this.line.decimals)) };
    this.takeLine(this.line);
    this.makeQueue();
    this.paint();
  }

  sendLine() {
    if (this.movedLine) this.send("line", { ...this.movedLine });
  }

  // --- what a person does ---

  press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.content) return;
    if (!this.root.isConnected || document.querySelector('[role="dialog"]')) return; // it has the keys
    const field = target instanceof HTMLInputElement && !["range", "checkbox", "radio"].includes(target.type);
    if (field || target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName)) return;
    const code = this.card.keys.indexOf(key);
    const names = {
      a: "accept",
      k: "keep",
      x: "remove",
      s: "skip",
      n: "next",
      b: "back",
      m: "note",
      u: "undo",
      y: "redo",
    };
    const name = code >= 0 ? `class-${code}` : names[key.toLowerCase()];
    const node = this.card.buttons[name];
    if (!node || (event.repeat && name !== "next" && name !== "back")) return;
    event.preventDefault();
    if (node.disabled) return;
    const start = performance.now();
    node.click();
    requestAnimationFrame(() => (this.root.dataset.lastPaintMs = (performance.now() - start).toFixed(1)));
  }

  lookAt(point) {
    cursors.set(this.data.scope, point);
    this.point = point;
    this.card.editing = false;
    this.paint();
  }

  move(by) {
    this.lookAt(this.queue.step(this.point, by));
  }

  accept() {
    this.decide("relabel", this.content.labels[this.content.suggested[this.point]]);
  }

  // The point in view, and its copies where wished; then on to the next one.
  decide(action, label = "") {
    const { content, point, record } = this;
    const group = choices.together ? content.members.get(content.groups[point]) : null;
    /** @type {Change[]} */
    const changes = (group ?? [point]).map((one) => {
      const note = record.of(one)?.[2] ?? "";
      const kept = action === "relabel" && label === content.labels[content.given[one]];
      return [one, record.of(one), kept ? ["keep", "", note] : [action, label, note]];
    });
    // Deciding the same again changes nothing, but whoever does it wants to go on.
    this.ask({ kind: "set", changes: changes.filter(([, before, after]) => !same(before, after)) });
    this.lookAt(this.queue.nextOpen(point, this.stateOf));
  }

  turn(kind) {
    const done = (kind === "undo" ? this.record.undoable : this.record.redoable).at(-1);
    if (!done) return;
    const points = this.ask({ kind, ...(done.step ? { step: done.step } : { of: done.of }) });
    // Of a group of copies the one in the queue, so that Next goes on from there.
    const there = points.find((point) => this.queue.places[point] >= 0) ?? points[0];
    this.lookAt(there ?? this.point);
  }

  /** @returns {number[]} points that it changed */
  ask(asked) {
    this.told = "";
    if (asked.kind === "set" && !asked.changes.length) return [];
    const { labels, given } = this.content;
    const [[point, , after] = []] = asked.changes ?? [];
    const told = after ? describe(after, labels[given[point]]) || "note" : "";
    const made = this.box.add({ ...asked, what: point === undefined ? "" : `${nameOf(this.content, point)}: ${told}` });
    return this.record.apply(made);
  }

  openNote() {
    const { point } = this;
    const before = this.record.of(point);
    this.card.editNote(before?.[2] ?? "", this.data.mostNote, (text) => {
      const [action, label] = before ?? ["", ""];
      /** @type {Decision} */
      const after = action || text ? [action, label, text] : null;
      if (!same(before, after)) this.ask({ kind: "set", changes: [[point, before, after]] });
      this.paint();
    });
  }

  takeTogether(together) {
    choices.together = together;
    this.makeQueue();
    this.paint();
  }

  readAll() {
    this.whole = this.point;
    this.fetch();
  }

  lookClosely() {
    this.send("ask", { look: this.point, wish: Date.now() });
  }

  // --- drawing ---

  repaint() {
    this.paint();
  }

  paint() {
    const { content, point, record, queue, line, data } = this;
    const theme = readTheme(this.host);
    this.root.classList.toggle("stiknn-dark", theme.dark);
    const state = {
      content,
      point,
      card: cardOf(content.id, point),
      record,
      queue,
      theme,
      told: this.told,
      together: choices.together,
      inFile: data.inFile,
    };
    this.card.paint(state);
    this.fetch();
    this.list.update(queue.items.length, queue.places[point]);
    const count = (number) => number.toLocaleString("en");
    const { decided, skipped, flagged } = queue.progress(this.stateOf);
    this.progressText.textContent = flagged
      ? `${count(decided)} of ${count(flagged)} flagged decided${skipped ? `, ${count(skipped)} skipped` : ""}`
      : "Nothing is flagged";
    Object.assign(this.progress, { max: flagged || 1, value: decided });
    paintHistogram(this.histogram, queue, line, theme);
    const title = content.scoreTitles[content.scoreNames.indexOf(data.by)];
    this.histogram.setAttribute("aria-label", `How the points are spread over ${title}`);
    const value = line.value.toFixed(line.decimals).replace("-", "−");
    this.lineText.textContent = `${title}: ${countLine(flagged, content.n, value)}`;
    this.lineText.title = line.meaning;
    this.estimates.paint(data, line);
    this.paintSaved();
    this.root.dataset.point = nameOf(content, point);
    this.root.dataset.fetched = String(Boolean(state.card));
  }

  // The card in view and those that may be next.
  fetch() {
    const { content, queue, point } = this;
    const ahead = queue.ahead(point, this.stateOf, AHEAD);
    want(content.id, ahead, this.card.tables.tab === "file", this.whole === point);
  }

  lookAgain() {
    this.paintSaved();
    if (this.record) this.fetch(); // an answer may have been lost
  }

  paintSaved() {
    if (!this.box) return;
    const left = this.box.waiting.length;
    const late = left && Date.now() - this.box.waitingSince > LONG;
    const { unsaved } = this.data;
    const told = !left
      ? unsaved
        ? `Not saved yet: ${unsaved.toLocaleString("en")} held by the server`
        : "Saved"
      : late
        ? `Not saved yet: ${left.toLocaleString("en")} kept in this browser`
        : "Saving …";
    if (this.card.saved.textContent !== told) this.card.saved.textContent = told;
    this.root.dataset.waiting = String(left);
  }

  tellRow(place) {
    const { content, queue, ranking, line } = this;
    const point = queue.items[place];
    const score = ranking.scores[point];
    const decision = this.record.of(point);
    return {
      name: nameOf(content, point),
      told: describe(decision, content.labels[content.given[point]]) || (decision?.[2] ? "note" : ""),
      score: formatNumber(score),
      flagged: isFlagged(score, line),
    };
  }

  // On a wide screen queue and card end where the window ends.
  fit() {
    const wide = this.host.clientWidth >= WIDE;
    this.root.classList.toggle("stiknn-review-wide", wide);
    const main = this.host.closest('[data-testid="stMain"]');
    const top = this.root.getBoundingClientRect().top + (main?.scrollTop ?? 0);
    const height = wide ? `${Math.max(LEAST, Math.floor(window.innerHeight - top - 10))}px` : "";
    if (height === this.root.style.height) return;
    this.root.style.height = height;
    if (this.record) this.paint();
  }
}

function countLine(flagged, all, value) {
  const told = (count) => count.toLocaleString("en");
  if (!flagged) return `none lies below ${value}. Move the line to the right.`;
  if (flagged === all) return `all ${told(all)} points are flagged.`;
  return `${told(flagged)} of ${told(all)} lie below ${value}.`;
}

export const { show, close } = oneForEachHost(Review);
