// All pictures of a report, in their order.

import { type Data } from "../data";
import { type View } from "../view";
import { bars } from "./bars";
import { type Chart, type MakeChart } from "./chart";
import { priceAdjusted, relative } from "./relative";
import { scores } from "./scores";

/** A picture, or several, under one heading. */
export interface Section {
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
  { id: "scores", title: "Scores", make: one(scores) },
  { id: "relative", title: "Workload by workload", make: one(relative) },
  { id: "families", title: "Throughput by family", make: bars },
  { id: "prices", title: "For the same money", make: one(priceAdjusted) },
];

/** Every picture that there is something to show in. */
export function charts(data: Data, view: View): Chart[] {
  return SECTIONS.flatMap((section) => section.make(data, view));
}
