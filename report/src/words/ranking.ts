// Of many machines: who does most, and who comes next.

import { type Data } from "../data";
import { perWatt } from "../judge/energy";
import { scaled, type Interval } from "../judge/interval";
import { overall } from "../judge/score";
import { priceOf, type View } from "../view";
import { count, factor, range, shown, threadsInWords } from "./numbers";
import { nameOf, standing, type Sentence } from "./sentence";

/** What machines are ranked by. */
interface Measure {
  /** What the first does. */
  what: string;
  kind: Sentence["kind"];
  threads: string;
  /** How much a group does of it beside the baseline; NaN where that is not known. */
  value: (group: number, baseline: number) => number;
  /** A group over another. */
  ratio: (group: number, to: number) => Interval | null;
  /** What must be known with it. */
  note?: (group: number, to: number) => string;
}

interface Ranked {
  group: number;
  value: number;
}

/** The score over all categories. */
export function ofWork(data: Data, threads: string): Measure {
  const ratio = (group: number, to: number): Interval | null =>
    overall(data, to, group, threads)?.interval ?? null;
  const value = (group: number, baseline: number): number =>
    group === baseline ? 1 : (ratio(group, baseline)?.centre ?? NaN);
  return { what: "most work", kind: "verdict", threads, value, ratio };
}

/** The same for its price. */
function ofMoney(data: Data, view: View): Measure {
  const work = ofWork(data, view.threads);
  const price = (group: number): number => priceOf(data, view, group) ?? NaN;
  return {
    ...work,
    what: "most for its price",
    kind: "price",
    value: (group, baseline) => work.value(group, baseline) / price(group),
    ratio: (group, to) => {
      const [found, factor] = [work.ratio(group, to), price(to) / price(group)];
      return found && Number.isFinite(factor) ? scaled(found, factor) : null;
    },
  };
}

/** The rows that have watts. */
function ofWatts(data: Data, threads: string): Measure {
  const ratio = (group: number, to: number): Interval | null =>
    perWatt(data, to, group, threads)?.interval ?? null;
  const value = (group: number, baseline: number): number =>
    group === baseline ? 1 : (ratio(group, baseline)?.centre ?? NaN);
  const note = (group: number, to: number): string =>
    `; watts: ${shown(perWatt(data, to, group, threads)?.sources ?? "")}`;
  return { what: "most work per watt", kind: "price", threads, value, ratio, note };
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
  const against = first.group === view.baseline ? second.group : view.baseline;
  const interval = measure.ratio(first.group, against);
  const lead = `Of ${count(ranked.length, "machine")} ${nameOf(data, first.group)} does ${measure.what} on ${threadsInWords(measure.threads)}`;
  const far = interval ? `${range(interval)}${measure.note?.(first.group, against) ?? ""}` : "";
  const by = interval ? `: ${factor(interval.centre)} times ${nameOf(data, against)} (${far})` : "";
  const isNext = ![first.group, second.group].includes(view.baseline);
  return [{ kind: measure.kind, text: `${lead}${by}${isNext ? next(data, measure, first, second) : ""}.` }];
}

function next(data: Data, measure: Measure, first: Ranked, second: Ranked): string {
  const lead = measure.ratio(first.group, second.group);
  const doubt = lead && standing(lead) === "even" ? ", which can't be told apart" : "";
  return `; next comes ${nameOf(data, second.group)}, of which it does ${factor(first.value / second.value)} times${doubt}`;
}
