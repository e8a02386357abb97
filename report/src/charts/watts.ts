// Work per watt of one machine: of each row that has watts, in its own unit.

import * as Plot from "@observablehq/plot";
import { figureOf, intervalOf, type Data } from "../data";
import { isKnown, type Interval } from "../judge/interval";
import { isWanted, type View } from "../view";
import { quantity, range, shown, threadsInWords, width } from "../words/numbers";
import { inUnit, unitInWords } from "../words/unit";
import { type Canvas, type Chart } from "./chart";
import { fitting, groupNames, labelRoom, plot, tipColours } from "./plot";

interface Of {
  name: string;
  figure: string;
  /** Of the figure, and of a watt. */
  unit: string;
  watts: number;
  perWatt: Interval;
  source: string;
}

/** Of each row by the first source of watts, which sees most of the machine; the program puts it there. */
function found(data: Data, view: View): Of[] {
  const seen = new Set<number>();
  return (data.energy[view.baseline] ?? []).flatMap(({ row, watts, per_joule, source }) => {
    const figure = figureOf(data, data.cells[view.baseline]?.[row]);
    if (!figure || seen.has(row) || !isWanted(data, view, row)) return [];
    seen.add(row);
    const name = shown(data.rows[row]?.name ?? "", 80);
    const unit = unitInWords(data, figure.unit);
    const number = quantity(inUnit(figure.unit, figure.interval).centre);
    const perWatt = inUnit(figure.unit, intervalOf(per_joule));
    return [{ name, figure: `${number} ${unit}`, unit: `${unit}/W`, watts, perWatt, source }];
  });
}

/** Dots in the order of the table: rows of different work are not ranked. */
export function absolute(data: Data, view: View): Chart | null {
  const all = found(data, view);
  if (all.length === 0) return null;
  const machine = groupNames(data)[view.baseline] ?? "";
  const title = `Work per watt of ${machine} on ${threadsInWords(view.threads)}`;
  const inWords = (of: Of): string => `${quantity(of.perWatt.centre)} ${of.unit}`;
  const sources = [...new Set(all.map((of) => of.source))].join(", ");
  return {
    name: "per-watt",
    title,
    caption: `Throughput per watt (operations per joule), with 95 % intervals, on a logarithmic axis, each row in its own unit. Watts: ${shown(sources)}.`,
    summary: `${title}: ${all.map((of) => `${of.name} ${inWords(of)}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "figure", "W", "per watt", "95 %", "watts"],
      rows: all.map((of) => [
        of.name,
        of.figure,
        quantity(of.watts),
        inWords(of),
        width(of.perWatt),
        shown(of.source),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, all, inWords),
  };
}

function draw(canvas: Canvas, title: string, all: Of[], inWords: (of: Of) => string): SVGSVGElement {
  const lines = all.map((of) => of.name);
  const room = labelRoom(lines, canvas);
  const points = all.map((of) => ({
    ...of,
    ...of.perWatt,
    isKnown: isKnown(of.perWatt),
    told: inWords(of),
    tip: `${of.name}\n${inWords(of)}\n${range(of.perWatt)}`,
  }));
  const ends = points.flatMap((of) => (of.isKnown ? [of.low, of.high] : [of.centre]));
  // Of a single figure the axis has some length, too.
  const domain = [Math.min(...ends) / 1.5, Math.max(...ends) * 1.5];
  const place = { x: "centre", y: "name" };
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: 130,
    marginTop: 10,
    marginBottom: 40,
    height: 56 + lines.length * 18,
    x: {
      type: "log",
      domain,
      label: "per watt",
      labelAnchor: "center",
      labelArrow: "none",
      ticks: 4,
      tickFormat: "~s",
    },
    y: {
      type: "point",
      domain: lines,
      label: null,
      tickSize: 0,
      padding: 0.5,
      tickFormat: (name: string) => fitting(name, room),
    },
    marks: [
      Plot.link(points, {
        filter: "isKnown",
        x1: "low",
        x2: "high",
        y1: "name",
        y2: "name",
        stroke: canvas.theme.groups[1] ?? "",
        strokeWidth: 2,
      }),
      Plot.dot(points, { ...place, fill: canvas.theme.groups[1] ?? "", r: 4 }),
      Plot.text(points, {
        x: (of: (typeof points)[number]) => (of.isKnown ? of.high : of.centre),
        y: "name",
        text: "told",
        dx: 8,
        textAnchor: "start",
        fill: canvas.theme.muted,
      }),
      ...(canvas.interactive
        ? [Plot.tip(points, Plot.pointer({ ...place, title: "tip", ...tipColours(canvas) }))]
        : []),
    ],
  });
}
