// What machines cost, and from which price on another is the better buy.

import { type Data } from "../data";
import { isKnown, scaled, type Interval } from "../judge/interval";
import { placed } from "../judge/score";
import { answerable, drawn, priceOf, type View } from "../view";
import { ends, factor, quantity } from "./numbers";

/** A machine at its price. */
interface Priced {
  group: number;
  /** Of an hour, if known. */
  price: number | null;
  /** Of an hour of one logical CPU. */
  perCpu: number | null;
  /** The overall score per unit of money; none of the baseline, and where a price or a score is unknown. */
  adjusted: Interval | null;
  /** Its break-even price of an hour: at more the baseline is cheaper for the same work. */
  breakEven: Interval | null;
}

/** The machines that are drawn. */
export function priced(data: Data, view: View): Priced[] {
  const ours = priceOf(data, view, view.baseline);
  return drawn(view).map((group) => {
    const price = priceOf(data, view, group);
    const cpus = data.groups[group]?.cpu_count;
    const isOther = answerable(view).includes(group);
    const score = isOther ? placed(data, view.baseline, group, view.threads)?.interval : null;
    return {
      group,
      price,
      perCpu: price !== null && cpus ? price / cpus : null,
      adjusted: score && ours !== null && price !== null ? scaled(score, ours / price) : null,
      breakEven: score && ours !== null ? scaled(score, ours) : null,
    };
  });
}

/** `1.234 (1.208–1.263)`, of a ratio. */
export function ratioWithRange(of: Interval | null): string {
  return of ? `${factor(of.centre)} (${ends(of)})` : "–";
}

/** The same of a price. */
export function priceWithRange(of: Interval | null): string {
  return of ? `${quantity(of.centre)} (${priceEnds(of)})` : "–";
}

/** 1.208–1.263, of a price. */
export function priceEnds(of: Interval): string {
  return isKnown(of) ? `${quantity(of.low)}–${quantity(of.high)}` : "unknown";
}
