// Work per joule of two groups: crates/judge/src/cost/energy.rs.

import { intervalOf, type Data, type Energy } from "../data";
import { compare } from "./comparison";
import { ratio, type Interval } from "./interval";
import { overall } from "./score";

/** A row that both have watts of. */
interface PerJoule {
  row: number;
  /** Operations per joule: the baseline's. */
  mine: Interval;
  /** The other's. */
  theirs: Interval;
  /** The other's over the baseline's. */
  interval: Interval;
  /** Where the watts come from. */
  source: string;
}

/** The rows that can be compared, by the first source of watts that both have. */
export function perJoule(data: Data, baseline: number, other: number): PerJoule[] {
  const energyOf = (group: number, row: number): Energy[] =>
    (data.energy[group] ?? []).filter((energy) => energy.row === row);
  return compare(data, baseline, other).flatMap(({ row, ratio: work }) => {
    const others = work ? energyOf(other, row) : [];
    const ours = energyOf(baseline, row).find(({ source }) => others.some((to) => to.source === source));
    const theirs = others.find(({ source }) => source === ours?.source);
    if (!ours || !theirs || !work) return [];
    const [base, rival] = [intervalOf(ours.per_joule), intervalOf(theirs.per_joule)];
    const interval = ratio(rival, base);
    return [{ row, mine: base, theirs: rival, interval, source: ours.source }];
  });
}

/** Work per watt over several rows. */
interface PerWatt {
  interval: Interval;
  rows: number;
  /** Where the watts come from. */
  sources: string;
}

/** Work per watt over the rows on some threads that both have watts of, as the program scored it. */
export function perWatt(data: Data, baseline: number, other: number, threads: string): PerWatt | null {
  const found = overall(data, baseline, other, threads)?.perWatt;
  return found ? { ...found, interval: intervalOf(found.score) } : null;
}
