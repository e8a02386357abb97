// Cost against performance: who gives more for less, and whom nobody should buy.

import * as Plot from "@observablehq/plot";
import { isKnown, type Interval } from "../judge/interval";
import { placed } from "../judge/score";
import { currency, priceOf, type View } from "../view";
import { atWork } from "../words/names";
import { ends, fourDigits, threadsInWords } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import {
  colourOf,
  fitting,
  groupNames,
  lettersWide,
  plot,
  ratioDomain,
  ratioTicks,
  tipColours,
} from "./plot";

const HEIGHT = 380;
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 90, 24, 40];
/** Names on lines so far apart don't touch. */
const LINE_PX = 14;
/** Where a name may stand beside its dot, the best first: above the line that leaves it to the right. */
const PLACES = [
  { dx: 7, dy: -9, textAnchor: "start" },
  { dx: 7, dy: 10, textAnchor: "start" },
  { dx: -7, dy: -9, textAnchor: "end" },
  { dx: -7, dy: 10, textAnchor: "end" },
] as const;

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
  const points: Point[] = found.map((machine) => ({
    ...machine,
    isFront: !found.some((other) => beats(other, machine)),
  }));
  const unit = currency(data);
  const front = points.filter((point) => point.isFront).sort((a, b) => a.price - b.price);
  const title = `Cost against performance on ${threadsInWords(view.threads)}${atWork(data)}`;
  return {
    name: "pareto",
    title,
    caption: `Overall score against ${baseline}, on a logarithmic axis, ${withErrorBars(points.flatMap((point) => (point.score === even ? [] : [isKnown(point.score)])))}, over the price of an hour. ${front.length > 1 ? "On the line" : "Filled"}: no other machine does more work for less money (point estimates).`,
    summary: `${title}. On the front: ${front.map((point) => `${point.name} (${fourDigits(point.score.centre)} for ${fourDigits(point.price)} ${unit}/h)`).join(", ")}.`,
    table: () => ({
      heads: ["machine", `${unit}/h`, "score", "95 %", "front"],
      rows: points.map((point) => [
        point.name,
        fourDigits(point.price),
        fourDigits(point.score.centre),
        ends(point.score),
        point.isFront ? "yes" : "no",
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
    points.flatMap((point) =>
      isKnown(point.score) ? [point.score.centre, point.score.low, point.score.high] : [point.score.centre],
    ),
  );
  const ticks = ratioTicks(domain, HEIGHT);
  const names = points.map((point) => point.name);
  const drawnPoints = points.map((point) => ({
    ...point,
    centre: point.score.centre,
    low: point.score.low,
    high: point.score.high,
    colour: colourOf(view, canvas.theme, point.group) ?? canvas.theme.muted,
    label: fitting(point.name, 170, names),
    title: `${point.name}\n${fourDigits(point.score.centre)} times ${baseline}\n${fourDigits(point.price)} ${unit}/h`,
  }));
  const most = Math.max(...points.map((point) => point.price));
  const [low, high] = domain;
  const placeOf = places(
    drawnPoints.map(({ price, centre, label, isFront }) => ({
      x: LEFT + (price / (most * 1.05)) * (canvas.width - LEFT - RIGHT),
      y: TOP + (1 - Math.log(centre / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM),
      wide: lettersWide(label),
      isFront,
    })),
    canvas.width,
  );
  return plot(canvas, title, {
    marginLeft: LEFT,
    marginRight: RIGHT,
    marginBottom: BOTTOM,
    marginTop: TOP,
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
        y: (point: Point) => point.score.centre,
        stroke: canvas.theme.muted,
        curve: "step-after",
      }),
      Plot.ruleX(
        drawnPoints.filter((point) => isKnown(point.score)),
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
        fill: (point: (typeof drawnPoints)[number]) => (point.isFront ? point.colour : canvas.theme.paper),
      }),
      ...PLACES.map((place, number) =>
        Plot.text(
          drawnPoints.filter((_, at) => placeOf[at] === number),
          {
            ...place,
            x: "price",
            y: "centre",
            text: "label",
            fill: canvas.theme.ink,
            stroke: canvas.theme.paper,
            strokeWidth: 4,
          },
        ),
      ),
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

/** A dot, and how wide its name is. */
interface Named {
  x: number;
  y: number;
  wide: number;
  isFront: boolean;
}

/** For each dot the place of its name where it covers no dot and no other name, those of the front first; none where there is none. */
function places(dots: Named[], width: number): (number | undefined)[] {
  const taken = dots.map(({ x, y }) => ({ left: x - 5, right: x + 5, y }));
  const found: (number | undefined)[] = dots.map(() => undefined);
  const order = [...dots.keys()].sort((a, b) => Number(dots[b]?.isFront) - Number(dots[a]?.isFront));
  for (const at of order) {
    const dot = dots[at];
    if (!dot) continue;
    const box = ({ dx, dy, textAnchor }: (typeof PLACES)[number]): (typeof taken)[number] => {
      const left = textAnchor === "start" ? dot.x + dx : dot.x + dx - dot.wide;
      return { left, right: left + dot.wide, y: dot.y + dy };
    };
    const isFree = (area: (typeof taken)[number]): boolean =>
      area.left >= LEFT &&
      area.right <= width &&
      taken.every(
        (other, place) =>
          place === at ||
          other.right < area.left ||
          area.right < other.left ||
          Math.abs(other.y - area.y) >= LINE_PX,
      );
    const place = PLACES.findIndex((place) => isFree(box(place)));
    if (place < 0) continue;
    found[at] = place;
    taken.push(box(PLACES[place] ?? PLACES[0]));
  }
  return found;
}
