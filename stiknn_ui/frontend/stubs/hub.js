// What all parts share in this browser tab; it outlives reruns and page switches.
const hub = (window.stiknnHub ??= {
  codeId: null,
  plotly: null, // a promise, kept once plotly.js has started
  contents: new Map(),
  waiting: new Set(),
  zooms: new Map(),
  settings: { mode: "select", shape: "lasso" },
  open: null,
  close: null,
});
const wake = () => [...hub.waiting].forEach((go) => go());
