// Implementations: each operation by all its implementations, on each machine against the fastest there.

import * as Plot from "@observablehq/plot";
import { intervalOf, read, type Data } from "../data";
import { type Interval } from "../judge/interval";
import { drawn, isWanted, type View } from "../view";
import { factor, percent, shown, threadsInWords, width } from "../words/numbers";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import { fitting, groupNames, labelRoom, namedLines, plot, tipColours } from "./plot";

interface Cell {
  row: number;
  group: number;
  ofFastest: Interval;
  /** Why it can't be compared with the first machine's; empty where it can. */
  note: string;
}

/** Operations that several implementations have. */
export const implementations: MakeChart = (data, view) => {
  const all = cells(data, view);
  if (all.length === 0) return null;
  const names = groupNames(data, 18);
  const line = (row: number): string => shown(data.rows[row]?.name ?? "");
  const slowdowns = data.slowdowns
    .filter((slowdown) => slowdown.threads === view.threads)
    .map(
      (slowdown) =>
        `${shown(slowdown.implementation, 40)} is slower at ${shown(slowdown.operation, 40)} on ${shown(slowdown.machine, 40)}: ${factor(slowdown.ratio.centre)} ${width(read(slowdown.ratio))} against ${shown(slowdown.than, 40)} and ${shown(slowdown.other, 40)}.`,
    );
  const title = `Implementations against the fastest of each machine on ${threadsInWords(view.threads)}`;
  return {
    name: "implementations",
    title,
    notes: slowdowns,
    caption:
      "100 %: the fastest implementation of the operation on this machine. A row that is paler on one machine than on the others may be a slow port rather than a slow chip; those beyond doubt are named below. *: not comparable to the first machine's; the values say why.",
    summary: `${title}: ${all.length} cells. ${slowdowns.join(" ")}`,
    table: () => ({
      heads: [
        "workload",
        "machine",
        "of fastest",
        "95 %",
        `against ${shown(data.groups[0]?.label ?? "", 40)}`,
      ],
      rows: all.map((of) => [
        line(of.row),
        names[of.group] ?? "",
        factor(of.ofFastest.centre),
        of.ofFastest.low < of.ofFastest.high ? width(of.ofFastest) : "",
        shown(of.note),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, all),
  } satisfies Chart;
};

/** As the program judged them. */
function cells(data: Data, view: View): Cell[] {
  const wanted = data.implementations.filter(({ row }) => isWanted(data, view, row));
  const operation = (row: number): string => data.rows[row]?.operation ?? "";
  return wanted.flatMap(({ row, cells }) =>
    drawn(view).flatMap((group) => {
      const [ofFastest, said] = cells[group] ?? [null, null];
      // Alone it would stand beside itself.
      const others = wanted.filter((of) => operation(of.row) === operation(row) && of.cells[group]?.[0]);
      if (!ofFastest || others.length < 2) return [];
      const note = said === null ? "" : (data.texts[said] ?? "");
      return [{ row, group, ofFastest: intervalOf(ofFastest), note }];
    }),
  );
}

function draw(canvas: Canvas, title: string, data: Data, view: View, all: Cell[]): SVGSVGElement {
  const names = groupNames(data, 18);
  const rows = [...new Set(all.map((of) => of.row))];
  const line = (row: number): string => shown(data.rows[row]?.name ?? "");
  const room = labelRoom(rows.map(line), canvas);
  const step = 20;
  const groups = drawn(view).filter((group) => all.some((of) => of.group === group));
  const columnWidth = (canvas.width - room) / groups.length;
  const isNarrow = columnWidth < 60;
  const tiles = all.map((of) => ({
    at: line(of.row),
    name: names[of.group] ?? "",
    share: of.ofFastest.centre,
    valueText: `${percent(of.ofFastest.centre)}${of.note ? "*" : ""}`,
    title: `${line(of.row)}\n${names[of.group]}: ${percent(of.ofFastest.centre, 1)} of the fastest${of.note ? `\n${shown(of.note)}` : ""}`,
  }));
  const paper = canvas.theme.paper;
  const strong = canvas.theme.muted;
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: isNarrow ? 110 : 30,
    marginBottom: 6,
    height: (isNarrow ? 120 : 40) + rows.length * step,
    x: {
      type: "band",
      domain: groups.map((group) => names[group] ?? ""),
      axis: "top",
      label: null,
      tickSize: 0,
      tickRotate: isNarrow ? -90 : 0,
      tickFormat: (name: string) => fitting(name, isNarrow ? 110 : columnWidth + 8, names),
    },
    y: { ...namedLines(rows.map(line), room), padding: 0 },
    color: { type: "linear", domain: [0, 1], range: [paper, strong], clamp: true },
    marks: [
      Plot.cell(tiles, { x: "name", y: "at", fill: "share", inset: 0.5, stroke: canvas.theme.faint }),
      Plot.text(columnWidth < 40 ? [] : tiles, {
        x: "name",
        y: "at",
        text: "valueText",
        // Whatever the tile's shade is, the number stands on the page's.
        fill: canvas.theme.ink,
        stroke: paper,
        strokeWidth: 3,
      }),
      ...(canvas.interactive
        ? [Plot.tip(tiles, Plot.pointer({ x: "name", y: "at", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}
