// All pictures of a report, in their order.

import { type Data } from "../data";
import { type View } from "../view";
import { bars } from "./bars";
import { besideCoRunners } from "./beside";
import { type Chart, type MakeChart } from "./chart";
import { samples } from "./dots";
import { density } from "./density";
import { workPerWatt } from "./energy";
import { framed } from "./frame";
import { implementations } from "./implementations";
import { levels } from "./levels";
import { extremes, overview } from "./overview";
import { pareto } from "./pareto";
import { priceAdjusted, relative } from "./relative";
import { scaling } from "./scaling";
import { ranking } from "./ranking";
import { scores } from "./scores";
import { servers } from "./servers";
import { sizes } from "./sizes";
import { slowed } from "./slowed";
import { speedUps } from "./speedup";
import { telemetry } from "./time";

/** A picture, or several, under one heading. */
interface Section {
  id: string;
  title: string;
  make: (data: Data, view: View) => Chart[];
}

const one =
  (make: MakeChart) =>
  (data: Data, view: View): Chart[] => {
    const chart = make(data, view);
    return chart ? [chart] : [];
  };

const PLAIN: Section[] = [
  {
    id: "answer",
    title: "The answer",
    make: (data, view) => [...(view.shown.length > 1 ? one(ranking) : one(overview))(data, view)],
  },
  {
    id: "relative",
    title: "Head-to-head",
    make: (data, view) => [...one(extremes)(data, view), ...one(relative)(data, view)],
  },
  { id: "scores", title: "Scores", make: scores },
  { id: "families", title: "Throughput by family", make: bars },
  { id: "servers", title: "Servers", make: servers },
  { id: "levels", title: "Throughput against level", make: levels },
  { id: "compression", title: "Compression", make: density },
  { id: "sizes", title: "Throughput against size", make: sizes },
  { id: "speed-up", title: "Speed-up", make: one(speedUps) },
  { id: "scaling", title: "Scaling", make: scaling },
  { id: "slowed", title: "What slows rows", make: one(slowed) },
  { id: "beside", title: "Beside co-runners", make: besideCoRunners },
  {
    id: "prices",
    title: "Price-performance",
    make: (data, view) => [...one(pareto)(data, view), ...one(priceAdjusted)(data, view)],
  },
  { id: "watts", title: "Work per watt", make: workPerWatt },
  { id: "implementations", title: "Implementations", make: one(implementations) },
  { id: "telemetry", title: "While it was measured", make: telemetry },
  { id: "samples", title: "Sample by sample", make: samples },
];

/** Each picture says around itself what nothing else says where it stands alone. */
export const SECTIONS: Section[] = PLAIN.map((section) => ({
  ...section,
  make: (data, view) => section.make(data, view).map((chart) => framed(data, chart)),
}));

/** A picture and the section that it belongs to. */
export interface Placed {
  section: string;
  chart: Chart;
}

/** Every picture that there is something to show in, no two of one name. Of several numbers of threads that were asked for,
 * each has its own, with its name, but for those that are the same for all. */
export function charts(data: Data, view: View): Placed[] {
  const views = data.threads.length > 1 ? data.threads.map((threads) => ({ ...view, threads })) : [view];
  const seen = new Set<string>();
  const named = (name: string, times = 1): string => {
    const next = times === 1 ? name : `${name}-again-${times}`;
    return seen.has(next) ? named(name, times + 1) : next;
  };
  return SECTIONS.flatMap((section) => {
    const made = views.map((view) => section.make(data, view));
    return distinct(made, data.threads).map((chart) => {
      const name = named(chart.name);
      seen.add(name);
      return { section: section.id, chart: { ...chart, name } };
    });
  });
}

/** Charts of several views, each once; those that not all views have are named by their number of threads. */
function distinct(made: Chart[][], threads: string[]): Chart[] {
  const key = (chart: Chart): string => [chart.name, chart.title, chart.caption].join("\u0000");
  const known = new Set<string>();
  return made.flatMap((charts, place) =>
    charts.flatMap((chart) => {
      const isNew = !known.has(key(chart));
      known.add(key(chart));
      if (place > 0 && !isNew) return [];
      const isCommon = made.every((others) => others.some((other) => key(other) === key(chart)));
      return [isCommon ? chart : { ...chart, name: `${chart.name}-on-${threads[place] ?? ""}` }];
    }),
  );
}
