// Work for the money: crates/judge/src/cost/money.rs.

import { type Data } from "../data";
import { scaled, type Interval } from "./interval";

/**
 * A ratio of work as one of the parts of machines that it takes: 1 thread of 16 CPUs is four times the part that 1 of 64 is. All of a
 * machine where it is not known how many CPUs it has.
 */
export function ofParts(
  data: Data,
  ratio: Interval,
  baseline: number,
  other: number,
  threads: string,
): Interval {
  return scaled(ratio, partOf(data, baseline, threads) / partOf(data, other, threads));
}

/** The part of a machine that so many threads take. */
export function partOf(data: Data, group: number, threads: string): number {
  const cpus = data.groups[group]?.cpu_count;
  return threads === "all" || !cpus ? 1 : Math.min(1, Number(threads) / cpus);
}
