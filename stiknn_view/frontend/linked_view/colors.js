// What the colours in the scatter mean, and each dot's colour: dot d has the colour
// palette[index[d]], as [r, g, b].

import { formatNumber } from "../shared/format.js";
import { classColor, css, divergingStep, parseColor, STEPS, sequentialStep } from "../shared/palette.js";
import { classSymbol } from "../shared/symbols.js";
import { meanWith } from "./aggregate.js";
import { symmetricTicks } from "./legend.js";
import { interactionTitle } from "./wording.js";

// A few far numbers must not leave one colour for all the others.
function usualRange(numbers) {
  const sorted = Float32Array.from(numbers).sort();
  const at = (part) => sorted[Math.round(part * (sorted.length - 1))];
  return [at(0.02), at(0.98)];
}

function endTicks(low, high) {
  return [`≤ ${formatNumber(low)}`, formatNumber((low + high) / 2), `≥ ${formatNumber(high)}`];
}

const bandColors = new WeakMap(); // of the last theme, by the targets themselves

// The colour of each class; of a band of targets that of its middle.
/** @param {Content} content @param {Theme} theme @returns {string[]} */
export function groupColors({ classes, dots }, theme) {
  const { targets, codes } = dots;
  if (!targets) return classes.map((_, code) => classColor(code));
  const made = bandColors.get(targets);
  if (made?.theme === theme) return made.colors;
  const [low, high] = usualRange(targets);
  const colors = classes.map((_, code) => {
    const own = targets.filter((_target, dot) => codes[dot] === code).sort();
    const step = own.length ? sequentialStep(own[own.length >> 1], low, high) : 0;
    return css(theme.targetsTable[step]);
  });
  bandColors.set(targets, { theme, colors });
  return colors;
}

// Bands of targets have no symbols of their own: lightness tells them apart.
/** @param {Content} content @param {number} code */
export function groupSymbol({ dots }, code) {
  return dots.targets ? "circle" : classSymbol(code);
}

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
    const [low, high] = usualRange(dots.values);
    return graded("Value of the point", dots.values, low, high, endTicks(low, high));
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
  const { targets } = dots;
  if (targets) {
    const [low, high] = usualRange(targets);
    return {
      kind: "target",
      title: "Target",
      stops: theme.targets,
      ticks: endTicks(low, high),
      ...steps(theme.targetsTable, (dot) => sequentialStep(targets[dot], low, high)),
    };
  }
  return {
    kind,
    palette: content.classes.map((_, code) => parseColor(classColor(code))),
    index: dots.codes,
  };
}
