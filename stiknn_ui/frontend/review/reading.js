// What a card gives to read and to look at: the text and the picture of a point, beside them those of its
// nearest points, with the words that both texts share marked.

import { button, element } from "../shared/elements.js";
import { formatNumber } from "../shared/format.js";
import { picture } from "../shared/pictures.js";

const OWN = 168; // pixels of the picture of the point in view
const NEAR = 96;
const MOST_NEAR = 6;

// Pieces of a text, of which every second is a word that is shared.
/** @param {string[]} pieces */
export function marked(pieces) {
  return pieces.map((piece, i) => (i % 2 ? element("mark", {}, piece) : piece)).filter((piece) => piece !== "");
}

/** @param {ReviewContent} content @param {CardContent} card @param {(code: number) => Element} symbol @param {() => void} readAll */
export function reading({ labels, given }, card, symbol, readAll) {
  const { point, text, letters, cut, near } = card;
  const own = element("div", {
    class: "stiknn-review-own",
    role: "region",
    tabindex: 0,
    "aria-label": "Text and picture of this point",
  });
  if (card.picture?.length) own.append(picture(card.picture, OWN, false, "Picture of the point in view"));
  if (text) own.append(paragraph(text, letters));
  if (cut) {
    const all = `Show all ${letters.toLocaleString("en")} letters`;
    own.append(button("stiknn-review-link", readAll, all));
  }
  const others = near.slice(0, MOST_NEAR).map((one) => {
    const same = one.code === given[point];
    const distance = Number.isNaN(one.distance) ? "" : formatNumber(one.distance);
    const head = element(
      "div",
      { class: "stiknn-review-near-head", title: one.name },
      symbol(one.code),
      element(same ? "span" : "b", {}, labels[one.code]),
      element("span", "stiknn-review-near-name", one.name),
      element("span", "stiknn-review-number", distance),
    );
    const parts = [];
    if (one.picture?.length) {
      parts.push(picture(one.picture, NEAR, false, `Picture of a near point, label ${labels[one.code]}`));
    }
    parts.push(head);
    if (one.text) parts.push(paragraph(one.text, one.text.join("").length));
    return element("li", {}, ...parts);
  });
  const list = element("ol", { class: "stiknn-review-beside", tabindex: 0, "aria-label": "Nearest points" }, ...others);
  list.classList.toggle("stiknn-review-strip", !text);
  return [own, list];
}

// Each text has a direction of its own, whatever the page has.
function paragraph(pieces, letters) {
  if (!letters) return element("p", "stiknn-review-caption", "No text.");
  return element("p", { class: "stiknn-review-text", dir: "auto" }, ...marked(pieces));
}
