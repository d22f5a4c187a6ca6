// A number as a person types it, with a point or a comma before its decimals.

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
// 1,234 is one number here and another there.
const EITHER = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** @param {string} text @returns {number | null} null where it is none, or may be two */
export function typedNumber(text) {
  const told = text.trim().replace("−", "-");
  if (EITHER.test(told)) return null;
  const plain = told.replace(",", ".");
  const number = Number(plain);
  return PLAIN.test(plain) && Number.isFinite(number) ? number : null;
}
