// Of many machines: who does most, and who comes next.

import { type Data } from "../data";
import { perWatt } from "../judge/energy";
import { scaled, type Interval } from "../judge/interval";
import { overall } from "../judge/score";
import { priceOf, type View } from "../view";
import { count, factor, range, shown, threadsInWords } from "./numbers";
import { nameOf, standing, type Sentence } from "./sentence";

/** A group held against another. */
interface Held {
  /** The group's over the other's. */
  interval: Interval;
  rows: number;
  /** Where the watts come from, if it is of watts. */
  sources?: string;
}

/** What machines are ranked by. */
interface Measure {
  /** What the first does. */
  what: string;
  kind: Sentence["kind"];
  threads: string;
  /** How much a group does of it beside the baseline; NaN where that is not known. */
  value: (group: number, baseline: number) => number;
  held: (group: number, to: number) => Held | null;
}

interface Ranked {
  group: number;
  value: number;
}

/** The score over all categories. */
export function ofWork(data: Data, threads: string): Measure {
  const held = (group: number, to: number): Held | null => {
    const score = overall(data, to, group, threads);
    return score?.interval ? { interval: score.interval, rows: score.rows } : null;
  };
  return { what: "the most work", kind: "verdict", threads, value: centre(held), held };
}

/** Beside the baseline. */
function centre(held: Measure["held"]): Measure["value"] {
  return (group, baseline) => (group === baseline ? 1 : (held(group, baseline)?.interval.centre ?? NaN));
}

/** The same for its price. */
function ofMoney(data: Data, view: View): Measure {
  const work = ofWork(data, view.threads);
  const price = (group: number): number => priceOf(data, view, group) ?? NaN;
  return {
    ...work,
    what: "the most for its price",
    kind: "price",
    value: (group, baseline) => work.value(group, baseline) / price(group),
    held: (group, to) => {
      const [found, factor] = [work.held(group, to), price(to) / price(group)];
      return found && Number.isFinite(factor) ? { ...found, interval: scaled(found.interval, factor) } : null;
    },
  };
}

/** The rows that have watts. */
function ofWatts(data: Data, threads: string): Measure {
  const held = (group: number, to: number): Held | null => perWatt(data, to, group, threads);
  return { what: "the most work per watt", kind: "price", threads, value: centre(held), held };
}

/** Who leads on each of these numbers of threads, and on the chosen one for its price and per watt. */
export function leaders(data: Data, view: View, threads: string[]): Sentence[] {
  const measures = [
    ...threads.map((threads) => ofWork(data, threads)),
    ofMoney(data, view),
    ofWatts(data, view.threads),
  ];
  return measures.flatMap((measure) => leader(data, view, measure));
}

/** Groups by a measure, the greatest first; none where there are not two. */
export function ranking(data: Data, view: View, measure: Measure): Ranked[] {
  const ranked = data.groups.flatMap((_, group) => {
    const value = measure.value(group, view.baseline);
    return Number.isFinite(value) ? [{ group, value }] : [];
  });
  return ranked.length > 1 ? ranked.sort((a, b) => b.value - a.value) : [];
}

function leader(data: Data, view: View, measure: Measure): Sentence[] {
  const ranked = ranking(data, view, measure);
  const [first, second] = ranked;
  if (!first || !second) return [];
  // Who comes next is held against the first directly: the rows that both have need not be those that the baseline has.
  const others = [...new Set([view.baseline, second.group])].filter((group) => group !== first.group);
  const lead = measure.held(first.group, second.group);
  const isSure = lead !== null && standing(lead.interval) === "ahead";
  const parts = others.map((other) => {
    const isNext = other === second.group && others.length > 1;
    return against(data, measure, first.group, other, isNext ? ", the next" : "");
  });
  const name = nameOf(data, first.group);
  const on = threadsInWords(measure.threads);
  const text = `Of ${count(ranked.length, "machine")} ${name} ${isSure ? "does" : "may do"} ${measure.what} on ${on}: ${parts.join("; ")}.`;
  return [{ kind: measure.kind, text }, ...left(data, view, measure, ranked)];
}

/** The first against another, as far as that is known. */
function against(data: Data, measure: Measure, first: number, other: number, which: string): string {
  const held = measure.held(first, other);
  const name = `${nameOf(data, other)}${which}`;
  if (!held) return `no row in common with ${name}`;
  const sources = held.sources ? `; watts: ${shown(held.sources)}` : "";
  const figure = `${factor(held.interval.centre)} times ${name} (${range(held.interval)}; ${count(held.rows, "row")}${sources})`;
  const doubt = {
    ahead: "",
    unknown: "",
    even: ", a tie within error",
    behind: ", which is ahead on the rows that both have",
  };
  return `${figure}${doubt[standing(held.interval)]}`;
}

/** Those that are not ranked by work, for they have nothing in common with the baseline. */
function left(data: Data, view: View, measure: Measure, ranked: Ranked[]): Sentence[] {
  if (measure.kind !== "verdict" || ranked.length === data.groups.length) return [];
  const names = data.groups.flatMap((_, group) =>
    ranked.some((of) => of.group === group) ? [] : [nameOf(data, group)],
  );
  const text = `Not among them: ${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ""}: no row of theirs on ${threadsInWords(measure.threads)} is comparable with ${nameOf(data, view.baseline)}.`;
  return [{ kind: "warning", text }];
}

/** More machines than this are counted. */
const MOST_NAMED = 5;
