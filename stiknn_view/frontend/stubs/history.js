// Streamlit adds an entry to the browser's history with each change of a setting. Here such a change takes the
// place of the one before, so that Back leaves a page with one press. But each card of the lesson, and each puzzle,
// is a place of its own to go back to. Runs before Streamlit's own code.
const push = history.pushState;
const PLACES = ["card", "puzzle"];
history.pushState = function (state, title, url) {
  const next = new URL(url ?? location.href, location.href);
  const here = new URL(location.href);
  const moved =
    here.search !== "" && PLACES.some((name) => here.searchParams.get(name) !== next.searchParams.get(name));
  const same = next.pathname === here.pathname && !moved;
  return (same ? history.replaceState : push).call(this, state, title, url);
};
