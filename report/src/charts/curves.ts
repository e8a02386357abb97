// Curves against a number in the workloads' names, a panel a number of threads, each line with its machine's name: of several machines over
// the baseline's throughput, beside which lines lie apart; of one its own, from zero.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data, type Figure, type RowHead } from "../data";
import { compare, unlike } from "../judge/comparison";
import { around, isKnown, ratio, type Interval } from "../judge/interval";
import { drawn, type View } from "../view";
import { inWords } from "../words/differences";
import { fourDigits, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { inOneUnit } from "../words/unit";
import { slug, type Canvas, type Chart } from "./chart";
import { endLabels } from "./labels";
import { type Numbered } from "./operations";
import {
  fitting,
  groupNames,
  groupScales,
  heading,
  lettersWide,
  nest,
  plot,
  ratioDomain,
  ratioTicks,
  tickInWords,
  tipColours,
} from "./plot";
import { isOnSide, sides } from "./sides";

/** The number that curves are drawn against. */
export interface Against {
  /** The first word of the pictures' files. */
  slug: string;
  /** `level`, `size`. */
  word: string;
  numberOf: (head: RowHead) => Numbered | null;
  inWords: (at: number) => string;
  scale: "linear" | "log";
}

interface Point {
  group: number;
  name: string;
  side: string;
  at: number;
  /** The value that is drawn: the ratio to the baseline, or the figure. */
  value: number;
  low: number;
  high: number;
  isKnown: boolean;
  valueText: string;
  margin: string;
  /** Over the baseline's; none of a machine alone. */
  ratio: Interval | null;
  /** Differences that keep it from being compared with the baseline's; empty where there are none. */
  unlike: string;
  title: string;
}

/** A line has so many points at least. */
const LEAST_POINTS = 3;
const NARROW_PX = 560;
const HEIGHT_PX = 290;
const [LEFT_PX, TOP_PX, BOTTOM_PX] = [64, 46, 42];

/** A picture for every operation that was measured at several of these numbers. */
export function curves(data: Data, view: View, against: Against): Chart[] {
  const asked = sides(data, view);
  const series = new Map<string, number[]>();
  data.rows.forEach((head, row) => {
    const numbered = against.numberOf(head);
    if (!numbered || !isOnSide(data, view, row, asked)) return;
    series.set(numbered.series, [...(series.get(numbered.series) ?? []), row]);
  });
  return [...series].flatMap(([name, rows]) => {
    const found = points(data, view, against, rows);
    const isLine = new Set(found.all.map((point) => point.at)).size >= LEAST_POINTS;
    return isLine && found.unit !== null ? [chart(data, view, against, name, found)] : [];
  });
}

interface Found {
  all: Point[];
  unit: string | null;
  /** Whether ratios are drawn. */
  isOfRatios: boolean;
}

function points(data: Data, view: View, against: Against, rows: number[]): Found {
  const names = groupNames(data);
  const found = drawn(view).flatMap((group) =>
    rows.flatMap((row) => {
      const figure = figureOf(data, data.cells[group]?.[row]);
      return figure ? [{ group, row, figure }] : [];
    }),
  );
  const unit = inOneUnit(
    data,
    found.map((entry) => entry.figure),
  );
  const isOfRatios = new Set(found.map(({ group }) => group)).size > 1 && found[0]?.group === view.baseline;
  const all = found.flatMap(({ group, row, figure }): Point[] => {
    const head = data.rows[row] as RowHead;
    const shownIn = unit.interval(figure);
    const why = inWords(unlike(data, row, view.baseline, group));
    const at = against.numberOf(head)?.at ?? 0;
    const name = names[group] ?? "";
    const isNot = why ? `\nnot comparable: ${why}` : "";
    const over = isOfRatios ? overBaseline(data, view, group, row, figure) : null;
    const ofRatio = over ? `\n${fourDigits(over.centre)} times ${names[view.baseline] ?? ""}` : "";
    if (isOfRatios && !over) return [];
    const { centre, low, high } = over ?? shownIn;
    return [
      {
        group,
        name,
        side: head.threads,
        at,
        value: centre,
        low,
        high,
        isKnown: isKnown(over ?? shownIn) && (over === null || group !== view.baseline),
        ratio: over,
        valueText: unit.inWords(figure),
        margin: width(shownIn),
        unlike: why,
        title: `${name}, ${against.word} ${against.inWords(at)}\n${unit.inWords(figure)} ${unit.unit ?? ""}, ${isKnown(shownIn) ? width(shownIn) : "no error bar"}${ofRatio}${isNot}`,
      },
    ];
  });
  return { all: all.sort((a, b) => a.group - b.group || a.at - b.at), unit: unit.unit, isOfRatios };
}

/** A figure over the baseline's, also where the two are not comparable; nothing where the baseline has none. */
function overBaseline(data: Data, view: View, group: number, row: number, figure: Figure): Interval | null {
  if (group === view.baseline) return around(1, 0, Infinity);
  const judged = compare(data, view.baseline, group).find((compared) => compared.row === row)?.ratio;
  const base = figureOf(data, data.cells[view.baseline]?.[row]);
  return judged ?? (base?.unit === figure.unit ? ratio(figure.interval, base.interval) : null);
}

function chart(
  data: Data,
  view: View,
  against: Against,
  series: string,
  { all, unit, isOfRatios }: Found,
): Chart {
  const baseline = groupNames(data)[view.baseline] ?? "";
  const asked = sides(data, view).filter((side) => all.some((point) => point.side === side));
  const name = shown(series, 80);
  const what = isOfRatios ? `throughput relative to ${baseline}` : `throughput in ${unit ?? ""}`;
  const title = `${name}: ${what} by ${against.word}, on ${asked.map(threadsInWords).join(" and on ")}`;
  const isMarked = all.some((point) => point.unlike);
  const rows = asked.flatMap((side) => all.filter((point) => point.side === side));
  return {
    name: slug(against.slug, series),
    title,
    about: name,
    caption:
      `${isOfRatios ? `Throughput over that of ${baseline}, on a logarithmic axis` : "Throughput from zero"}, ${withErrorBars(all.map((point) => point.isKnown))}${against.scale === "log" ? `; the axis of the ${against.word} is logarithmic` : ""}.${asked.length > 1 ? " Each panel has its own axis." : ""}` +
      (isMarked ? ` Hollow marks are not comparable to ${baseline}'s; the values say why.` : ""),
    summary: `${title}: ${rows.map((point) => `${point.name} ${against.inWords(point.at)} ${point.valueText}`).join("; ")}.`,
    table: () => ({
      heads: [
        "machine",
        "threads",
        against.word,
        unit ?? "",
        "95 %",
        ...(isOfRatios ? [`over ${baseline}`] : []),
        ...(isMarked ? ["not comparable"] : []),
      ],
      rows: rows.map((point) => [
        point.name,
        point.side,
        against.inWords(point.at),
        point.valueText,
        point.margin,
        ...(point.ratio ? [fourDigits(point.ratio.centre)] : []),
        ...(isMarked ? [point.unlike] : []),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, against, all, asked, isOfRatios ? null : unit),
  };
}

function draw(
  canvas: Canvas,
  title: string,
  data: Data,
  view: View,
  against: Against,
  all: Point[],
  asked: string[],
  unit: string | null,
): SVGSVGElement {
  const columns = canvas.width < NARROW_PX ? 1 : asked.length;
  const panelWidth = Math.floor(canvas.width / Math.max(columns, 1));
  const height = HEIGHT_PX * Math.ceil(asked.length / columns);
  const outer = plot(canvas, title, { height, marks: [] });
  asked.forEach((side, place) => {
    const points = all.filter((point) => point.side === side);
    const panel = drawPanel({ ...canvas, width: panelWidth }, data, view, against, points, side, unit);
    nest(outer, panel, (place % columns) * panelWidth, Math.floor(place / columns) * HEIGHT_PX);
  });
  return outer;
}

function drawPanel(
  canvas: Canvas,
  data: Data,
  view: View,
  against: Against,
  points: Point[],
  side: string,
  /** None of ratios. */
  unit: string | null,
): SVGSVGElement {
  const names = [...new Set(points.map((point) => point.name))];
  const longest = Math.max(...names.map(lettersWide));
  const room = Math.min(longest + 16, canvas.width * 0.3);
  const most = Math.max(...points.map((point) => (point.isKnown ? point.high : point.value)));
  const ticks = [...new Set(points.map((point) => point.at))].sort((a, b) => a - b);
  const ends = [...new Map(points.map((point) => [point.name, point])).values()];
  const [bottom, top] = [HEIGHT_PX - BOTTOM_PX, TOP_PX];
  const [least, greatest] = ratioDomain(
    points.flatMap((point) => (point.isKnown ? [point.value, point.low, point.high] : [point.value])),
  );
  const inLogs = (point: Point): Point => ({ ...point, value: Math.log(point.value / least) });
  const axis =
    unit === null
      ? {
          y: { type: "log" as const, domain: [least, greatest], axis: null },
          ticks: ratioTicks([least, greatest], bottom - top),
          tickFormat: (value: number) => `${value}×`,
          label: null,
          start: 1,
          ends: endLabels(ends.map(inLogs), { top, bottom, most: Math.log(greatest / least) }).map((end) => ({
            ...end,
            value: least * Math.exp(end.value),
          })),
        }
      : {
          y: { domain: [0, most], axis: null },
          ticks: 5,
          tickFormat: tickInWords,
          label: unit,
          start: 0,
          ends: endLabels(ends, { top, bottom, most }),
        };
  return plot(canvas, "", {
    marginTop: TOP_PX,
    marginLeft: LEFT_PX,
    marginRight: room,
    marginBottom: BOTTOM_PX,
    height: HEIGHT_PX,
    x: { type: against.scale, axis: null, inset: 8 },
    y: axis.y,
    ...groupScales(data, view, canvas),
    marks: [
      Plot.gridY({ ticks: axis.ticks, stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisY({ ticks: axis.ticks, tickFormat: axis.tickFormat, label: axis.label, labelArrow: "none" }),
      Plot.axisX(spread(ticks, (canvas.width - LEFT_PX - room) / (against.scale === "log" ? 52 : 24)), {
        text: against.inWords,
        label: against.word,
        labelAnchor: "center",
        labelArrow: "none",
      } as Plot.AxisXOptions),
      Plot.ruleY([axis.start], { stroke: canvas.theme.muted }),
      heading(canvas, threadsInWords(side), -40),
      ...lines(canvas, points),
      Plot.text(axis.ends, {
        x: "at",
        y: "value",
        text: (point: Point) => fitting(point.name, room + 4, names),
        fill: "name",
        dx: 9,
        textAnchor: "start",
      }),
      ...(canvas.interactive
        ? [Plot.tip(points, Plot.pointer({ x: "at", y: "value", title: "title", ...tipColours(canvas) }))]
        : []),
    ],
  });
}

/** Points with their intervals, and a line through each machine's. */
function lines(canvas: Canvas, points: Point[]): Plot.Markish[] {
  const dot = { x: "at", y: "value", stroke: "name", symbol: "name", r: 3 };
  return [
    Plot.line(points, { x: "at", y: "value", stroke: "name", strokeOpacity: 0.8, strokeWidth: 2 }),
    Plot.ruleX(points, { filter: "isKnown", x: "at", y1: "low", y2: "high", stroke: "name" }),
    Plot.dot(points, { ...dot, filter: (point: Point) => !point.unlike, fill: "name" }),
    Plot.dot(points, { ...dot, filter: "unlike", fill: canvas.theme.paper }),
  ];
}

/** So few of many marks that they don't stand on each other. */
function spread(all: number[], most: number): number[] {
  const every = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, place) => place % every === 0);
}
