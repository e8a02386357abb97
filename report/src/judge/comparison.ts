// One group against another, row by row: crates/judge/src/compare/row.rs.

import {
  differencesOf,
  figureOf,
  intervalOf,
  known,
  whyNone,
  type Data,
  type Difference,
  type Figure,
  type PairRatio,
} from "../data";
import { isKnown, ratio } from "./interval";
import { judge, together, type Ratio, type Verdict } from "./verdict";

/** One row of two groups. */
export interface Row {
  /** Its place among all rows. */
  row: number;
  baseline: Figure | null;
  other: Figure | null;
  ratio: Ratio | null;
  /** The other's clock over the baseline's, where both are known. */
  clockRatio: number | null;
  verdict: Verdict;
  /** Differences that forbid a ratio, or that were allowed. */
  differences: Difference[];
  /** Which of the two has no figure, and why. */
  reason: string | null;
}

const KNOWN = new WeakMap<Data, Map<string, Row[]>>();

/** Compares a group with a baseline; what was compared once is kept. */
export function compare(data: Data, baseline: number, other: number): Row[] {
  let known = KNOWN.get(data);
  if (!known) KNOWN.set(data, (known = new Map<string, Row[]>()));
  const key = `${baseline}-${other}`;
  let rows = known.get(key);
  if (!rows) known.set(key, (rows = compared(data, baseline, other)));
  return rows;
}

function compared(data: Data, baseline: number, other: number): Row[] {
  const rows = data.rows.flatMap((_, row) => rowOf(data, row, baseline, other) ?? []);
  const judged = rows.filter((row) => row.ratio);
  const verdicts = judge(judged.map((row) => asked(data, row)));
  judged.forEach((row, place) => {
    row.verdict = verdicts[place] ?? "missing";
    if (row.verdict === "unknown")
      row.reason = whyUnknown(row, labelOf(data, baseline), labelOf(data, other));
  });
  return rows;
}

/** A score over fewer than this part of the rows says little of the rest: crates/judge/src/answer/few.rs. */
const LEAST_ROWS = 0.5;

/** How many rows on some threads can be compared, and of how many; nothing where these are at least half. */
export function fewCompared(
  data: Data,
  baseline: number,
  other: number,
  threads: string,
): { judged: number; all: number } | null {
  const rows = compare(data, baseline, other).filter(({ row }) => data.rows[row]?.threads === threads);
  const judged = rows.filter(({ ratio }) => ratio).length;
  return judged < LEAST_ROWS * rows.length ? { judged, all: rows.length } : null;
}

/** Which of the two has no error bar, and why. */
function whyUnknown({ baseline, other }: Row, left: string, right: string): string | null {
  const reasonOf = (figure: Figure | null): string | null => {
    if (!figure || isKnown(figure.interval)) return null;
    if (isKnown(figure.row)) return "its hosts share no rows: no error bar";
    return figure.samples === 1
      ? "1 sample: no error bar"
      : `${figure.samples} samples without any spread: no error bar`;
  };
  const [ours, theirs] = [reasonOf(baseline), reasonOf(other)];
  if (ours === theirs) return ours && `both: ${ours}`;
  return ours ? `${left}: ${ours}` : `${right}: ${theirs ?? ""}`;
}

function labelOf(data: Data, group: number): string {
  return data.groups[group]?.label ?? "";
}

/** The verdicts at a factor (of prices) on the rows that have a ratio, by row. */
export function verdictsAt(data: Data, rows: Row[], factor: number): Map<number, Verdict> {
  const judged = rows.filter((row) => row.ratio);
  const verdicts = judge(
    judged.map((row) => asked(data, row)),
    factor,
  );
  return new Map(judged.map((row, place) => [row.row, verdicts[place] ?? "missing"]));
}

function asked(data: Data, row: Row): { common: string; ratio: Ratio } {
  const runs = [row.baseline, row.other].map((figure) => figure?.runSet ?? 0);
  return { common: [data.rows[row.row]?.threads, ...runs].join(), ratio: row.ratio as Ratio };
}

function rowOf(data: Data, row: number, baseline: number, other: number): Row | null {
  const [left, right] = [data.cells[baseline]?.[row] ?? null, data.cells[other]?.[row] ?? null];
  if (!left && !right) return null;
  const [ours, theirs] = [figureOf(data, left), figureOf(data, right)];
  const found: Row = {
    row,
    baseline: ours,
    other: theirs,
    ratio: null,
    clockRatio: ours?.clockHz && theirs?.clockHz ? theirs.clockHz / ours.clockHz : null,
    verdict: "missing",
    differences: differencesOf(data, row, baseline, other),
    reason: null,
  };
  const [name, label] = [labelOf(data, baseline), labelOf(data, other)];
  // Variants of a run were measured in turn: their ratio is one of pairs, and more certain than that of their figures.
  const pair = data.pairs[baseline]?.[other]?.[row] ?? undefined;
  if (!left || !right) {
    found.reason = `${left ? label : name} did not measure it`;
  } else if (found.differences.some(mustNot(data))) {
    found.verdict = "not comparable";
  } else if (pair !== undefined) {
    if (typeof pair === "number") found.reason = data.texts[pair] ?? "";
    else found.ratio = ratioOfPairs(pair);
  } else if (!found.baseline) {
    found.reason = `${name}: ${whyNone(data, left)}`;
  } else if (!found.other) {
    found.reason = `${label}: ${whyNone(data, right)}`;
  } else {
    found.ratio = ratioOf(found.other, found.baseline);
  }
  return found;
}

/** Whether something may not differ. */
function mustNot(data: Data): (difference: Difference) => boolean {
  return (difference) => !data.allow.includes(difference.kind);
}

/** Differences that keep a group's row from being compared with the baseline's, or a group's runs from counting together. */
export function unlike(data: Data, row: number, baseline: number, group: number): Difference[] {
  return differencesOf(data, row, baseline, group).filter(mustNot(data));
}

/** Whether a row of two groups has a ratio: of a hundred machines, to compute them all takes seconds. */
export function hasRatio(data: Data, row: number, baseline: number, other: number): boolean {
  const [left, right] = [data.cells[baseline]?.[row], data.cells[other]?.[row]];
  if (!left || !right || unlike(data, row, baseline, other).length > 0) return false;
  const pair = data.pairs[baseline]?.[other]?.[row] ?? undefined;
  return pair === undefined ? left.length !== 3 && right.length !== 3 : typeof pair !== "number";
}

function ratioOfPairs([interval, row, [margin, freedom]]: PairRatio): Ratio {
  const run_effect = { margin: known(margin), freedom: known(freedom) };
  return { interval: intervalOf(interval), row: intervalOf(row), run_effect };
}

function ratioOf(other: Figure, baseline: Figure): Ratio {
  return {
    interval: ratio(other.interval, baseline.interval),
    row: ratio(other.row, baseline.row),
    run_effect: together(other.run_effect, baseline.run_effect),
  };
}
