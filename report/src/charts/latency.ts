// How long requests of servers took, where they become due at a rate.

import * as Plot from "@observablehq/plot";
import { read, type Data, type Service } from "../data";
import { drawn, isWantedWorkload, type View } from "../view";
import { count, fourDigits, percent, shown } from "../words/numbers";
import { type Canvas, type Chart, slug } from "./chart";
import { decades, groupNames, groupScales, legend, plot, tickInWords } from "./plot";

const MS = 1e6;
/** How high the panel is, and what is above and below it. */
const [TOP_PX, PANEL_PX, BOTTOM_PX] = [24, 200, 40];

interface MachineService {
  group: number;
  service: Service;
}

/** A picture a workload with latencies; of several runs of a machine the first. */
export function latencies(data: Data, view: View): Chart[] {
  const all: MachineService[] = drawn(view).flatMap((group) =>
    (data.groups[group]?.sheets[0]?.services ?? []).map((service) => ({ group, service })),
  );
  const wanted = all.filter(
    ({ service }) =>
      service.latency.length > 0 &&
      service.threads === view.threads &&
      isWantedWorkload(data, view, service.workload),
  );
  const workloads = [...new Set(wanted.map(({ service }) => service.workload))];
  return workloads.map((workload) =>
    chart(
      data,
      view,
      workload,
      wanted.filter(({ service }) => service.workload === workload),
    ),
  );
}

/** 50 %, 99.9 %. */
function quantile(share: number): string {
  return percent(share, share > 0.99 ? 1 : 0);
}

function chart(data: Data, view: View, workload: string, found: MachineService[]): Chart {
  const names = groupNames(data);
  const title = `${shown(workload, 80)}: latency`;
  const used = found.map(
    ({ group, service }) =>
      `${names[group]}: ${service.parts.map((part) => `${shown(part.name, 40)} used ${percent(part.share)} of ${count(part.cpu_count, "CPU")}`).join(", ")}${service.kept === null ? "" : `; ${percent(service.kept, 1)} of what was due was answered in time`}.`,
  );
  const rows = found.flatMap(({ group, service }) =>
    service.latency.map(({ share, ns }) => [
      names[group] ?? "",
      quantile(share),
      ns ? fourDigits(ns.centre / MS) : "too few requests",
      ns ? `${fourDigits(ns.low / MS)} to ${fourDigits(read(ns).high / MS)}` : "",
    ]),
  );
  return {
    name: slug("latency", workload),
    title,
    caption:
      "Latency percentiles in ms, measured from when each request was due, with 95 % intervals; the axis is logarithmic.",
    notes: used,
    summary: `${title}: ${rows.map(([machine, share, ms]) => `${machine} ${share} ${ms} ms`).join("; ")}.`,
    table: () => ({ heads: ["machine", "of requests", "ms", "95 %"], rows }),
    draw: (canvas) => draw(canvas, title, data, view, found),
  };
}

function draw(canvas: Canvas, title: string, data: Data, view: View, found: MachineService[]): SVGSVGElement {
  const names = groupNames(data);
  const key = legend(
    canvas,
    60,
    data,
    view,
    found.map(({ group }) => group),
  );
  const all = found.flatMap(({ service }) => service.latency.map(({ share }) => share));
  const shares = [...new Set(all)].sort((a, b) => a - b);
  const points = found.flatMap(({ group, service }) =>
    service.latency.flatMap(({ share, ns }) =>
      ns
        ? [
            {
              name: names[group] ?? "",
              share: quantile(share),
              ms: ns.centre / MS,
              low: ns.low / MS,
              high: read(ns).high / MS,
            },
          ]
        : [],
    ),
  );
  const marks = decades(
    points.flatMap(({ ms, low, high }) => [ms, low, high]),
    PANEL_PX,
  );
  return plot(canvas, title, {
    marginTop: key.height + TOP_PX,
    marginLeft: 60,
    marginBottom: BOTTOM_PX,
    height: TOP_PX + PANEL_PX + BOTTOM_PX + key.height,
    x: {
      type: "point",
      domain: shares.map(quantile),
      label: "of requests",
      labelArrow: "none",
      padding: 0.4,
    },
    y: { type: "log", domain: [marks[0] ?? 1, marks.at(-1) ?? 1], axis: null },
    ...groupScales(data, view, canvas),
    marks: [
      ...key.marks,
      Plot.gridY(marks, { stroke: canvas.theme.faint, strokeOpacity: 1 }),
      Plot.axisY(marks, { text: tickInWords, label: "ms", labelArrow: "none" }),
      Plot.line(points, { x: "share", y: "ms", stroke: "name", strokeOpacity: 0.7 }),
      Plot.ruleX(points, { x: "share", y1: "low", y2: "high", stroke: "name" }),
      Plot.dot(points, { x: "share", y: "ms", fill: "name", stroke: "name", symbol: "name", r: 3 }),
    ],
  });
}
