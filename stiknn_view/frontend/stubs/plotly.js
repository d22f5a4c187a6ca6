// Holds plotly.js, as gzip, until a picture asks for axes.
/** @type {Tab} */
const tab = (window.stiknnTab ??= { id: null, load: null, plotly: null, waiting: new Set() });

export default function ({ data }) {
  if (!data || tab.plotly) return;
  /** @type {Promise<unknown> | null} */
  let started = null;
  tab.plotly = () => (started ??= run(data));
  document.dispatchEvent(new Event("stiknn-plotly"));
}

async function run(packed) {
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = new Blob([await new Response(plain).blob()], { type: "text/javascript" });
  return window.Plotly || import(URL.createObjectURL(script));
}
