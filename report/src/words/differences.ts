// What keeps two rows from being compared, in words.

import { type Difference } from "../data";
import { shown } from "./numbers";

/** `library openssl: 3.0.17 and 3.5.0; …`, the baseline's first. */
export function inWords(differences: Difference[]): string {
  return shown(differences.map((of) => `${of.what}: ${of.baseline} and ${of.other}`).join("; "), 1000);
}
