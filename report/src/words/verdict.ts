// Ratios and verdicts of rows as readers see them.

import { type Row } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { fourDigits, width } from "./numbers";

/** `1.234× ±2.1 % faster`; of a row without a ratio the verdict alone. */
export function ratioInWords({ ratio, verdict }: Pick<Row, "ratio" | "verdict">): string {
  if (!ratio) return verdict;
  const centre = `${fourDigits(ratio.centre)}×`;
  return isKnown(ratio) ? `${centre} ${width(ratio)} ${verdict}` : `${centre} (no error bar)`;
}
