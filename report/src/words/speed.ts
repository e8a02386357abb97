// How two machines stand to each other, in the program's words: crates/verdict/src/words.rs.

import { around, isKnown, type Interval } from "../judge/interval";
import { askOrder, say, type Order, type Quantity } from "../judge/program";

/** How a ratio stands to 1. */
export const standing: (ratio: Interval) => Order = askOrder;

/** A ratio without an interval. */
function alone(ratio: number): Interval {
  return around(ratio, Infinity, 1);
}

/** `2.25×`. */
export function times(ratio: number): string {
  return say({ what: "times", ratio: alone(ratio) });
}

/** `2.25× faster`, `12 % faster`, `29 % slower`, `4.20× slower`; of other quantities: `18 % more`. */
export function faster(ratio: number, quantity?: Quantity): string {
  return say({ what: "how-much", ratio: alone(ratio), quantity });
}

/** `2.25× faster than c6i`, `as fast as c6i`. */
export function fasterThan(ratio: number, other: string, quantity?: Quantity): string {
  return say({ what: "how-much-than", ratio: alone(ratio), other, quantity });
}

/** The interval in the terms of its figure: `95 % CI 2.20–2.31`, `95 % CI 3.1–7.4 %`. */
export function confidence(ratio: Interval): string {
  return say({ what: "range", ratio });
}

/** `the same within 1 %`. */
export function same(): string {
  return say({ what: "same", ratio: alone(1) });
}

/** Whether it says on which side of 1 a ratio is. */
export function isDecided(ratio: Interval): boolean {
  return !["same", "undecided"].includes(standing(ratio));
}

/** An interval beside a ratio that stands as a factor: `95 % CI 1.03–1.07×`. */
export function confidenceOfFactor(ratio: Interval): string {
  return say({ what: "ends", ratio }) + (isKnown(ratio) ? "×" : "");
}

/** `anything from 38 % slower to 69 % faster`: a ratio of which nobody knows on which side of 1 it is. */
export function anything(ratio: Interval, quantity?: Quantity): string {
  return say({ what: "anything", ratio, quantity });
}

/**
 * `c7g is 2.25× faster than c6i on all threads (95 % CI 2.20–2.31)`, and what is said where that is not known. Of other quantities,
 * `c7g does 12 % more work than c6i per dollar on all threads (…)`.
 */
export function stands(one: string, other: string, ratio: Interval, on: string, quantity?: Quantity): string {
  return say({ what: "stands", ratio, one, other, on, quantity });
}

/** How far a picture's figures may be off, after what they are: `…, with 95 % intervals`. */
export function withErrorBars(areKnown: boolean[]): string {
  if (!areKnown.includes(true)) return "without error bars";
  return `with 95 % intervals${areKnown.includes(false) ? " where known" : ""}`;
}

/** A machine over another, in the order in which they were named. */
export interface Lead {
  one: number;
  other: number;
  /** The ratio of the first over the second. */
  interval: Interval;
  standing: Order;
}
