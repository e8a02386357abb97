// Scores as the program judged them.

import { intervalOf, type Data, type Robustness } from "../data";
import { type Interval } from "./interval";

/** The score over all categories is called so. */
export const OVERALL = "overall";

/** A group's score against a baseline, in a category on a number of threads. */
export interface Score {
  category: string;
  threads: string;
  rows: number;
  interval: Interval | null;
  robustness: Robustness | null;
}

/** All scores of a group against a baseline. */
export function scoresOf(data: Data, baseline: number, other: number): Score[] {
  return (data.scores[baseline]?.[other] ?? []).map(([head, rows, numbers, robustness]) => ({
    category: data.lines[head]?.category ?? "",
    threads: data.lines[head]?.threads ?? "",
    rows,
    interval: numbers && intervalOf(numbers),
    robustness: robustness ?? null,
  }));
}

/** Their categories, that over all of them last. */
export function categoriesOf(scores: { category: string }[]): string[] {
  const all = [...new Set(scores.map((of) => of.category))];
  return [...all.filter((of) => of !== OVERALL), ...all.filter((of) => of === OVERALL)];
}

/** A score over fewer than this part of the rows that both measured is of other work than theirs. */
export const LEAST_ROWS = 0.5;

/** How many rows of a group have a figure on a number of threads. */
function measured(data: Data, group: number, threads: string): number {
  const cells = data.cells[group] ?? [];
  return cells.filter((cell, row) => cell && cell.length !== 3 && data.rows[row]?.threads === threads).length;
}

/** So many rows have figures of both, if all are comparable. */
export function measuredByBoth(data: Data, one: number, other: number, threads: string): number {
  return Math.min(measured(data, one, threads), measured(data, other, threads));
}

/** The score over all categories among many machines; none where it rests on few of the rows that both measured. */
export function placed(data: Data, baseline: number, other: number, threads: string): Score | null {
  const score = overall(data, baseline, other, threads);
  const isOne = data.groups.length <= 2;
  return score && (isOne || score.rows >= LEAST_ROWS * measuredByBoth(data, baseline, other, threads))
    ? score
    : null;
}

/** The score over all that the data are of, on a number of threads. */
export function overall(data: Data, baseline: number, other: number, threads: string): Score | null {
  const category = data.category ?? OVERALL;
  const isIt = (score: Score): boolean => score.category === category && score.threads === threads;
  return scoresOf(data, baseline, other).find(isIt) ?? null;
}
