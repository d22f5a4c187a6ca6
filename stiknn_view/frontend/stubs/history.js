// Streamlit adds an entry to the browser's history with each change of a setting. Here such a change takes the
// place of the one before, so that Back leaves a page with one press. Runs before Streamlit's own code.
const push = history.pushState;
history.pushState = function (state, title, url) {
  const same = new URL(url ?? location.href, location.href).pathname === location.pathname;
  return (same ? history.replaceState : push).call(this, state, title, url);
};
