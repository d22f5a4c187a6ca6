// Numbers and text as people read them.

// Two digits are enough for a glance; the exports hold the full numbers.
export function formatNumber(value) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e5 ? size.toExponential(1) : String(+size.toPrecision(3));
  return (value < 0 ? "−" : "") + text;
}

// Plotly reads a few tags in its labels; text from files must stay text.
export function plotlyText(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function shorten(text, length) {
  const letters = [...String(text)];
  return letters.length <= length ? letters.join("") : `${letters.slice(0, Math.max(1, length - 1)).join("")}…`;
}
