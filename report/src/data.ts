// The page's view of the data that `sizeup report` writes into it. Their shapes are written from crates/export.

import { type Interval } from "./judge/interval";
import {
  type Cell,
  type Difference,
  type Numbers,
  type RowHead,
  type Data as WholeData,
  type Interval as Written,
} from "./shapes";
import { visible } from "./words/numbers";

export type * from "./shapes";

/** The score over all categories is called so. */
export const OVERALL = "overall";

/** The data of a report, or the part about one kind of work. */
export interface Data extends WholeData {
  /** The category whose score stands for all; all categories where there is none. */
  category?: string;
}

/** The data out of their JSON: the one entry for text. Names are anybody's, and nothing is hidden in any from here on. */
export function dataOf(json: string): Data {
  // eslint-disable-next-line no-restricted-syntax -- here it is made visible
  const data = JSON.parse(json) as Data;
  // Looking at each of a million values takes a second; where the text has no character to be made visible, none of them has.
  return mayHide(json) ? (printable(data) as Data) : data;
}

/** Whether JSON may hold characters that are not to be seen, as they are or as escapes. */
function mayHide(json: string): boolean {
  const others = (json.match(/[^\x20-\x7e]+/g) ?? []).join("");
  return /\\[^"\\/]/.test(json) || visible(others) !== others;
}

function printable(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(printable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [visible(name), printable(part)]));
}

/** The figures of one category, whose score is then the overall one. Rows keep their places. */
export function narrowTo(data: Data, category: string | null): Data {
  if (category === null) return data;
  const isIn = data.rows.map(({ categories }) => categories.includes(category));
  return {
    ...data,
    category,
    cells: data.cells.map((ofGroup) => ofGroup.map((cell, row) => (isIn[row] ? cell : null))),
    scores: data.scores.map((others) =>
      others.map((lines) => lines?.filter(([head]) => data.lines[head]?.category === category) ?? null),
    ),
  };
}

const RANKED = new WeakMap<Data, Data>();

/**
 * The figures of a ranking, whose scores are of the workloads that all ranked machines did. Rows keep their places. The same data
 * of two machines, and of variants, which are of the same workloads anyway.
 */
export function rankedTo(data: Data): Data {
  if (data.lines.every(({ ranked_rows }) => ranked_rows === null)) return data;
  let ranked = RANKED.get(data);
  if (!ranked) RANKED.set(data, (ranked = madeRanked(data)));
  return ranked;
}

function madeRanked(data: Data): Data {
  const kept = new Set(data.rows.flatMap(({ threads }) => rankedRows(data, threads) ?? []));
  const scores = data.scores.map((others, baseline) =>
    others.map((lines, other) => {
      const others = data.ranked[baseline]?.[other] ?? [];
      return lines?.map((line) => others.find(([head]) => head === line[0]) ?? line) ?? null;
    }),
  );
  const cells = data.cells.map((ofGroup) => ofGroup.map((cell, row) => (kept.has(row) ? cell : null)));
  const ranked = { ...data, cells, scores };
  RANKED.set(ranked, ranked);
  return ranked;
}

/** The rows that a ranking on a number of threads is of; nothing where it is of all that two machines did. */
export function rankedRows(data: Data, threads: string): number[] | null {
  const category = data.category ?? OVERALL;
  const line = data.lines.find((line) => line.category === category && line.threads === threads);
  return line?.ranked_rows ?? null;
}

/** The rows that the data are about. */
export function rowsOf({ rows, category }: Data): RowHead[] {
  return category === undefined ? rows : rows.filter(({ categories }) => categories.includes(category));
}

/** A figure of a row of a group. */
export interface Figure {
  interval: Interval;
  samples: number;
  threads: number;
  warnings: string[];
  /** Input bytes of an operation, where bytes make sense. */
  bytesPerOp: number | null;
  /** Its unit: `ops/s`, `bytes/s` or another word. */
  unit: string;
  /** The clock in Hz that its work had, where that is known. */
  clockHz: number | null;
  /** The output of an operation in bytes, where it has any. */
  outputBytes: number | null;
  /** Over one thread, where that was measured. */
  speedUp: Numbers | null;
  /** In the data's columns, in their order, as far as they are known. */
  values: (number | null)[];
}

/** An end that reaches everywhere is written as nothing. */
function known(value: number | null): number {
  return value ?? Infinity;
}

export function intervalOf([centre, low, high, freedom]: Numbers): Interval {
  // An interval that reaches everywhere has ends that no number is.
  return { centre, low: low ?? 0, high: known(high), freedom: known(freedom) };
}

/** An interval that the program writes by name. */
export function read({ centre, low, high, freedom }: Written): Interval {
  return intervalOf([centre, low, high, freedom]);
}

/** The figure in a cell, if there is one. */
export function figureOf(data: Data, cell: Cell | undefined): Figure | null {
  if (!cell || "why" in cell) return null;
  const { interval, samples, threads, warnings = [], unit, speed_up: speedUp = null, values } = cell;
  const valueIn = (name: string): number | null =>
    values[data.columns.findIndex((column) => column.name === name)] ?? null;
  return {
    interval: intervalOf(interval),
    samples,
    threads,
    warnings: warnings.map((place) => data.texts[place] ?? ""),
    bytesPerOp: valueIn("bytes_per_op"),
    unit: unit === undefined ? "ops/s" : (data.texts[unit] ?? ""),
    clockHz: valueIn("clock_hz"),
    outputBytes: valueIn("output_bytes"),
    speedUp,
    values,
  };
}

/** How many threads each of a group's rows on all threads has. */
export function countsOfAll(data: Data, group: number): number[] {
  return data.rows.flatMap(({ threads }, row) =>
    threads === "all" ? (figureOf(data, data.cells[group]?.[row])?.threads ?? []) : [],
  );
}

/** Why there is no figure in a cell. */
export function whyNone(data: Data, cell: Cell | undefined): string | null {
  return cell && "why" in cell ? (data.texts[cell.why] ?? "") : null;
}

function isSame(a: Difference, b: Difference): boolean {
  return a.kind === b.kind && a.what === b.what && a.baseline === b.baseline && a.other === b.other;
}

/** Differences in what must match between two groups in a row, or within one of them. */
export function differencesOf(data: Data, row: number, baseline: number, other: number): Difference[] {
  const [left, right] = [data.cells[baseline]?.[row], data.cells[other]?.[row]];
  if (!left || !right) return [];
  const [a, b] = [left.identity, right.identity];
  const place = data.unlike[a < b ? `${a}-${b}` : `${b}-${a}`];
  const between = place === undefined ? [] : (data.differences[place] ?? []);
  const turned = ({ baseline, other, ...rest }: Difference): Difference => ({
    ...rest,
    baseline: other,
    other: baseline,
  });
  const within = [left, right].flatMap(({ differing }) => data.differences[differing ?? -1] ?? []);
  const found = a < b ? [...between] : between.map(turned);
  for (const difference of within) {
    if (!found.some((known) => isSame(known, difference))) found.push(difference);
  }
  return found;
}
