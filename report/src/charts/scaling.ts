// Throughput against threads, with efficiency, and where one machine overtakes another.

import * as Plot from "@observablehq/plot";
import { intervalOf, type Crossover, type Data, type Scaling } from "../data";
import { drawn, isWantedWorkload, type View } from "../view";
import { listed, nameOf } from "../words/names";
import { fourDigits, percent, shown, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { inUnit, shownTimes, unitInWords } from "../words/unit";
import { type Canvas, type Chart, slug } from "./chart";
import { groupNames, groupScales, legend, plot, tickInWords, tipColours } from "./plot";

interface Point {
  group: number;
  name: string;
  threads: number;
  value: number;
  low: number;
  high: number;
}

type Kind = "throughput" | "efficiency";

/** Two pictures a workload. */
export function scaling(data: Data, view: View): Chart[] {
  const wanted = data.scaling.filter((entry) => isWantedWorkload(data, view, entry.workload));
  return wanted.flatMap((entry) =>
    (["throughput", "efficiency"] as Kind[]).flatMap((kind) => chart(data, view, entry, kind) ?? []),
  );
}

/** The unit of the curves that are drawn; one of another is not comparable, and its words say so. */
function unitOf(view: View, scaling: Scaling): string {
  const all = scaling.curves.filter((curve) => drawn(view).includes(curve.group));
  return (all.find((curve) => curve.group === view.baseline) ?? all[0])?.unit ?? "";
}

function points(data: Data, view: View, scaling: Scaling, kind: Kind): Point[] {
  const names = groupNames(data);
  const place = { throughput: 1, efficiency: 2 }[kind] as 1 | 2;
  return scaling.curves
    .filter((curve) => drawn(view).includes(curve.group))
    .filter((curve) => kind !== "throughput" || curve.unit === unitOf(view, scaling))
    .flatMap((curve) =>
      curve.points.flatMap((point) => {
        const numbers = point[place];
        if (!numbers) return [];
        const interval = intervalOf(numbers);
        const { centre, low, high } = kind === "throughput" ? inUnit(curve.unit, interval) : interval;
        const known = Number.isFinite(high) && low > 0;
        return [
          {
            group: curve.group,
            name: names[curve.group] ?? "",
            threads: point[0],
            value: centre,
            low: known ? low : centre,
            high: known ? high : centre,
          },
        ];
      }),
    );
}

function chart(data: Data, view: View, scaling: Scaling, kind: Kind): Chart | null {
  const all = points(data, view, scaling, kind);
  if (all.length === 0) return null;
  const unit = unitInWords(data, unitOf(view, scaling));
  const workload = shown(scaling.workload, 80);
  const crossovers =
    kind === "throughput"
      ? (scaling.crossovers[view.baseline] ?? []).filter((crossover) => view.shown.includes(crossover.other))
      : [];
  const curves = scaling.curves.filter(({ group }) => kind === "throughput" && drawn(view).includes(group));
  const caption = {
    throughput: `${unit} of all threads together, ${withErrorBars(all.map((point) => point.low < point.high))}. Lines: the Universal Scalability Law where it fits.${crossovers.some(crosses) ? ` Dashed lines: crossovers with ${nameOf(data, view.baseline, 40)}, with 95 % bands where known.` : ""}`,
    efficiency: "Speed-up over one thread, divided by the number of threads: 100 % is ideal scaling.",
  }[kind];
  const title = `${workload}: ${kind}${kind === "throughput" ? ` in ${unit}` : ""} against threads`;
  const valueText = (point: Point): string =>
    kind === "efficiency" ? percent(point.value) : `${fourDigits(point.value)} ${unit}`;
  return {
    name: slug("scaling", scaling.workload, kind),
    title,
    about: workload,
    caption,
    notes: notesOf(data, view, crossovers),
    details: [
      ...curves.flatMap((curve) =>
        curve.words.map((text) => `${nameOf(data, curve.group)}: ${shown(text, 400)}`),
      ),
      ...crossovers.map((crossover) => shown(crossover.words, 400)),
    ],
    summary: `${title}: ${drawn(view)
      .flatMap((group) => {
        const own = all.filter((point) => point.group === group);
        const last = own[own.length - 1];
        return last ? [`${last.name} ${valueText(last)} on ${last.threads} threads`] : [];
      })
      .join("; ")}. ${crossovers.map((crossover) => shown(crossover.words, 400)).join(". ")}`,
    table: () => ({
      heads: ["machine", "threads", kind === "throughput" ? unit : kind, "95 %"],
      rows: all.map((point) => [
        point.name,
        String(point.threads),
        kind === "throughput" ? fourDigits(point.value) : valueText(point),
        point.low < point.high
          ? width({ centre: point.value, low: point.low, high: point.high, freedom: Infinity })
          : "unknown",
      ]),
    }),
    draw: (canvas) => draw(canvas, title, data, view, scaling, kind, all, valueText),
  };
}

function crosses({ changes }: Crossover): boolean {
  return changes.length > 0;
}

/** Where machines cross the baseline; those that do not, in one line. */
function notesOf(data: Data, view: View, crossovers: Crossover[]): string[] {
  const others = crossovers.filter((crossover) => !crosses(crossover));
  const names = listed(others.map(({ other }) => nameOf(data, other, 40)));
  const none = `No crossover with ${nameOf(data, view.baseline, 40)} is known of ${names}.`;
  const words = crossovers
    .filter((crossover) => crosses(crossover) || others.length === 1)
    .map((crossover) => shown(crossover.words, 400));
  return others.length > 1 ? [...words, none] : words;
}

function draw(
  canvas: Canvas,
  title: string,
  data: Data,
  view: View,
  scaling: Scaling,
  kind: Kind,
  all: Point[],
  valueText: (point: Point) => string,
): SVGSVGElement {
  const names = groupNames(data);
  const key = legend(
    canvas,
    70,
    data,
    view,
    all.map((point) => point.group),
  );
  const laws = kind === "throughput" ? lawPoints(data, view, scaling) : [];
  const isLawful = new Set(laws.map((point) => point.name));
  const crossings =
    kind === "throughput"
      ? (scaling.crossovers[view.baseline] ?? [])
          .filter((crossover) => view.shown.includes(crossover.other))
          .flatMap((crossover) =>
            crossover.changes.map(([at, , interval]) => ({
              at,
              interval,
              name: names[crossover.other] ?? "",
            })),
          )
      : [];
  const titled = all.map((point) => ({
    ...point,
    title: `${point.name}, ${point.threads} threads\n${valueText(point)}`,
  }));
  return plot(canvas, title, {
    marginTop: key.height + 24,
    marginLeft: 70,
    marginBottom: 40,
    height: 320 + key.height,
    x: { label: "threads", labelAnchor: "center", labelArrow: "none", grid: false },
    y: {
      label: kind === "throughput" ? unitInWords(data, unitOf(view, scaling)) : kind,
      grid: true,
      zero: true,
      labelArrow: "none",
      ...(kind === "efficiency"
        ? { tickFormat: (share: number) => percent(share) }
        : { tickFormat: tickInWords }),
    },
    ...groupScales(data, view, canvas),
    marks: [
      ...key.marks,
      Plot.rectX(
        crossings.flatMap(({ name, interval }) =>
          interval ? [{ name, low: interval[0], high: interval[1] }] : [],
        ),
        { x1: "low", x2: "high", fill: "name", fillOpacity: 0.12 },
      ),
      Plot.ruleX(crossings, { x: "at", stroke: "name", strokeDasharray: "3,3" }),
      Plot.line(laws, { x: "threads", y: "value", stroke: "name", strokeOpacity: 0.7 }),
      Plot.line(
        all.filter((point) => !isLawful.has(point.name)),
        { x: "threads", y: "value", stroke: "name", strokeOpacity: 0.7 },
      ),
      Plot.ruleX(all, { x: "threads", y1: "low", y2: "high", stroke: "name" }),
      Plot.dot(all, { x: "threads", y: "value", fill: "name", stroke: "name", symbol: "name", r: 3 }),
      ...(canvas.interactive
        ? [
            Plot.tip(
              titled,
              Plot.pointer({ x: "threads", y: "value", title: "title", ...tipColours(canvas) }),
            ),
          ]
        : []),
    ],
  });
}

/** The law's throughput at so many threads: λN / (1 + σ(N − 1) + κN(N − 1)). */
function lawPoints(
  data: Data,
  view: View,
  scaling: Scaling,
): { name: string; threads: number; value: number }[] {
  const names = groupNames(data);
  const steps = 60;
  return scaling.curves
    .filter((curve) => drawn(view).includes(curve.group) && curve.law && curve.unit === unitOf(view, scaling))
    .flatMap((curve) => {
      const [alone, sigma, kappa] = curve.law as [number, number, number];
      const lambda = alone * shownTimes(curve.unit);
      const most = Math.max(...curve.points.map(([threads]) => threads));
      return Array.from({ length: steps + 1 }, (_, step) => {
        const n = 1 + ((most - 1) * step) / steps;
        return {
          name: names[curve.group] ?? "",
          threads: n,
          value: (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1)),
        };
      });
    });
}
