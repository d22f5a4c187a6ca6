// What is decided: what the server has written, and on top what this browser asked for since.
// A decision is [action, label, note]; no entry means that nothing was decided or noted.

export class DecisionRecord {
  /** @param {{ decisions: [number, Decision][], undoable: Done[], redoable: Done[] }} truth */
  constructor({ decisions, undoable, redoable }) {
    this.decisions = new Map(decisions);
    this.undoable = [...undoable];
    this.redoable = [...redoable];
  }

  /** @returns {Decision} */
  of(point) {
    return this.decisions.get(point) ?? null;
  }

  // "" is open, whether or not there is a note.
  stateOf(point) {
    const action = this.decisions.get(point)?.[0] ?? "";
    return action === "" || action === "skip" ? action : "done";
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

  put(pairs) {
    for (const [point, decision] of pairs) {
      if (decision) this.decisions.set(point, decision);
      else this.decisions.delete(point);
    }
    return pairs.map(([point]) => point);
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
