// All pictures of a report, in their order.

import { type Data } from "../data";
import { type View } from "../view";
import { bars } from "./bars";
import { type Chart, type MakeChart } from "./chart";
import { samples } from "./dots";
import { perWatt } from "./energy";
import { implementations } from "./implementations";
import { latencies } from "./latency";
import { pareto } from "./pareto";
import { priceAdjusted, relative } from "./relative";
import { scaling } from "./scaling";
import { ranking, scores } from "./scores";
import { sizes } from "./sizes";
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

export const SECTIONS: Section[] = [
  {
    id: "scores",
    title: "Scores",
    make: (data, view) => [...one(ranking)(data, view), ...one(scores)(data, view)],
  },
  { id: "relative", title: "Workload by workload", make: one(relative) },
  { id: "families", title: "Throughput by family", make: bars },
  { id: "scaling", title: "Scaling", make: scaling },
  { id: "sizes", title: "Throughput against size", make: sizes },
  { id: "servers", title: "Latencies of servers", make: latencies },
  {
    id: "prices",
    title: "For the same money",
    make: (data, view) => [...one(pareto)(data, view), ...one(priceAdjusted)(data, view)],
  },
  { id: "watts", title: "Work per watt", make: one(perWatt) },
  { id: "implementations", title: "Implementations", make: one(implementations) },
  { id: "telemetry", title: "While it was measured", make: telemetry },
  { id: "samples", title: "Sample by sample", make: samples },
];

/** A picture and the section that it belongs to. */
export interface Placed {
  section: string;
  chart: Chart;
}

/** Every picture that there is something to show in, no two of one name. */
export function charts(data: Data, view: View): Placed[] {
  const seen = new Map<string, number>();
  return SECTIONS.flatMap((section) =>
    section.make(data, view).map((chart) => {
      const times = (seen.get(chart.name) ?? 0) + 1;
      seen.set(chart.name, times);
      return {
        section: section.id,
        chart: times === 1 ? chart : { ...chart, name: `${chart.name}-again-${times}` },
      };
    }),
  );
}
