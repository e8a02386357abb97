// Positive quantities with 95 % intervals, in other units; what takes statistics is the program's.

import { read } from "../data";
import { askRatio } from "./program";

/** A positive quantity with a 95 % interval around it. */
export interface Interval {
  centre: number;
  low: number;
  high: number;
  /** Degrees of freedom of Student's t that its width rests on. */
  freedom: number;
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

/** An interval in another unit. */
export function scaled(interval: Interval, factor: number): Interval {
  return {
    ...interval,
    centre: interval.centre * factor,
    low: interval.low * factor,
    high: interval.high * factor,
  };
}

/** The ratio of two independent quantities. */
export function ratio(numerator: Interval, denominator: Interval): Interval {
  return read(askRatio(numerator, denominator));
}
