// plotly.js, which draws axes. It takes a while to start, and does so when first asked for.

export function startPlotly() {
  return window.stiknnTab.plotly?.();
}
