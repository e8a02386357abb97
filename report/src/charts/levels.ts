// Throughput against the level of a compressor, where workloads differ in that only.

import { type Data } from "../data";
import { type View } from "../view";
import { type Chart } from "./chart";
import { curves } from "./curves";
import { byLevel } from "./operations";

export function levels(data: Data, view: View): Chart[] {
  return curves(data, view, {
    slug: "level",
    word: "level",
    numberOf: byLevel,
    inWords: String,
    scale: "linear",
  });
}
