// Elements of the page. Text goes in as text, never as HTML.

// `given` is the class of the element, or all its attributes by name.
/** @param {string} tag @param {string | Record<string, any>} given @param {any[]} children @returns {any} */
export function element(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  set(node, typeof given === "string" ? { class: given } : given);
  node.append(...children); // never innerHTML
  return node;
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
