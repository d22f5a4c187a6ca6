// Units of the matrix <-> dots of the scatter.

// Dots sorted by unit: those of unit u are members[starts[u]] up to members[starts[u + 1]].
// hearts[u] is the dot nearest to their middle, where a key stops; -1 where none is drawn.
export function groupDots(units, x, y, n) {
  const starts = new Int32Array(n + 1);
  for (const unit of units) starts[unit + 1]++;
  for (let unit = 0; unit < n; unit++) starts[unit + 1] += starts[unit];
  const next = starts.slice(0, n);
  const members = new Int32Array(units.length);
  units.forEach((unit, dot) => (members[next[unit]++] = dot));
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
    this.low = { x: Infinity, y: Infinity };
    const high = { x: -Infinity, y: -Infinity };
    for (let dot = 0; dot < count; dot++) {
      this.low.x = Math.min(this.low.x, x[dot]);
      this.low.y = Math.min(this.low.y, y[dot]);
      high.x = Math.max(high.x, x[dot]);
      high.y = Math.max(high.y, y[dot]);
    }
    this.perUnit = {
      x: this.side / (high.x - this.low.x || 1),
      y: this.side / (high.y - this.low.y || 1),
    };
    const cells = Int32Array.from({ length: count }, (_, dot) => this.row(y[dot]) * this.side + this.column(x[dot]));
    this.starts = new Int32Array(this.side * this.side + 1);
    for (const cell of cells) this.starts[cell + 1]++;
    for (let cell = 1; cell < this.starts.length; cell++) this.starts[cell] += this.starts[cell - 1];
    const next = this.starts.slice();
    this.members = new Int32Array(count);
    cells.forEach((cell, dot) => (this.members[next[cell]++] = dot));
  }

  column(value) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((value - this.low.x) * this.perUnit.x)));
  }

  row(value) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((value - this.low.y) * this.perUnit.y)));
  }

  // The nearest dot by pixels on a frame, the first of equally near ones; null beyond reach.
  nearest(frame, p, reach) {
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
        for (let at = this.starts[cell]; at < this.starts[cell + 1]; at++) {
          const dot = this.members[at];
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
