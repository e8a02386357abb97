// Work per watt as it is, of each row that has watts: bars from zero, each row in its own unit.

import { figureOf, intervalOf, type Data } from "../data";
import { type Interval } from "../judge/interval";
import { drawn, isWanted, type View } from "../view";
import { fourDigits, range, shown, threadsInWords, width } from "../words/numbers";
import { inUnit, unitInWords } from "../words/unit";
import { SPLIT, blocks, errorBars, type Bar } from "./blocks";
import { type Chart } from "./chart";
import { inSeries } from "./operations";
import { drawBars } from "./panels";
import { groupNames } from "./plot";
import { served } from "./servers";

interface Entry {
  row: number;
  bar: Bar;
  figure: string;
  watts: number;
  perWatt: Interval;
  source: string;
}

/** Work per watt of rows on every machine that has watts, by its first source: the one that sees most of the machine. */
export function wattBars(
  data: Data,
  view: View,
  { name, what }: { name: string; what: string },
  rows: number[],
): Chart | null {
  const all = inSeries(found(data, view, rows), ({ row }) => data.rows[row] as never);
  if (all.length === 0) return null;
  const names = groupNames(data);
  const drawnIn = blocks(all.map((entry) => entry.bar));
  const units = [...new Set(drawnIn.map((block) => block.unit))];
  const on = threadsInWords(view.threads);
  const title = `${what}: work per watt${units.length === 1 ? ` in ${units[0] ?? ""}` : ""} on ${on}`;
  const sources = [...new Set(all.map((entry) => entry.source))].join(", ");
  return {
    name,
    title,
    caption: `Longer bars do more work per joule. ${errorBars(all.map((entry) => entry.perWatt))} Axes start at zero. Watts: ${shown(sources)}.${drawnIn.length > 1 ? ` ${SPLIT}` : ""}`,
    summary: `${title}: ${all.map((entry) => `${entry.bar.line} ${names[entry.bar.group]} ${entry.bar.valueText} ${entry.bar.unit}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "machine", "throughput", "W", "per watt", "95 %", "watts"],
      rows: all.map((entry) => [
        entry.bar.line,
        names[entry.bar.group] ?? "",
        entry.figure,
        fourDigits(entry.watts),
        `${entry.bar.valueText} ${entry.bar.unit}`,
        width(entry.perWatt),
        shown(entry.source),
      ]),
    }),
    draw: (canvas) =>
      drawBars(canvas, title, data, view, {
        sides: [view.threads],
        headings: new Map([[view.threads, on]]),
        blocks: drawnIn,
      }),
  };
}

function found(data: Data, view: View, rows: number[]): Entry[] {
  const names = groupNames(data);
  return drawn(view).flatMap((group) => {
    const seen = new Set<number>();
    return (data.energy[group] ?? []).flatMap(({ row, watts, per_joule, source }) => {
      const figure = figureOf(data, data.cells[group]?.[row]);
      if (!figure || seen.has(row) || !rows.includes(row) || !isWanted(data, view, row)) return [];
      seen.add(row);
      const line = shown(data.rows[row]?.name ?? "");
      const unit = served(data, row, unitInWords(data, figure.unit));
      const interval = inUnit(figure.unit, intervalOf(per_joule));
      const valueText = fourDigits(interval.centre);
      const tip = `${line}\n${names[group] ?? ""}: ${valueText} ${unit} per watt\n${range(interval)}`;
      const side = data.rows[row]?.threads ?? "";
      const bar = { line, group, side, interval, unit: `${unit} per watt`, valueText, tip, isPale: false };
      const number = fourDigits(inUnit(figure.unit, figure.interval).centre);
      return [{ row, bar, figure: `${number} ${unit}`, watts, perWatt: interval, source }];
    });
  });
}
