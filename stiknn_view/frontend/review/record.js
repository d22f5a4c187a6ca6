// What is decided: what the server has written, and on top what this browser asked for since.
// A decision is [action, label, note]; no entry means that nothing was decided or noted.

export class DecisionRecord {
  /** @param {{ codes: Int32Array, kinds: Decision[] }} all what was decided at some time
   * @param {{ decisions: [number, Decision][], undoable: Done[], redoable: Done[] }} truth what changed since, and the newest steps */
  constructor({ codes, kinds }, { decisions, undoable, redoable }) {
    this.codes = codes.slice();
    /** @type {Decision[]} */
    this.kinds = [null];
    /** @type {string[]} */
    this.states = [""];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    kinds.forEach((kind) => this.number(kind));
    this.undoable = [...undoable];
    this.redoable = [...redoable];
    this.put(decisions);
  }

  /** @returns {Decision} */
  of(point) {
    return this.kinds[this.codes[point]];
  }

  // "" is open, whether or not there is a note.
  stateOf(point) {
    return this.states[this.codes[point]];
  }

  /** @param {Asked} asked @returns {number[]} points that it changed */
  apply(asked) {
    if (asked.kind === "set") {
      const { client, number, changes = [] } = asked;
      this.undoable.push({ of: [client, number], what: asked.what, changes });
      this.redoable = [];
      return this.put(changes.map(([point, , after]) => [point, after]));
    }
    const back = asked.kind === "undo";
    const done = (back ? this.undoable : this.redoable).pop();
    if (!done) return [];
    (back ? this.redoable : this.undoable).push(done);
    // A step of very many rows: the server will tell what became of them.
    return this.put((done.changes ?? []).map(([point, before, after]) => [point, back ? before : after]));
  }

  /** @param {[number, Decision][]} pairs */
  put(pairs) {
    for (const [point, decision] of pairs) this.codes[point] = decision ? this.number(decision) : 0;
    return pairs.map(([point]) => point);
  }

  // The few different decisions are numbered as they come.
  number(decision) {
    const name = JSON.stringify(decision);
    let code = this.numbers.get(name);
    if (code === undefined) {
      code = this.kinds.push(decision) - 1;
      const [action] = decision;
      this.states.push(action === "" || action === "skip" ? action : "done");
      this.numbers.set(name, code);
    }
    return code;
  }
}

/** @param {Decision} decision @param {string} given */
export function describe(decision, given) {
  if (!decision?.[0]) return "";
  const [action, label] = decision;
  if (action === "relabel") return `${given} → ${label}`;
  return { keep: `${given} kept`, remove: "removed", skip: "skipped" }[action] ?? action;
}

/** @param {Decision} one @param {Decision} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
