// Scores per category and overall.

import { isKnown, type Interval } from "../judge/interval";
import { categoriesOf, placed, scoresOf } from "../judge/score";
import { answerable } from "../view";
import { atWork } from "../words/names";
import { end, factor, range, shown, threadsInWords, width } from "../words/numbers";
import { isDecided, withErrorBars } from "../words/speed";
import { type Chart, type MakeChart } from "./chart";
import { groupNames } from "./plot";
import { drawRatios, type RatioDot } from "./ratios";

/** Categories with their score against the baseline, of the groups that are drawn. */
export const scores: MakeChart = (data, view) => {
  const names = groupNames(data);
  const baseline = names[view.baseline] ?? "";
  const ranked = answerable(view).filter((group) => placed(data, view.baseline, group, view.threads));
  const found = ranked.flatMap((group) =>
    scoresOf(data, view.baseline, group)
      .filter((score) => score.threads === view.threads && score.interval)
      .map((score) => ({ group, ...score, interval: score.interval as Interval })),
  );
  if (found.length === 0) return null;
  const lines = categoriesOf(found).map((line) => shown(line));
  const dots: RatioDot[] = found.map(({ group, category, interval, rows }) => ({
    line: shown(category),
    group,
    interval,
    isTold: isDecided(interval),
    title: `${shown(category)}: ${names[group]}\n${factor(interval.centre)} times ${baseline}\n${range(interval)}\n${rows} rows`,
  }));
  const hasErrorBars = found.some(({ interval }) => isKnown(interval));
  const on = threadsInWords(view.threads) + atWork(data);
  const title = `Scores against ${baseline} on ${on}`;
  return {
    name: "scores",
    title,
    caption: `Geometric means of the ratios to ${baseline}, per category and overall, ${withErrorBars(found.map((of) => isKnown(of.interval)))}.${hasErrorBars ? " A hollow dot: no detectable difference from 1." : ""}`,
    summary: `Scores on ${on}: ${found.map((of) => `${names[of.group]}, ${of.category}: ${factor(of.interval.centre)}`).join("; ")}.`,
    table: () => ({
      heads: ["category", "machine", "rows", "score", "95 %", "from", "to"],
      rows: found.map(({ category, group, rows, interval }) => [
        category,
        names[group] ?? "",
        String(rows),
        factor(interval.centre),
        width(interval),
        end(interval, "low", factor),
        end(interval, "high", factor),
      ]),
    }),
    draw: (canvas) => drawRatios(canvas, title, `times ${baseline}`, data, view, lines, dots),
  } satisfies Chart;
};
