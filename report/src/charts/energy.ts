// Work per watt: operations (of servers: requests) a second and watt of all rows that have watts.

import { perJoule } from "../judge/energy";
import { answerable, isWanted } from "../view";
import { factor, quantity, range, shown, threadsInWords, width } from "../words/numbers";
import { type Chart, type MakeChart } from "./chart";
import { groupNames } from "./plot";
import { drawRatios, type RatioDot } from "./ratios";

/** Rows that both have watts of, from the same source. */
export const perWatt: MakeChart = (data, view) => {
  const names = groupNames(data);
  const baseline = names[view.baseline] ?? "";
  const found = answerable(view).flatMap((group) =>
    perJoule(data, view.baseline, group)
      .filter(({ row }) => isWanted(data, view, row))
      .map((of) => ({ group, ...of })),
  );
  if (found.length === 0) return null;
  const line = (row: number): string => shown(data.rows[row]?.name ?? "", 80);
  const sorted = [...found].sort((a, b) => b.interval.centre - a.interval.centre);
  const dots: RatioDot[] = sorted.map(({ group, row, interval, theirs }) => ({
    line: line(row),
    group,
    interval,
    // No verdict is at 5 % over all rows here.
    isTold: false,
    title: `${line(row)}\n${names[group]}: ${factor(interval.centre)} (${quantity(theirs.centre)} ops/s per watt)\n${range(interval)}`,
  }));
  const title = `Work per watt against ${baseline} on ${threadsInWords(view.threads)}`;
  const sources = [...new Set(found.map((of) => of.source))].join(", ");
  return {
    name: "per-watt",
    title,
    caption: `Operations (of servers: requests) a second per watt over those of ${baseline}, with 95 % intervals, each for itself: over many rows some leave 1 out by chance. Watts: ${shown(sources)}. Rows whose watts come from different sources are not held against each other.`,
    summary: `${title}: ${sorted.map((of) => `${line(of.row)}, ${names[of.group]} ${factor(of.interval.centre)}`).join("; ")}.`,
    table: () => ({
      heads: [
        "workload",
        "machine",
        `${baseline}: ops/s per watt`,
        "ops/s per watt",
        "ratio",
        "95 %",
        "watts",
      ],
      rows: sorted.map((of) => [
        line(of.row),
        names[of.group] ?? "",
        quantity(of.mine.centre),
        quantity(of.theirs.centre),
        factor(of.interval.centre),
        width(of.interval),
        shown(of.source),
      ]),
    }),
    draw: (canvas) =>
      drawRatios(
        canvas,
        title,
        `times ${baseline}, per watt`,
        data,
        view,
        [...new Set(sorted.map((of) => line(of.row)))],
        dots,
      ),
  } satisfies Chart;
};
