// One group against another, row by row: what the page asks of the program.

import {
  differencesOf,
  figureOf,
  read,
  whyNone,
  type Cell,
  type Data,
  type Difference,
  type Figure,
  type PairCell,
} from "../data";
import { type Interval } from "./interval";
import { askComparison, type AskedRow, type Side } from "./program";

/** The program's verdicts. */
export type Verdict =
  "faster" | "slower" | "no detectable difference" | "unknown" | "not comparable" | "missing";

/** One row of two groups. */
export interface Row {
  /** Its place among all rows. */
  row: number;
  baseline: Figure | null;
  other: Figure | null;
  ratio: Interval | null;
  /** The other's clock over the baseline's, where both are known. */
  clockRatio: number | null;
  verdict: Verdict;
  /** Differences that forbid a ratio, or that were allowed. */
  differences: Difference[];
  /** Which of the two has no figure, and why. */
  reason: string | null;
}

const KNOWN = new WeakMap<Data, Map<string, Row[]>>();

/** Compares a group with a baseline, at a factor (of prices); what was compared once is kept. */
export function compare(data: Data, baseline: number, other: number, factor = 1): Row[] {
  let known = KNOWN.get(data);
  if (!known) KNOWN.set(data, (known = new Map<string, Row[]>()));
  const key = [baseline, other, factor].join();
  let rows = known.get(key);
  if (!rows) known.set(key, (rows = compared(data, baseline, other, factor)));
  return rows;
}

function compared(data: Data, baseline: number, other: number, factor: number): Row[] {
  const labels: [string, string] = [labelOf(data, baseline), labelOf(data, other)];
  const places = data.rows.flatMap((_, row) =>
    (data.cells[baseline]?.[row] ?? data.cells[other]?.[row]) ? [row] : [],
  );
  const differences = places.map((row) => differencesOf(data, row, baseline, other));
  const asked = places.map((row, place): AskedRow => {
    const pair = data.pairs[baseline]?.[other]?.[row] ?? null;
    return {
      threads: data.rows[row]?.threads ?? "",
      is_refused: (differences[place] ?? []).some(mustNot(data)),
      sides: [sideOf(data, data.cells[baseline]?.[row]), sideOf(data, data.cells[other]?.[row])],
      pairs: pair === null ? null : pairsOf(data, pair),
    };
  });
  const judged = askComparison(labels, factor, asked);
  return places.map((row, place): Row => {
    const [ours, theirs] = [baseline, other].map((group) => figureOf(data, data.cells[group]?.[row]));
    const { ratio = null, reason = null, verdict = "missing" } = judged[place] ?? {};
    return {
      row,
      baseline: ours ?? null,
      other: theirs ?? null,
      ratio: ratio && read(ratio),
      clockRatio: ours?.clockHz && theirs?.clockHz ? theirs.clockHz / ours.clockHz : null,
      verdict: verdict as Verdict,
      differences: differences[place] ?? [],
      reason,
    };
  });
}

function sideOf(data: Data, cell: Cell | undefined): Side | null {
  if (!cell) return null;
  if ("why" in cell) return { Err: whyNone(data, cell) ?? "" };
  return { Ok: [cell.interval, cell.own, cell.run_effect, cell.samples, cell.run_set] };
}

/** Variants of a run were measured in turn: their ratio is one of pairs. */
function pairsOf(data: Data, pair: PairCell): AskedRow["pairs"] {
  return typeof pair === "number" ? { Err: data.texts[pair] ?? "" } : { Ok: pair };
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

function labelOf(data: Data, group: number): string {
  return data.groups[group]?.label ?? "";
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
  return pair === undefined ? "interval" in left && "interval" in right : typeof pair !== "number";
}
