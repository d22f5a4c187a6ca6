// What speaks for and against the label of a point, in numbers and one or two sentences.

import { formatNumber } from "../shared/format.js";

const FIGURES = "0123456789";

export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

// The classes with the largest shares of the support, and the given one: its share is the label
// quality. All other places on the card that say a share ask here.
/** @param {ReviewContent} content @param {CardContent} card */
export function support(content, { point, shares, scores }) {
  const { given, labels, suggested, scoreNames } = content;
  const rows = [...shares];
  const some = rows.some(([, share]) => share > 0); // else nothing is known against the label, and its quality is 1
  if (!rows.some(([code]) => code === given[point]))
    rows.push([given[point], some ? scores[scoreNames.indexOf("quality")] : 0]);
  return rows.map(([code, share]) => ({
    code,
    name: labels[code],
    share,
    given: code === given[point],
    suggested: code === suggested[point],
  }));
}

// What else speaks for the given label.
/** @param {ReviewContent} content @param {CardContent} card */
export function opinionsOf({ opinionNames }, { opinions }) {
  return opinionNames.map((name, i) => `${name} ${percent(opinions[i])}`);
}

// Why a point stands where it does.
/** @param {ReviewContent} content @param {CardContent} card */
export function reason(content, card) {
  const { labels, given, suggested, scoreNames } = content;
  const { point, near } = card;
  if (content.shades.length)
    return [card.around, ...removal(card.scores[scoreNames.indexOf("leave_one_out")])].join(" ");
  const [own, other] = [labels[given[point]], labels[suggested[point]]];
  const rows = support(content, card);
  const share = (code) => percent(rows.find((row) => row.code === code)?.share ?? 0);
  const [mine, theirs] = [share(given[point]), share(suggested[point])];
  const parts = [];
  if (!rows.some((row) => row.share > 0)) parts.push("No class has any support around it.");
  else if (own === other) parts.push(`Class ${own} has the largest share of the support, ${mine}.`);
  else {
    const told = mine === theirs ? `${mine} each, to one digit` : `${theirs} against ${mine}`;
    parts.push(`Class ${other} has a larger share of the support than ${own}: ${told}.`);
  }
  const counts = new Map();
  for (const { code } of near) counts.set(code, (counts.get(code) ?? 0) + 1);
  const told = [...counts]
    .sort(([, one], [, two]) => two - one)
    .map(([code, count]) => `${count} of class ${labels[code]}`);
  if (near.length) parts.push(`Its ${near.length} nearest points: ${told.join(", ")}.`);
  const alike = card.scores[scoreNames.indexOf("row")] ?? 0;
  if (alike) {
    const [more, less] = alike > 0 ? ["its own class", "any other"] : ["another class", "its own"];
    parts.push(`Its matrix row looks more like the rows of ${more} than of ${less} (${signed(alike, 2)}).`);
  }
  parts.push(...removal(card.scores[scoreNames.indexOf("leave_one_out")]));
  return parts.join(" ");
}

// What removing a point alone does, in a sentence; none where nobody can tell.
function removal(alone) {
  if (alone === 0) return ["Removing it alone would not change the utility."];
  if (!alone) return [];
  return [`Removing it alone would ${alone > 0 ? "lower" : "raise"} the utility by ${formatNumber(Math.abs(alone))}.`];
}

// Columns, the most unusual value for one of the two classes first. A distance is in standard
// deviations of the class; infinite where all of the class have one other value.
/** @param {ReviewContent} content @param {CardContent} card @param {"given" | "suggested"} by */
export function unusual(content, { point, features, statistics }, by) {
  const { featureNames, given, suggested } = content;
  const far = (value, known, f) => {
    if (!known) return Number.NaN;
    const gap = value - known.mean[f];
    return Math.abs(gap) <= 1e-6 * Math.abs(known.mean[f]) ? 0 : gap / known.spread[f];
  };
  const classes = { given: statistics.get(given[point]), suggested: statistics.get(suggested[point]) };
  const rows = featureNames.map((name, f) => {
    const value = features[f];
    const of = (which) => {
      const known = classes[which];
      return {
        far: far(value, known, f),
        mean: known?.mean[f] ?? 0,
        spread: known?.spread[f] ?? 0,
        count: known?.count ?? 0,
      };
    };
    return { name, value, given: of("given"), suggested: of("suggested") };
  });
  const size = (row) => (Number.isNaN(row[by].far) ? -1 : Math.abs(row[by].far));
  return rows.sort((one, two) => size(two) - size(one) || 0);
}

// Value and rank of each score, 1 = most suspicious.
/** @param {ReviewContent} content @param {CardContent} card */
export function scoreRows({ scoreNames, scoreTitles, scoreMeanings }, { scores, ranks }) {
  return scoreNames.map((name, i) => ({
    name,
    title: scoreTitles[i],
    meaning: scoreMeanings[i],
    value: scores[i],
    rank: ranks[i],
  }));
}

// The key of each class: its own name where that is a figure, else the next free one. No class has
// a key that is the name of another: of 3, 7 and 10, key 3 means class 3.
export function classKeys(classes) {
  const own = new Set(classes.filter((name) => name.length === 1 && FIGURES.includes(name)));
  const free = [..."1234567890"].filter((figure) => !own.has(figure));
  return classes.map((name) => (own.has(name) ? name : free.shift()));
}
