// Ratios and verdicts as readers see them.

import { type Row } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { type Verdict } from "../judge/verdict";
import { factor, width } from "./numbers";

/** The verdict; of a ratio that may be off by any factor no difference was looked for. */
export function verdictInWords({ ratio, verdict }: Pick<Row, "ratio" | "verdict">): Verdict | "not known" {
  return verdict === "no detectable difference" && ratio && !isKnown(ratio.interval) ? "not known" : verdict;
}

/** `1.234 ±2.1 % faster`; of a row without a ratio the verdict alone. */
export function ratioInWords({ ratio, verdict }: Pick<Row, "ratio" | "verdict">): string {
  if (!ratio) return verdict;
  const centre = factor(ratio.interval.centre);
  return isKnown(ratio.interval)
    ? `${centre} ${width(ratio.interval)} ${verdict}`
    : `${centre} (how far off is not known)`;
}
