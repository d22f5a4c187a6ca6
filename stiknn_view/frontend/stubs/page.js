// The start of a page of one file: what it holds is unpacked, and its view opened. `joined` in assets.py puts it behind code.js.

import { start, tab } from "./code.js";

(async () => {
  const host = /** @type {HTMLElement} */ (document.getElementById("stiknn"));
  const held = (id) => {
    const text = atob(document.getElementById(id)?.textContent ?? "");
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  };
  const plain = async (packed) =>
    new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  try {
    await start(held("stiknn-code"));
    tab.plotly = () => (tab.drawn ??= window.Plotly ? Promise.resolve() : plain(held("stiknn-plotly")).then(runScript));
    const scene = JSON.parse(document.getElementById("stiknn-scene")?.textContent ?? "");
    const alone = /** @type {any} */ (await tab.load?.("alone/alone.js"));
    scene.content = await alone.expand(held("stiknn-content"));
    alone.open(host, scene);
  } catch (problem) {
    const { message } = /** @type {Error} */ (problem);
    host.textContent = `This picture needs a browser of 2023 or later; this one says: ${message}.`;
  }
})();

async function runScript(response) {
  const script = new Blob([await response.blob()], { type: "text/javascript" });
  return import(URL.createObjectURL(script));
}
