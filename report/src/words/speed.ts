// How two machines stand to each other, in the words of a colleague: crates/judge/src/answer/words.rs.

import { isKnown, type Interval } from "../judge/interval";

/** From this ratio on a lead is a factor, below it a percentage. */
const FROM_FACTOR = 1.5;
/** From this on what is slower is so by a factor. */
const TO_FACTOR = 1 / (2 * FROM_FACTOR);

/** Machines whose throughput differs by no more than this are the same. */
const EQUIVALENT = 0.01;

/** How a ratio stands to 1; `same` where its whole interval is within a margin of it, `unknown` where it has none. */
export type Standing = "ahead" | "behind" | "same" | "undecided" | "unknown";

export function standing(ratio: Interval): Standing {
  if (!isKnown(ratio)) return "unknown";
  if (ratio.low > 1) return "ahead";
  if (ratio.high < 1) return "behind";
  const off = Math.max(Math.abs(Math.log(ratio.low)), Math.abs(Math.log(ratio.high)));
  return off <= Math.log1p(EQUIVALENT) ? "same" : "undecided";
}

/** Three significant digits or all before the point: 0.953, 2.25, 38.7. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value) * 1.0005));
  return value.toFixed(Math.min(Math.max(2 - size, 0), 6));
}

/** Two significant digits of a share: 0.42, 5.1, 29. */
function percentDigits(share: number): string {
  const percent = share * 100;
  const size = Math.abs(percent);
  return percent.toFixed(size < 0.995 ? 2 : size < 9.95 ? 1 : 0);
}

/** `2.25×`. */
export function times(ratio: number): string {
  return `${threeDigits(ratio)}×`;
}

/** `2.25× faster`, `12 % faster`, `29 % slower`, `4.20× slower`; with other words for other quantities: `18 % more`. */
export function faster(ratio: number, [more, less] = ["faster", "slower"]): string {
  if (ratio >= FROM_FACTOR) return `${times(ratio)} ${more}`;
  if (ratio <= TO_FACTOR) return `${times(1 / ratio)} ${less}`;
  if (Math.abs(ratio - 1) < 5e-4) return more === "faster" ? "as fast" : "the same";
  return `${percentDigits(Math.abs(ratio - 1))}\u00a0% ${ratio < 1 ? less : more}`;
}

/** `2.25× faster than c6i`, `as fast as c6i`. */
export function fasterThan(ratio: number, name: string, words?: [more: string, less: string]): string {
  const how = faster(ratio, words);
  return `${how} ${/^(as|the) /.test(how) ? "as" : "than"} ${name}`;
}

/** The interval in the terms of its figure: `95 % CI 2.20–2.31`, `95 % CI 3.1–7.4 %`. */
export function confidence(ratio: Interval): string {
  const ci = "95\u00a0% CI\u00a0";
  switch (standing(ratio)) {
    case "unknown":
      return "no error bars";
    case "same":
    case "undecided":
      return `${ci}${threeDigits(ratio.low)}–${threeDigits(ratio.high)}`;
    case "ahead":
      return ratio.centre >= FROM_FACTOR
        ? `${ci}${threeDigits(ratio.low)}–${threeDigits(ratio.high)}`
        : `${ci}${percentDigits(ratio.low - 1)}–${percentDigits(ratio.high - 1)}\u00a0%`;
    case "behind":
      if (ratio.centre <= TO_FACTOR)
        return `${ci}${threeDigits(1 / ratio.high)}–${threeDigits(1 / ratio.low)}`;
      return `${ci}${percentDigits(1 - ratio.high)}–${percentDigits(1 - ratio.low)}\u00a0%`;
  }
}

/** The words for `same`. */
export const SAME = `the same within ${(EQUIVALENT * 100).toFixed()}\u00a0%`;

/** Whether it says on which side of 1 a ratio is. */
export function isDecided(ratio: Interval): boolean {
  return !["same", "undecided"].includes(standing(ratio));
}

/** An interval beside a ratio that stands as a factor: `95 % CI 1.03–1.07×`. */
export function confidenceOfFactor(ratio: Interval): string {
  return isKnown(ratio)
    ? `95\u00a0% CI\u00a0${threeDigits(ratio.low)}–${times(ratio.high)}`
    : "no error bars";
}

/** `anything from 38 % slower to 69 % faster`: a ratio of which nobody knows on which side of 1 it is. */
export function anything(ratio: Interval, words?: [more: string, less: string]): string {
  return `anything from ${faster(ratio.low, words)} to ${faster(ratio.high, words)}`;
}

/**
 * `c7g is 2.25× faster than c6i on all threads (95 % CI 2.20–2.31)`, and what is said where that is not known. Of quantities with other
 * words, `c7g does 12 % more work than c6i per dollar on all threads (…)`.
 */
export function stands(
  one: string,
  other: string,
  ratio: Interval,
  on: string,
  words?: [more: string, less: string],
): string {
  const ci = confidence(ratio);
  switch (standing(ratio)) {
    case "same":
      return `${one} and ${other} ${words ? "do" : "are"} ${SAME} ${on} (${ci})`;
    case "undecided":
      return `${one} may ${words ? "do" : "be"} ${anything(ratio, words)} than ${other} ${on}: can't tell (${ci})`;
    default:
      return `${one} ${words ? "does" : "is"} ${fasterThan(ratio.centre, other, words)} ${on} (${ci})`;
  }
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
  standing: Standing;
}
