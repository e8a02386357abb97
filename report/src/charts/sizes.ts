// Throughput against the size of what is worked on, where workloads differ in their size only.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data } from "../data";
import { unlike } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { drawn, isWanted, type View } from "../view";
import { inWords } from "../words/differences";
import { quantity, shown, threadsInWords, width } from "../words/numbers";
import { bytesUnit, inBytes, MIB } from "../words/unit";
import { type Canvas, type Chart, slug } from "./chart";
import { groupNames, groupScales, legend, plot, tipColours } from "./plot";

const SIZE = /(^|-)(\d+)(B|KiB|MiB|GiB)(?=-|$)/;
const UNITS: Record<string, number> = { B: 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };
/** A line has so many sizes at least. */
const LEAST_SIZES = 3;

interface Point {
  group: number;
  name: string;
  bytes: number;
  value: number;
  low: number;
  high: number;
  /** What keeps it from being held against the baseline's; empty where nothing does. */
  unlike: string;
}

/** The size in an operation's name, and the name without it. */
function sizeOf(operation: string): { bytes: number; rest: string } | null {
  const found = SIZE.exec(operation);
  if (!found) return null;
  const bytes = Number(found[2]) * (UNITS[found[3] ?? ""] ?? 1);
  return { bytes, rest: operation.replace(SIZE, (_, before: string) => (before ? "-…" : "…")) };
}

/** A picture for every operation that was measured at several sizes. */
export function sizes(data: Data, view: View): Chart[] {
  const names = groupNames(data);
  const families = new Map<string, Point[]>();
  data.rows.forEach((head, row) => {
    const size = sizeOf(head.operation);
    if (!size || !isWanted(data, view, row)) return;
    const key = `${size.rest}/${head.implementation}`;
    for (const group of drawn(view)) {
      const figure = figureOf(data, data.cells[group]?.[row]);
      const found = figure && inBytes(figure);
      if (!found) continue;
      const { centre, low, high } = found;
      const known = isKnown(found);
      const point = {
        group,
        name: names[group] ?? "",
        bytes: size.bytes,
        value: centre,
        low: known ? low : centre,
        high: known ? high : centre,
        unlike: inWords(unlike(data, row, view.baseline, group)),
      };
      families.set(key, [...(families.get(key) ?? []), point]);
    }
  });
  return [...families].flatMap(([key, points]) =>
    new Set(points.map((of) => of.bytes)).size < LEAST_SIZES ? [] : [chart(data, view, key, points)],
  );
}

function chart(data: Data, view: View, key: string, points: Point[]): Chart {
  const title = `${shown(key, 80)}: throughput against size on ${threadsInWords(view.threads)}`;
  const sorted = [...points].sort((a, b) => a.group - b.group || a.bytes - b.bytes);
  const isMarked = points.some((of) => of.unlike);
  return {
    name: slug("size", key),
    title,
    about: shown(key, 80),
    caption:
      `${bytesUnit(data)} of input with 95 % intervals; both axes are logarithmic.` +
      (isMarked
        ? ` Hollow marks are not comparable to ${groupNames(data)[view.baseline]}'s; the values say why.`
        : ""),
    summary: `${title}: ${sorted.map((of) => `${of.name} ${sizeInWords(of.bytes)} ${quantity(of.value)} ${bytesUnit(data)}`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "size", bytesUnit(data), "95 %", ...(isMarked ? ["not comparable"] : [])],
      rows: sorted.map((of) => [
        of.name,
        sizeInWords(of.bytes),
        quantity(of.value),
        of.low < of.high
          ? width({ centre: of.value, low: of.low, high: of.high, freedom: Infinity })
          : "unknown",
        ...(isMarked ? [of.unlike] : []),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, sorted),
  };
}

/** 64 B, 4 KiB, 5 MiB. */
function sizeInWords(bytes: number): string {
  const unit = Object.entries(UNITS)
    .reverse()
    .find(([, size]) => bytes >= size) ?? ["B", 1];
  return `${quantity(bytes / unit[1]).replace(/\.0+$/, "")} ${unit[0]}`;
}

function draw(canvas: Canvas, title: string, data: Data, view: View, points: Point[]): SVGSVGElement {
  const key = legend(
    canvas,
    70,
    data,
    view,
    points.map((of) => of.group),
  );
  const sizes = [...new Set(points.map((of) => of.bytes))].sort((a, b) => a - b);
  const titled = points.map((of) => ({
    ...of,
    title: `${of.name}, ${sizeInWords(of.bytes)}\n${quantity(of.value)} ${bytesUnit(data)}${of.unlike ? `\nnot comparable: ${of.unlike}` : ""}`,
  }));
  const dot = { x: "bytes", y: "value", stroke: "name", symbol: "name", r: 3 };
  return plot(canvas, title, {
    marginTop: key.height + 24,
    marginLeft: 70,
    marginBottom: 40,
    height: 300 + key.height,
    x: { type: "log", axis: null, inset: 10 },
    y: { type: "log", label: bytesUnit(data), grid: true, tickFormat: "~s", ticks: 6, labelArrow: "none" },
    ...groupScales(data, view, canvas),
    marks: [
      ...key.marks,
      Plot.axisX(spread(sizes, canvas.width / 70), {
        text: sizeInWords,
        label: "input of an operation",
        labelAnchor: "center",
        labelArrow: "none",
      }),
      Plot.line(points, { x: "bytes", y: "value", stroke: "name", strokeOpacity: 0.7 }),
      Plot.ruleX(points, { x: "bytes", y1: "low", y2: "high", stroke: "name" }),
      Plot.dot(points, { ...dot, filter: (of: Point) => !of.unlike, fill: "name" }),
      Plot.dot(points, { ...dot, filter: "unlike", fill: canvas.theme.paper }),
      ...(canvas.interactive
        ? [Plot.tip(titled, Plot.pointer({ x: "bytes", y: "value", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}

/** Of many marks so few that they don't stand on each other. */
function spread(all: number[], most: number): number[] {
  const every = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, place) => place % every === 0);
}
