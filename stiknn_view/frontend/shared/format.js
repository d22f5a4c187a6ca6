// Numbers and text as people read them.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// Three digits are enough for a glance; the exports hold the full numbers. Written out down to a
// millionth, and below always as a power of ten: one number in one notation, here and in
// stiknn_ui/words/numbers.py.
export function formatNumber(value) {
  return formatDigits(value, 3);
}

// The same with fewer digits, where fewer are known.
export function formatDigits(value, precision) {
  if (!Number.isFinite(value)) return "–";
  const size = +Math.abs(value).toPrecision(precision);
  if (size === 0) return "0";
  const sign = value < 0 ? "−" : "";
  if (size >= 1e-6) return sign + String(size);
  const [digits, power] = size.toExponential().split("e-");
  return `${sign}${digits} × 10⁻${[...power].map((digit) => RAISED[+digit]).join("")}`;
}

// Plotly reads a few tags in its labels; text from files must stay text.
export function plotlyText(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// Cut in the middle: names of one table often begin alike, and differ at their end.
export function shorten(text, length) {
  const letters = [...String(text)];
  if (letters.length <= length) return letters.join("");
  const tail = Math.floor(Math.max(0, length - 1) / 3);
  const head = letters.slice(0, Math.max(1, length - 1 - tail));
  return `${head.join("").trimEnd()}…${letters
    .slice(letters.length - tail)
    .join("")
    .trimStart()}`;
}
