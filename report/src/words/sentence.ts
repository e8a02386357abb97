// What sentences of the answer are made of.

import { type Data } from "../data";
import { half, type Interval } from "../judge/interval";
import { shown } from "./numbers";

/** A sentence, and how much it matters. */
export interface Sentence {
  kind: "verdict" | "price" | "sure" | "change" | "warning";
  text: string;
}

/** What a score's interval says; `unknown` where how far it may be off is not known. */
export function standing(of: Interval): "ahead" | "behind" | "even" | "unknown" {
  if (!Number.isFinite(half(of))) return "unknown";
  if (of.low > 1) return "ahead";
  return of.high < 1 ? "behind" : "even";
}

/** A group's name as sentences have it. */
export function nameOf(data: Data, group: number): string {
  return shown(data.groups[group]?.label ?? "", 60);
}
