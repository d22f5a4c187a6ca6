// The linked view in a notebook, by anywidget. `joined` in assets.py puts it behind code.js.

import { run, start, tab } from "./code.js";

/** @param {{ model: any, el: HTMLElement }} cell */
async function render({ model, el }) {
  const host = document.createElement("div");
  el.append(host);
  host.textContent = "Loading the picture…";
  try {
    await start(bytesOf(model.get("_code")));
    givePlotly(model);
    const alone = /** @type {any} */ (await tab.load?.("alone/alone.js"));
    let told = model.get("_selection");
    let home;
    const tell = (name, value) => {
      model.set(name, value);
      model.save_changes();
    };
    const build = async () => {
      const content = await alone.expand(bytesOf(model.get("_content")));
      const scene = { ...model.get("_scene"), content, selection: model.get("_selection") };
      home?.close();
      home = alone.open(host, scene, {
        select: ({ rows, cols, origin, seq }) => tell("_selection", (told = { rows, cols, origin, seq })),
        order: (name) => tell("order", name),
        color: (kind) => tell("color_by", kind),
      });
    };
    await build();
    const listen = {
      "change:_selection": () => {
        const now = model.get("_selection");
        if (now.seq !== told.seq) home.select((told = now));
      },
      "change:order": () => home.setOrder(model.get("order")),
      "change:color_by": () => home.setColor(model.get("color_by")),
      "change:_content": build,
    };
    for (const [name, act] of Object.entries(listen)) model.on(name, act);
    return () => {
      for (const [name, act] of Object.entries(listen)) model.off(name, act);
      home.close();
    };
  } catch (problem) {
    const { message } = /** @type {Error} */ (problem);
    host.textContent = `This picture needs a browser of 2023 or later; this one says: ${message}.`;
  }
}

/** @param {DataView} view */
function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

// plotly.js comes from the kernel when the first picture of a page asks for axes; without a kernel
// there are none, and everything else works.
function givePlotly(model) {
  if (tab.plotly) return;
  tab.plotly = () =>
    (tab.drawn ??= new Promise((come) => {
      model.on("msg:custom", async (message, buffers) => {
        if (message.plotly) come(await run(bytesOf(buffers[0])));
      });
      model.send({ want: "plotly" });
    }));
}

export default { render };
