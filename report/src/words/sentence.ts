// What sentences of the answer are made of.

import { type Data } from "../data";
import { isKnown, type Interval } from "../judge/interval";
import { shown } from "./numbers";

/** A sentence, and how much it matters. */
export interface Sentence {
  kind: "verdict" | "price" | "sure" | "change" | "warning";
  text: string;
}

/** What a score's interval says; `unknown` where how far it may be off is not known. */
export type Standing = "ahead" | "behind" | "even" | "unknown";

export function standing(of: Interval): Standing {
  if (!isKnown(of)) return "unknown";
  if (of.low > 1) return "ahead";
  return of.high < 1 ? "behind" : "even";
}

/** A group's name as sentences have it. */
export function nameOf(data: Data, group: number): string {
  return shown(data.groups[group]?.label ?? "", 60);
}
