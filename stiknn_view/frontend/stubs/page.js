// The start of a page of one file: what it holds is unpacked, and its view opened. `joined` in assets.py puts it behind code.js.

import { run, start, tab } from "./code.js";

(async () => {
  const host = /** @type {HTMLElement} */ (document.getElementById("stiknn"));
  const held = (id) => {
    const text = atob(document.getElementById(id)?.textContent ?? "");
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  };
  try {
    await start(held("stiknn-code"));
    tab.plotly = () => (tab.drawn ??= run(held("stiknn-plotly")));
    const scene = JSON.parse(document.getElementById("stiknn-scene")?.textContent ?? "");
    const alone = /** @type {any} */ (await tab.load?.("alone/alone.js"));
    scene.content = await alone.expand(held("stiknn-content"));
    alone.open(host, scene);
  } catch (problem) {
    const { message } = /** @type {Error} */ (problem);
    host.textContent = `This picture needs a browser of 2023 or later; this one says: ${message}.`;
  }
})();
