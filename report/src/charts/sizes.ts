// Throughput against the size of what is worked on, where workloads differ in their size only.

import { type Data } from "../data";
import { type View } from "../view";
import { type Chart } from "./chart";
import { curves } from "./curves";
import { bySize, sizeInWords } from "./operations";

export function sizes(data: Data, view: View): Chart[] {
  return curves(data, view, {
    slug: "size",
    word: "size",
    numberOf: bySize,
    inWords: sizeInWords,
    scale: "log",
  });
}
