// Texts and pictures of dots: what the mouse shows beside their numbers.

import { unpack } from "../shared/contents.js";
import { element } from "../shared/elements.js";
import { holding } from "../shared/held.js";
import { partOf, picture } from "../shared/pictures.js";
import { fileOf } from "./pictures.js";

const SIDE = 96; // pixels of a picture
const LOW = 32; // of one in the line below

export const { show, heldContent: heldShown } = holding(unpack);

// What a dot says.
/** @param {Shown} shown @param {number} dot */
export function textOf({ textEnds, textBytes }, dot) {
  return textEnds.length ? new TextDecoder().decode(partOf(textBytes, textEnds, dot)) : "";
}

// The pictures and texts of some dots, one below the other; `told` names each for who cannot see it.
/** @param {Shown | undefined} shown @param {number[]} dots @param {(dot: number) => string} told */
export function shownOf(shown, dots, told, low = false) {
  if (!shown) return []; // on its way, or there is nothing
  return dots.flatMap((dot) => {
    const file = fileOf(shown.id, dot);
    const text = textOf(shown, dot);
    const drawn = file?.length ? [picture(file, low ? LOW : SIDE, shown.pixelated, `Picture of ${told(dot)}`)] : [];
    if (text) drawn.push(element("span", { class: "stiknn-tip-text", dir: "auto" }, text));
    return drawn.length ? [element("div", "stiknn-tip-shown", ...drawn)] : [];
  });
}
