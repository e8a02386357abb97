// Dots with intervals on an axis of ratios: rows, rows at prices, speed-ups.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { isKnown, type Interval } from "../judge/interval";
import { type View } from "../view";
import { percent } from "../words/numbers";
import { type Canvas } from "./chart";
import {
  fitting,
  groupNames,
  groupScales,
  labelRoom,
  legend,
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
  /** Whether it differs detectably from 1. */
  isDetected: boolean;
  /** Shown where a pointer is at it. */
  title: string;
}

/** A dot where it stands, as what. */
interface Placed extends Omit<RatioDot, "group"> {
  slot: string;
  /** The name of its group. */
  name: string;
}

/** Lines, sizes and scales of a picture of ratios. */
interface Frame {
  /** Every line of it, from above; lines without a name may hold dots or set others apart. */
  slots: string[];
  /** The names of some of them. */
  labels: Map<string, string>;
  slotHeight: number;
  r: number;
  strokeWidth: number;
  key: { marks: Plot.Markish[]; height: number };
  scales: { color: Plot.ScaleOptions; symbol: Plot.ScaleOptions };
}

/** The name of the ratios, and whether they are shares of the most that there can be, which stand on an axis from zero. */
interface Axis {
  label: string;
  isShare: boolean;
}

/** An axis shorter than this has room for few marks. */
const NARROW_PX = 300;
/** Up to so many groups of a line stand below each other; more stand on one line. */
const MOST_APART = 3;

/** Draws lines of dots, in this order from above. */
export function drawRatios(
  canvas: Canvas,
  title: string,
  axis: Axis,
  data: Data,
  view: View,
  lines: string[],
  dots: RatioDot[],
): SVGSVGElement {
  const names = groupNames(data);
  const groups = [...new Set(dots.map((dot) => dot.group))];
  const isApart = groups.length > 1 && groups.length <= MOST_APART;
  const slotOf = (line: string, group: number): string => `${line}\u0000${isApart ? group : ""}`;
  // A slot without a dot sets the lines apart.
  const slots = lines.flatMap((line) =>
    (isApart ? [...groups, -1] : [0]).map((group) => slotOf(line, group)),
  );
  const middle = groups[Math.floor((groups.length - 1) / 2)] ?? 0;
  const isNamed = groups.length > 1 || view.shown.length > 1;
  const points = dots.map((dot) => ({
    ...dot,
    slot: slotOf(dot.line, dot.group),
    name: names[dot.group] ?? "",
  }));
  return draw(canvas, title, axis, points, {
    slots,
    labels: new Map(lines.map((line) => [slotOf(line, middle), line])),
    slotHeight: isApart ? 9 : 17,
    r: groups.length > 1 ? 3 : 4,
    strokeWidth: isApart || groups.length === 1 ? 2 : 1,
    key: legend(canvas, labelRoom(lines, canvas), data, view, isNamed ? groups : []),
    scales: groupScales(data, view, canvas),
  });
}

function draw(
  canvas: Canvas,
  title: string,
  { label, isShare }: Axis,
  dots: Placed[],
  { slots, labels, slotHeight, r, strokeWidth, key, scales }: Frame,
): SVGSVGElement {
  const lines = [...labels.values()];
  const room = labelRoom(lines, canvas);
  const ends = ({ interval }: Placed): number[] => [interval.low, interval.high];
  const all = dots.flatMap((dot) => [dot.interval.centre, ...(isKnown(dot.interval) ? ends(dot) : [])]);
  const domain: [number, number] = isShare ? [0, 1.02 * Math.max(1, ...all)] : ratioDomain(all);
  const length = canvas.width - room;
  const shares = length < NARROW_PX ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const ticks = isShare ? shares : ratioTicks(domain, length);
  const points = dots.map((dot) => ({ ...dot, ...dot.interval }));
  const dot = { x: "centre", y: "slot", stroke: "name", symbol: "name", r };
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: key.height + 14,
    marginBottom: 40,
    marginRight: 16,
    height: key.height + 58 + slots.length * slotHeight,
    x: { type: isShare ? "linear" : "log", domain, axis: null },
    y: { type: "point", domain: slots, label: null, axis: null },
    ...scales,
    marks: [
      ...key.marks,
      Plot.axisY([...labels.keys()], {
        text: (slot: string) => fitting(labels.get(slot) ?? "", room, lines),
        tickSize: 0,
        label: null,
        fill: canvas.theme.ink,
      }),
      Plot.gridX(ticks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisX(ticks, {
        text: isShare ? (share: number) => percent(share) : String,
        label: fitting(label, length),
        labelAnchor: "center",
        labelArrow: "none",
      }),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      Plot.link(points, {
        filter: (point: Placed) => isKnown(point.interval),
        x1: "low",
        x2: "high",
        y1: "slot",
        y2: "slot",
        stroke: "name",
        strokeWidth,
        strokeOpacity: 0.65,
      }),
      Plot.dot(points, { ...dot, filter: "isDetected", fill: "name" }),
      Plot.dot(points, { ...dot, filter: (point: Placed) => !point.isDetected, fill: canvas.theme.paper }),
      ...(canvas.interactive
        ? [Plot.tip(points, Plot.pointer({ x: "centre", y: "slot", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}
