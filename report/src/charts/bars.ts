// Bars of each family of workloads: a bar a machine, one core and all cores side by side.

import * as Plot from "@observablehq/plot";
import { figureOf, type Data, type Figure } from "../data";
import { unlike } from "../judge/comparison";
import { isKnown, scaled } from "../judge/interval";
import { drawn, isWanted, threadChoices, type View } from "../view";
import { inWords } from "../words/differences";
import { shown, threadsInWords, width } from "../words/numbers";
import { inOneUnit, type InOneUnit } from "../words/unit";
import { type Canvas, type Chart, slug } from "./chart";
import { FULL, PALE, fitting, groupNames, groupScales, labelRoom, legend, plot, tipColours } from "./plot";

interface Bar {
  row: number;
  group: number;
  figure: Figure;
  /** What keeps it from being held against the baseline's; empty where nothing does. */
  unlike: string;
}

/** With more bars than this a page shows one family at a time. */
const MOST_AT_ONCE = 250;

/** A picture a family. */
export function bars(data: Data, view: View): Chart[] {
  const families = [...new Set(data.rows.map((row) => row.family))];
  const charts = families.flatMap((family) => familyChart(data, view, family) ?? []);
  const rows = data.rows.filter((_, row) =>
    sides(data, view).some((threads) => isWanted(data, view, row, threads)),
  );
  return rows.length * drawn(view).length > MOST_AT_ONCE
    ? charts.map((chart) => ({ ...chart, about: chart.title }))
    : charts;
}

/** One core and all cores, or what else there is two of at most. */
function sides(data: Data, view: View): string[] {
  const choices = threadChoices(data);
  const pair = ["1", "all"].filter((threads) => choices.includes(threads));
  return pair.includes(view.threads) ? pair : [view.threads];
}

