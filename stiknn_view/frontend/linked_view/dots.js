// Units of the matrix <-> dots of the scatter.

// Numbers 0, 1, … sorted by their key: those of key k are members[starts[k]] up to
// members[starts[k + 1]].
function sortedBy(keys, count) {
  const starts = new Int32Array(count + 1);
  for (const key of keys) starts[key + 1]++;
  for (let key = 0; key < count; key++) starts[key + 1] += starts[key];
  const next = starts.slice();
  const members = new Int32Array(keys.length);
  keys.forEach((key, i) => (members[next[key]++] = i));
  return { starts, members };
}

// The least and the largest of very many.
export function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

// Dots sorted by unit. hearts[u] is the dot nearest to their middle, where a key stops; -1 where
// none is drawn.
export function groupDots(units, x, y, n) {
  const { starts, members } = sortedBy(units, n);
  const hearts = new Int32Array(n).fill(-1);
  for (let unit = 0; unit < n; unit++) {
    const own = members.subarray(starts[unit], starts[unit + 1]);
    let sumX = 0;
    let sumY = 0;
    for (const dot of own) {
      sumX += x[dot];
      sumY += y[dot];
    }
    let least = Infinity;
    for (const dot of own) {
      const away = Math.hypot(x[dot] - sumX / own.length, y[dot] - sumY / own.length);
      if (away < least) {
        least = away;
        hearts[unit] = dot;
      }
    }
  }
  return { starts, members, hearts };
}

/** @param {Content} content @param {Iterable<number>} units */
export function dotsOf({ dots }, units) {
  const found = [];
  for (const unit of units) {
    for (let at = dots.starts[unit]; at < dots.starts[unit + 1]; at++) found.push(dots.members[at]);
  }
  return found;
}

// How many points, drawn or not, these units have.
/** @param {Content} content @param {Iterable<number>} units */
export function pointsIn(content, units) {
  let count = 0;
  for (const unit of units) count += content.sizes[unit];
  return count;
}

// What drawing around dots means: the units of which at least half of the dots are inside. If
// there is none, the one with most dots inside.
/** @param {Content} content @param {(dot: number) => boolean} isInside */
export function unitsInside({ n, dots }, isInside) {
  const inside = new Int32Array(n);
  for (let dot = 0; dot < dots.count; dot++) if (isInside(dot)) inside[dots.units[dot]]++;
  const units = [];
  let most = 0;
  let fullest = -1;
  for (let unit = 0; unit < n; unit++) {
    const drawn = dots.starts[unit + 1] - dots.starts[unit];
    if (drawn && 2 * inside[unit] >= drawn) units.push(unit);
    if (inside[unit] > most) {
      most = inside[unit];
      fullest = unit;
    }
  }
  return units.length || fullest < 0 ? units : [fullest];
}

// Dots in a coarse grid, so that the mouse finds the nearest of tens of thousands at once.
export class DotGrid {
  constructor({ x, y, count }) {
    this.x = x;
    this.y = y;
    this.side = Math.max(1, Math.min(200, Math.ceil(Math.sqrt(count / 4))));
    const [low, high] = extent(x);
    const [bottom, top] = extent(y);
    this.low = { x: low, y: bottom };
    this.perUnit = { x: this.side / (high - low || 1), y: this.side / (top - bottom || 1) };
    const cells = Int32Array.from({ length: count }, (_, dot) => this.row(y[dot]) * this.side + this.column(x[dot]));
    this.sorted = sortedBy(cells, this.side * this.side);
  }

  column(value) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((value - this.low.x) * this.perUnit.x)));
  }

  row(value) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((value - this.low.y) * this.perUnit.y)));
  }

  // The nearest dot by pixels on a frame, the first of equally near ones; null beyond reach.
  nearest(frame, p, reach) {
    const { starts, members } = this.sorted;
    const xs = [frame.toX(p.x - reach), frame.toX(p.x + reach)];
    const ys = [frame.toY(p.y - reach), frame.toY(p.y + reach)];
    const lastColumn = this.column(Math.max(...xs));
    const lastRow = this.row(Math.max(...ys));
    /** @type {number | null} */
    let best = null;
    let least = reach;
    for (let row = this.row(Math.min(...ys)); row <= lastRow; row++) {
      for (let column = this.column(Math.min(...xs)); column <= lastColumn; column++) {
        const cell = row * this.side + column;
        for (let at = starts[cell]; at < starts[cell + 1]; at++) {
          const dot = members[at];
          const away = Math.hypot(frame.x(this.x[dot]) - p.x, frame.y(this.y[dot]) - p.y);
          if (away < least || (away === least && best !== null && dot < best)) {
            least = away;
            best = dot;
          }
        }
      }
    }
    return best;
  }
}
