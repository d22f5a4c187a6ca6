// plotly.js, which draws axes. It travels after the first picture, and takes a while to start: so it does
// when first asked for.

export async function startPlotly() {
  const tab = window.stiknnTab;
  if (!tab.plotly) await new Promise((come) => document.addEventListener("stiknn-plotly", come, { once: true }));
  return tab.plotly?.();
}
