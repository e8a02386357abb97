// Prices of machines, and from which price on another is the better buy.

import { type Data, type Price } from "../data";
import { around, isKnown, scaled, type Interval } from "../judge/interval";
import { ofParts } from "../judge/money";
import { placed } from "../judge/score";
import { drawn, priceOf, type View } from "../view";
import { ends, fourDigits, shown } from "./numbers";

/** A machine at its price. */
interface Priced {
  group: number;
  /** The price of an hour, if known. */
  price: number | null;
  /** The price of an hour of one logical CPU. */
  perCpu: number | null;
  /** The overall score per unit of money, 1 of the baseline; none where a price or a score is unknown. */
  adjusted: Interval | null;
  /** Its break-even price of an hour: at more the baseline is cheaper for the same work. The baseline's is its own price. */
  breakEven: Interval | null;
}

/** All machines, first those that are drawn. */
export function priced(data: Data, view: View): Priced[] {
  const ours = priceOf(data, view, view.baseline);
  const rest = data.groups.flatMap((_, group) => (drawn(view).includes(group) ? [] : [group]));
  return [...drawn(view), ...rest].map((group) => {
    const price = priceOf(data, view, group);
    const cpus = data.groups[group]?.cpu_count;
    const score = scoreOfParts(data, view, group);
    return {
      group,
      price,
      perCpu: price !== null && cpus ? price / cpus : null,
      adjusted: score && ours !== null && price !== null ? scaled(score, ours / price) : null,
      breakEven: score && ours !== null ? scaled(score, ours) : null,
    };
  });
}

/** The overall score against the baseline, of the parts of both machines that it takes; 1 of the baseline. */
function scoreOfParts(data: Data, view: View, group: number): Interval | null {
  if (group === view.baseline) return around(1, 0, Infinity);
  const score = placed(data, view.baseline, group, view.threads)?.interval;
  return score ? ofParts(data, score, view.baseline, group, view.threads) : null;
}

/** A machine under one of the commitments that it can be bought under. */
interface Committed {
  group: number;
  price: Price;
  /** The overall score per unit of money, over the baseline at the price that it is judged by. */
  adjusted: Interval | null;
  /** The price of an hour below which it does more for the money than the baseline under the same commitment. */
  breakEven: Interval | null;
}

/** The machines that are drawn under all commitments; none where each has one price. */
export function committed(data: Data, view: View): Committed[] {
  if (!data.groups.some(({ prices }) => prices.length > 1)) return [];
  const ours = priceOf(data, view, view.baseline);
  const oursUnder = data.groups[view.baseline]?.prices ?? [];
  return drawn(view).flatMap((group) => {
    const score = scoreOfParts(data, view, group);
    return (data.groups[group]?.prices ?? []).map((price) => {
      const same = oursUnder.find(({ commitment }) => commitment === price.commitment);
      return {
        group,
        price,
        adjusted: score && ours !== null ? scaled(score, ours / price.per_hour) : null,
        breakEven: score && same ? scaled(score, same.per_hour) : null,
      };
    });
  });
}

/** `on demand, us-east-1, 2026-11-20, vantage.sh`, as far as a price file has it. */
export function sourceOf(data: Data, view: View, group: number): string {
  if (view.prices.has(group)) return "set on this page";
  const { commitment, region, date, source } = data.groups[group]?.prices[0] ?? {};
  return [commitment, region, date, source].flatMap((part) => (part ? [shown(part, 60)] : [])).join(", ");
}

/** `1.234 (1.208–1.263)`, of a ratio. */
export function ratioWithRange(ratio: Interval | null): string {
  return ratio ? fourDigits(ratio.centre) + inBrackets(ratioEnds(ratio)) : "–";
}

/** 0.0823 (0.0812–0.0849); a dash where it is unknown. */
export function priceWithRange(price: Interval | null): string {
  return price ? fourDigits(price.centre) + inBrackets(priceEnds(price)) : "–";
}

function inBrackets(ends: string): string {
  return ends === "" ? "" : ` (${ends})`;
}

/** 1.208–1.263; nothing of the baseline's own 1. */
export function ratioEnds(ratio: Interval): string {
  return isExact(ratio) ? "" : ends(ratio);
}

function isExact({ low, high }: Interval): boolean {
  return low === high;
}

/** 0.0812–0.0849; nothing of a price without error bars. */
export function priceEnds(price: Interval): string {
  if (isExact(price)) return "";
  return isKnown(price) ? `${fourDigits(price.low)}–${fourDigits(price.high)}` : "unknown";
}
