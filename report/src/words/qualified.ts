// A sentence with what its figures are: of suspect or invalid data, or delivered.

import { type Data, type Sheet } from "../data";
import { askQualified } from "../judge/program";
import { drawn, type View } from "../view";
import { nameOf } from "./names";

/** The sentence as it may be copied, as a headline: it says itself of which machines the data are suspect or invalid. */
export function qualified(data: Data, view: View, sentence: string): string {
  const groups = view.shown.length > 1 ? data.groups.map((_, group) => group) : drawn(view);
  const graded = (grade: Sheet["validity"]): string[] =>
    groups.filter((group) => gradeOf(data, group) === grade).map((group) => nameOf(data, group));
  return askQualified(sentence, {
    invalid: graded("invalid"),
    suspect: graded("suspect"),
    machines: groups.length,
    is_named: groups.length === 1,
    // Variants are judged by pairs, which a busy machine does not make wrong.
    is_delivered: data.view === "delivered" && data.variants_of === null,
  }).replace(/\.$/, "");
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
