// How certain a lead is, and what would change it: short facts below the answer.

import { type Data } from "../data";
import { compare, type Verdict } from "../judge/comparison";
import { scaled } from "../judge/interval";
import { ofParts } from "../judge/money";
import { say } from "../judge/program";
import { overall } from "../judge/score";
import { canBePriced, currency, priceOf, type View } from "../view";
import { crossings } from "./crossover";
import { mostOfLead } from "./leaders";
import { nameOf, threadsOf } from "./names";
import { count, fourDigits, percent, shown } from "./numbers";
import { faster, isDecided, times, type Lead } from "./speed";

const MOST_CROSSINGS = 3;

export function factsOfPair(data: Data, view: View, lead: Lead, threads: string): string[] {
  return [
    rows(data, lead, threads),
    ...clocks(data, lead, threads),
    ...(isDecided(lead.interval) ? ofTheAhead(data, lead, threads) : []),
    ...robustness(data, lead, threads),
    ...breakEven(data, view, threads),
    ...crossings(data, lead.other, lead.one)
      .slice(0, MOST_CROSSINGS)
      .map(({ workload, text }) => `${workload}: ${text}.`),
  ];
}

/** The workloads that make most of the lead of the machine that is ahead. */
function ofTheAhead(data: Data, { one, other, interval }: Lead, threads: string): string[] {
  return interval.centre > 1 ? mostOfLead(data, one, other, threads) : mostOfLead(data, other, one, threads);
}

/** How rows are counted; faster and slower also where there are none. */
const COUNTED: [Verdict, string][] = [
  ["faster", "faster"],
  ["slower", "slower"],
  ["no detectable difference", "without a detectable difference"],
  ["unknown", "without error bars"],
  ["not comparable", "not comparable"],
  ["missing", "not measured on both"],
];

/** `c7g against c6i: 51 faster, 12 slower, 2 no detectable difference of 65 workloads on all 64 threads.` */
function rows(data: Data, { one: ahead, other: behind }: Lead, threads: string): string {
  const verdicts = compare(data, behind, ahead)
    .filter(({ row }) => data.rows[row]?.threads === threads && !data.rows[row].shares_stream)
    .map(({ verdict }) => verdict);
  const isJudged = verdicts.some((verdict) =>
    ["faster", "slower", "no detectable difference"].includes(verdict),
  );
  const counts = COUNTED.flatMap(([verdict, words], place) => {
    const found = verdicts.filter((other) => other === verdict).length;
    return found > 0 || (place < 2 && isJudged) ? [`${found} ${words}`] : [];
  });
  const on = threadsOf(data, [ahead, behind], threads);
  const workloads = count(verdicts.length, "workload");
  return `${nameOf(data, ahead)} against ${nameOf(data, behind)}, ${workloads} on ${on}: ${counts.join(", ")}.`;
}

/** Clocks that differ by less explain nothing. */
const LEAST_CLOCK = 0.03;

/** The clock's part in a lead: `c7g ran at 1.08× the clock of c6i (median over workloads)`. */
function clocks(data: Data, { one: ahead, other: behind, interval }: Lead, threads: string): string[] {
  const ratios = compare(data, behind, ahead)
    .filter(({ row }) => data.rows[row]?.threads === threads)
    .flatMap(({ clockRatio }) => (clockRatio === null ? [] : [clockRatio]))
    .sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)];
  if (median === undefined || data.view === "per-ghz" || Math.abs(Math.log(median)) < LEAST_CLOCK) return [];
  const [name, other] = [nameOf(data, ahead), nameOf(data, behind)];
  return [
    `${name} ran at ${times(median)} the clock of ${other} (per GHz: ${times(interval.centre / median)}).`,
  ];
}

/** How much hangs on single workloads and their weights. */
function robustness(data: Data, { one: ahead, other: behind, interval }: Lead, threads: string): string[] {
  if (!isDecided(interval)) return [];
  const score = overall(data, behind, ahead, threads);
  const { ahead: share = null, least = null, greatest = null } = score?.robustness ?? {};
  const name = nameOf(data, ahead);
  const facts: string[] = [];
  if (share !== null && (score?.rows ?? 0) > 1) {
    const often = share === 1 ? "every one" : share === 0 ? "none" : percent(share);
    facts.push(`${name} leads in ${often} of 10,000 random workload mixes.`);
  }
  if (least && greatest) {
    const without = ({ without, rows, score }: typeof least): string =>
      `without ${shown(without, 80)}${rows > 1 ? ` (${rows} rows)` : ""} it is ${faster(score)}`;
    facts.push(`${name}: ${without(least)}, ${without(greatest)}.`);
  }
  return facts;
}

/** Up to which price the other is the better buy. */
function breakEven(data: Data, view: View, threads: string): string[] {
  const [other] = view.shown;
  const price = canBePriced(data) ? priceOf(data, view, view.baseline) : null;
  const score = other === undefined ? null : overall(data, view.baseline, other, threads)?.interval;
  if (other === undefined || price === null || !score) return [];
  const even = scaled(ofParts(data, score, view.baseline, other, threads), price);
  const unit = currency(data);
  const said = say({ what: "break-even", ratio: even, one: nameOf(data, other), on: unit });
  return [`With ${nameOf(data, view.baseline)} at ${fourDigits(price)} ${unit}/h: ${said}.`];
}
