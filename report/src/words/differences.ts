// Differences that keep two rows from being compared, in words.

import { type Difference } from "../data";
import { shown } from "./numbers";

/** `library openssl: 3.0.17 and 3.5.0; …`, the baseline's first. */
export function inWords(differences: Difference[]): string {
  const all = differences.map(({ what, baseline, other }) => `${what}: ${baseline} and ${other}`);
  return shown(all.join("; "), 1000);
}
