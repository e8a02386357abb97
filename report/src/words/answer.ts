// The answer: who is ahead and by how much, in a sentence and in tiles.

import { rankedTo, type Data } from "../data";
import { fewCompared } from "../judge/comparison";
import { type Quantity } from "../judge/program";
import { overall } from "../judge/score";
import { chosenMeasure, cpusAtWork, ofCpus, ofMoney, ofWatts, ofWork, type Measure } from "../judge/measure";
import { drawn, threadChoices, type View } from "../view";
import { alone } from "./alone";
import { coverage, isOtherWork, workOf } from "./coverage";
import { factsOfPair } from "./facts";
import { leader, headlineOfMany } from "./leaders";
import { anything, confidence, faster, isDecided, same, standing, stands, type Lead } from "./speed";
import { nameOf, threadsOf } from "./names";
import { count, shown, threadsInWords } from "./numbers";
import { qualified } from "./qualified";
import { currency } from "../view";

/** One figure of the answer. */
export interface Tile {
  /** Its subject: `all 64 threads`, `per dollar`. */
  about: string;
  /** Who is ahead, if anybody is. */
  group: number | null;
  value: string;
  /** Its interval, or what else must be known. */
  detail: string;
}

export interface Answer {
  headline: string;
  tiles: Tile[];
  /** How certain it is, and what would change it. */
  facts: string[];
  /** The measure that the headline ranks many machines by: another one where they can't be ranked by what the reader chose. */
  ranked?: Measure;
}

/** The numbers of threads that the answer is about: all or else the most, one, and what the reader has chosen. */
export function threadsOfAnswer(data: Data, view: View): string[] {
  const choices = threadChoices(data);
  const most = choices.includes("all") ? "all" : choices[choices.length - 1];
  return choices.filter((threads) => [most, "1", view.threads].includes(threads));
}

/** The two machines that a reader holds against each other; nothing where there are more or fewer. */
export function pairOf(view: View): [baseline: number, other: number] | null {
  const [baseline = 0, other, ...more] = drawn(view);
  return other === undefined || more.length > 0 ? null : [baseline, other];
}

/** The whole answer for what the reader has chosen. */
export function answer(data: Data, view: View): Answer {
  const pair = pairOf(view);
  const found =
    view.shown.length === 0
      ? alone(data, view.baseline)
      : pair
        ? ofTwo(data, view, ...pair)
        : ofMany(data, view);
  return { ...found, headline: qualified(data, view, found.headline) };
}

/** The measures of an answer: throughput on each number of threads, then for money and per watt. */
function measures(data: Data, view: View): Measure[] {
  return [
    ...threadsOfAnswer(data, view).map((threads) => ofWork(data, threads)),
    ...(view.per === "cpu" || differInCpus(data, view) ? [ofCpus(data, view.threads)] : []),
    ofMoney(data, view),
    ofWatts(data, view.threads),
  ];
}

/** Whether work per CPU is another figure than work: one thread takes one CPU of any machine. */
function differInCpus(data: Data, { threads }: View): boolean {
  return threads === "all" && new Set(data.groups.map((_, group) => cpusAtWork(data, group))).size > 1;
}

/** A measure in a sentence: `on all 64 threads`, `per dollar on all 64 threads`. */
export function onWhat(data: Data, groups: number[], measure: Measure): string {
  const on = `on ${threadsOf(data, groups, measure.threads)}`;
  return measure.kind === "work" ? on : `${aboutOf(data, groups, measure)} ${on}`;
}

/** `all 64 threads`, `per CPU`, `per dollar`, `per watt`. */
export function aboutOf(data: Data, groups: number[], { kind, threads }: Measure): string {
  if (kind === "watts") return "per watt";
  if (kind === "cpus") return "per CPU";
  if (kind === "work") return threadsOf(data, groups, threads);
  const unit = currency(data);
  return `per ${["$", "USD"].includes(unit) ? "dollar" : unit}`;
}

/** The words for more and for less of it. */
export function quantityOf({ kind }: Measure): Quantity {
  return kind === "work" ? "speed" : "amount";
}

