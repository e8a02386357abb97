// The answer in plain sentences: who is ahead, by how much, how sure that is, and what would change it.

import { type Data } from "../data";
import { compare, type Row } from "../judge/comparison";
import { scaled, type Interval } from "../judge/interval";
import { OVERALL, overall, scoresOf, type Score } from "../judge/score";
import { currency, drawn, priceOf, threadChoices, type View } from "../view";
import { count, factor, percent, quantity, range, shown, threadsInWords } from "./numbers";

/** A sentence, and how much it matters. */
export interface Sentence {
  kind: "verdict" | "price" | "sure" | "change" | "warning";
  text: string;
}

/** What a score's interval says. */
export function standing(of: Interval): "ahead" | "behind" | "even" {
  if (of.low > 1) return "ahead";
  return of.high < 1 ? "behind" : "even";
}

/** The whole answer for what the reader has chosen. */
export function answer(data: Data, view: View): Sentence[] {
  const label = (group: number): string => shown(data.groups[group]?.label ?? "", 60);
  const others = drawn(view).slice(1);
  if (others.length === 0) return [{ kind: "verdict", text: alone(data, label(view.baseline)) }];
  const sentences = warnings(data);
  const counts = threadChoices(data);
  for (const other of others) {
    for (const threads of counts) {
      const score = overall(data, view.baseline, other, threads);
      if (score?.interval) sentences.push(verdict(label(other), label(view.baseline), score));
    }
    const threads = counts.find((threads) => overall(data, view.baseline, other, threads)?.interval);
    const score = threads === undefined ? null : overall(data, view.baseline, other, threads);
    if (score?.interval) {
      sentences.push(...price(data, view, other, score));
      sentences.push(...sure(data, view, other, score));
      sentences.push(...change(data, view, other, score));
    } else {
      const text = `${label(other)} can't be held against ${label(view.baseline)}: no row of both is comparable and has a figure.`;
      sentences.push({ kind: "warning", text });
    }
  }
  return sentences;
}

function alone(data: Data, label: string): string {
  const figures = data.cells[0]?.filter((cell) => cell && cell.length > 2).length ?? 0;
  return `${label}: ${count(figures, "row")} with a figure. There is nothing to compare it to: name another run.`;
}

function verdict(other: string, baseline: string, score: Score): Sentence {
  const of = score.interval as Interval;
  const on = threadsInWords(score.threads);
  const basis = `95 %: ${range(of)}; ${count(score.rows, "row")}`;
  const how = {
    ahead: `does ${factor(of.centre)} times the work of ${baseline} on ${on}`,
    behind: `does ${factor(of.centre)} of the work of ${baseline} on ${on}`,
    even: `and ${baseline} can't be told apart on ${on}: ${factor(of.centre)} times`,
  }[standing(of)];
  return { kind: "verdict", text: `${other} ${how} (${basis}).` };
}

function price(data: Data, view: View, other: number, score: Score): Sentence[] {
  const [ours, theirs] = [priceOf(data, view, view.baseline), priceOf(data, view, other)];
  if (ours === null) return [];
  const of = score.interval as Interval;
  const [label, unit] = [shown(data.groups[other]?.label ?? "", 60), currency(data)];
  const even = scaled(of, ours);
  const evenText = `they are even where it costs ${quantity(even.centre)} ${unit}/h (95 %: ${quantity(even.low)} to ${quantity(even.high)})`;
  if (theirs === null) return [{ kind: "price", text: `${label} has no price; ${evenText}.` }];
  const adjusted = scaled(of, ours / theirs);
  const how = { ahead: "more", behind: "less", even: "neither more nor less, as far as can be told," }[standing(adjusted)];
  const text =
    `For its price (${quantity(theirs)} ${unit}/h against ${quantity(ours)}) ${label} does ${how}: ` +
    `${factor(adjusted.centre)} times on ${threadsInWords(score.threads)} (95 %: ${range(adjusted)}); ${evenText}.`;
  return [{ kind: "price", text }];
}

function sure(data: Data, view: View, other: number, score: Score): Sentence[] {
  const rows = compare(data, view.baseline, other);
  const having = (verdict: Row["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const parts = [
    `${having("faster")} faster`,
    `${having("slower")} slower`,
    `${having("no detectable difference")} without a difference that can be seen`,
  ];
  if (having("not comparable") > 0) parts.push(`${having("not comparable")} not comparable`);
  if (having("missing") > 0) parts.push(`${having("missing")} missing`);
  const label = shown(data.groups[other]?.label ?? "", 60);
  let text = `${label}, row by row (${count(rows.length, "row")}): ${parts.join(", ")}.`;
  if (score.robustness) {
    text += ` With ${percent(score.robustness.ahead)} of 10,000 random weightings of the rows it is ahead on ${threadsInWords(score.threads)}.`;
  }
  return [{ kind: "sure", text }];
}

function change(data: Data, view: View, other: number, score: Score): Sentence[] {
  const label = shown(data.groups[other]?.label ?? "", 60);
  const { least, greatest } = score.robustness ?? {};
  const sentences: Sentence[] = [];
  if (least && greatest) {
    const text = `What would change it: without ${shown(least.without, 80)} the score of ${label} is ${factor(least.score)}, without ${shown(greatest.without, 80)} ${factor(greatest.score)}.`;
    sentences.push({ kind: "change", text });
  }
  const mine = standing(score.interval as Interval);
  const against = scoresOf(data, view.baseline, other).filter(
    (line) =>
      line.category !== OVERALL && line.threads === score.threads && line.interval && standing(line.interval) !== mine,
  );
  if (against.length > 0) {
    const parts = against.map((line) => `${shown(line.category, 40)} ${factor((line.interval as Interval).centre)}`);
    sentences.push({ kind: "change", text: `Not so in: ${parts.join(", ")}.` });
  }
  return sentences;
}

function warnings(data: Data): Sentence[] {
  return data.groups.flatMap((group) => {
    const label = shown(group.label, 60);
    if (group.is_unfit) {
      const notes = group.sheets.flatMap((sheet) => sheet.notes);
      return [{ kind: "warning" as const, text: `Don't trust ${label}: ${notes.join("; ")}.` }];
    }
    const unfit = group.sheets.flatMap((sheet) => sheet.findings).filter((finding) => finding.severity === "unfit");
    return unfit.map((finding) => ({ kind: "warning" as const, text: `Don't trust ${label}: ${finding.seen}.` }));
  });
}
