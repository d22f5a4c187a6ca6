// Hands each message to one module of the code, which may still be on its way.
/** @type {Tab} */
const tab = (window.stiknnTab ??= { id: null, load: null, plotly: null, waiting: new Set() });

export default function ({ parentElement: host, data, setStateValue: send }) {
  host.stiknnMessage = { host, data, send };
  host.stiknnGo ??= async () => {
    const part = await tab.load?.(PART);
    if (!part || !host.isConnected) return;
    host.stiknnClose = part.close;
    part.show(host.stiknnMessage);
  };
  if (NOTE && !host.firstElementChild) {
    const note = document.createElement("div");
    note.textContent = NOTE;
    host.append(note);
    // The place that the picture will take, so that nothing below it moves.
    note.style.minHeight = `${Math.max(data.options.height + 118, window.innerHeight - note.getBoundingClientRect().top - 8)}px`;
  }
  tab.waiting.add(host.stiknnGo);
  host.stiknnGo();
  // Streamlit also calls this after a superseded run, so look whether we are really gone.
  return () =>
    setTimeout(() => {
      if (host.isConnected) return;
      tab.waiting.delete(host.stiknnGo);
      host.stiknnClose?.(host);
    }, 0);
}
