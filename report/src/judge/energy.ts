// Work per joule of two groups: crates/sizeup/src/cost/energy.rs.

import { intervalOf, type Data } from "../data";
import { compare } from "./comparison";
import { ratio, type Interval } from "./interval";

/** A row that both have watts of. */
export interface PerJoule {
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

/** The rows that can be compared and whose watts come from the same source. */
export function perJoule(data: Data, baseline: number, other: number): PerJoule[] {
  const comparable = new Set(compare(data, baseline, other).flatMap((row) => (row.ratio ? [row.row] : [])));
  const ours = new Map((data.energy[baseline] ?? []).map((of) => [of.row, of]));
  return (data.energy[other] ?? []).flatMap(({ row, per_joule, source }) => {
    const of = ours.get(row);
    if (of?.source !== source || !comparable.has(row)) return [];
    const [mine, theirs] = [intervalOf(of.per_joule), intervalOf(per_joule)];
    return [{ row, mine, theirs, interval: ratio(theirs, mine), source }];
  });
}
