// The verdict on a ratio, given all the others: crates/judge/src/compare/verdict.rs.

import { around, margin, isKnown, pValue, studentQuantile, times, type Interval } from "./interval";

/** The run effect, which all rows of the same runs on a number of threads share, is tested once for all of them … */
const RUN_EFFECT_ERROR = 0.01;
/** … and the row effects with Holm's correction over all rows. */
const ROWS_ERROR = 0.04;

export type Verdict =
  "faster" | "slower" | "no detectable difference" | "unknown" | "not comparable" | "missing";

interface RunEffect {
  margin: number;
  freedom: number;
}

/** The other over the baseline. */
export interface Ratio {
  interval: Interval;
  /** As uncertain as the two rows alone are. */
  row: Interval;
  run_effect: RunEffect;
}

/** How far two independent run effects may be off together. */
export function together(a: RunEffect, b: RunEffect): RunEffect {
  const both = times(around(1, a.margin, a.freedom), around(1, b.margin, b.freedom));
  return { margin: margin(both), freedom: both.freedom };
}

/** Adjusted p-values (Holm 1979). */
function holm(pValues: number[]): number[] {
  const order = pValues.map((_, place) => place).sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1));
  const adjusted = pValues.map(() => 1);
  let least = 0;
  order.forEach((place, rank) => {
    least = Math.max(least, Math.min((pValues[place] ?? 1) * (pValues.length - rank), 1));
    adjusted[place] = least;
  });
  return adjusted;
}

interface Judged {
  /** On how many threads, and of which runs. */
  common: string;
  ratio: Ratio;
}

/** The verdicts on all rows that have a ratio, each with what it has in common with others, at a factor (of prices, say). Those without
 * an interval are no tests, and are no part of Holm's correction. */
export function judge(rows: Judged[], factor = 1): Verdict[] {
  const tests = rows.filter(({ ratio }) => isKnown(ratio.interval));
  const verdicts = judgeTests(tests, factor);
  const known = new Map(tests.map((row, place) => [row, verdicts[place]]));
  return rows.map((row) => known.get(row) ?? "unknown");
}

function judgeTests(rows: Judged[], factor: number): Verdict[] {
  const counts = new Set(rows.map((row) => row.common)).size;
  const pValues = rows.map(({ ratio: { row, run_effect } }) => {
    const quantiles = [1 - RUN_EFFECT_ERROR / counts, 0.95].map((inside) =>
      studentQuantile(run_effect.freedom, inside),
    );
    const shared = (run_effect.margin * (quantiles[0] ?? 1)) / (quantiles[1] ?? 1);
    const at = { ...row, centre: row.centre * factor, low: row.low * factor, high: row.high * factor };
    return pValue(at, shared);
  });
  return holm(pValues).map((adjusted, place) => {
    if (!(adjusted < ROWS_ERROR)) return "no detectable difference";
    return (rows[place]?.ratio.interval.centre ?? 1) * factor > 1 ? "faster" : "slower";
  });
}
