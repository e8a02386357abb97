// The answer in plain sentences: who is ahead, by how much, how sure that is, and what would change it.

import { type Data } from "../data";
import { compare } from "../judge/comparison";
import { perWatt } from "../judge/energy";
import { isKnown, scaled, type Interval } from "../judge/interval";
import { OVERALL, overall, scoresOf, type Score } from "../judge/score";
import { currency, drawn, priceOf, threadChoices, type View } from "../view";
import { count, factor, percent, quantity, range, shown, threadsInWords } from "./numbers";
import { priceEnds } from "./prices";
import { variants } from "./quality";
import { leaders, ofWork, ranking } from "./ranking";
import { nameOf, standing, type Sentence, type Standing } from "./sentence";

/** The numbers of threads that the answer speaks of: one, all or else the most, and what the reader has chosen. */
export function told(data: Data, view: View): string[] {
  const choices = threadChoices(data);
  const most = choices.includes("all") ? "all" : choices[choices.length - 1];
  return choices.filter((threads) => [most, "1", view.threads].includes(threads));
}

/** The whole answer for what the reader has chosen. */
export function answer(data: Data, view: View): Sentence[] {
  const others = drawn(view).slice(1);
  if (others.length === 0) return [...warnings(data), { kind: "verdict", text: alone(data, view.baseline) }];
  const verdicts = others.length === 1 ? ofTwo(data, view, others[0] ?? 0) : ofMany(data, view);
  return [...warnings(data), ...verdicts];
}

function alone(data: Data, group: number): string {
  const figures = data.cells[group]?.filter((cell) => cell && cell.length > 3).length ?? 0;
  const elsewhere = data.groups[group]?.sheets.flatMap(variants).map((text) => ` ${text}.`) ?? [];
  const next = data.groups.length > 1 ? "choose a machine above" : "name another run";
  return `${nameOf(data, group)}: ${count(figures, "row")} with a figure. There is nothing to compare it to: ${next}.${elsewhere.join("")}`;
}

function ofTwo(data: Data, view: View, other: number): Sentence[] {
  const scores = told(data, view).flatMap((threads) => scoreOf(data, view.baseline, other, threads) ?? []);
  const main = scores.find((score) => score.threads === view.threads) ?? scores[0];
  if (!main) {
    const text = `${nameOf(data, other)} is not comparable with ${nameOf(data, view.baseline)}: no row of both is comparable and has a figure.`;
    return [{ kind: "warning", text }];
  }
  return [
    ...scores.map((score) => verdict(data, view.baseline, other, score)),
    ...price(data, view, other, main),
    ...energy(data, view, other, main),
    sure(data, view.baseline, other, main),
    ...change(data, view.baseline, other, main),
  ];
}

type Scored = Score & { interval: Interval };

function scoreOf(data: Data, baseline: number, other: number, threads: string): Scored | null {
  const score = overall(data, baseline, other, threads);
  return score?.interval ? { ...score, interval: score.interval } : null;
}

/** Of all groups, also those that are not drawn. */
function ofMany(data: Data, view: View): Sentence[] {
  const [first, second] = ranking(data, view, ofWork(data, view.threads));
  const score = first && second ? scoreOf(data, second.group, first.group, view.threads) : null;
  return [
    ...leaders(data, view, told(data, view)),
    ...(first && second && score
      ? [sure(data, second.group, first.group, score), ...change(data, second.group, first.group, score)]
      : []),
  ];
}

function verdict(data: Data, baseline: number, other: number, score: Scored): Sentence {
  const [name, base, on] = [nameOf(data, other), nameOf(data, baseline), threadsInWords(score.threads)];
  const centre = factor(score.interval.centre);
  const how = {
    ahead: `does ${centre} times the work of ${base} on ${on}`,
    behind: `does ${centre} of the work of ${base} on ${on}`,
    even: `and ${base} tie within error on ${on}: ${centre} times`,
    unknown: `does ${centre} times the work of ${base} on ${on}`,
  }[standing(score.interval)];
  return { kind: "verdict", text: `${name} ${how} (${range(score.interval)}; ${count(score.rows, "row")}).` };
}

function price(data: Data, view: View, other: number, score: Scored): Sentence[] {
  const [ours, theirs] = [priceOf(data, view, view.baseline), priceOf(data, view, other)];
  if (ours === null) return [];
  const [name, unit] = [nameOf(data, other), currency(data)];
  const even = scaled(score.interval, ours);
  const evenRange = isKnown(even) ? ` (95\u00a0%: ${priceEnds(even)})` : "";
  const evenText = `they are even where it costs ${quantity(even.centre)} ${unit}/h${evenRange}`;
  if (theirs === null) return [{ kind: "price", text: `${name} has no price; ${evenText}.` }];
  const adjusted = scaled(score.interval, ours / theirs);
  const how = {
    ahead: "more",
    behind: "less",
    even: "the same within error",
    unknown: "this much",
  }[standing(adjusted)];
  const text =
    `For its price (${quantity(theirs)} ${unit}/h against ${quantity(ours)}) ${name} does ${how}: ` +
    `${factor(adjusted.centre)} times on ${threadsInWords(score.threads)} (${range(adjusted)}); ${evenText}.`;
  return [{ kind: "price", text }];
}

