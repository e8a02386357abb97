// One row on all machines that have it.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data, type Figure } from "../data";
import { unlike } from "../judge/comparison";
import { isKnown, type Interval } from "../judge/interval";
import { inWords } from "../words/differences";
import { ghz, quantity, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { inOneUnit, unitInWords } from "../words/unit";
import { slug, type Canvas, type Chart } from "./chart";
import { FULL, PALE, groupNames, labelRoom, namedLines, plot } from "./plot";

interface Of {
  name: string;
  figure: Figure;
  interval: Interval;
  valueText: string;
  /** What keeps it from being compared with the first's; empty where nothing does. */
  unlike: string;
}

/** Bars of throughput, the greatest first; none where no machine has a figure. */
export function machines(data: Data, row: number): Chart | null {
  const head = data.rows[row];
  if (!head) return null;
  const names = groupNames(data);
  const figures = data.groups.flatMap((_, group) => {
    const figure = figureOf(data, data.cells[group]?.[row]);
    return figure ? [{ group, figure }] : [];
  });
  const inUnits = inOneUnit(
    data,
    figures.map(({ figure }) => figure),
  );
  const first = figures[0]?.group;
  if (first === undefined) return null;
  const unit = inUnits.unit ?? "throughput";
  const own = unitInWords(data, figures[0]?.figure.unit ?? "");
  // In bytes an operation's own number is beside them.
  const isInBytes = inUnits.unit !== null && inUnits.unit !== own;
  const found: Of[] = figures.map(({ group, figure }) => ({
    name: names[group] ?? "",
    figure,
    interval: inUnits.interval(figure),
    valueText: inUnits.inWords(figure),
    unlike: inWords(unlike(data, row, first, group)),
  }));
  const isDrawn = (of: Of): boolean => inUnits.unit !== null || of.figure.unit === figures[0]?.figure.unit;
  const hasClock = found.some((of) => of.figure.clockHz !== null);
  const hasKernel = found.some((of) => of.figure.kernelShare !== null);
  const isMarked = found.some((of) => of.unlike);
  const sorted = found.sort((a, b) => b.interval.centre - a.interval.centre);
  const title = `${shown(head.name, 80)} on ${threadsInWords(head.threads)}`;
  return {
    name: slug("machines", head.name, head.threads),
    title,
    caption:
      `${inUnits.unit ?? own}, ${withErrorBars(found.map((of) => isKnown(of.interval)))}.` +
      (isMarked ? ` Pale bars are not comparable to ${names[first]}'s; the notes say why.` : ""),
    summary: `${title}: ${sorted.map((of) => `${of.name} ${of.valueText}`).join("; ")}${inUnits.unit === null ? "" : ` ${unit}`}.`,
    table: () => ({
      heads: [
        "machine",
        "threads",
        ...(isInBytes ? [own] : []),
        unit,
        "95 %",
        ...(hasClock ? ["GHz"] : []),
        ...(hasKernel ? ["in kernel", "page faults/op"] : []),
        "samples",
        "note",
      ],
      rows: sorted.map(({ name, figure, interval, valueText, unlike }) => [
        name,
        String(figure.threads),
        ...(isInBytes ? [quantity(figure.interval.centre)] : []),
        valueText,
        width(interval),
        ...(hasClock ? [figure.clockHz === null ? "" : ghz(figure.clockHz)] : []),
        ...(hasKernel ? kernel(figure) : []),
        String(figure.samples),
        [
          ...(unlike ? [`not comparable: ${unlike}`] : []),
          ...figure.warnings.map((warning) => shown(warning, 300)),
        ].join("; "),
      ]),
    }),
    // Lengths of several units say nothing beside each other: those of the first stand here, the others in the values.
    draw: (canvas) => draw(canvas, title, sorted.filter(isDrawn), inUnits.unit ?? own),
  };
}

/** Kernel time and page faults, in two cells. */
function kernel({ kernelShare, faultsPerOp }: Figure): string[] {
  const share = kernelShare === null ? "" : `${(100 * kernelShare).toFixed(0)} %`;
  return [share, faultsPerOp === null ? "" : quantity(faultsPerOp)];
}

function draw(canvas: Canvas, title: string, sorted: Of[], unit: string): SVGSVGElement {
  const lines = sorted.map((of) => of.name);
  const room = labelRoom(lines, canvas);
  const points = sorted.map((of) => ({
    name: of.name,
    ...of.interval,
    valueText: of.valueText,
    opacity: of.unlike ? PALE : FULL,
    isKnown: isKnown(of.interval),
  }));
  const most = Math.max(...points.map((of) => (of.isKnown ? of.high : of.centre)));
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: 70,
    marginTop: 10,
    marginBottom: 40,
    height: 56 + lines.length * 18,
    x: { domain: [0, most], label: unit, labelAnchor: "center", labelArrow: "none", tickFormat: "~s" },
    y: namedLines(lines, room),
    marks: [
      Plot.barX(points, {
        x: "centre",
        y: "name",
        fill: canvas.theme.groups[1] ?? "",
        fillOpacity: { value: "opacity", scale: null },
      }),
      Plot.link(points, {
        filter: "isKnown",
        x1: "low",
        x2: "high",
        y1: "name",
        y2: "name",
        stroke: canvas.theme.ink,
      }),
      Plot.text(points, {
        x: (of: (typeof points)[number]) => (of.isKnown ? of.high : of.centre),
        y: "name",
        text: "valueText",
        dx: 6,
        textAnchor: "start",
        fill: canvas.theme.muted,
      }),
    ],
  });
}
