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
/** @param {ReviewContent} content @param {number} point */
export function support(content, point) {
  const { shown, topClasses, topShares, given, labels, suggested, scores } = content;
  const rows = [];
  for (let i = shown * point; i < shown * (point + 1); i++) rows.push([topClasses[i], topShares[i]]);
  const some = rows.some(([, share]) => share > 0); // else nothing is known against the label, and its quality is 1
  if (!rows.some(([code]) => code === given[point])) rows.push([given[point], some ? scores.quality[point] : 0]);
  return rows.map(([code, share]) => ({
    code,
    name: labels[code],
    share,
    given: code === given[point],
    suggested: code === suggested[point],
  }));
}

/** @param {ReviewContent} content @param {number} point */
export function nearestOf(content, point) {
  const { width, near, far, codes, trainNames } = content;
  return Array.from({ length: width }, (_, i) => {
    const other = near[width * point + i];
    return { point: other, name: trainNames[other], code: codes[other], distance: far[width * point + i] };
  });
}

// Why a point stands where it does.
/** @param {ReviewContent} content @param {number} point */
export function reason(content, point) {
  const { labels, given, suggested, scores } = content;
  const [own, other] = [labels[given[point]], labels[suggested[point]]];
  const rows = support(content, point);
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
  const near = nearestOf(content, point);
  for (const { code } of near) counts.set(code, (counts.get(code) ?? 0) + 1);
  const told = [...counts]
    .sort(([, one], [, two]) => two - one)
    .map(([code, count]) => `${count} of class ${labels[code]}`);
  if (near.length) parts.push(`Its ${near.length} nearest points: ${told.join(", ")}.`);
  const alike = scores.row?.[point] ?? 0;
  if (alike) {
    const [more, less] = alike > 0 ? ["its own class", "any other"] : ["another class", "its own"];
    parts.push(`Its matrix row looks more like the rows of ${more} than of ${less} (${signed(alike, 2)}).`);
  }
  const alone = scores.leave_one_out?.[point];
  if (alone === 0) parts.push("Removing it alone would not change the utility.");
  else if (alone)
    parts.push(
      `Removing it alone would ${alone > 0 ? "lower" : "raise"} the utility by ${formatNumber(Math.abs(alone))}.`,
    );
  return parts.join(" ");
}

// Mean and standard deviation of every column over the training points of a class.
/** @param {ReviewContent} content @param {number} code */
export function statisticsOf(content, code) {
  const { statistics, trainFeatures, codes, featureNames } = content;
  if (statistics.has(code)) return statistics.get(code);
  const d = featureNames.length;
  const [mean, spread] = [new Float64Array(d), new Float64Array(d)];
  const members = [];
  codes.forEach((one, point) => one === code && members.push(point));
  for (const point of members) for (let f = 0; f < d; f++) mean[f] += trainFeatures[d * point + f] / members.length;
  for (const point of members)
    for (let f = 0; f < d; f++) spread[f] += (trainFeatures[d * point + f] - mean[f]) ** 2 / members.length;
  for (let f = 0; f < d; f++) spread[f] = Math.sqrt(spread[f]);
  const found = { count: members.length, mean, spread };
  statistics.set(code, found);
  return found;
}

// Columns, the most unusual value for one of the two classes first. A distance is in standard
// deviations of the class; infinite where all of the class have one other value.
/** @param {ReviewContent} content @param {number} point @param {"given" | "suggested"} by */
export function unusual(content, point, by) {
  const { features, featureNames, given, suggested } = content;
  const d = featureNames.length;
  const far = (value, { count, mean, spread }, f) => {
    if (!count) return Number.NaN;
    const gap = value - mean[f];
    return Math.abs(gap) <= 1e-6 * Math.abs(mean[f]) ? 0 : gap / spread[f];
  };
  const classes = { given: statisticsOf(content, given[point]), suggested: statisticsOf(content, suggested[point]) };
  const rows = Array.from({ length: d }, (_, f) => {
    const value = features[d * point + f];
    const of = (which) => ({
      far: far(value, classes[which], f),
      mean: classes[which].mean[f],
      spread: classes[which].spread[f],
      count: classes[which].count,
    });
    return { name: featureNames[f], value, given: of("given"), suggested: of("suggested") };
  });
  const size = (row) => (Number.isNaN(row[by].far) ? -1 : Math.abs(row[by].far));
  return rows.sort((one, two) => size(two) - size(one) || 0);
}

// Value and rank of each score, 1 = most suspicious.
/** @param {ReviewContent} content @param {number} point */
export function scoreRows(content, point) {
  return content.scoreNames.map((name, i) => {
    const [scores, order] = [content.scores[name], content.orders[name]];
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (scores[order[middle]] < scores[point]) low = middle + 1;
      else high = middle;
    }
    const [title, meaning] = [content.scoreTitles[i], content.scoreMeanings[i]];
    return { name, title, meaning, value: scores[point], rank: low + 1 };
  });
}

// The key of each class: its own name where that is a figure, else the next free one. No class has
// a key that is the name of another: of 3, 7 and 10, key 3 means class 3.
export function classKeys(classes) {
  const own = new Set(classes.filter((name) => name.length === 1 && FIGURES.includes(name)));
  const free = [..."1234567890"].filter((figure) => !own.has(figure));
  return classes.map((name) => (own.has(name) ? name : free.shift()));
}
