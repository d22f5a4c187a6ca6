// What the colours in the scatter mean, and each dot's colour: dot d has the colour
// palette[index[d]], as [r, g, b].

import { formatNumber } from "../shared/format.js";
import { classColor, divergingStep, parseColor, STEPS, sequentialStep } from "../shared/palette.js";
import { meanWith } from "./aggregate.js";
import { symmetricTicks } from "./legend.js";
import { interactionTitle } from "./wording.js";

/** @param {LinkedView} view @returns {DotColors} */
export function dotColors({ content, theme, options, model, range }) {
  const kind = options.color_by;
  const { dots } = content;
  const gray = STEPS + 1;
  const steps = (table, toStep) => ({
    palette: [...table, theme.dark ? [119, 119, 119] : [153, 153, 153]],
    index: Uint16Array.from({ length: dots.count }, (_, dot) => toStep(dot)),
  });
  const known = (value, toStep) => (Number.isFinite(value) ? toStep(value) : gray);
  const graded = (title, values, low, high, ticks) => ({
    kind,
    title: `${title} (low = suspicious)`,
    stops: theme.sequential,
    ticks,
    ...steps(theme.sequentialTable, (dot) => known(values[dot], (v) => sequentialStep(v, low, high))),
  });
  if (kind === "value") {
    // A few far values must not leave one colour for all the others.
    const sorted = Float32Array.from(dots.values).sort();
    const low = sorted[Math.floor(0.02 * (dots.count - 1))];
    const high = sorted[Math.ceil(0.98 * (dots.count - 1))];
    const ticks = [`≤ ${formatNumber(low)}`, formatNumber((low + high) / 2), `≥ ${formatNumber(high)}`];
    return graded("Value of the point", dots.values, low, high, ticks);
  }
  if (kind === "quality") return graded("Label quality", dots.quality, 0, 1, ["0", "0.5", "1"]);
  if (kind === "interaction") {
    const { rows } = model.current;
    const means = rows.length ? meanWith(content, rows) : null;
    return {
      kind,
      title: interactionTitle(content, rows),
      stops: theme.diverging,
      ticks: symmetricTicks(range),
      ...steps(theme.divergingTable, (dot) =>
        means ? known(means[dots.units[dot]], (v) => divergingStep(v, range)) : STEPS / 2,
      ),
    };
  }
  return {
    kind,
    palette: content.classes.map((_, code) => parseColor(classColor(code))),
    index: dots.codes,
  };
}
