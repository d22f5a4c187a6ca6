// Added to every page before its own code: notes when pictures and highlights appear.
(() => {
  const READY = '[data-testid="linked-view"][data-ready="true"]';
  const PAINTED = '[data-testid="linked-view"][data-painted="true"]';
  const bench = (window.stiknnBench = { firstPicture: null, complete: null, highlights: [] });

  const afterPaint = (work) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = work;
      port2.postMessage(null);
    });

  const selectionOf = (view) => {
    const { selection, selectedRows, selectedCols } = view.dataset;
    return `${selection}/${selectedRows}/${selectedCols}`;
  };

  // The first picture has matrix and points; axes and colour bar complete it.
  const lookFor = (selector, mark) => {
    if (!document.querySelector(selector)) return requestAnimationFrame(() => lookFor(selector, mark));
    afterPaint(() => (bench[mark] = performance.now()));
  };
  lookFor(PAINTED, "firstPicture");
  lookFor(READY, "complete");

  // From the moment the button is let go to the frame in which the selection is new.
  window.addEventListener(
    "pointerup",
    (event) => {
      const view = document.querySelector(READY);
      if (!view) return;
      const before = selectionOf(view);
      const look = () => {
        if (selectionOf(view) === before) return requestAnimationFrame(look);
        afterPaint(() => bench.highlights.push(performance.now() - event.timeStamp));
      };
      setTimeout(look, 0);
    },
    { capture: true },
  );
})();
