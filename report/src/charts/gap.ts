// The implementation gap: each operation by all its implementations, on each machine against the fastest there.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data } from "../data";
import { ratio, type Interval } from "../judge/interval";
import { drawn, isWanted, type View } from "../view";
import { factor, percent, shown, threadsInWords, width } from "../words/numbers";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import { fitting, groupNames, labelRoom, plot, tipColours } from "./plot";

interface Cell {
  row: number;
  group: number;
  ofFastest: Interval;
}

/** Operations that several implementations have. */
export const gap: MakeChart = (data, view) => {
  const all = cells(data, view);
  if (all.length === 0) return null;
  const names = groupNames(data, 18);
  const line = (row: number): string => shown(data.rows[row]?.name ?? "", 80);
  const lags = data.lags
    .filter((lag) => String(lag.threads) === view.threads)
    .map(
      (lag) =>
        `${shown(lag.implementation, 40)} lags at ${shown(lag.operation, 40)} on ${shown(lag.machine, 40)}: ${factor(lag.ratio.centre)} ${width(lag.ratio)} against ${shown(lag.than, 40)} and ${shown(lag.other, 40)}.`,
    );
  const title = `Implementations against the fastest of each machine on ${threadsInWords(view.threads)}`;
  return {
    name: "gap",
    title,
    notes: lags,
    caption:
      "100 %: the fastest implementation of the operation on this machine. A row that is paler on one machine than on the others is a slow port, not a slow chip.",
    summary: `${title}: ${all.length} cells. ${lags.join(" ")}`,
    table: () => ({
      heads: ["workload", "machine", "of fastest", "95 %"],
      rows: all.map((of) => [
        line(of.row),
        names[of.group] ?? "",
        factor(of.ofFastest.centre),
        of.ofFastest.low < of.ofFastest.high ? width(of.ofFastest) : "",
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, all),
  } satisfies Chart;
};

function cells(data: Data, view: View): Cell[] {
  const operations = new Map<string, number[]>();
  data.rows.forEach((head, row) => {
    // Variants of one machine are compared pair by pair, not here.
    const isPlain = head.name === `${head.operation}/${head.implementation}`;
    if (isPlain && isWanted(data, view, row))
      operations.set(head.operation, [...(operations.get(head.operation) ?? []), row]);
  });
  const several = [...operations.values()].filter((rows) => rows.length > 1);
  return several.flatMap((rows) =>
    drawn(view).flatMap((group) => {
      const found = rows.flatMap((row) => {
        const figure = figureOf(data, data.cells[group]?.[row]);
        return figure ? [{ row, figure }] : [];
      });
      if (found.length < 2) return [];
      const fastest = found.reduce((a, b) => (b.figure.interval.centre > a.figure.interval.centre ? b : a));
      // What all rows of a run share is no part of it.
      return found.map(({ row, figure }) => ({
        row,
        group,
        ofFastest:
          row === fastest.row
            ? { centre: 1, low: 1, high: 1, freedom: Infinity }
            : ratio(figure.row, fastest.figure.row),
      }));
    }),
  );
}

function draw(canvas: Canvas, title: string, data: Data, view: View, all: Cell[]): SVGSVGElement {
  const names = groupNames(data, 18);
  const rows = [...new Set(all.map((of) => of.row))];
  const line = (row: number): string => shown(data.rows[row]?.name ?? "", 80);
  const room = labelRoom(rows.map(line), canvas);
  const step = 20;
  const tiles = all.map((of) => ({
    at: line(of.row),
    name: names[of.group] ?? "",
    share: of.ofFastest.centre,
    told: percent(of.ofFastest.centre),
    title: `${line(of.row)}\n${names[of.group]}: ${percent(of.ofFastest.centre, 1)} of the fastest`,
  }));
  const groups = drawn(view).filter((group) => all.some((of) => of.group === group));
  const paper = canvas.theme.paper;
  const strong = canvas.theme.groups[1] ?? "";
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: 30,
    marginBottom: 6,
    height: 40 + rows.length * step,
    x: {
      type: "band",
      domain: groups.map((group) => names[group] ?? ""),
      axis: "top",
      label: null,
      tickSize: 0,
      tickFormat: (name: string) => fitting(name, (canvas.width - room) / groups.length + 18),
    },
    y: {
      type: "band",
      domain: rows.map(line),
      label: null,
      tickSize: 0,
      tickFormat: (name: string) => fitting(name, room),
    },
    color: { type: "linear", domain: [0, 1], range: [paper, strong], clamp: true },
    marks: [
      Plot.cell(tiles, { x: "name", y: "at", fill: "share", inset: 0.5, stroke: canvas.theme.faint }),
      Plot.text(tiles, {
        x: "name",
        y: "at",
        text: "told",
        fill: (of: (typeof tiles)[number]) => (of.share > 0.55 ? paper : canvas.theme.ink),
      }),
      ...(canvas.interactive
        ? [Plot.tip(tiles, Plot.pointer({ x: "name", y: "at", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}
