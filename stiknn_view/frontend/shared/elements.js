// Elements of the page. Text goes in as text, never as HTML.

const NAME_END = 8;
const LEAST_HEAD = 6;

// `given` is the class of the element, or all its attributes by name.
/** @param {string} tag @param {string | Record<string, any>} given @param {any[]} children @returns {any} */
export function element(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  set(node, typeof given === "string" ? { class: given } : given);
  node.append(...children); // never innerHTML
  return node;
}

// A name in one line that gives way in its middle: names of one table often differ at their end.
/** @param {string} text */
export function nameElement(text) {
  const letters = [...text];
  const end = Math.max(LEAST_HEAD, letters.length - NAME_END);
  const parts = [letters.slice(0, end), letters.slice(end)].map((part) => element("span", {}, part.join("")));
  return element("span", "stiknn-name", ...parts);
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

export function button(given, act, ...children) {
  const node = element("button", given, ...children);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}
