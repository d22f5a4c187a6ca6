// Shapes of what passes between modules; only the type check reads this file.

type LinkedView = import("./linked_view/view.js").LinkedView;
type ViewParts = ReturnType<typeof import("./linked_view/layout.js").buildLayout>;
type MatrixPanel = import("./linked_view/heatmap.js").MatrixPanel;
type ScatterPanel = import("./linked_view/scatter.js").ScatterPanel;
type Frame = import("./linked_view/zoom.js").Frame;
type ZoomWindow = import("./linked_view/zoom.js").ZoomWindow;
type Layer = import("./linked_view/highlight.js").Layer;
type SelectionModel = import("./linked_view/selection.js").SelectionModel;
type Order = import("./linked_view/order.js").Order;

/** What a part of a page is told: where it is, what it shows, and how to tell Python. */
interface Message<Data> {
  host: HTMLElement;
  data: Data;
  send(name: string, value: object): void;
}

/** A module that draws a part of a page; see part_stub in assets.py. */
interface Part {
  show(message: Message<any>): void;
  close?(host: HTMLElement): void;
}

/** What the loader leaves in the tab; it outlives reruns and page switches. */
interface Tab {
  id: string | null;
  load: ((path: string) => Promise<Part>) | null;
  plotly: (() => Promise<unknown>) | null;
  drawn?: Promise<unknown>; // plotly.js at work
  waiting: Set<() => void>;
}

interface Window {
  stiknnTab: Tab;
  Plotly?: typeof Plotly;
}

interface HTMLElement {
  stiknnMessage?: Message<any>;
  stiknnGo?: () => Promise<void>;
  stiknnClose?: Part["close"];
  stiknnView?: LinkedView;
}

