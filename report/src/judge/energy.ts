// Work per joule of two groups: crates/judge/src/cost/energy.rs.

import { intervalOf, type Data, type Energy } from "../data";
import { compare } from "./comparison";
import { around, ratio, scaled, type Interval } from "./interval";
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
  /** The baseline's watts over the other's. */
  watts: number;
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
    const watts = interval.centre / work.centre;
    return [{ row, mine: base, theirs: rival, interval, watts, source: ours.source }];
  });
}

/** The source of watts that are rated. */
const RATED = "rated";

/** Work per watt over several rows. */
interface PerWatt {
  /** The score times the ratio of rated watts, which are as certain as whoever gave them; of readings the geometric mean of the
   * rows' ratios, for how far these are off together is not known. */
  interval: Interval;
  rows: number;
  /** Where the watts come from. */
  sources: string;
}

/** Work per watt over the rows on some threads that both have watts of. */
export function perWatt(data: Data, baseline: number, other: number, threads: string): PerWatt | null {
  const rows = perJoule(data, baseline, other).filter(({ row }) => data.rows[row]?.threads === threads);
  if (rows.length === 0) return null;
  const mean = (values: number[]): number =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  const sources = [...new Set(rows.map(({ source }) => source))].join(", ");
  const score = overall(data, baseline, other, threads);
  const work = sources === RATED && rows.length === score?.rows ? score.interval : null;
  const interval = work
    ? scaled(work, mean(rows.map(({ watts }) => watts)))
    : around(mean(rows.map(({ interval }) => interval.centre)), Infinity, 1);
  return { interval, rows: rows.length, sources };
}
