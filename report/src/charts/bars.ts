// Bars of each family of workloads: throughput from zero, a bar a machine, one thread and all threads side by side.

import { figureOf, type Data, type Figure } from "../data";
import { unlike } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { drawn, type View } from "../view";
import { inWords } from "../words/differences";
import { fourDigits, shown, threadsInWords, width } from "../words/numbers";
import { bytesUnit, inBytes, inUnit, unitInWords } from "../words/unit";
import { SPLIT, blocks, errorBars, type Bar } from "./blocks";
import { slug, type Chart } from "./chart";
import { inSeries } from "./operations";
import { drawBars } from "./panels";
import { groupNames } from "./plot";
import { isServer, served } from "./servers";
import { isOnSide, sides } from "./sides";

interface Entry {
  row: number;
  bar: Bar;
  figure: Figure;
  /** Differences that keep it from being compared with the baseline's; empty where there are none. */
  unlike: string;
}

/** With more bars than this a page shows one family at a time. */
const MOST_AT_ONCE = 250;

/** A picture a family; servers have a section of their own. */
export function bars(data: Data, view: View): Chart[] {
  const rows = data.rows.map((_, row) => row).filter((row) => !isServer(data, row));
  const families = [...new Set(rows.map((row) => data.rows[row]?.family ?? ""))];
  const charts = families.flatMap((family) => {
    const ofFamily = rows.filter((row) => data.rows[row]?.family === family);
    const name = family === "other" ? "Workloads" : family;
    return throughput(data, view, { name: slug("family", family), what: name }, ofFamily) ?? [];
  });
  const wanted = rows.filter((row) => isOnSide(data, view, row, sides(data, view)));
  return wanted.length * drawn(view).length > MOST_AT_ONCE
    ? charts.map((chart) => ({ ...chart, about: chart.title }))
    : charts;
}

/** Absolute throughput of rows. */
export function throughput(
  data: Data,
  view: View,
  { name, what }: { name: string; what: string },
  rows: number[],
): Chart | null {
  const all = found(data, view, rows, sides(data, view));
  if (all.length === 0) return null;
  const asked = [...new Set(all.map((entry) => entry.bar.side))];
  const names = groupNames(data);
  const drawnIn = blocks(all.map((entry) => entry.bar));
  const units = [...new Set(drawnIn.map((block) => block.unit))];
  const title = `${what}: throughput${units.length === 1 ? ` in ${units[0] ?? ""}` : ""}, on ${asked.map(threadsInWords).join(" and on ")}`;
  const isMarked = all.some((entry) => entry.unlike);
  return {
    name,
    title,
    caption:
      `Longer is faster. ${errorBars(all.map((entry) => entry.bar.interval))} ${asked.length > 1 ? "Each panel has its own axis from zero." : "The axis starts at zero."}` +
      (drawnIn.length > 1 ? ` ${SPLIT}` : "") +
      (isMarked ? ` Pale bars are not comparable to ${names[view.baseline]}'s; the values say why.` : ""),
    summary: `Throughput of ${new Set(all.map((entry) => entry.bar.line)).size} workloads on ${new Set(all.map((entry) => entry.bar.group)).size} machines, in ${units.join(", ")}.`,
    table: () => ({
      heads: [
        "workload",
        "threads",
        "machine",
        "throughput",
        "unit",
        "95 %",
        ...(isMarked ? ["not comparable"] : []),
      ],
      rows: all.map((entry) => [
        entry.bar.line,
        entry.bar.side,
        names[entry.bar.group] ?? "",
        entry.bar.valueText,
        entry.bar.unit,
        width(entry.figure.interval),
        ...(isMarked ? [entry.unlike] : []),
      ]),
    }),
    draw: (canvas) =>
      drawBars(canvas, title, data, view, {
        sides: asked,
        headings: new Map(asked.map((side) => [side, threadsInWords(side)])),
        blocks: drawnIn,
      }),
  };
}

function found(data: Data, view: View, rows: number[], asked: string[]): Entry[] {
  const wanted = rows.filter((row) => isOnSide(data, view, row, asked));
  const inBytesToo = new Set(wanted.filter((row) => hasBytes(data, view, row)));
  const all = wanted.flatMap((row) =>
    drawn(view).flatMap((group) => {
      const figure = figureOf(data, data.cells[group]?.[row]);
      return figure ? [entryOf(data, view, row, group, figure, inBytesToo.has(row))] : [];
    }),
  );
  const heads = inSeries(all, ({ row }) => data.rows[row] as never);
  return asked.flatMap((side) => heads.filter(({ bar }) => bar.side === side));
}

/** Whether a row's figures are in bytes of input on every machine that is drawn. */
function hasBytes(data: Data, view: View, row: number): boolean {
  const figures = drawn(view).flatMap((group) => figureOf(data, data.cells[group]?.[row]) ?? []);
  return figures.every((figure) => inBytes(figure) !== null);
}

function entryOf(
  data: Data,
  view: View,
  row: number,
  group: number,
  figure: Figure,
  asBytes: boolean,
): Entry {
  const head = data.rows[row];
  const why = inWords(unlike(data, row, view.baseline, group));
  const interval = (asBytes ? inBytes(figure) : null) ?? inUnit(figure.unit, figure.interval);
  const unit = asBytes ? bytesUnit(data) : served(data, row, unitInWords(data, figure.unit));
  const line = shown(head?.name ?? "");
  const valueText = fourDigits(interval.centre);
  const isNot = why ? `\nnot comparable: ${why}` : "";
  const tip = `${line}, ${threadsInWords(head?.threads ?? "")}\n${groupNames(data)[group] ?? ""}: ${valueText} ${unit}, ${isKnown(interval) ? width(interval) : "no error bar"}${isNot}`;
  const bar = { line, group, side: head?.threads ?? "", interval, unit, valueText, tip, isPale: why !== "" };
  return { row, bar, figure, unlike: why };
}
