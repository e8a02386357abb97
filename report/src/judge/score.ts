// Scores as the program judged them.

import { intervalOf, OVERALL, rankedTo, type Data, type Robustness } from "../data";
import { type PerWattScore } from "../shapes";
import { type Interval } from "./interval";

/** A group's score against a baseline, in a category on a number of threads. */
export interface Score {
  category: string;
  threads: string;
  rows: number;
  interval: Interval | null;
  robustness: Robustness | null;
  perWatt: PerWattScore | null;
}

/** All scores of a group against a baseline. */
export function scoresOf(data: Data, baseline: number, other: number): Score[] {
  return (data.scores[baseline]?.[other] ?? []).map(([head, rows, numbers, robustness, perWatt]) => ({
    category: data.lines[head]?.category ?? "",
    threads: data.lines[head]?.threads ?? "",
    rows,
    interval: numbers && intervalOf(numbers),
    robustness: robustness ?? null,
    perWatt: perWatt ?? null,
  }));
}

/** The wanted group or else the first of all with which another can be compared; nothing where none can. */
export function reference(
  wanted: number,
  groups: number[],
  canCompare: (group: number, to: number) => boolean,
): number | null {
  const hasOther = (to: number): boolean => groups.some((group) => group !== to && canCompare(group, to));
  return [wanted, ...groups].find((to) => groups.includes(to) && hasOther(to)) ?? null;
}

/** Their categories, that over all of them last. */
export function categoriesOf(scores: { category: string }[]): string[] {
  const all = [...new Set(scores.map((score) => score.category))];
  return [
    ...all.filter((category) => category !== OVERALL),
    ...all.filter((category) => category === OVERALL),
  ];
}

/** The score over all that the data are of, on a number of threads. */
export function overall(data: Data, baseline: number, other: number, threads: string): Score | null {
  const category = data.category ?? OVERALL;
  const isIt = (score: Score): boolean => score.category === category && score.threads === threads;
  return scoresOf(data, baseline, other).find(isIt) ?? null;
}

/** The score among many machines, over the workloads that all ranked ones did; none of a machine that lacks too many of these. */
export function placed(data: Data, baseline: number, other: number, threads: string): Score | null {
  return overall(rankedTo(data), baseline, other, threads);
}
