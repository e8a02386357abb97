// Compressed size beside speed: a point an implementation and level, a line an implementation, a panel a machine.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data, type RowHead } from "../data";
import { drawn, isWanted, type View } from "../view";
import { fourDigits, percent, shown, threadsInWords, width } from "../words/numbers";
import { bytesUnit, inBytes } from "../words/unit";
import { slug, SYMBOLS, type Canvas, type Chart } from "./chart";
import { endLabels } from "./labels";
import { byLevel, sizeInWords } from "./operations";
import {
  colourOf,
  fitting,
  groupNames,
  heading,
  lettersWide,
  nest,
  plot,
  tickInWords,
  tipColours,
} from "./plot";

interface Point {
  group: number;
  workload: string;
  /** Its line: the implementation and all of the operation but the level. */
  series: string;
  level: string;
  mibPerS: number;
  margin: string;
  /** The compressed share of the input. */
  share: number;
  bytes: number;
  title: string;
}

/** With fewer there is nothing to choose from. */
const LEAST_POINTS = 3;
/** Data that do not become smaller than this are not compressed: random bytes never are. */
const MOST_SHARE = 0.95;
const HEIGHT_PX = 400;
const [LEFT_PX, TOP_PX, BOTTOM_PX] = [64, 32, 42];
const NARROW_PX = 640;

/** A picture for each input that several compressors or levels were given. */
export function density(data: Data, view: View): Chart[] {
  const inputs = new Map<number, Point[]>();
  data.rows.forEach((head, row) => {
    if (head.family !== "compress" || !isWanted(data, view, row)) return;
    for (const group of drawn(view)) {
      const found = point(data, head, row, group);
      if (found) inputs.set(found.input, [...(inputs.get(found.input) ?? []), found.point]);
    }
  });
  return [...inputs].flatMap(([input, points]) =>
    new Set(points.map((point) => point.workload)).size < LEAST_POINTS
      ? []
      : [chart(data, view, input, points)],
  );
}

function point(
  data: Data,
  head: RowHead,
  row: number,
  group: number,
): { input: number; point: Point } | null {
  const figure = figureOf(data, data.cells[group]?.[row]);
  const speed = figure && inBytes(figure);
  if (!figure?.bytesPerOp || !figure.outputBytes || !speed) return null;
  const share = figure.outputBytes / figure.bytesPerOp;
  if (share > MOST_SHARE) return null;
  const numbered = byLevel(head);
  const workload = shown(head.name, 80);
  const size = `${percent(share, 1)} of the input (${fourDigits(figure.outputBytes)} bytes)`;
  return {
    input: figure.bytesPerOp,
    point: {
      group,
      workload,
      series: shown(numbered?.series ?? head.name),
      level: numbered ? String(numbered.at) : "",
      mibPerS: speed.centre,
      margin: width(speed),
      share,
      bytes: figure.outputBytes,
      title: `${workload}\n${fourDigits(speed.centre)} ${bytesUnit(data)} ${width(speed)}\n${size}`,
    },
  };
}

function chart(data: Data, view: View, input: number, all: Point[]): Chart {
  const names = groupNames(data);
  const size = sizeInWords(input);
  const title = `Compressed size against speed, ${size} of input, on ${threadsInWords(view.threads)}`;
  const sorted = [...all].sort((a, b) => a.group - b.group || a.share - b.share);
  return {
    name: slug("compression", size),
    title,
    about: `${size} of input`,
    caption:
      "Lower is smaller, further right is faster. A line joins the levels of an implementation, with the first and last labelled; the speed axis is logarithmic, the size axis does not start at zero.",
    summary: `${title}: ${sorted.map((point) => `${names[point.group]} ${point.workload} ${percent(point.share, 1)}, ${fourDigits(point.mibPerS)} ${bytesUnit(data)}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "machine", bytesUnit(data), "95 %", "compressed bytes", "of the input"],
      rows: sorted.map((point) => [
        point.workload,
        names[point.group] ?? "",
        fourDigits(point.mibPerS),
        point.margin,
        fourDigits(point.bytes),
        percent(point.share, 1),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, all),
  };
}

function draw(canvas: Canvas, title: string, data: Data, view: View, all: Point[]): SVGSVGElement {
  const groups = drawn(view).filter((group) => all.some((point) => point.group === group));
  const columns = canvas.width < NARROW_PX ? 1 : Math.min(2, groups.length);
  const panelWidth = Math.floor(canvas.width / columns);
  const outer = plot(canvas, title, { height: HEIGHT_PX * Math.ceil(groups.length / columns), marks: [] });
  const series = [...new Set(all.map((point) => point.series))];
  groups.forEach((group, place) => {
    const panel = drawPanel({ ...canvas, width: panelWidth }, data, view, all, group, series);
    nest(outer, panel, (place % columns) * panelWidth, Math.floor(place / columns) * HEIGHT_PX);
  });
  return outer;
}