function familyChart(data: Data, view: View, family: string): Chart | null {
  const all: Bar[] = [];
  const asked = sides(data, view);
  data.rows.forEach((head, row) => {
    if (head.family !== family || !asked.some((threads) => isWanted(data, view, row, threads))) return;
    for (const group of drawn(view)) {
      const figure = figureOf(data, data.cells[group]?.[row]);
      if (!figure) continue;
      all.push({ row, group, figure, unlike: inWords(unlike(data, row, view.baseline, group)) });
    }
  });
  if (all.length === 0) return null;
  const names = groupNames(data);
  const figures = inOneUnit(
    data,
    all.map(({ figure }) => figure),
  );
  const title = `${family}: throughput`;
  const isMarked = all.some((bar) => bar.unlike);
  return {
    name: slug("family", family),
    title,
    caption:
      `${figures.unit ?? "Throughput"} with 95 % intervals. The bars of a workload are shares of its best machine; one without a line has no error bar.` +
      (isMarked ? ` Pale bars are not comparable to ${names[view.baseline]}'s; the values say why.` : ""),
    summary: `Throughput of ${new Set(all.map((bar) => data.rows[bar.row]?.name)).size} workloads on ${new Set(all.map((bar) => bar.group)).size} machines${figures.unit === null ? "" : `, in ${figures.unit}`}.`,
    table: () => ({
      heads: [
        "workload",
        "threads",
        "machine",
        figures.unit ?? "throughput",
        "95 %",
        ...(isMarked ? ["not comparable"] : []),
      ],
      rows: all.map((bar) => [
        shown(data.rows[bar.row]?.name ?? ""),
        data.rows[bar.row]?.threads ?? "",
        names[bar.group] ?? "",
        figures.inWords(bar.figure),
        width(bar.figure.interval),
        ...(isMarked ? [bar.unlike] : []),
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, all, figures, asked),
  };
}

function lineOf(data: Data, { row }: Bar): string {
  return shown(data.rows[row]?.name ?? "", 80);
}

interface Point {
  at: string;
  name: string;
  side: string;
  /** Over the best machine's of the row, as the ends are. */
  centre: number;
  low: number;
  high: number;
  isKnown: boolean;
  /** Where what is drawn of it ends. */
  end: number;
  opacity: number;
  told: string;
  title: string;
}

function pointsOf(data: Data, all: Bar[], figures: InOneUnit): Point[] {
  const names = groupNames(data);
  // Of figures in several units each is a share of the best in its own.
  const peers = (bar: Bar): string =>
    figures.unit === null ? `${bar.row} ${bar.figure.unit}` : `${bar.row}`;
  const best = new Map<string, number>();
  for (const bar of all) {
    best.set(peers(bar), Math.max(best.get(peers(bar)) ?? 0, figures.told(bar.figure).centre));
  }
  return all.map((bar) => {
    const of = figures.told(bar.figure);
    const { centre, low, high } = scaled(of, 1 / (best.get(peers(bar)) ?? 1));
    const number = figures.inWords(bar.figure);
    const unit = figures.unit === null ? "" : ` ${figures.unit}`;
    const isNot = bar.unlike ? `\nnot comparable: ${bar.unlike}` : "";
    return {
      at: `${lineOf(data, bar)}\u0000${bar.group}`,
      name: names[bar.group] ?? "",
      side: threadsInWords(data.rows[bar.row]?.threads ?? ""),
      centre,
      low,
      high,
      isKnown: isKnown(of),
      end: isKnown(of) ? high : centre,
      opacity: bar.unlike ? PALE : FULL,
      told: number,
      title: `${lineOf(data, bar)}\n${names[bar.group]}: ${number}${unit} ${width(of)}${isNot}`,
    };
  });
}

function draw(
  canvas: Canvas,
  title: string,
  data: Data,
  view: View,
  all: Bar[],
  figures: InOneUnit,
  asked: string[],
): SVGSVGElement {
  const lines = [...new Set(all.map((bar) => lineOf(data, bar)))];
  const groups = drawn(view).filter((group) => all.some((bar) => bar.group === group));
  const [narrow, room] = [canvas.width < 560, labelRoom(lines, canvas)];
  const points = pointsOf(data, all, figures);
  const most = Math.max(...points.map((of) => of.end));
  const side = asked.length > 1 ? { fx: "side" } : {};
  // A slot without a bar sets the lines apart.
  const slots = lines.flatMap((line) => [...groups, "gap"].map((group) => `${line}\u0000${group}`));
  const first = new Map(
    lines.map((line) => [`${line}\u0000${groups[Math.floor((groups.length - 1) / 2)] ?? 0}`, line]),
  );
  const key = legend(canvas, room, data, view, groups);
  return plot(canvas, title, {
    marginLeft: room,
    marginTop: key.height + 30,
    marginBottom: 8,
    marginRight: 8,
    height: key.height + 40 + slots.length * 12,
    // The bars' figures stand behind their ends.
    x: { domain: [0, most * 1.35], axis: null },
    y: { type: "band", domain: slots, label: null, axis: null, padding: 0.15 },
    ...(asked.length > 1
      ? { fx: { domain: asked.map(threadsInWords), axis: "top", label: null, padding: 0.04 } }
      : {}),
    color: groupScales(data, view, canvas).color,
    marks: [
      ...key.marks,
      Plot.axisY([...first.keys()], {
        text: (slot: string) => fitting(first.get(slot) ?? "", room),
        tickSize: 0,
        label: null,
        fill: canvas.theme.ink,
        ...(asked.length > 1 ? { fxAnchor: "left" } : {}),
      } as Plot.AxisYOptions),
      Plot.barX(points, {
        x: "centre",
        y: "at",
        fill: "name",
        fillOpacity: { value: "opacity", scale: null },
        ...side,
      }),
      ...(canvas.interactive
        ? [
            Plot.tip(
              points,
              Plot.pointer({
                x: "centre",
                y: "at",
                title: "title",
                ...tipColours(canvas),
                ...side,
              }),
            ),
          ]
        : []),
      Plot.link(points, {
        filter: "isKnown",
        x1: "low",
        x2: "high",
        y1: "at",
        y2: "at",
        stroke: canvas.theme.ink,
        ...side,
      }),
      ...(narrow
        ? []
        : [
            Plot.text(points, {
              x: "end",
              y: "at",
              text: "told",
              dx: 6,
              textAnchor: "start",
              fill: canvas.theme.muted,
              ...side,
            }),
          ]),
    ],
  });
}
