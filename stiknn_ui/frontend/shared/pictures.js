// Pictures that come as files, JPEG or PNG, among the bytes of a message.

import { element } from "./elements.js";

const PNG = 0x89; // the first byte of one

// The bytes of one part of many that stand one after the other.
/** @param {Uint8Array} bytes @param {Int32Array} ends @param {number} i */
export function partOf(bytes, ends, i) {
  return bytes.subarray(i ? ends[i - 1] : 0, ends[i]);
}

// An image of a file, as wide and high as `size` at most; small ones as squares of pixels.
/** @param {Uint8Array} file @param {number} size @param {boolean} pixelated @param {string} told */
export function picture(file, size, pixelated, told) {
  const address = URL.createObjectURL(new Blob([file.slice()], { type: file[0] === PNG ? "image/png" : "image/jpeg" }));
  const image = element("img", { class: "stiknn-picture", alt: told, draggable: "false" });
  image.style[pixelated ? "width" : "maxWidth"] = image.style[pixelated ? "height" : "maxHeight"] = `${size}px`;
  image.style.imageRendering = pixelated ? "pixelated" : "auto";
  for (const end of ["load", "error"]) image.addEventListener(end, () => URL.revokeObjectURL(address));
  image.src = address;
  return image;
}
