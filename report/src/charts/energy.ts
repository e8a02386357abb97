// Work per watt: operations (of servers: requests) a second and watt of all rows that have watts; of several machines as
// ratios.

import { figureOf, type Data } from "../data";
import { perJoule } from "../judge/energy";
import { isKnown, type Interval } from "../judge/interval";
import { answerable, isWanted, type View } from "../view";
import { fourDigits, range, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { amountInWords, inUnit } from "../words/unit";
import { type Chart, type MakeChart } from "./chart";
import { groupNames } from "./plot";
import { drawRatios, type RatioDot } from "./ratios";
import { isServer } from "./servers";
import { wattBars } from "./watts";

/** Each machine as it is, which of servers stands with them; of several also against the baseline. */
export function workPerWatt(data: Data, view: View): Chart[] {
  const rows = data.rows.map((_, row) => row).filter((row) => !isServer(data, row));
  const all = [wattBars(data, view, { name: "work-per-watt", what: "Workloads" }, rows), perWatt(data, view)];
  return all.flatMap((chart) => chart ?? []);
}

/** Rows of several machines that both have watts of, from the same source. */
export const perWatt: MakeChart = (data, view) =>
  answerable(view).length === 0 ? null : relative(data, view);

const relative: MakeChart = (data, view) => {
  const names = groupNames(data);
  const baseline = names[view.baseline] ?? "";
  const found = answerable(view).flatMap((group) =>
    perJoule(data, view.baseline, group)
      .filter(({ row }) => isWanted(data, view, row))
      .map((ratio) => ({ group, ...ratio })),
  );
  if (found.length === 0) return null;
  const unit = (group: number, row: number): string =>
    figureOf(data, data.cells[group]?.[row])?.unit ?? "ops/s";
  const amount = (group: number, row: number, interval: Interval): string =>
    `${fourDigits(inUnit(unit(group, row), interval).centre)} ${amountInWords(unit(group, row))}`;
  const line = (row: number): string => shown(data.rows[row]?.name ?? "");
  const sorted = [...found].sort((a, b) => b.interval.centre - a.interval.centre);
  const dots: RatioDot[] = sorted.map(({ group, row, interval, theirs }) => ({
    line: line(row),
    group,
    interval,
    // No verdict is at 5 % over all rows here.
    isDetected: false,
    title: `${line(row)}\n${names[group]}: ${fourDigits(interval.centre)} (${amount(group, row, theirs)} per joule)\n${range(interval)}`,
  }));
  const title = `Work per watt against ${baseline} on ${threadsInWords(view.threads)}`;
  const sources = [...new Set(found.map((entry) => entry.source))].join(", ");
  return {
    name: "per-watt",
    title,
    caption: `Work (operations, or requests for servers) per joule relative to ${baseline}, ${withErrorBars(found.map((entry) => isKnown(entry.interval)))} for each row alone: of many rows, some exclude 1 by chance. Watts: ${shown(sources)}. Rows whose watts come from different sources are not compared.`,
    summary: `${title}: ${sorted.map((entry) => `${line(entry.row)}, ${names[entry.group]} ${fourDigits(entry.interval.centre)}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "machine", `${baseline}: per joule`, "per joule", "ratio", "95 %", "watts"],
      rows: sorted.map((entry) => [
        line(entry.row),
        names[entry.group] ?? "",
        amount(view.baseline, entry.row, entry.mine),
        amount(entry.group, entry.row, entry.theirs),
        fourDigits(entry.interval.centre),
        width(entry.interval),
        shown(entry.source),
      ]),
    }),
    draw: (canvas) =>
      drawRatios(
        canvas,
        title,
        { label: `times ${baseline}, per watt`, isShare: false },
        data,
        view,
        [...new Set(sorted.map((entry) => line(entry.row)))],
        dots,
      ),
  } satisfies Chart;
};
