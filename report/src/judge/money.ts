// Work for the money: crates/judge/src/cost/money.rs.

import { scaled, type Interval } from "./interval";

/** A ratio of work at two prices of an hour, as a ratio of work for a unit of money. */
export function priceAdjusted(ratio: Interval, baselinePrice: number, price: number): Interval {
  return scaled(ratio, baselinePrice / price);
}

/** The price of an hour at which a machine does as much for a unit of money as the baseline at its price. */
export function breakEven(ratio: Interval, baselinePrice: number): Interval {
  return scaled(ratio, baselinePrice);
}
