// Added to every page before its own code: the time from an event to the frame that shows what it led to.
(() => {
  const READY = '[data-testid="linked-view"][data-ready="true"]';
  const PAINTED = '[data-testid="linked-view"][data-painted="true"]';
  const bench = (window.stiknnBench = { firstPicture: null, complete: null, took: null });

  const afterPaint = (work) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = work;
      port2.postMessage(null);
    });

  const when = (test, done) => {
    const look = () => {
      if (!test()) return requestAnimationFrame(look);
      afterPaint(() => done(performance.now()));
    };
    look();
  };

  // The first picture has matrix and points; axes and colour bar complete it.
  when(
    () => document.querySelector(PAINTED),
    (now) => (bench.firstPicture = now),
  );
  when(
    () => document.querySelector(READY),
    (now) => (bench.complete = now),
  );

  bench.view = () => document.querySelector(READY);
  bench.selection = () => {
    const { selection, selectedRows, selectedCols } = bench.view().dataset;
    return `${selection}/${selectedRows}/${selectedCols}`;
  };
  // Whether something is on screen that is not left over from what was there before.
  bench.fresh = (selector) =>
    [...document.querySelectorAll(selector)].some(
      (node) => node.checkVisibility() && !node.closest('[data-stale="true"], [data-testid="stSkeleton"]'),
    );
  bench.idle = () =>
    document.querySelector('[data-testid="stApp"]').dataset.testScriptState === "notRunning" &&
    !document.querySelector('[data-testid="stSkeleton"]');

  // From the next event of a kind to the frame in which a test holds that did not need to before it.
  bench.measure = (kind, test) => {
    bench.took = null;
    const begin = ({ timeStamp }) => setTimeout(() => when(test, (now) => (bench.took = now - timeStamp)), 0);
    window.addEventListener(kind, begin, { capture: true, once: true });
  };
})();