function ofTwo(data: Data, view: View, baseline: number, other: number): Answer {
  const groups = [baseline, other];
  const found = measures(data, view).flatMap((measure) => {
    const held = measure.held(other, baseline);
    return held ? [{ measure, held, interval: held.interval }] : [];
  });
  const { kind } = chosenMeasure(data, view);
  const work = found.find(({ measure }) => measure.threads === view.threads) ?? found[0];
  const main = found.find(({ measure }) => measure.threads === view.threads && measure.kind === kind) ?? work;
  if (!main || !work) {
    const headline = `${nameOf(data, other)} and ${nameOf(data, baseline)} have no comparable workload`;
    return { headline, tiles: [], facts: [] };
  }
  const isOther = isOtherWork(data, baseline, other);
  const tiles = found.map(({ measure, held, interval }): Tile => {
    const how = standing(interval);
    const words = quantityOf(measure);
    const workNames =
      isOther && measure.kind === "work" ? [workOf(data, baseline, other, measure.threads)] : [];
    const watts = held.sources === undefined ? [] : [`watts: ${held.sources}`];
    return {
      about: aboutOf(data, groups, measure),
      group: isDecided(interval) ? other : null,
      value: how === "same" ? same() : how === "undecided" ? "can't tell" : faster(interval.centre, words),
      detail: [
        how === "undecided" ? anything(interval, words) : confidence(interval),
        ...workNames,
        ...watts,
      ].join("; "),
    };
  });
  const { threads } = main.measure;
  const { interval } = work;
  const isOfWork = main.measure.kind === "work";
  const depends = isOfWork ? whichDependsOn(data, baseline, other, threads) : null;
  const on = onWhat(data, groups, main.measure);
  // `on` names the work already where there is one category.
  const whole =
    isOther && data.category === undefined ? `${on} at ${workOf(data, baseline, other, threads)}` : on;
  const lead: Lead = { one: other, other: baseline, interval, standing: standing(interval) };
  return {
    headline:
      ofFew(data, baseline, other, threads) +
      (depends ??
        stands(
          nameOf(data, other),
          nameOf(data, baseline),
          main.interval,
          whole,
          isOfWork ? "speed" : "work",
        )),
    tiles,
    facts: [...factsOfPair(data, view, lead, threads), ...coverage(data, groups, threads)],
  };
}

/** Few rows make no winner: `On the 1 of 129 workloads that can be compared, `. */
function ofFew(data: Data, baseline: number, other: number, threads: string): string {
  const few = fewCompared(data, baseline, other, threads);
  return few ? `On the ${few.judged} of ${count(few.all, "workload")} that can be compared, ` : "";
}

/** Where the rows of two machines disagree about their order, what says so of `which of them`. */
export function dependsOn(data: Data, baseline: number, other: number, threads: string): string | null {
  const text = overall(data, baseline, other, threads)?.robustness?.depends;
  return text === undefined ? null : shown(text, 600);
}

/** A sentence of it: `Which of c8g and c7g is faster on all threads depends on the work: …`. */
export function whichDependsOn(data: Data, baseline: number, other: number, threads: string): string | null {
  const depends = dependsOn(data, baseline, other, threads);
  return depends && `Which of ${nameOf(data, other)} and ${nameOf(data, baseline)} ${depends}`;
}

/** Ranks all groups, also those that are not drawn. */
function ofMany(whole: Data, view: View): Answer {
  const data = rankedTo(whole);
  const all = measures(data, view).flatMap((measure) => leader(data, view, measure) ?? []);
  const { kind } = chosenMeasure(data, view);
  const main = all.find(({ measure }) => measure.threads === view.threads && measure.kind === kind) ?? all[0];
  if (!main) return { headline: "No two machines have a comparable workload", tiles: [], facts: [] };
  return {
    headline: [notRanked(data, view, main.measure), headlineOfMany(data, main)].filter(Boolean).join(". "),
    tiles: all.map(({ tile }) => tile),
    ranked: main.measure,
    facts: [...all.flatMap(({ facts }) => facts), ...coverage(data, main.groups, main.measure.threads)],
  };
}

/** Why machines are ranked by something else than the reader chose; nothing where they are not. */
export function notRanked(data: Data, view: View, by: Measure): string | null {
  if (by.threads !== view.threads)
    return `No two machines can be compared on ${threadsInWords(view.threads)}`;
  const chosen = chosenMeasure(data, view);
  if (by.kind === chosen.kind) return null;
  const what = aboutOf(data, [], chosen);
  const known = data.groups.flatMap((_, group) => (chosen.isKnown(group) ? [nameOf(data, group, 40)] : []));
  if (chosen.kind !== "money" || known.length > 1) return `No two machines can be compared ${what}`;
  return `${known.length === 1 ? `Only ${known[0]}` : "No machine"} has a price, so none can be ranked ${what}`;
}
