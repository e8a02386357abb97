// Implementations: each operation by all its implementations, on each machine against the fastest there.

import { intervalOf, read, type Data } from "../data";
import { type Interval } from "../judge/interval";
import { drawn, isWanted, type View } from "../view";
import { fourDigits, percent, shown, threadsInWords, width } from "../words/numbers";
import { type Chart, type MakeChart } from "./chart";
import { groupNames } from "./plot";
import { drawRatios } from "./ratios";
import { longFold } from "./relative";

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
  const names = groupNames(data);
  const line = (row: number): string => shown(data.rows[row]?.name ?? "");
  const slowdowns = data.slowdowns
    .filter((slowdown) => slowdown.threads === view.threads)
    .map(
      (slowdown) =>
        `${shown(slowdown.implementation, 40)} is slower at ${shown(slowdown.operation, 40)} on ${shown(slowdown.machine, 40)}: ${fourDigits(slowdown.ratio.centre)} ${width(read(slowdown.ratio))} against ${shown(slowdown.than, 40)} and ${shown(slowdown.other, 40)}.`,
    );
  const title = `Implementations against the fastest of each machine on ${threadsInWords(view.threads)}`;
  return {
    name: "implementations",
    title,
    ...longFold(new Set(all.map(({ row }) => row)).size),
    notes: slowdowns,
    caption: [
      "100 %: the fastest implementation of the operation on that machine.",
      ...(drawn(view).length > 1
        ? [
            "Further left on one machine than on the others: a slow port, maybe, rather than a slow chip; those beyond doubt are named below.",
          ]
        : []),
      ...(all.some(({ note }) => note)
        ? ["Hollow: not comparable to the first machine's; the values say why."]
        : []),
    ].join(" "),
    summary: `${title}: ${all.length} cells. ${slowdowns.join(" ")}`,
    table: () => ({
      heads: [
        "workload",
        "machine",
        "of fastest",
        "95 %",
        `against ${shown(data.groups[0]?.label ?? "", 40)}`,
      ],
      rows: all.map((cell) => [
        line(cell.row),
        names[cell.group] ?? "",
        fourDigits(cell.ofFastest.centre),
        cell.ofFastest.low < cell.ofFastest.high ? width(cell.ofFastest) : "",
        shown(cell.note),
      ]),
    }),
    draw: (canvas) => {
      const dots = all.map(({ row, group, ofFastest, note }) => ({
        line: line(row),
        group,
        interval: ofFastest,
        isDetected: note === "",
        title: `${line(row)}\n${names[group]}: ${percent(ofFastest.centre, 1)} of the fastest${note ? `\n${shown(note)}` : ""}`,
      }));
      const lines = [...new Set(dots.map((dot) => dot.line))];
      return drawRatios(canvas, title, { label: "of the fastest", isShare: true }, data, view, lines, dots);
    },
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
      const others = wanted.filter(
        (other) => operation(other.row) === operation(row) && other.cells[group]?.[0],
      );
      if (!ofFastest || others.length < 2) return [];
      const note = said === null ? "" : (data.texts[said] ?? "");
      return [{ row, group, ofFastest: intervalOf(ofFastest), note }];
    }),
  );
}
