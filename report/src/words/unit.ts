// In what figures are told.

import { type Data, type Figure } from "../data";
import { scaled, type Interval } from "../judge/interval";

export const MIB = 1_048_576;

/** Per clock, figures are of a second and a GHz. */
function per(data: Data): string {
  return data.view === "per-clock" ? " per GHz" : "";
}

/** What `data`'s figures count. */
export function opsUnit(data: Data): string {
  return `ops/s${per(data)}`;
}

/** The same in bytes of input. */
export function bytesUnit(data: Data): string {
  return `MiB/s${per(data)}`;
}

/** What figures count, as sentences have it. */
export function opsInWords(data: Data): string {
  return `Operations a second${data.view === "per-clock" ? " and GHz" : ""}`;
}

/** How figures that stand in one picture are told: in bytes of input where all have them. */
export function inOneUnit(
  data: Data,
  figures: Figure[],
): { unit: string; hasBytes: boolean; told: (figure: Figure) => Interval } {
  const hasBytes = figures.every((figure) => figure.bytesPerOp !== null);
  return {
    unit: hasBytes ? bytesUnit(data) : opsUnit(data),
    hasBytes,
    told: (figure) => (hasBytes ? inBytes(figure) : null) ?? figure.interval,
  };
}

/** A figure in bytes of input, in MiB/s; `null` where bytes make no sense. */
export function inBytes(figure: Figure): Interval | null {
  return figure.bytesPerOp === null ? null : scaled(figure.interval, figure.bytesPerOp / MIB);
}
