// Arithmetic of crates/stats/src/interval.rs, for what the reader of a page may choose: the baseline and the
// prices. The tests hold it against what the program prints.

import cdf from "@stdlib/stats-base-dists-t-cdf";
import quantile from "@stdlib/stats-base-dists-t-quantile";

/** A positive quantity with a 95 % interval around it. */
export interface Interval {
  centre: number;
  low: number;
  high: number;
  /** Degrees of freedom of Student's t that its width rests on. */
  freedom: number;
}

const KNOWN = new Map<number, Map<number, number>>();

/** Within ± this, Student's t lies with probability `inside`. */
export function studentQuantile(freedom: number, inside: number): number {
  let known = KNOWN.get(inside);
  if (!known) KNOWN.set(inside, (known = new Map<number, number>()));
  let found = known.get(freedom);
  // With more degrees of freedom than this Student's t is the normal distribution to six digits.
  if (found === undefined) known.set(freedom, (found = quantile(0.5 + inside / 2, Math.min(freedom, 1e6))));
  return found;
}

/** The chance that Student's t lies at least this far from 0. */
function studentTails(t: number, freedom: number): number {
  return 2 * cdf(-t, Math.min(freedom, 1e6));
}

/** `centre × e^±half`. */
export function around(centre: number, margin: number, freedom: number): Interval {
  return { centre, low: centre * Math.exp(-margin), high: centre * Math.exp(margin), freedom };
}

/** Half of the width, by factor: 0.01 is ±1 %. */
export function margin(interval: Interval): number {
  return Math.log(interval.high / interval.low) / 2;
}

/** Whether it has an error estimate. */
export function isKnown(interval: Interval): boolean {
  return Number.isFinite(margin(interval));
}

const down = (interval: Interval): number => Math.log(interval.centre / interval.low);
const up = (interval: Interval): number => Math.log(interval.high / interval.centre);

/** An interval in another unit. */
export function scaled(interval: Interval, factor: number): Interval {
  return {
    ...interval,
    centre: interval.centre * factor,
    low: interval.low * factor,
    high: interval.high * factor,
  };
}

/** One over it. */
export function turned(interval: Interval): Interval {
  return { ...interval, centre: 1 / interval.centre, low: 1 / interval.high, high: 1 / interval.low };
}

/** Degrees of freedom of a sum of two, each with its standard error and its own (Satterthwaite 1946, Welch 1947). */
function jointFreedom(a: number, freedomA: number, b: number, freedomB: number): number {
  const joint = (a * a + b * b) ** 2 / (a ** 4 / freedomA + b ** 4 / freedomB);
  return Number.isNaN(joint) ? Math.min(freedomA, freedomB) : joint;
}

/** The product of two independent quantities (variance estimates recovery, Zou and Donner 2008). */
export function times(a: Interval, b: Interval): Interval {
  const [mine, others] = [studentQuantile(a.freedom, 0.95), studentQuantile(b.freedom, 0.95)];
  const freedom = jointFreedom(margin(a) / mine, a.freedom, margin(b) / others, b.freedom);
  const joint = studentQuantile(freedom, 0.95);
  const end = (x: number, y: number): number => joint * Math.hypot(x / mine, y / others);
  const centre = a.centre * b.centre;
  return {
    centre,
    low: centre * Math.exp(-end(down(a), down(b))),
    high: centre * Math.exp(end(up(a), up(b))),
    freedom,
  };
}

/** The ratio of two independent quantities. */
export function ratio(numerator: Interval, denominator: Interval): Interval {
  return times(numerator, turned(denominator));
}

/** The chance of a centre this far from 1 or further, were it truly at most `e^±shared` from 1. */
export function pValue(interval: Interval, shared: number): number {
  const excess = Math.abs(Math.log(interval.centre)) - shared;
  if (!(excess > 0)) return 1;
  const towardsOne = interval.centre > 1 ? down(interval) : up(interval);
  return studentTails((excess / towardsOne) * studentQuantile(interval.freedom, 0.95), interval.freedom);
}