function energy(data: Data, view: View, other: number, score: Scored): Sentence[] {
  const found = perWatt(data, view.baseline, other, score.threads);
  if (!found) return [];
  const { interval, rows, sources } = found;
  const text = `Per watt ${nameOf(data, other)} does ${factor(interval.centre)} times the work on ${threadsInWords(score.threads)} (${range(interval)}; ${count(rows, "row")}; watts: ${shown(sources)}).`;
  return [{ kind: "price", text }];
}

/** What is counted of rows, in this order; some also where there are none. */
const VERDICTS_IN_WORDS = [
  ["faster", "faster"],
  ["slower", "slower"],
  ["no detectable difference", "without a difference that can be seen"],
  ["unknown", "unknown (no error bars)"],
  ["not comparable", "not comparable"],
  ["missing", "missing"],
] as const;
const ALWAYS = ["faster", "slower"];

function sure(data: Data, baseline: number, other: number, score: Scored): Sentence {
  const on = threadsInWords(score.threads);
  const rows = compare(data, baseline, other).filter(({ row }) => data.rows[row]?.threads === score.threads);
  const words = rows.map(({ verdict }) => verdict);
  const told = VERDICTS_IN_WORDS.flatMap(([verdict, of]) => {
    const found = words.filter((word) => word === verdict).length;
    return found > 0 || ALWAYS.includes(verdict) ? [`${found} ${of}`] : [];
  });
  let text = `How sure: ${nameOf(data, other)} against ${nameOf(data, baseline)}, row by row on ${on} (${count(rows.length, "row")}): ${told.join(", ")}.`;
  const ahead = score.robustness?.ahead ?? null;
  if (ahead !== null && score.rows > 1) {
    text += ` In ${percent(ahead)} of 10,000 random weightings of the rows it is ahead.`;
  }
  const judged = rows.filter((row) => row.ratio).length;
  if (judged * 2 >= rows.length) return { kind: "sure", text };
  const few = `Only ${judged} of ${count(rows.length, "row")} could be judged: the score rests on few of them.`;
  return { kind: "warning", text: `${few} ${text}` };
}

const OPPOSITE: Partial<Record<Standing, Standing>> = { ahead: "behind", behind: "ahead" };

function change(data: Data, baseline: number, other: number, score: Scored): Sentence[] {
  const { least, greatest } = score.robustness ?? {};
  const sentences: Sentence[] = [];
  if (least && greatest) {
    const text = `What would change it: without ${shown(least.without, 80)} the score of ${nameOf(data, other)} on ${threadsInWords(score.threads)} is ${factor(least.score)}, without ${shown(greatest.without, 80)} ${factor(greatest.score)}.`;
    sentences.push({ kind: "change", text });
  }
  const mine = standing(score.interval);
  const categories = scoresOf(data, baseline, other).flatMap(({ category, threads, interval }) =>
    category !== OVERALL && threads === score.threads && interval ? [{ category, interval }] : [],
  );
  for (const [isIt, words] of [
    [(of: string) => OPPOSITE[mine] === of, "The other way round in"],
    [(of: string) => of !== mine && OPPOSITE[mine] !== of, "No such difference detected in"],
  ] as const) {
    const found = categories.filter(({ interval }) => isIt(standing(interval)));
    const told = found.map(
      ({ category, interval }) => `${shown(category, 40)} ${factor(interval.centre)} (${range(interval)})`,
    );
    if (told.length > 0) sentences.push({ kind: "change", text: `${words}: ${told.join(", ")}.` });
  }
  return sentences;
}

function warnings(data: Data): Sentence[] {
  const contention =
    data.contention === null ? [] : [{ kind: "warning" as const, text: shown(data.contention, 600) }];
  const ofGroups = data.groups.flatMap((group, place) => {
    const name = nameOf(data, place);
    const why = group.sheets.flatMap((sheet) => sheet.why_unfit);
    const findings = group.sheets.flatMap((sheet) => sheet.findings);
    const texts = [
      ...(why.length > 0 ? [`Don't trust ${name}: ${shown(why.join("; "), 600)}.`] : []),
      ...findings
        .filter((finding) => finding.severity === "unfit")
        .map(({ seen, remedy }) => {
          const told = [seen, remedy].filter(Boolean).join("; ");
          return `When ${name} was measured, the machine was not fit for it: ${shown(told, 600)}.`;
        }),
    ];
    return texts.map((text) => ({ kind: "warning" as const, text }));
  });
  return [...contention, ...ofGroups];
}
