// Cost against performance: who gives more for less, and whom nobody should buy.

import * as Plot from "@observablehq/plot";
import { isKnown, type Interval } from "../judge/interval";
import { placed } from "../judge/score";
import { currency, priceOf, type View } from "../view";
import { atWork } from "../words/names";
import { ends, factor, quantity, threadsInWords } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import { colourOf, fitting, groupNames, plot, ratioDomain, ratioTicks, tipColours } from "./plot";

const HEIGHT = 380;

interface Point {
  group: number;
  name: string;
  price: number;
  score: Interval;
  isFront: boolean;
}

/** Every machine that has a price and a score, not only those that are drawn row by row. */
export const pareto: MakeChart = (data, view) => {
  const names = groupNames(data);
  const baseline = names[view.baseline] ?? "";
  const even: Interval = { centre: 1, low: 1, high: 1, freedom: Infinity };
  const found = data.groups.flatMap((_, group) => {
    const price = priceOf(data, view, group);
    const score = group === view.baseline ? even : placed(data, view.baseline, group, view.threads)?.interval;
    return price !== null && score ? [{ group, name: names[group] ?? "", price, score, isFront: false }] : [];
  });
  if (found.length < 2) return null;
  const points: Point[] = found.map((of) => ({ ...of, isFront: !found.some((other) => beats(other, of)) }));
  const unit = currency(data);
  const front = points.filter((of) => of.isFront).sort((a, b) => a.price - b.price);
  const title = `Cost against performance on ${threadsInWords(view.threads)}${atWork(data)}`;
  return {
    name: "pareto",
    title,
    caption: `Overall score against ${baseline}, ${withErrorBars(points.flatMap((of) => (of.score === even ? [] : [isKnown(of.score)])))}, over the price of an hour. ${front.length > 1 ? "On the line" : "Filled"}: no other machine does more work for less money (point estimates).`,
    summary: `${title}. On the front: ${front.map((of) => `${of.name} (${factor(of.score.centre)} for ${quantity(of.price)} ${unit}/h)`).join(", ")}.`,
    table: () => ({
      heads: ["machine", `${unit}/h`, "score", "95 %", "front"],
      rows: points.map((of) => [
        of.name,
        quantity(of.price),
        factor(of.score.centre),
        ends(of.score),
        of.isFront ? "yes" : "no",
      ]),
    }),
    draw: (canvas) => draw(canvas, title, view, points, front, baseline, unit),
  } satisfies Chart;
};

/** At least as much for at most as much, and one of them better. */
function beats(a: { price: number; score: Interval }, b: { price: number; score: Interval }): boolean {
  return (
    a.price <= b.price &&
    a.score.centre >= b.score.centre &&
    (a.price < b.price || a.score.centre > b.score.centre)
  );
}

function draw(
  canvas: Canvas,
  title: string,
  view: View,
  points: Point[],
  front: Point[],
  baseline: string,
  unit: string,
): SVGSVGElement {
  const domain = ratioDomain(
    points.flatMap((of) =>
      isKnown(of.score) ? [of.score.centre, of.score.low, of.score.high] : [of.score.centre],
    ),
  );
  const ticks = ratioTicks(domain, HEIGHT);
  const names = points.map((of) => of.name);
  const drawnPoints = points.map((of) => ({
    ...of,
    centre: of.score.centre,
    low: of.score.low,
    high: of.score.high,
    colour: colourOf(view, canvas.theme, of.group) ?? canvas.theme.muted,
    label: fitting(of.name, 150, names),
    title: `${of.name}\n${factor(of.score.centre)} times ${baseline}\n${quantity(of.price)} ${unit}/h`,
  }));
  const most = Math.max(...points.map((of) => of.price));
  const isCrowded = points.length > 30;
  return plot(canvas, title, {
    marginLeft: 70,
    marginRight: 90,
    marginBottom: 40,
    marginTop: 24,
    height: HEIGHT,
    x: {
      domain: [0, most * 1.05],
      label: `${unit} an hour`,
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
    },
    y: { type: "log", domain, axis: null },
    marks: [
      Plot.gridY(ticks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisY(ticks, { text: String, label: `times ${baseline}`, labelArrow: "none" }),
      Plot.line(front, {
        x: "price",
        y: (of: Point) => of.score.centre,
        stroke: canvas.theme.muted,
        curve: "step-after",
      }),
      Plot.ruleX(
        drawnPoints.filter((of) => isKnown(of.score)),
        {
          x: "price",
          y1: "low",
          y2: "high",
          stroke: canvas.theme.muted,
        },
      ),
      Plot.dot(drawnPoints, {
        x: "price",
        y: "centre",
        r: 4,
        stroke: "colour",
        fill: (of: (typeof drawnPoints)[number]) => (of.isFront ? of.colour : canvas.theme.paper),
      }),
      Plot.text(isCrowded ? drawnPoints.filter((of) => of.isFront) : drawnPoints, {
        x: "price",
        y: "centre",
        text: "label",
        dx: 8,
        textAnchor: "start",
        fill: canvas.theme.ink,
        stroke: canvas.theme.paper,
        strokeWidth: 3,
      }),
      ...(canvas.interactive
        ? [
            Plot.tip(
              drawnPoints,
              Plot.pointer({ x: "price", y: "centre", title: "title", ...tipColours(canvas) }),
            ),
          ]
        : []),
    ],
  });
}
