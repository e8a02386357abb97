// A sentence with what its figures are: of suspect or invalid data, or delivered: crates/judge/src/answer/qualify.rs.

import { type Data, type Sheet } from "../data";
import { drawn, type View } from "../view";
import { nameOf } from "./names";

/** More machines than this are counted instead of named. */
const MOST_NAMED = 2;

/** The sentence as it may be copied: it says itself of which machines the data are suspect or invalid. */
export function qualified(data: Data, view: View, sentence: string): string {
  const groups = view.shown.length > 1 ? data.groups.map((_, group) => group) : drawn(view);
  const graded = (grade: Sheet["validity"]): string | null => {
    const found = groups.filter((group) => gradeOf(data, group) === grade);
    if (found.length === 0) return null;
    return found.length > MOST_NAMED
      ? `${found.length} of ${groups.length} machines`
      : found.map((group) => nameOf(data, group)).join(" and ");
  };
  // A sentence about one machine names it.
  const prefix = (word: string, machines: string | null): string =>
    machines === null ? "" : groups.length === 1 ? `${word} data: ` : `${word} data of ${machines}: `;
  // Variants are judged by pairs, which a busy machine does not make wrong.
  const isDelivered = data.view === "delivered" && data.variants_of === null;
  return [
    prefix("Invalid", graded("invalid")),
    // In front, where nobody who shortens a sentence cuts it off.
    prefix("Suspect", graded("suspect")),
    isDelivered ? "As delivered, while other processes ran: " : "",
    sentence,
    isDelivered ? ". The figures describe these runs, not the CPUs" : "",
  ].join("");
}

function gradeOf(data: Data, group: number): Sheet["validity"] {
  const sheets = data.groups[group]?.sheets ?? [];
  const is = (grade: Sheet["validity"]): boolean =>
    sheets.some(({ validity, why_unfit }) =>
      data.variants_of === null ? validity === grade : grade === "invalid" && why_unfit.length > 0,
    );
  if (is("invalid")) return "invalid";
  return is("suspect") ? "suspect" : "valid";
}
