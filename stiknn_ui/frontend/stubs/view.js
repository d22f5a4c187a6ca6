// Hands each new message to the view, which may still be on its way.
export default function (component) {
  const host = component.parentElement;
  host.stiknnMessage = component;
  host.stiknnGo ??= () => hub.open?.(host);
  hub.waiting.add(host.stiknnGo);
  if (!host.firstElementChild) {
    const note = document.createElement("div");
    note.textContent = "Loading the picture…";
    note.style.minHeight = `${component.data.options.height + 150}px`;
    host.append(note);
  }
  host.stiknnGo();
  // Streamlit also calls this after a superseded run, so look whether we are really gone.
  return () =>
    setTimeout(() => {
      if (host.isConnected) return;
      hub.waiting.delete(host.stiknnGo);
      hub.close?.(host);
    }, 0);
}
