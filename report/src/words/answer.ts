// The answer in plain sentences: who is ahead, by how much, how sure that is, and what would change it.

import { type Data } from "../data";
import { compare, type Row } from "../judge/comparison";
import { perWatt } from "../judge/energy";
import { half, scaled, type Interval } from "../judge/interval";
import { OVERALL, overall, scoresOf, type Score } from "../judge/score";
import { currency, drawn, priceOf, threadChoices, type View } from "../view";
import { count, factor, percent, quantity, range, shown, threadsInWords } from "./numbers";
import { variants } from "./quality";
import { leaders, ofWork, ranking } from "./ranking";
import { nameOf, standing, type Sentence } from "./sentence";

/** The numbers of threads that the answer speaks of: one, all, and what the reader has chosen. */
export function told(data: Data, view: View): string[] {
  return threadChoices(data).filter((threads) => ["all", "1", view.threads].includes(threads));
}

/** The whole answer for what the reader has chosen. */
export function answer(data: Data, view: View): Sentence[] {
  const others = drawn(view).slice(1);
  if (others.length === 0) return [...warnings(data), { kind: "verdict", text: alone(data, view.baseline) }];
  const verdicts = others.length === 1 ? ofTwo(data, view, others[0] ?? 0) : ofMany(data, view);
  return [...warnings(data), ...verdicts];
}

function alone(data: Data, group: number): string {
  const figures = data.cells[group]?.filter((cell) => cell && cell.length > 2).length ?? 0;
  const elsewhere = data.groups[group]?.sheets.flatMap(variants).map((text) => ` ${text}.`) ?? [];
  return `${nameOf(data, group)}: ${count(figures, "row")} with a figure. There is nothing to compare it to: name another run.${elsewhere.join("")}`;
}

function ofTwo(data: Data, view: View, other: number): Sentence[] {
  const scores = told(data, view).flatMap((threads) => scoreOf(data, view.baseline, other, threads) ?? []);
  const main = scores.find((score) => score.threads === view.threads) ?? scores[0];
  if (!main) {
    const text = `${nameOf(data, other)} can't be held against ${nameOf(data, view.baseline)}: no row of both is comparable and has a figure.`;
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
    even: `and ${base} can't be told apart on ${on}: ${centre} times`,
    unknown: `does ${centre} times the work of ${base} on ${on}`,
  }[standing(score.interval)];
  return { kind: "verdict", text: `${name} ${how} (${range(score.interval)}; ${count(score.rows, "row")}).` };
}

function price(data: Data, view: View, other: number, score: Scored): Sentence[] {
  const [ours, theirs] = [priceOf(data, view, view.baseline), priceOf(data, view, other)];
  if (ours === null) return [];
  const [name, unit] = [nameOf(data, other), currency(data)];
  const even = scaled(score.interval, ours);
  const evenRange = Number.isFinite(half(even))
    ? ` (95 %: ${quantity(even.low)} to ${quantity(even.high)})`
    : "";
  const evenText = `they are even where it costs ${quantity(even.centre)} ${unit}/h${evenRange}`;
  if (theirs === null) return [{ kind: "price", text: `${name} has no price; ${evenText}.` }];
  const adjusted = scaled(score.interval, ours / theirs);
  const how = {
    ahead: "more",
    behind: "less",
    even: "neither more nor less, as far as can be told",
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

function sure(data: Data, baseline: number, other: number, score: Scored): Sentence {
  const rows = compare(data, baseline, other);
  const having = (verdict: Row["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const parts = [
    `${having("faster")} faster`,
    `${having("slower")} slower`,
    `${having("no detectable difference")} without a difference that can be seen`,
  ];
  if (having("not comparable") > 0) parts.push(`${having("not comparable")} not comparable`);
  if (having("missing") > 0) parts.push(`${having("missing")} missing`);
  let text = `How sure: ${nameOf(data, other)} against ${nameOf(data, baseline)}, row by row (${count(rows.length, "row")}): ${parts.join(", ")}.`;
  if (score.robustness) {
    text += ` In ${percent(score.robustness.ahead)} of 10,000 random weightings of the rows it is ahead on ${threadsInWords(score.threads)}.`;
  }
  const judged = rows.filter((row) => row.ratio).length;
  if (judged * 2 >= rows.length) return { kind: "sure", text };
  const few = `Only ${judged} of ${count(rows.length, "row")} could be judged: the score rests on few of them.`;
  return { kind: "warning", text: `${few} ${text}` };
}

function change(data: Data, baseline: number, other: number, score: Scored): Sentence[] {
  const { least, greatest } = score.robustness ?? {};
  const sentences: Sentence[] = [];
  if (least && greatest) {
    const text = `What would change it: without ${shown(least.without, 80)} the score of ${nameOf(data, other)} is ${factor(least.score)}, without ${shown(greatest.without, 80)} ${factor(greatest.score)}.`;
    sentences.push({ kind: "change", text });
  }
  const mine = standing(score.interval);
  const against = scoresOf(data, baseline, other).flatMap((line) => {
    const isOther = line.category !== OVERALL && line.threads === score.threads;
    return isOther && line.interval && standing(line.interval) !== mine
      ? [`${shown(line.category, 40)} ${factor(line.interval.centre)} (${range(line.interval)})`]
      : [];
  });
  if (against.length > 0) sentences.push({ kind: "change", text: `Not so in: ${against.join(", ")}.` });
  return sentences;
}

function warnings(data: Data): Sentence[] {
  return data.groups.flatMap((group, place) => {
    const name = nameOf(data, place);
    if (group.is_unfit) {
      const notes = group.sheets.flatMap((sheet) => sheet.notes);
      return [{ kind: "warning" as const, text: `Don't trust ${name}: ${shown(notes.join("; "), 600)}.` }];
    }
    const unfit = group.sheets
      .flatMap((sheet) => sheet.findings)
      .filter((finding) => finding.severity === "unfit");
    return unfit.map((finding) => ({
      kind: "warning" as const,
      text: `Don't trust ${name}: ${shown(finding.seen, 600)}.`,
    }));
  });
}
