// Dots with intervals on an axis of ratios: scores, rows, rows at prices.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { type Interval } from "../judge/interval";
import { type View } from "../view";
import { type Canvas } from "./chart";
import { fitting, groupNames, groupScales, labelRoom, legend, legendEntries, plot, ratioDomain, ratioTicks, tipColours } from "./plot";

/** A dot with its interval. */
export interface RatioDot {
  /** In which line. */
  line: string;
  group: number;
  interval: Interval;
  /** Whether it is told apart from 1. */
  isTold: boolean;
  /** What pointing at it shows. */
  title: string;
}

/** Draws lines of dots, in this order from above; several groups of a line stand below each other. */
export function drawRatios(canvas: Canvas, title: string, label: string, data: Data, view: View, lines: string[], dots: RatioDot[]): SVGSVGElement {
  const names = groupNames(data);
  const groups = [...new Set(dots.map((dot) => dot.group))];
  const room = labelRoom(lines, canvas);
  const domain = ratioDomain(dots.flatMap((dot) => [dot.interval.centre, dot.interval.low, dot.interval.high]));
  const clip = (end: number): number => Math.min(Math.max(end, domain[0]), domain[1]);
  const key = legend(canvas, groups.length > 1 || drawnIsMany(view) ? legendEntries(data, view, canvas, false) : []);
  const points = dots.map((dot) => ({
    ...dot,
    at: `${dot.line}\u0000${dot.group}`,
    name: names[dot.group] ?? "",
    centre: clip(dot.interval.centre),
    low: clip(dot.interval.low),
    high: clip(dot.interval.high),
  }));
  const slots = lines.flatMap((line) => groups.map((group) => `${line}\u0000${group}`));
  const step = groups.length > 1 ? 9 : 17;
  const scales = groupScales(data, view, canvas);
  const first = new Map(lines.map((line) => [`${line}\u0000${groups[Math.floor((groups.length - 1) / 2)] ?? 0}`, line]));
  const r = groups.length > 1 ? 3 : 4;
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: key.height + 14,
    marginBottom: 40,
    marginRight: 16,
    height: key.height + 58 + slots.length * step + lines.length * (groups.length > 1 ? 5 : 0),
    x: { type: "log", domain, axis: null },
    y: { type: "point", domain: slots, label: null, axis: null },
    color: scales.color,
    symbol: scales.symbol,
    marks: [
      ...key.marks,
      Plot.axisY([...first.keys()], { text: (slot: string) => fitting(first.get(slot) ?? "", room), tickSize: 0, label: null, fill: canvas.theme.ink }),
      Plot.gridX(ratioTicks(domain), { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisX(ratioTicks(domain), { tickFormat: String, label, labelAnchor: "center", labelArrow: "none" }),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      Plot.link(points, { x1: "low", x2: "high", y1: "at", y2: "at", stroke: "name", strokeWidth: 2, strokeOpacity: 0.65 }),
      Plot.dot(points, { filter: "isTold", x: "centre", y: "at", stroke: "name", fill: "name", symbol: "name", r }),
      Plot.dot(points, { filter: (dot: RatioDot) => !dot.isTold, x: "centre", y: "at", stroke: "name", fill: canvas.theme.paper, symbol: "name", r }),
      ...(canvas.interactive ? [Plot.tip(points, Plot.pointer({ x: "centre", y: "at", title: "title", ...tipColours(canvas) }))] : []),
    ],
  });
}

function drawnIsMany(view: View): boolean {
  return view.shown.length > 1;
}
