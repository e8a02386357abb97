// What `sizeup report` writes into the page: crates/page/src. Numbers that are not finite are null there.

import { type Interval } from "./judge/interval";

/** Centre, low, high, degrees of freedom. */
export type Numbers = [number, number | null, number | null, number | null];

/** Estimate; the same as uncertain as the row alone; level's half and freedom; windows; threads; identity; what differs
 * within the group; warnings; input bytes of an op; the place of its unit, none of operations; which runs measured it; the
 * clock in Hz. */
type CellNumbers = [
  Numbers,
  Numbers,
  [number | null, number | null],
  number,
  number,
  number,
  number | null,
  number[],
  number | null,
  number | null,
  number,
  number | null,
];

/** A figure; [why there is none, identity, what differs within the group]; or null where the group doesn't have the row. */
export type Cell = CellNumbers | [number, number, number | null] | null;

interface RowHead {
  name: string;
  operation: string;
  implementation: string;
  family: string;
  threads: string;
}

export interface Difference {
  kind: string;
  what: string;
  baseline: string;
  other: string;
}

export interface Price {
  label: string;
  per_hour: number;
  currency?: string;
  region?: string;
  date?: string;
  commitment?: string;
}

interface Finding {
  id: string;
  severity: "not-available" | "fine" | "note" | "warning" | "unfit";
  seen: string;
  meaning: string;
  remedy: string;
}

export interface Series {
  name: string;
  unit: string;
  points: [number, number | null][];
}

/** What happened: when, in seconds, and how many times about then. */
export interface Events {
  kind: "launch" | "disturbed" | "resume";
  what: string;
  at: [second: number, count: number][];
}

export interface Dots {
  workload: string;
  threads: string;
  one_of: number;
  windows: [launch: number, thousandths: number, disturbed: number][];
}

export interface Service {
  workload: string;
  threads: string;
  parts: { name: string; cpu_count: number; share: number }[];
  ops_per_s_and_cpu: number;
  kept: number | null;
  latency: { share: number; ns: { centre: number; low: number; high: number } | null }[];
}

export interface Build {
  version: string;
  compiler: string;
  flags: string;
  libraries: Record<string, string>;
  paths: Record<string, string>;
}

export interface Sheet {
  file: string;
  label: string;
  suite: string;
  suite_version: number;
  sizeup: string;
  started: string;
  seconds: number;
  ended: string | null;
  precision: number;
  notes: string[];
  /** Those of the notes that forbid to use its figures. */
  why_unfit: string[];
  findings: Finding[];
  origin: { tool: string; sources: string[]; lacks: string[] } | null;
  machine: [group: string, label: string, value: string][];
  builds: Record<string, Build>;
  variants: string[];
  windows: number;
  disturbed: Record<string, number>;
  outcomes: { workload: string; threads: string; outcome: string; message: string; hint: string }[];
  services: Service[];
  telemetry: Series[];
  events: Events[];
  dots: Dots[];
}

export interface Group {
  label: string;
  cpu_count: number | null;
  price: Price | null;
  hosts: number;
  is_unfit: boolean;
  notes: string[];
  sheets: Sheet[];
}

interface Left {
  without: string;
  score: number;
}

export interface Robustness {
  /** `null` where the score has no error bar. */
  ahead: number | null;
  least: Left | null;
  greatest: Left | null;
}

/** Place of its head; rows; the score; how robust it is. */
type PairLine = [number, number, Numbers | null, Robustness?];

interface Curve {
  group: number;
  /** What its figures count. */
  unit: string;
  points: [threads: number, throughput: Numbers, speedUp: Numbers | null, efficiency: Numbers | null][];
  /** λ, σ and κ of the Universal Scalability Law, where it fits. */
  law: [number, number, number] | null;
  words: string[];
}

interface Crossover {
  other: number;
  words: string;
  changes: [at: number, between: [number, number], interval: [number, number] | null][];
}

export interface Scaling {
  workload: string;
  curves: Curve[];
  crossovers: Crossover[][];
}

export interface Energy {
  row: number;
  watts: number;
  per_joule: Numbers;
  source: string;
}

