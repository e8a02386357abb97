// How two machines stand to each other, in the words of a colleague: crates/judge/src/answer/words.rs.

import { isKnown, turned, type Interval } from "../judge/interval";

/** From this ratio on a lead is a factor, below it a percentage. */
const FROM_FACTOR = 1.5;
/** From this on what is slower is so by a factor. */
const TO_FACTOR = 1 / (2 * FROM_FACTOR);

/** How a ratio stands to 1; `unknown` where it has no interval. */
export type Standing = "ahead" | "behind" | "tied" | "unknown";

export function standing(of: Interval): Standing {
  if (!isKnown(of)) return "unknown";
  if (of.low > 1) return "ahead";
  return of.high < 1 ? "behind" : "tied";
}

/** Three significant digits or all before the point: 0.953, 2.25, 38.7. */
export function threeDigits(of: number): string {
  if (!Number.isFinite(of)) return "–";
  const size = of === 0 ? 0 : Math.floor(Math.log10(Math.abs(of) * 1.0005));
  return of.toFixed(Math.min(Math.max(2 - size, 0), 6));
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
export function confidence(of: Interval): string {
  const ci = "95\u00a0% CI\u00a0";
  switch (standing(of)) {
    case "unknown":
      return "no error bars";
    case "tied":
      return `${ci}${threeDigits(of.low)}–${threeDigits(of.high)}`;
    case "ahead":
      return of.centre >= FROM_FACTOR
        ? `${ci}${threeDigits(of.low)}–${threeDigits(of.high)}`
        : `${ci}${percentDigits(of.low - 1)}–${percentDigits(of.high - 1)}\u00a0%`;
    case "behind":
      if (of.centre <= TO_FACTOR) return `${ci}${threeDigits(1 / of.high)}–${threeDigits(1 / of.low)}`;
      return `${ci}${percentDigits(1 - of.high)}–${percentDigits(1 - of.low)}\u00a0%`;
  }
}

/** How far a picture's figures may be off, after what they are: `…, with 95 % intervals`. */
export function withErrorBars(areKnown: boolean[]): string {
  if (!areKnown.includes(true)) return "without error bars";
  return `with 95 % intervals${areKnown.includes(false) ? " where known" : ""}`;
}

/** Two machines, the one that is ahead first. */
export interface Lead {
  ahead: number;
  behind: number;
  /** Of the first over the second. */
  interval: Interval;
  standing: Standing;
}

/** Turned so that the machine that is ahead is the subject. */
export function leadOf(other: number, baseline: number, of: Interval): Lead {
  const isAhead = of.centre >= 1;
  const interval = isAhead ? of : turned(of);
  return {
    ahead: isAhead ? other : baseline,
    behind: isAhead ? baseline : other,
    interval,
    standing: standing(interval),
  };
}
