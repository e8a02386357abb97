// The answer in one picture: each category of two machines, or all of many machines, as labelled bars from 1.

import * as Plot from "@observablehq/plot";
import { isKnown, type Interval } from "../judge/interval";
import { ofWork, ranking } from "../judge/measure";
import { OVERALL, overall, scoresOf } from "../judge/score";
import { currency, priceOf } from "../view";
import { architectureOf, nameOf, threadsOf } from "../words/names";
import { quantity, shown } from "../words/numbers";
import { confidence, faster, leadOf, standing, times } from "../words/speed";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import { fitting, labelRoom, lettersWide, plot, ratioTicks } from "./plot";

/** So many lines stand on a first screen. */
const MOST_LINES = 12;
const LINE_PX = 24;
const LABEL_PX = 12;

interface Bar {
  name: string;
  interval: Interval;
  /** At the bar's end. */
  label: string;
  colour: string;
  isOverall: boolean;
}

/** Two machines: the one that is ahead over the other, by category, the greatest lead first. */
export const byCategory: MakeChart = (data, view) => {
  const [other, ...more] = view.shown;
  if (other === undefined || more.length > 0) return null;
  const all = overall(data, view.baseline, other, view.threads)?.interval;
  if (!all) return null;
  const { ahead, behind } = leadOf(other, view.baseline, all);
  const scores = scoresOf(data, behind, ahead).flatMap(({ category, threads, interval, rows }) =>
    interval && threads === view.threads ? [{ category, interval, rows }] : [],
  );
  const categories = scores.filter(({ category }) => category !== OVERALL);
  const ranked = categories.sort((a, b) => b.interval.centre - a.interval.centre).slice(0, MOST_LINES);
  const total = scores.filter(({ category }) => category === OVERALL);
  const leads = ranked.filter(({ interval }) => interval.centre > 1).length;
  const [name, slower] = [nameOf(data, ahead, 40), nameOf(data, behind, 40)];
  const on = threadsOf(data, [ahead, behind], view.threads);
  const title =
    ranked.length > 1
      ? `${name} leads ${slower} in ${leads} of ${ranked.length} categories on ${on}`
      : `${name} against ${slower} on ${on}`;
  const bars = [...total, ...ranked].map(({ category, interval }): Bar => ({
    name: category === OVERALL ? "all workloads" : shown(category, 40),
    interval,
    label: faster(interval.centre),
    colour: standing(interval) === "tied" ? "tied" : interval.centre < 1 ? "behind" : "ahead",
    isOverall: category === OVERALL,
  }));
  return {
    name: "by-category",
    title,
    caption: `Throughput of ${name} over that of ${slower}: geometric means, logarithmic axis${bars.some(({ interval }) => isKnown(interval)) ? ", lines are 95 % confidence intervals" : ", no error bars"}.`,
    summary: `${title}: ${bars.map((bar) => `${bar.name} ${bar.label} (${confidence(bar.interval)})`).join("; ")}.`,
    table: () => ({
      heads: ["category", "rows", "ratio", "95 % CI"],
      rows: [...total, ...ranked].map(({ category, rows, interval }) => [
        category,
        String(rows),
        times(interval.centre),
        confidence(interval),
      ]),
    }),
    draw: (canvas) =>
      drawBars(canvas, title, bars, (colour) => {
        const { groups, muted } = canvas.theme;
        return { ahead: groups[1], behind: groups[2], tied: muted }[colour] ?? muted;
      }),
  } satisfies Chart;
};