/** A row of an implementation; of each group, what it does of the fastest there, and the place of what must be said. */
interface GapRow {
  row: number;
  cells: [ofFastest: Numbers | null, said: number | null][];
}

interface Lag {
  operation: string;
  threads: string | number;
  implementation: string;
  machine: string;
  other: string;
  than: string;
  ratio: { centre: number; low: number; high: number; freedom: number };
}

export interface Data {
  sizeup: string;
  made: string;
  view: string;
  /** Which rows lack an uncontended figure and what is shown for that; nothing if none does. */
  contention: string | null;
  groups: Group[];
  rows: RowHead[];
  cells: Cell[][];
  scores: (PairLine[] | null)[][];
  lines: { category: string; threads: string }[];
  scaling: Scaling[];
  energy: Energy[][];
  gap: GapRow[];
  lags: Lag[];
  texts: string[];
  unlike: Record<string, number>;
  differences: Difference[][];
  pair_notes: Record<string, string>;
  price_notes: string[];
  allow: string[];
}

/** A figure of a row of a group. */
export interface Figure {
  interval: Interval;
  /** As uncertain as the row alone is. */
  row: Interval;
  /** How far what all rows share may be off. */
  level: { half: number; freedom: number };
  windows: number;
  threads: number;
  warnings: string[];
  /** Input bytes of an operation, where bytes make sense. */
  bytesPerOp: number | null;
  /** What it counts: `ops/s`, `bytes/s` or another word. */
  unit: string;
  /** Which runs of its group measured it: only rows of the same runs share their level. */
  runSet: number;
  /** The clock in Hz that its work had, where that is known. */
  clockHz: number | null;
}

function known(of: number | null): number {
  return of ?? Infinity;
}

export function intervalOf([centre, low, high, freedom]: Numbers): Interval {
  // An interval that reaches everywhere has ends that no number is.
  return { centre, low: low ?? 0, high: known(high), freedom: known(freedom) };
}

/** The figure in a cell, if there is one. */
export function figureOf(data: Data, cell: Cell | undefined): Figure | null {
  if (!cell || cell.length === 3) return null;
  const [interval, row, [half, freedom], windows, threads, , , warnings, bytesPerOp, unit, runSet, clockHz] =
    cell;
  return {
    interval: intervalOf(interval),
    row: intervalOf(row),
    level: { half: known(half), freedom: known(freedom) },
    windows,
    threads,
    warnings: warnings.map((place) => data.texts[place] ?? ""),
    bytesPerOp,
    unit: unit === null ? "ops/s" : (data.texts[unit] ?? ""),
    runSet,
    clockHz,
  };
}

/** Why there is no figure in a cell. */
export function whyNone(data: Data, cell: Cell | undefined): string | null {
  return cell?.length === 3 ? (data.texts[cell[0]] ?? "") : null;
}

function isSame(a: Difference, b: Difference): boolean {
  return a.kind === b.kind && a.what === b.what && a.baseline === b.baseline && a.other === b.other;
}

/** What must match and doesn't between two groups in a row, or within one of them. */
export function differencesOf(data: Data, row: number, baseline: number, other: number): Difference[] {
  const [left, right] = [data.cells[baseline]?.[row], data.cells[other]?.[row]];
  if (!left || !right) return [];
  const identity = (cell: NonNullable<Cell>): number => (cell.length === 3 ? cell[1] : cell[5]);
  const differing = (cell: NonNullable<Cell>): number | null => (cell.length === 3 ? cell[2] : cell[6]);
  const [a, b] = [identity(left), identity(right)];
  const place = data.unlike[a < b ? `${a}-${b}` : `${b}-${a}`];
  const between = place === undefined ? [] : (data.differences[place] ?? []);
  const turned = (of: Difference): Difference => ({ ...of, baseline: of.other, other: of.baseline });
  const within = [left, right].flatMap((cell) => data.differences[differing(cell) ?? -1] ?? []);
  const found = a < b ? [...between] : between.map(turned);
  for (const of of within) {
    if (!found.some((known) => isSame(known, of))) found.push(of);
  }
  return found;
}
