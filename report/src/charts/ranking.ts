// All machines by their score, with their architecture and what they cost.

import * as Plot from "@observablehq/plot";
import { rankedTo } from "../data";
import { isKnown, type Interval } from "../judge/interval";
import { chosenMeasure, ranking as rankedBy, referenceOf } from "../judge/measure";
import { currency, drawn, priceOf, type View } from "../view";
import { onWhat } from "../words/answer";
import { architectureOf, nameOf } from "../words/names";
import { fourDigits, width } from "../words/numbers";
import { times } from "../words/speed";
import { errorBars } from "./blocks";
import { type Canvas, type Chart, type MakeChart } from "./chart";
import { colourOf, FULL, groupNames, labelRoom, lettersWide, namedLines, plot } from "./plot";

interface Ranked {
  group: number;
  name: string;
  interval: Interval;
  words: string;
}

/** Ranks three machines or more. */
export const ranking: MakeChart = (whole, view) => {
  const data = rankedTo(whole);
  const names = groupNames(data);
  const even: Interval = { centre: 1, low: 1, high: 1, freedom: Infinity };
  const measure = chosenMeasure(data, view);
  const ranked = rankedBy(data, view, measure);
  if (ranked.length < 3) return null;
  const all = ranked.map(({ group, held }) => {
    const interval = held?.interval ?? even;
    const price = priceOf(data, view, group);
    const cost = price === null ? "" : `, ${fourDigits(price)} ${currency(data)}/h`;
    const architecture = architectureOf(data, group);
    return {
      name: names[group] ?? "",
      group,
      architecture: architecture ?? "unknown",
      interval,
      rows: held?.rows ?? null,
      words: `${times(interval.centre)}${architecture === null ? "" : `, ${architecture}`}${cost}`,
    };
  });
  const groups = all.map(({ group }) => group);
  const baseline = nameOf(data, referenceOf(ranked) ?? view.baseline, 40);
  const title = `${all[0]?.name ?? ""} leads ${all.length} machines ${onWhat(data, groups, measure)}`;
  const isPart = groups.some((group) => !drawn(view).includes(group));
  const others = ranked.flatMap(({ held }) => held?.interval ?? []);
  return {
    name: "ranking",
    title,
    caption: `Overall score, ${baseline} = 1. ${errorBars(others)}${isPart ? " Filled: those that are compared row by row." : ""}`,
    summary: `${title}: ${all.map(({ name, words }) => `${name} ${words}`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "rows", "score", "95 %", "architecture"],
      rows: all.map((machine) => [
        machine.name,
        String(machine.rows ?? ""),
        fourDigits(machine.interval.centre),
        machine.rows === null ? "" : width(machine.interval),
        machine.architecture,
      ]),
    }),
    draw: (canvas) => draw(canvas, title, view, all),
  } satisfies Chart;
};

function draw(canvas: Canvas, title: string, view: View, all: Ranked[]): SVGSVGElement {
  const names = all.map(({ name }) => name);
  const room = labelRoom(names, canvas);
  const points = all.map((machine) => ({
    ...machine,
    colour: colourOf(view, canvas.theme, machine.group),
    ...machine.interval,
    end: isKnown(machine.interval) ? machine.interval.high : machine.interval.centre,
  }));
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: Math.max(...all.map(({ words }) => lettersWide(words))) + 12,
    marginTop: 8,
    marginBottom: 8,
    height: 16 + all.length * 20,
    x: { domain: [0, Math.max(...points.map(({ end }) => end))], axis: null },
    y: namedLines(names, room),
    marks: [
      Plot.barX(points, {
        x: "centre",
        y: "name",
        fill: ({ colour }: (typeof points)[number]) => colour ?? canvas.theme.paper,
        fillOpacity: FULL,
        stroke: ({ colour }: (typeof points)[number]) => colour ?? canvas.theme.muted,
      }),
      Plot.ruleY(
        points.filter(({ interval }) => isKnown(interval)),
        { x1: "low", x2: "high", y: "name", stroke: canvas.theme.ink },
      ),
      Plot.text(points, {
        x: "end",
        y: "name",
        text: "words",
        dx: 6,
        textAnchor: "start",
        fill: canvas.theme.ink,
      }),
    ],
  });
}
