// Dots with intervals on an axis of ratios: scores, rows, rows at prices.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { half, type Interval } from "../judge/interval";
import { type View } from "../view";
import { type Canvas } from "./chart";
import {
  fitting,
  groupNames,
  groupScales,
  labelRoom,
  legend,
  legendEntries,
  plot,
  ratioDomain,
  ratioTicks,
  tipColours,
} from "./plot";

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

/** Up to so many groups of a line stand below each other; more stand on one line. */
const MOST_APART = 3;

/** Draws lines of dots, in this order from above. */
export function drawRatios(
  canvas: Canvas,
  title: string,
  label: string,
  data: Data,
  view: View,
  lines: string[],
  dots: RatioDot[],
): SVGSVGElement {
  const names = groupNames(data);
  const groups = [...new Set(dots.map((dot) => dot.group))];
  const room = labelRoom(lines, canvas);
  const domain = ratioDomain(
    dots.flatMap((dot) => [
      dot.interval.centre,
      ...(isKnown(dot) ? [dot.interval.low, dot.interval.high] : []),
    ]),
  );
  const isApart = groups.length > 1 && groups.length <= MOST_APART;
  const slotOf = (line: string, group: number): string => `${line}\u0000${isApart ? group : ""}`;
  // A slot without a dot sets the lines apart.
  const slots = lines.flatMap((line) =>
    (isApart ? [...groups, -1] : [0]).map((group) => slotOf(line, group)),
  );
  const middle = groups[Math.floor((groups.length - 1) / 2)] ?? 0;
  const labels = new Map(lines.map((line) => [slotOf(line, middle), line]));
  const points = dots.map((dot) => ({
    ...dot,
    at: slotOf(dot.line, dot.group),
    name: names[dot.group] ?? "",
    ...dot.interval,
  }));
  const key = legend(
    canvas,
    room,
    groups.length > 1 || view.shown.length > 1 ? legendEntries(data, view, canvas, groups) : [],
  );
  const r = groups.length > 1 ? 3 : 4;
  const ticks = ratioTicks(domain);
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: key.height + 14,
    marginBottom: 40,
    marginRight: 16,
    height: key.height + 58 + slots.length * (isApart ? 9 : 17),
    x: { type: "log", domain, axis: null },
    y: { type: "point", domain: slots, label: null, axis: null },
    ...groupScales(data, view, canvas),
    marks: [
      ...key.marks,
      Plot.axisY([...labels.keys()], {
        text: (slot: string) => fitting(labels.get(slot) ?? "", room),
        tickSize: 0,
        label: null,
        fill: canvas.theme.ink,
      }),
      Plot.gridX(ticks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisX(ticks, {
        text: String,
        label: fitting(label, canvas.width - room),
        labelAnchor: "center",
        labelArrow: "none",
      }),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      Plot.link(points, {
        filter: isKnown,
        x1: "low",
        x2: "high",
        y1: "at",
        y2: "at",
        stroke: "name",
        strokeWidth: isApart || groups.length === 1 ? 2 : 1,
        strokeOpacity: 0.65,
      }),
      Plot.dot(points, {
        filter: "isTold",
        x: "centre",
        y: "at",
        stroke: "name",
        fill: "name",
        symbol: "name",
        r,
      }),
      Plot.dot(points, {
        filter: (dot: RatioDot) => !dot.isTold,
        x: "centre",
        y: "at",
        stroke: "name",
        fill: canvas.theme.paper,
        symbol: "name",
        r,
      }),
      ...(canvas.interactive
        ? [Plot.tip(points, Plot.pointer({ x: "centre", y: "at", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}

/** Draws a line a machine, in one colour. */
export function drawRanking(
  canvas: Canvas,
  title: string,
  label: string,
  dots: Omit<RatioDot, "group">[],
): SVGSVGElement {
  const lines = dots.map((dot) => dot.line);
  const room = labelRoom(lines, canvas);
  const points = dots.map((dot) => ({ ...dot, ...dot.interval }));
  const domain = ratioDomain(
    dots.flatMap((dot) => [
      dot.interval.centre,
      ...(isKnown(dot) ? [dot.interval.low, dot.interval.high] : []),
    ]),
  );
  const ticks = ratioTicks(domain);
  const colour = canvas.theme.groups[1] ?? "";
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: 14,
    marginBottom: 40,
    marginRight: 16,
    height: 58 + lines.length * 15,
    x: { type: "log", domain, axis: null },
    y: {
      type: "point",
      domain: lines,
      label: null,
      tickSize: 0,
      tickFormat: (line: string) => fitting(line, room),
    },
    marks: [
      Plot.gridX(ticks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisX(ticks, {
        text: String,
        label: fitting(label, canvas.width - room),
        labelAnchor: "center",
        labelArrow: "none",
      }),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      Plot.link(points, {
        filter: isKnown,
        x1: "low",
        x2: "high",
        y1: "line",
        y2: "line",
        stroke: colour,
        strokeWidth: 2,
        strokeOpacity: 0.65,
      }),
      Plot.dot(points, {
        x: "centre",
        y: "line",
        stroke: colour,
        fill: (dot: (typeof points)[number]) => (dot.isTold ? colour : canvas.theme.paper),
        r: 4,
      }),
      ...(canvas.interactive
        ? [Plot.tip(points, Plot.pointer({ x: "centre", y: "line", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}

/** Whether it is known how far it may be off. */
function isKnown(dot: Omit<RatioDot, "group">): boolean {
  return Number.isFinite(half(dot.interval));
}
