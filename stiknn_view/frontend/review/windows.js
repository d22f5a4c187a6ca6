// What only a card shows, of a few points at a time: fetched for the card in view and those around it in
// the queue, before they are looked at.

import { unpack } from "../shared/contents.js";
import { partOf } from "../shared/pictures.js";

const MOST = 1500; // cards kept
const AT_ONCE = 64; // points asked for; the server sends as many as it can quickly
const IN_VIEW = 4; // asked for alone where the first is missing, which somebody looks at
const SOON = 12; // cards that have to be there before nothing is asked for
const LATE = 3000; // ms until what was not answered is asked for again

/** @type {Map<number, CardContent>} */
const cards = new Map();
const listeners = new Set();
let of = ""; // the content whose points they are
/** @type {Message<Uint8Array>["send"] | null} */
let send = null;
let askedAt = 0; // of a question without an answer; else 0
let turn = 0;

/** @param {Message<Uint8Array>} message */
export function show(message) {
  send = message.send;
  askedAt = 0;
  if (!message.data) return;
  const { content, found } = parseWindow(message.data);
  if (content !== of) cards.clear();
  of = content;
  for (const card of found) {
    const known = cards.get(card.point);
    if (!card.cells && known?.cells) card.cells = known.cells;
    if (card.cut && known && !known.cut) Object.assign(card, { text: known.text, cut: false });
    cards.delete(card.point); // set again below: the newest stands last
    cards.set(card.point, card);
  }
  for (const point of [...cards.keys()].slice(0, Math.max(0, cards.size - MOST))) cards.delete(point);
  for (const tell of listeners) tell();
}

/** @param {string} content @param {number} point @returns {CardContent | undefined} */
export function cardOf(content, point) {
  return content === of ? cards.get(point) : undefined;
}

/** @param {() => void} tell */
export function onWindow(tell) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

// See to it that these points are there, the most urgent first; with the row in the file, where wished,
// and the first with all of its text.
/** @param {string} content @param {number[]} points @param {boolean} cells @param {boolean} whole */
export function want(content, points, cells, whole = false) {
  const first = cardOf(content, points[0]);
  if (whole && first?.cut) {
    if (!send || Date.now() - askedAt < LATE) return;
    askedAt = Date.now();
    send("ask", { content, points: [points[0]], cells, whole, turn: ++turn });
    return;
  }
  const missing = (point) => {
    const card = cardOf(content, point);
    return !card || (cells && !card.cells);
  };
  if (!send || !points.slice(0, SOON).some(missing)) return;
  if (Date.now() - askedAt < LATE) return; // asked again when the answer comes
  askedAt = Date.now();
  // The turn makes each question another one, or nobody would be told of it.
  const most = missing(points[0]) ? IN_VIEW : AT_ONCE;
  send("ask", { content, points: points.filter(missing).slice(0, most), cells, turn: ++turn });
}

/** @param {Uint8Array} bytes @returns {{ content: string, found: CardContent[] }} */
export function parseWindow(bytes) {
  const all = unpack(bytes);
  const { n, nearNames, classCodes } = all;
  const part = (name, i) => {
    const size = all[name].length / n;
    return all[name].subarray(size * i, size * (i + 1));
  };
  const pictureOf = all.pictureOf ? Array.from({ length: n }, (_, i) => part("pictureOf", i)) : null;
  const file = (place) => partOf(all.pictureBytes, all.pictureEnds, place);
  const d = all.classMeans.length / classCodes.length;
  const statistics = new Map();
  classCodes.forEach((code, i) => {
    const [mean, spread] = ["classMeans", "classSpreads"].map((name) => all[name].subarray(d * i, d * (i + 1)));
    statistics.set(code, { count: all.classCounts[i], mean, spread });
  });
  const found = Array.from({ length: n }, (_, i) => {
    const [far, codes, places] = ["far", "nearCodes", "nearXy"].map((name) => part(name, i));
    const [classes, shares] = ["topClasses", "topShares"].map((name) => part(name, i));
    return {
      point: all.points[i],
      name: all.names[i],
      features: part("features", i),
      place: all.xy ? part("xy", i) : null,
      shares: Array.from(classes, (code, j) => /** @type {[number, number]} */ ([code, shares[j]])),
      scores: part("scores", i),
      ranks: part("ranks", i),
      opinions: part("opinions", i),
      near: Array.from(far, (distance, j) => ({
        name: nearNames[i][j],
        code: codes[j],
        distance,
        place: places.subarray(2 * j, 2 * j + 2),
        text: all.texts?.[i].near[j] ?? null,
        picture: pictureOf ? file(pictureOf[i][j + 1]) : null,
      })),
      text: all.texts?.[i].text ?? null,
      letters: all.texts?.[i].letters ?? 0,
      cut: all.texts?.[i].cut ?? false,
      picture: pictureOf ? file(pictureOf[i][0]) : null,
      cells: all.cells?.[i] ?? null,
      around: all.around?.[i] ?? "", // what neighbours say of a measured target
      said: all.said[i],
      statistics,
    };
  });
  return { content: all.content, found };
}
