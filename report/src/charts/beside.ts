// Losses of rows beside co-runners: a slope a row, from its throughput alone to what is left of it.

import * as Plot from "@observablehq/plot";
import { intervalOf, type Data } from "../data";
import { type Interval, isKnown } from "../judge/interval";
import { drawn, isWanted, threadChoices, type View } from "../view";
import { count, fourDigits, percent, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { slug, type Canvas, type Chart } from "./chart";
import { endLabels } from "./labels";
import { fitting, groupNames, heading, lettersWide, nest, plot, tipColours } from "./plot";

interface Point {
  group: number;
  /** The workload. */
  name: string;
  threads: string;
  /** The number of co-runners; 0 alone. */
  at: number;
  left: Interval;
  /** Whether the row certainly loses. */
  isLost: boolean;
  tip: string;
}

/** A row is drawn strongly and named if it certainly loses more than this. */
const LEAST_LOSS = 0.02;
/** So many rows are named in a panel, those that lose most. */
const MOST_NAMED = 12;
const NARROW_PX = 560;
const [HEIGHT_PX, LEFT_PX, TOP_PX, BOTTOM_PX] = [380, 52, 46, 42];

/** A picture for the work of the co-runners, a panel a machine. */
export function besideCoRunners(data: Data, view: View): Chart[] {
  const workloads = [...new Set(data.beside.flat().map((entry) => entry.co_runners))];
  return workloads.flatMap((workload) => {
    const all = points(data, view, workload);
    return all.length > 0 ? [chart(data, workload, all)] : [];
  });
}

function points(data: Data, view: View, workload: string): Point[] {
  const names = groupNames(data);
  const choices = threadChoices(data);
  return drawn(view).flatMap((group) => {
    const wanted = (data.beside[group] ?? []).filter(
      ({ row, co_runners }) =>
        co_runners === workload && choices.some((threads) => isWanted(data, view, row, threads)),
    );
    return wanted.flatMap(({ row, count: at, left }): Point[] => {
      const head = data.rows[row];
      if (!head) return [];
      const interval = intervalOf(left);
      const name = shown(head.name);
      const tip = `${name}, ${threadsInWords(head.threads)}\n${names[group] ?? ""} beside ${count(at, "co-runner")}: ${percent(interval.centre)} left\n${inBrackets(interval)}`;
      const isLost = isKnown(interval) && interval.high < 1 - LEAST_LOSS;
      return [{ group, name, threads: head.threads, at, left: interval, isLost, tip }];
    });
  });
}

/** `95 % CI 62–71 %`. */
function inBrackets(interval: Interval): string {
  return isKnown(interval)
    ? `95\u00a0% CI ${(100 * interval.low).toFixed(0)}–${percent(interval.high)}`
    : "no error bar";
}

function chart(data: Data, workload: string, all: Point[]): Chart {
  const names = groupNames(data);
  const title = `Throughput left beside co-runners: ${workload}`;
  const inOrder = [...all].sort((a, b) => a.group - b.group || a.left.centre - b.left.centre);
  return {
    name: slug("beside", workload),
    title,
    caption: `Throughput beside co-runners on other cores over throughput alone, from zero, ${withErrorBars(all.map((point) => isKnown(point.left)))}. Each line is a row; named are those that certainly lose more than 2 %.`,
    summary: `${title}: ${inOrder.map((point) => `${names[point.group] ?? ""} ${point.name} beside ${point.at} ${percent(point.left.centre)}`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "workload", "threads", "co-runners", "left", "95 %"],
      rows: inOrder.map((point) => [
        names[point.group] ?? "",
        point.name,
        point.threads,
        String(point.at),
        fourDigits(point.left.centre),
        width(point.left),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, all),
  };
}

function draw(canvas: Canvas, title: string, data: Data, all: Point[]): SVGSVGElement {
  const groups = [...new Set(all.map((point) => point.group))];
  const columns = canvas.width < NARROW_PX ? 1 : Math.min(groups.length, 2);
  const panelWidth = Math.floor(canvas.width / columns);
  const outer = plot(canvas, title, { height: HEIGHT_PX * Math.ceil(groups.length / columns), marks: [] });
  groups.forEach((group, place) => {
    const points = all.filter((point) => point.group === group);
    const panel = drawPanel({ ...canvas, width: panelWidth }, data, group, points);
    nest(outer, panel, (place % columns) * panelWidth, Math.floor(place / columns) * HEIGHT_PX);
  });
  return outer;
}

function drawPanel(canvas: Canvas, data: Data, group: number, points: Point[]): SVGSVGElement {
  const alone = { centre: 1, low: 1, high: 1 } as Interval;
  const starts = [
    ...new Map(points.map((point) => [key(point), { ...point, at: 0, left: alone, tip: "" }])).values(),
  ];
  const lines = [...starts, ...points].sort((a, b) => a.at - b.at);
  const ticks = [...new Set(lines.map((point) => point.at))];
  const most = Math.max(
    1,
    ...points.map((point) => (isKnown(point.left) ? point.left.high : point.left.centre)),
  );
  const last = [
    ...new Map([...points].sort((a, b) => a.at - b.at).map((point) => [key(point), point])).values(),
  ];
  const named = last
    .filter((point) => point.isLost)
    .sort((a, b) => a.left.centre - b.left.centre)
    .slice(0, MOST_NAMED)
    .map((point) => ({ ...point, value: point.left.centre }));
  const room = Math.min(
    16 + Math.max(80, ...named.map((point) => lettersWide(labelOf(point)))),
    canvas.width * 0.45,
  );
  // As far apart as steps are: 0, 1, 2, 4 and 63 are five of them.
  const place = (point: Point): number => ticks.indexOf(point.at);
  const area = { top: TOP_PX, bottom: HEIGHT_PX - BOTTOM_PX, most };
  return plot(canvas, "", {
    marginTop: TOP_PX,
    marginLeft: LEFT_PX,
    marginRight: room,
    marginBottom: BOTTOM_PX,
    height: HEIGHT_PX,
    x: { type: "linear", domain: [0, ticks.length - 1], axis: null, inset: 10 },
    y: { domain: [0, most], axis: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisY({ ticks: 5, tickFormat: percent, label: "left", labelArrow: "none" }),
      Plot.axisX(
        ticks.map((_, step) => step),
        {
          tickFormat: (step: number) => (step === 0 ? "alone" : String(ticks[step])),
          label: "co-runners",
          labelAnchor: "center",
          labelArrow: "none",
        } as Plot.AxisXOptions,
      ),
      Plot.ruleY([0], { stroke: canvas.theme.muted }),
      heading(canvas, groupNames(data)[group] ?? "", -40),
      ...slopes(canvas, lines, place),
      Plot.text(endLabels(named, area), {
        x: place,
        y: "value",
        text: (point: Point) => fitting(labelOf(point), room + 4, named.map(labelOf)),
        fill: canvas.theme.ink,
        dx: 9,
        textAnchor: "start",
      }),
      ...(canvas.interactive
        ? [
            Plot.tip(
              points,
              Plot.pointer({
                x: place,
                y: (point: Point) => point.left.centre,
                title: "tip",
                ...tipColours(canvas),
              }),
            ),
          ]
        : []),
    ],
  });
}

/** The row that a point is of. */
function key(point: Point): string {
  return `${point.name} ${point.threads}`;
}

/** A line through each row's points, with their intervals. */
function slopes(canvas: Canvas, lines: Point[], place: (point: Point) => number): Plot.Markish[] {
  const ink = (point: Point): string => (point.isLost ? canvas.theme.ink : canvas.theme.muted);
  const y = (point: Point): number => point.left.centre;
  const beside = lines.filter((point) => point.at > 0);
  return [
    Plot.line(lines, { x: place, y, z: key, stroke: ink, strokeWidth: 1.5, strokeOpacity: 0.8 }),
    Plot.ruleX(beside, {
      filter: (point: Point) => isKnown(point.left),
      x: place,
      y1: (point: Point) => point.left.low,
      y2: (point: Point) => point.left.high,
      stroke: ink,
    }),
    Plot.dot(beside, { x: place, y, r: 2.5, fill: ink }),
  ];
}

/** `brotli-9/brotli 83 %`. */
function labelOf(point: Point): string {
  return `${point.name} ${percent(point.left.centre)}`;
}
