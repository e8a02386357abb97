// Scores per category and overall: as a page's table, and as bars in a picture that is taken along.

import { OVERALL, rankedTo, type Data } from "../data";
import { around, isKnown, scaled, type Interval } from "../judge/interval";
import { chosenMeasure, ofWork, ranking, type Measure } from "../judge/measure";
import { scoresOf } from "../judge/score";
import { answerable, drawn, type View } from "../view";
import { aboutOf } from "../words/answer";
import { isKnownKind } from "../words/coverage";
import { atWork } from "../words/names";
import { end, fourDigits, range, shown, threadsInWords, width } from "../words/numbers";
import { times, withErrorBars } from "../words/speed";
import { type Chart } from "./chart";
import { drawBars } from "./panels";
import { groupNames } from "./plot";

export interface CategoryScore {
  group: number;
  category: string;
  rows: number;
  interval: Interval;
}

/** Machines against the baseline, the best first. */
export interface Scores {
  /** The quantity that throughput is divided by: the reader's choice, if that is known of the baseline. */
  measure: Measure;
  /** With the baseline. */
  groups: number[];
  /** That over all of them first, work of no known kind last. */
  categories: string[];
  /** Not of the baseline, whose scores are 1. */
  all: CategoryScore[];
}

/** Scores of three machines or more: for two the answer has its picture. */
export function scoresOfMany(whole: Data, view: View): Scores | null {
  if (answerable(view).length < 2) return null;
  const data = rankedTo(whole);
  const chosen = chosenMeasure(data, view);
  const measure = chosen.isKnown(view.baseline) ? chosen : ofWork(data, view.threads);
  const groups = ranking(data, view, measure).map(({ group }) => group);
  const all = groups.flatMap((group) => {
    const times = measure.divisor(view.baseline) / measure.divisor(group);
    return scoresOf(data, view.baseline, group).flatMap(({ category, threads, rows, interval }) =>
      threads === view.threads && interval
        ? [{ group, category, rows, interval: scaled(interval, times) }]
        : [],
    );
  });
  const names = [...new Set(all.map(({ category }) => category))];
  const place = (name: string): number => (name === OVERALL ? 0 : isKnownKind(name) ? 1 : 2);
  const categories = names.sort((a, b) => place(a) - place(b));
  // Beside the overall score a single category says the same again.
  const said = categories.length === 2 ? categories.slice(0, 1) : categories;
  return all.length === 0 ? null : { measure, groups, categories: said, all };
}

/** A machine's score, 1 of the baseline. */
export function scoreOf({ all }: Scores, view: View, group: number, category: string): Interval | null {
  if (group === view.baseline) return around(1, 0, Infinity);
  return all.find((score) => score.group === group && score.category === category)?.interval ?? null;
}

export function scores(data: Data, view: View): Chart[] {
  const found = scoresOfMany(data, view);
  if (!found) return [];
  const names = groupNames(data);
  const baseline = names[view.baseline] ?? "";
  const { all, categories, measure } = found;
  const per = measure.kind === "work" ? "" : `${aboutOf(data, [], measure)} `;
  const on = threadsInWords(view.threads) + atWork(data);
  const title = `Scores ${per}against ${baseline} on ${on}`;
  const unit = `times ${baseline}`;
  const bars = all
    .filter(({ group, category }) => drawn(view).includes(group) && categories.includes(category))
    .map(({ group, category, interval }) => ({
      line: shown(category),
      group,
      side: view.threads,
      interval,
      unit,
      valueText: times(interval.centre),
      tip: `${shown(category)}: ${names[group] ?? ""}\n${fourDigits(interval.centre)} times ${baseline}\n${range(interval)}`,
      isPale: false,
    }));
  const last = categories.at(-1) ?? OVERALL;
  const less = isKnownKind(last) ? "" : ` The overall score is without “${last}”: work of no known kind.`;
  const error = withErrorBars(all.map(({ interval }) => isKnown(interval)));
  return [
    {
      name: "scores",
      title,
      caption: `Geometric means of the ratios to ${baseline}, per category and overall, ${error}. Bars from zero, all on one scale.${less}`,
      summary: `Scores on ${on}: ${all.map((score) => `${names[score.group] ?? ""}, ${score.category}: ${fourDigits(score.interval.centre)}`).join("; ")}.`,
      table: () => ({
        heads: ["category", "machine", "rows", "score", "95 %", "from", "to"],
        rows: all.map(({ category, group, rows, interval }) => [
          category,
          names[group] ?? "",
          String(rows),
          fourDigits(interval.centre),
          width(interval),
          end(interval, "low", fourDigits),
          end(interval, "high", fourDigits),
        ]),
      }),
      draw: (canvas) =>
        drawBars(canvas, title, data, view, {
          sides: [view.threads],
          headings: new Map([[view.threads, on]]),
          blocks: [{ unit, lines: categories.map((category) => shown(category)), bars }],
        }),
    },
  ];
}
