// Measures that machines are ranked by: throughput, throughput per CPU and per unit of money, work per watt.

import { countsOfAll, type Data } from "../data";
import { canBePriced, priceOf, type Per, type View } from "../view";
import { perWatt } from "./energy";
import { scaled, type Interval } from "./interval";
import { partOf } from "./money";
import { overall, reference } from "./score";

/** A group over another. */
export interface Held {
  interval: Interval;
  rows: number;
  /** Where the watts come from, if it is of watts. */
  sources?: string;
}

export interface Measure {
  kind: "work" | "cpus" | "money" | "watts";
  threads: string;
  /** Whether it is known of a group what this takes: a price, watts. */
  isKnown: (group: number) => boolean;
  /** By what a group's throughput is divided: its CPUs, or what it costs an hour; 1 for throughput itself, NaN where unknown. */
  divisor: (group: number) => number;
  /** A group over another; nothing where they can't be compared. */
  held: (group: number, to: number) => Held | null;
}

/** The score over all categories. */
export function ofWork(data: Data, threads: string): Measure {
  const held = (group: number, to: number): Held | null => {
    const score = overall(data, to, group, threads);
    return score?.interval ? { interval: score.interval, rows: score.rows } : null;
  };
  return { kind: "work", threads, isKnown: () => true, divisor: () => 1, held };
}

/** The score over all categories over a divisor. */
function divided(kind: Measure["kind"], data: Data, threads: string, divisor: Measure["divisor"]): Measure {
  const work = ofWork(data, threads);
  const isKnown = (group: number): boolean => divisor(group) > 0;
  const held = (group: number, to: number): Held | null => {
    const found = isKnown(group) && isKnown(to) ? work.held(group, to) : null;
    return found && { ...found, interval: scaled(found.interval, divisor(to) / divisor(group)) };
  };
  return { kind, threads, isKnown, divisor, held };
}

/** The score per CPU. One thread takes as many of any machine. */
export function ofCpus(data: Data, threads: string): Measure {
  return divided("cpus", data, threads, (group) => (threads === "all" ? cpusAtWork(data, group) : 1));
}

/** The CPUs that rows on all threads used; 0 without such a row. */
export function cpusAtWork(data: Data, group: number): number {
  return Math.max(0, ...countsOfAll(data, group));
}

/** The score per unit of money. */
export function ofMoney(data: Data, view: View): Measure {
  const price = (group: number): number => (canBePriced(data) ? priceOf(data, view, group) : null) ?? NaN;
  return divided("money", data, view.threads, (group) => price(group) * partOf(data, group, view.threads));
}

/** The rows that have watts. */
export function ofWatts(data: Data, threads: string): Measure {
  const isKnown = (group: number): boolean => (data.energy[group]?.length ?? 0) > 0;
  const held = (group: number, to: number): Held | null =>
    isKnown(group) && isKnown(to) ? perWatt(data, to, group, threads) : null;
  return { kind: "watts", threads, isKnown, divisor: () => NaN, held };
}

/** The measure that the reader chose. */
export function chosenMeasure(data: Data, view: View): Measure {
  const measures: Record<Per, () => Measure> = {
    machine: () => ofWork(data, view.threads),
    cpu: () => ofCpus(data, view.threads),
    money: () => ofMoney(data, view),
  };
  return measures[view.per]();
}

export interface Ranked {
  group: number;
  /** Over the baseline, or over the first that can be compared. */
  held: Held | null;
  value: number;
}

/**
 * Groups by a measure, the greatest first; none where there are not two. What can't be compared with the baseline stands for
 * itself: then they are over the first group that can be compared with another.
 */
export function ranking(data: Data, view: View, measure: Measure): Ranked[] {
  const groups = data.groups.map((_, group) => group).filter((group) => measure.isKnown(group));
  const heldBy = (group: number, to: number): Held | null => {
    const held = measure.held(group, to);
    return held && Number.isFinite(held.interval.centre) ? held : null;
  };
  const to = reference(view.baseline, groups, (group, to) => heldBy(group, to) !== null);
  if (to === null) return [];
  const others = groups.flatMap((group): Ranked[] => {
    const held = group === to ? null : heldBy(group, to);
    return held ? [{ group, held, value: held.interval.centre }] : [];
  });
  return [...others, { group: to, held: null, value: 1 }].sort((a, b) => b.value - a.value);
}

/** The group whose value in a ranking is 1 by definition. */
export function referenceOf(ranked: Ranked[]): number | undefined {
  return ranked.find(({ held }) => held === null)?.group;
}
