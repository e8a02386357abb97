// Sample by sample and launch by launch: the noise that the figures are made of.

import * as Plot from "@observablehq/plot";
import { type Data, type Dots } from "../data";
import { drawn, isWanted, type View } from "../view";
import { count, shown, threadsInWords } from "../words/numbers";
import { type Canvas, type Chart, slug } from "./chart";
import { fitting, groupNames, groupScales, plot } from "./plot";

interface Machine {
  group: number;
  dots: Dots;
}

/** How opaque the samples of every other launch are. */
const [FULL, FAINT] = [1, 0.4];

/** A picture a workload; of several runs of a machine the first. */
export function samples(data: Data, view: View): Chart[] {
  const wanted = data.rows.filter((_, row) => isWanted(data, view, row));
  return wanted.flatMap((head) => {
    const found: Machine[] = drawn(view).flatMap((group) => {
      const dots = data.groups[group]?.sheets[0]?.dots.find(
        ({ workload, threads }) => workload === head.name && threads === head.threads,
      );
      return dots ? [{ group, dots }] : [];
    });
    return found.length > 0 ? [chart(data, view, head.name, found)] : [];
  });
}

function chart(data: Data, view: View, workload: string, found: Machine[]): Chart {
  const names = groupNames(data);
  const threads = found[0]?.dots.threads ?? "";
  const title = `${shown(workload, 80)} on ${threadsInWords(threads)}: sample by sample`;
  const disturbed = (machine: Machine): number =>
    machine.dots.samples.filter(([, , isDisturbed]) => isDisturbed).length;
  const thinned = found
    .filter((machine) => machine.dots.one_of > 1)
    .map((machine) => `${names[machine.group]}: one sample of ${machine.dots.one_of}`);
  return {
    name: slug("samples", workload),
    title,
    about: shown(workload, 80),
    caption: [
      "Throughput of each sample over the median of all, every other launch paler; crosses are samples in which something was seen to disturb.",
      ...(thinned.length > 0 ? [`Thinned out: ${thinned.join("; ")}.`] : []),
    ].join(" "),
    summary: `${title}: ${found.map((machine) => `${names[machine.group]} ${count(machine.dots.samples.length, "sample")}${machine.dots.one_of > 1 ? `, one of ${machine.dots.one_of},` : ""} ${disturbed(machine)} disturbed`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "launch", "of median", "disturbed"],
      rows: found.flatMap((machine) =>
        machine.dots.samples.map(([launch, thousandths, isDisturbed]) => [
          names[machine.group] ?? "",
          String(launch),
          (thousandths / 1000).toFixed(3),
          isDisturbed ? "yes" : "no",
        ]),
      ),
    }),
    draw: (canvas) => draw(canvas, title, data, view, found),
  };
}

function draw(canvas: Canvas, title: string, data: Data, view: View, found: Machine[]): SVGSVGElement {
  const names = groupNames(data);
  const points = found.flatMap((machine) =>
    machine.dots.samples.map(([launch, thousandths, disturbed], place) => ({
      place: place * machine.dots.one_of + 1,
      launch,
      value: thousandths / 1000,
      disturbed: disturbed > 0,
      name: names[machine.group] ?? "",
    })),
  );
  const ofLaunch = {
    value: ({ launch }: (typeof points)[number]) => (launch % 2 === 0 ? FULL : FAINT),
    scale: null,
  };
  return plot(canvas, title, {
    marginLeft: 60,
    marginBottom: 40,
    marginTop: 20,
    marginRight: 120,
    height: 60 + found.length * 130,
    x: { label: "sample", labelAnchor: "center", labelArrow: "none" },
    y: { label: null, grid: true, ticks: 4, nice: true },
    fy: {
      domain: found.map((machine) => names[machine.group] ?? ""),
      label: null,
      tickFormat: (name: string) => fitting(name, 120, names),
    },
    color: groupScales(data, view, canvas).color,
    marks: [
      Plot.ruleY([1], { stroke: canvas.theme.muted }),
      Plot.dot(points, {
        filter: (point: (typeof points)[number]) => !point.disturbed,
        x: "place",
        y: "value",
        fy: "name",
        fill: "name",
        fillOpacity: ofLaunch,
        r: 2.5,
      }),
      Plot.dot(points, {
        filter: "disturbed",
        x: "place",
        y: "value",
        fy: "name",
        stroke: "name",
        strokeOpacity: ofLaunch,
        symbol: "times",
        r: 3,
      }),
    ],
  });
}
