// A display order: place -> point id and back, blocks, and runs of places.

export class Order {
  constructor(message) {
    const raw = Uint8Array.from(atob(message.positions), (letter) => letter.charCodeAt(0));
    this.id = message.id;
    this.name = message.name;
    this.title = message.title;
    this.points = new Int32Array(raw.buffer); // place -> point id
    this.places = new Int32Array(this.points.length); // point id -> place
    this.points.forEach((id, place) => (this.places[id] = place));
    this.blocks = message.blocks.map(([label, start, stop]) => ({ label, start, stop }));
    this.blockOf = new Int32Array(this.points.length).fill(-1);
    this.blocks.forEach((block, b) => this.blockOf.fill(b, block.start, block.stop));
  }

  blockAt(place) {
    return this.blocks[this.blockOf[place]] ?? null;
  }

  pointsBetween(start, stop) {
    return Array.from(this.points.subarray(start, stop));
  }

  // Point ids -> [[start, stop], ...] of neighbouring places, sorted.
  runs(ids) {
    const places = Int32Array.from(ids, (id) => this.places[id]).sort();
    const runs = [];
    for (const place of places) {
      const last = runs[runs.length - 1];
      if (last && last[1] === place) last[1] = place + 1;
      else runs.push([place, place + 1]);
    }
    return runs;
  }
}
