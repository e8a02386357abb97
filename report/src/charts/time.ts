// The machine's state over time while it was measured.

import * as Plot from "@observablehq/plot";
import { type Data, type Series } from "../data";
import { drawn, type View } from "../view";
import { fourDigits, shown } from "../words/numbers";
import { type Canvas, type Chart, slug } from "./chart";
import { EVENT_HEADS, eventCells, type Happened, lanes } from "./events";
import { groupNames, groupScales, legend, plot } from "./plot";

const MARGIN_LEFT = 64;

interface Line {
  group: number;
  series: Series;
}

/** A picture a quantity, with a line a machine; of several runs of a machine the first. */
export function telemetry(data: Data, view: View): Chart[] {
  const lines: Line[] = drawn(view).flatMap((group) =>
    (data.groups[group]?.sheets[0]?.telemetry ?? []).map((series) => ({ group, series })),
  );
  const quantities = [...new Set(lines.map((line) => line.series.name))];
  return quantities.map((name) =>
    chart(
      data,
      view,
      name,
      lines.filter((line) => line.series.name === name),
    ),
  );
}

function chart(data: Data, view: View, name: string, lines: Line[]): Chart {
  const names = groupNames(data);
  const unit = lines[0]?.series.unit ?? "";
  const label = unit ? `${shown(name, 60)}, ${unit}` : shown(name, 60);
  const values = (line: Line): number[] =>
    line.series.points.flatMap(([, value]) => (value === null ? [] : [value]));
  const rows = lines.map((line) => {
    const sorted = values(line).sort((a, b) => a - b);
    return [
      names[line.group] ?? "",
      ...[0, 0.5, 1].map((share) => fourDigits(sorted[Math.round((sorted.length - 1) * share)] ?? NaN)),
      ...eventCells(data.groups[line.group]?.sheets[0]),
    ];
  });
  const title = `${label}, over the run`;
  return {
    name: slug("time", name),
    title,
    caption:
      "Where there are many readings, neighbouring ones are averaged. Marks above: launches of workers and disturbed samples. A dashed line: the run was resumed.",
    summary: `${title}: ${rows.map(([machine, least, median, most]) => `${machine} from ${least} to ${most}, median ${median}`).join("; ")}.`,
    table: () => ({ heads: ["machine", "least", "median", "most", ...EVENT_HEADS], rows }),
    draw: (canvas) => draw(canvas, title, data, view, lines, unit),
  };
}

function draw(
  canvas: Canvas,
  title: string,
  data: Data,
  view: View,
  lines: Line[],
  unit: string,
): SVGSVGElement {
  const names = groupNames(data);
  const happened: Happened[] = lines.map(({ group }) => ({
    name: names[group] ?? "",
    events: data.groups[group]?.sheets[0]?.events ?? [],
  }));
  const above = lanes(canvas, MARGIN_LEFT, happened);
  const key = legend(
    canvas,
    MARGIN_LEFT,
    data,
    view,
    lines.map((line) => line.group),
    above.height,
  );
  const points = lines.flatMap((line) =>
    line.series.points.map(([second, value]) => ({
      second,
      value: value ?? NaN,
      name: names[line.group] ?? "",
    })),
  );
  const known = points.flatMap(({ value }) => (Number.isFinite(value) ? [value] : []));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  // An axis of values that stay the same would have no length.
  const flat = least < most ? {} : { domain: [Math.min(0, least), Math.max(0, most) || 1] };
  return plot(canvas, title, {
    marginTop: key.height + above.height + 24,
    marginLeft: MARGIN_LEFT,
    marginBottom: 40,
    height: 200 + key.height + above.height,
    x: { label: "seconds", labelAnchor: "center", labelArrow: "none" },
    y: {
      label: unit || null,
      grid: true,
      zero: unit === "%",
      nice: true,
      labelArrow: "none",
      ticks: 5,
      tickFormat: (value: number) => String(Number(value.toPrecision(6))),
      ...flat,
    },
    color: groupScales(data, view, canvas).color,
    marks: [
      ...key.marks,
      ...above.marks,
      Plot.line(points, { x: "second", y: "value", z: "name", stroke: "name", strokeWidth: 1.25 }),
    ],
  });
}