function drawPanel(
  canvas: Canvas,
  data: Data,
  view: View,
  all: Point[],
  group: number,
  series: string[],
): SVGSVGElement {
  const colour = colourOf(view, canvas.theme, group) ?? "";
  const byLevel = (a: Point, b: Point): number => Number(a.level) - Number(b.level);
  const points = all.filter((point) => point.group === group).sort(byLevel);
  const room = Math.min(Math.max(...series.map(lettersWide)) + 20, canvas.width * 0.35);
  const shares = all.map((point) => point.share);
  const [least, most] = [Math.min(...shares) * 0.97, Math.max(...shares) * 1.03];
  const speeds = all.map((point) => point.mibPerS);
  const speedEnds: [number, number] = [Math.min(...speeds) / 1.3, Math.max(...speeds) * 1.3];
  const lines = series
    .map((name) => points.filter((point) => point.series === name))
    .filter((line) => line.length > 0);
  const fastest = lines.flatMap((line) => [...line].sort((a, b) => b.mibPerS - a.mibPerS)[0] ?? []);
  const area = { top: TOP_PX, bottom: HEIGHT_PX - BOTTOM_PX, most: most - least };
  const labels = endLabels(
    fastest.map((point) => ({ ...point, value: point.share - least })),
    area,
  ).map((label) => ({ ...label, value: label.value + least, at: speedEnds[1] }));
  const numbers = lines.flatMap((line) => (line.length > 1 ? [line[0], line.at(-1)] : [])) as Point[];
  return plot(canvas, "", {
    marginTop: TOP_PX,
    marginLeft: LEFT_PX,
    marginRight: room,
    marginBottom: BOTTOM_PX,
    height: HEIGHT_PX,
    x: { type: "log", domain: speedEnds, axis: null },
    y: { domain: [least, most], axis: null },
    symbol: {
      domain: series,
      range: series.map((_, place) => SYMBOLS[place % SYMBOLS.length] ?? "circle") as never,
    },
    marks: [
      Plot.gridY({ ticks: 5, stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisY({
        ticks: 5,
        tickFormat: (share: number) => percent(share),
        label: "compressed size, % of the input",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 54,
      }),
      Plot.axisX(speedTicks(speedEnds), {
        text: tickInWords,
        label: bytesUnit(data),
        labelAnchor: "center",
        labelArrow: "none",
      }),
      heading(canvas, fitting(groupNames(data)[group] ?? "", canvas.width - LEFT_PX), -22),
      ...marks(canvas, colour, points, labels, numbers, room),
    ],
  });
}

/** A point's place on the right edge, where its line's name stands. */
type Label = Point & { value: number; at: number };

function marks(
  canvas: Canvas,
  colour: string,
  points: Point[],
  labels: Label[],
  numbers: Point[],
  room: number,
): Plot.Markish[] {
  return [
    Plot.link(labels, {
      x1: "mibPerS",
      y1: "share",
      x2: "at",
      y2: "value",
      stroke: canvas.theme.faint,
    }),
    Plot.line(points, { x: "mibPerS", y: "share", z: "series", stroke: colour, strokeOpacity: 0.6 }),
    Plot.dot(points, { x: "mibPerS", y: "share", fill: colour, symbol: "series", r: 3.5 }),
    Plot.text(numbers, {
      x: "mibPerS",
      y: "share",
      text: "level",
      dy: -10,
      fill: canvas.theme.ink,
      fontSize: 10,
    }),
    Plot.text(labels, {
      x: "at",
      y: "value",
      text: (point: Point) =>
        fitting(
          point.series,
          room + 10,
          labels.map(({ series }) => series),
        ),
      dx: 4,
      textAnchor: "start",
      fill: canvas.theme.ink,
    }),
    ...(canvas.interactive
      ? [Plot.tip(points, Plot.pointer({ x: "mibPerS", y: "share", title: "title", ...tipColours(canvas) }))]
      : []),
  ];
}

/** 1, 3, 10, 30 and so on. */
function speedTicks([least, most]: [number, number]): number[] {
  const decades = Array.from({ length: 13 }, (_, place) => 10 ** (place - 4));
  return decades.flatMap((decade) => [decade, 3 * decade]).filter((speed) => speed >= least && speed <= most);
}