/** Many machines: each over the baseline, the fastest first, coloured by architecture, its price beside it. */
export const ranked: MakeChart = (data, view) => {
  if (view.shown.length < 2) return null;
  const one = { centre: 1, low: 1, high: 1, freedom: Infinity };
  const order = ranking(data, view, ofWork(data, view.threads)).map(({ group, held }) => ({
    group,
    interval: held?.interval ?? one,
  }));
  if (order.length < 3) return null;
  const [first] = order;
  const on = threadsOf(
    data,
    order.map(({ group }) => group),
    view.threads,
  );
  const title = `${nameOf(data, first?.group ?? 0, 40)} leads ${order.length} machines on ${on}`;
  const price = (group: number): string => {
    const of = priceOf(data, view, group);
    return of === null ? "" : `${quantity(of)} ${currency(data)}/h`;
  };
  const bars = order.map(({ group, interval }): Bar => ({
    name: nameOf(data, group, 40),
    interval,
    label: [times(interval.centre), architectureOf(data, group) ?? "", price(group)]
      .filter(Boolean)
      .join("  "),
    colour: architectureOf(data, group) ?? "unknown",
    isOverall: group === view.baseline,
  }));
  const architectures = [...new Set(bars.map(({ colour }) => colour))].sort();
  return {
    name: "ranked",
    title,
    caption: `Throughput over that of ${nameOf(data, view.baseline, 40)} (geometric means over the rows that both have), logarithmic axis.`,
    summary: `${title}: ${bars.map((bar) => `${bar.name} ${bar.label}`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "architecture", "ratio", "95 % CI", "price an hour"],
      rows: order.map(({ group, interval }) => [
        nameOf(data, group),
        architectureOf(data, group) ?? "–",
        times(interval.centre),
        confidence(interval),
        price(group) || "–",
      ]),
    }),
    draw: (canvas) =>
      drawBars(canvas, title, bars, (of) => canvas.theme.groups[1 + architectures.indexOf(of)] ?? ""),
  } satisfies Chart;
};

/** Bars from 1 on a logarithmic axis, each with its name before and its value behind it. */
function drawBars(
  canvas: Canvas,
  title: string,
  bars: Bar[],
  colourOf: (of: string) => string,
): SVGSVGElement {
  const names = bars.map(({ name }, place) => `${place}\u0000${name}`);
  const room = labelRoom(
    bars.map(({ name }) => name),
    canvas,
  );
  const ends = bars.flatMap(({ interval }) => [
    interval.centre,
    ...(isKnown(interval) ? [interval.low, interval.high] : []),
  ]);
  const [low, high] = [Math.min(1, ...ends) / 1.03, Math.max(1, ...ends) * 1.03];
  const labelPx = Math.max(...bars.map(({ label }) => lettersWide(label))) + LABEL_PX;
  const width = canvas.width - room - labelPx;
  const ticks = ratioTicks([low, high], width);
  const points = bars.map((bar, place) => ({
    slot: names[place] ?? "",
    ...bar,
    from: Math.min(1, bar.interval.centre),
    to: Math.max(1, bar.interval.centre),
    right: Math.max(1, bar.interval.centre, isKnown(bar.interval) ? bar.interval.high : 1),
    low: bar.interval.low,
    high: bar.interval.high,
  }));
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: labelPx,
    marginTop: 8,
    marginBottom: 28,
    height: bars.length * LINE_PX + 36,
    x: { type: "log", domain: [low, high], axis: null },
    y: { type: "band", domain: names, padding: 0.25, axis: null },
    marks: [
      Plot.axisY(names, {
        text: (slot: string) => fitting(slot.split("\u0000")[1] ?? "", room),
        tickSize: 0,
        label: null,
        fill: canvas.theme.ink,
      }),
      Plot.gridX(ticks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisX(ticks, {
        text: (of: number) => `${of}×`,
        label: null,
        tickSize: 0,
        fill: canvas.theme.muted,
      }),
      Plot.rect(points, {
        x1: "from",
        x2: "to",
        y: "slot",
        fill: (of: (typeof points)[number]) => colourOf(of.colour),
        fillOpacity: (of: (typeof points)[number]) => (of.isOverall ? 1 : 0.75),
      }),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      Plot.link(points, {
        filter: (of: (typeof points)[number]) => isKnown(of.interval) && of.low < of.high,
        x1: "low",
        x2: "high",
        y1: "slot",
        y2: "slot",
        stroke: canvas.theme.ink,
        strokeWidth: 1.5,
      }),
      Plot.text(points, {
        x: "right",
        y: "slot",
        text: "label",
        textAnchor: "start",
        dx: 6,
        fill: canvas.theme.ink,
        fontWeight: "600",
      }),
    ],
  });
}