declare const PART: string;
declare const NOTE: string;
declare const Plotly: {
  react(graph: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
  relayout(graph: HTMLElement, update: object): Promise<unknown>;
  toImage(graph: HTMLElement, options: object): Promise<string>;
  purge(graph: HTMLElement): void;
};

type Color = number[]; // red, green, blue
type Point = { x: number; y: number };
type Box = { left: number; top: number; width: number; height: number };
type Ink = CanvasRenderingContext2D;
type Theme = ReturnType<typeof import("./shared/palette.js").readTheme>;

// --- the linked view ---------------------------------------------------------------------

/** From view_message in message.py. */
interface ViewData {
  content: string;
  n: number;
  order: { id: string; name: string; title: string; positions: string; blocks: [string, number, number][] };
  selection: Selected;
  options: ViewOptions;
  shown: string; // id of texts and pictures; empty where there are none
}

/** From shown.py: of each dot its text, one after the other; no ends where there are none. */
interface Shown {
  id: string;
  pictures: boolean; // whether dots have some, to be asked for
  pixelated: boolean;
  textEnds: Int32Array;
  textBytes: Uint8Array;
}

/** From options.py. */
interface ViewOptions {
  index: string;
  color_by: "class" | "value" | "quality" | "interaction";
  range_quantile: number;
  show_changed: boolean;
  height: number;
  caption: string;
  marks: { what: string; units: number[]; xy: [number, number][] } | null;
}

/** From scene.py: all that a home of its own shows. */
interface Scene {
  content: Uint8Array;
  n: number;
  orders: ViewData["order"][];
  order: string;
  options: ViewOptions;
  selection: Selected;
  whole: boolean; // whether the page is ours
  title: string;
  lines: string[];
  reading: string[];
}

/** What a home tells of what the person does. */
interface HomeEvents {
  select?: (selection: Selected) => void;
  order?: (name: string) => void;
  color?: (kind: string) => void;
}

/** Ids of units, never places; the higher seq wins. */
interface Selected {
  rows: number[];
  cols: number[];
  origin: string;
  seq: number;
}

/** From packing.py: what is no array. */
interface ContentHeader {
  kind: "points" | "blocks";
  n: number;
  points: string;
  name: string;
  classes: string[];
  ids: string[];
  axisTitles: [string, string];
  scale: number;
  limit: number; // largest code of a cell
  total: number;
  dotIds: string[];
}

type Content = ReturnType<typeof import("./linked_view/payload.js").parseContent>;

/** A colour bar: what stands at its left end, middle and right end. */
interface Bar {
  title: string;
  stops: string[];
  ticks: string[];
}

/** What the colours of dots mean; dot d has the colour palette[index[d]]. */
type DotColors = { palette: Color[]; index: ArrayLike<number> } & (
  | { kind: "class" }
  | ({ kind: "target" | "value" | "quality" | "interaction" } & Bar)
);

type Legend =
  | ({ kind: "bar" } & Bar)
  | {
      kind: "classes";
      items: { text: string; hint: string; color: string; symbol: string; code: number }[];
      more: number; // classes without a key
      classes: string[];
    };

/** A picture of means and the places that it covers, in cells of so many places. */
interface Picture {
  canvas: HTMLCanvasElement;
  factor: number;
  area: { r0: number; r1: number; c0: number; c1: number };
}

// --- the review ----------------------------------------------------------------------------

type Outbox = import("./review/outbox.js").Outbox;
type DecisionRecord = import("./review/record.js").DecisionRecord;
type Queue = import("./review/queue.js").Queue;

/** A decision: [action, label, note]; action is "" where there is a note alone. */
type Decision = [action: string, label: string, note: string] | null;
type Change = [point: number, before: Decision, after: Decision];

/** A step that can be undone or redone: by its number, or by the operation that made it. */
interface Done {
  step?: number;
  of?: [client: string, number: number];
  what: string;
  changes: Change[] | null;
}

/** An operation on its way to the server; see review/operations.py. */
interface Asked {
  client: string;
  number: number;
  kind: "set" | "undo" | "redo";
  what: string;
  changes?: Change[];
  step?: number;
  of?: [client: string, number: number];
}

/** Where points are flagged: below value, or all of them at the high end. */
interface Line {
  name: string;
  low: number;
  high: number;
  step: number;
  decimals: number;
  value: number;
  help: string;
  meaning: string;
  expected: string; // how many of the flagged may be wrong, where the line is as told here
  sure: string; // how sure that is
}

/** From message in review/card.py. */
interface ReviewData {
  contents: { points: string; order: string; decided: string };
  scope: string;
  review: string;
  begun: boolean;
  heard: Record<string, number>;
  unsaved: number; // decisions that the server holds and its disk does not
  by: string;
  line: Line;
  decisions: [number, Decision][];
  undoable: Done[];
  redoable: Done[];
  found: string; // how many of the decided were wrong
  told: [number, string];
  mostNote: number;
  inFile: boolean; // whether points come from a file
}

/** From points in review/payload.py: what there is one of for each point, and what they share. */
interface ReviewContent {
  id: string;
  n: number;
  nTrain: number;
  side: "train" | "test";
  classes: string[];
  labels: string[];
  shades: number[]; // of measured targets where each label lies on the colour bar; else empty
  scoreNames: string[];
  scoreTitles: string[];
  scoreMeanings: string[];
  opinionNames: string[];
  annotated: boolean; // whether annotators labelled the rows
  featureNames: string[];
  axisTitles: [string, string];
  bounds: [number, number, number, number];
  texts: boolean; // whether rows have texts
  pictures: boolean;
  pixelated: boolean; // whether the pictures are so small that their pixels are to be seen
  given: Int32Array;
  suggested: Int32Array;
  groups: Int32Array;
  nameEnds: Int32Array;
  nameBytes: Uint8Array;
  cloudXy: Float32Array;
  cloudCodes: Int32Array;
  members: Map<number, number[]>;
}

/** From order in review/payload.py. */
interface Ranking {
  id: string;
  by: string;
  scores: Float64Array;
  order: Int32Array;
}

/** From decided in review/payload.py, a code for each point: 0, or one more than a place in kinds. */
interface AllDecided {
  id: string;
  kinds: Decision[];
  codes: Int32Array;
}

/** A mark on the plane. */
interface Dot {
  code: number;
  place: ArrayLike<number>;
}

/** From window in review/payload.py: what only the card of one point shows. */
interface CardContent {
  point: number;
  name: string;
  features: Float32Array;
  place: Float32Array | null; // of a training point on the plane
  shares: [code: number, share: number][];
  scores: Float64Array;
  ranks: Int32Array;
  opinions: Float64Array;
  near: (Dot & { name: string; distance: number; text: string[] | null; picture: Uint8Array | null })[];
  text: string[] | null; // pieces, of which every second is a word that it shares with one of those
  letters: number; // of the whole text
  cut: boolean; // whether only the beginning of it is there
  picture: Uint8Array | null; // a file; empty where the row has none
  cells: [column: string, cell: string][] | null;
  around: string; // what neighbours say of a measured target
  said: [label: string, annotators: string, count: number][]; // the commonest label first
  statistics: Map<number, { count: number; mean: Float64Array; spread: Float64Array }>;
}

/** What the card draws. */
interface ReviewState {
  content: ReviewContent;
  point: number;
  card: CardContent | undefined; // on its way
  record: DecisionRecord;
  queue: Queue;
  theme: Theme;
  told: string;
  together: boolean;
  inFile: boolean;
}

/** What buttons of the card do. */
interface ReviewActions {
  accept(): void;
  decide(action: string, label?: string): void;
  move(by: number): void;
  turn(kind: "undo" | "redo"): void;
  openNote(): void;
  takeTogether(together: boolean): void;
  lookClosely(): void;
  readAll(): void;
  repaint(): void;
}
