// In what figures are interval.

import { figureOf, type Data, type Figure } from "../data";
import { scaled, type Interval } from "../judge/interval";
import { fourDigits } from "./numbers";

export const MIB = 1_048_576;
const OPS = "ops/s";
const BYTES = "bytes/s";

/** Per GHz, figures are of a second and a GHz. */
function per(data: Data): string {
  return data.view === "per-ghz" ? " per GHz" : "";
}

/** A unit as it is shown: bytes in MiB. */
export function unitInWords(data: Data, unit: string): string {
  return `${unit === BYTES ? "MiB/s" : unit}${per(data)}`;
}

/** The unit of figures in bytes of input. */
export function bytesUnit(data: Data): string {
  return unitInWords(data, BYTES);
}

/** By what a figure of a unit is multiplied to be as it is shown. */
export function shownTimes(unit: string): number {
  return unit === BYTES ? 1 / MIB : 1;
}

/** An interval in a unit as it is shown. */
export function inUnit(unit: string, interval: Interval): Interval {
  return scaled(interval, shownTimes(unit));
}

/** The unit of an amount, without its time: `ops`, `MiB`. */
export function amountInWords(unit: string): string {
  return unit === BYTES ? "MiB" : unit.replace(/\/s$/, "");
}

const ONLY_OPS = new WeakMap<Data, boolean>();

/** Whether all figures of a report count operations. */
export function hasOnlyOps(data: Data): boolean {
  const known = ONLY_OPS.get(data);
  if (known !== undefined) return known;
  const all = data.cells.flat().every((cell) => (figureOf(data, cell)?.unit ?? OPS) === OPS);
  ONLY_OPS.set(data, all);
  return all;
}

/** The unit of all figures of a report, for a table's head; empty where each has its own behind it. */
export function unitOfAll(data: Data): string {
  return hasOnlyOps(data) ? unitInWords(data, OPS) : "";
}

/** A figure, with its unit unless all are operations. */
export function figureInWords(data: Data, figure: Figure): string {
  const number = fourDigits(inUnit(figure.unit, figure.interval).centre);
  return hasOnlyOps(data) ? number : `${number} ${unitInWords(data, figure.unit)}`;
}

/** The subject of a sentence about figures: `Operations per second`. */
export function workInWords(data: Data): string {
  return `${hasOnlyOps(data) ? "Operations" : "Work"} per second${data.view === "per-ghz" ? " per GHz" : ""}`;
}

export interface InOneUnit {
  /** `null` where they are in several: then each is shown in its own. */
  unit: string | null;
  /** Whether operations are shown as the bytes that they work on. */
  isOfInput: boolean;
  interval: (figure: Figure) => Interval;
  /** A figure's number, with its unit if there are several. */
  inWords: (figure: Figure) => string;
}

/** From so many MiB/s on the figures of a picture are in GiB/s. */
const FROM_GIB = 10 * 1024;

/** How figures in one picture are shown: in bytes of input where all have them. */
export function inOneUnit(data: Data, figures: Figure[]): InOneUnit {
  const bytes = figures.flatMap((figure) => inBytes(figure)?.centre ?? []);
  const hasBytes = bytes.length === figures.length;
  const isLarge = hasBytes && Math.max(...bytes) >= FROM_GIB;
  const units = new Set(figures.map((figure) => figure.unit));
  const unit = hasBytes
    ? `${isLarge ? "GiB/s" : "MiB/s"}${per(data)}`
    : units.size === 1
      ? unitInWords(data, figures[0]?.unit ?? OPS)
      : null;
  const interval = (figure: Figure): Interval => {
    const inputBytes = hasBytes ? inBytes(figure) : null;
    return inputBytes ? scaled(inputBytes, isLarge ? 1 / 1024 : 1) : inUnit(figure.unit, figure.interval);
  };
  const own = (figure: Figure): string => (unit === null ? ` ${unitInWords(data, figure.unit)}` : "");
  return {
    unit,
    isOfInput: hasBytes && figures.some((figure) => figure.unit !== BYTES),
    interval,
    inWords: (figure) => `${fourDigits(interval(figure).centre)}${own(figure)}`,
  };
}

/** A figure in bytes of input, in MiB/s; `null` where bytes make no sense. */
export function inBytes(figure: Figure): Interval | null {
  const bytes = figure.unit === BYTES ? 1 : figure.bytesPerOp;
  return bytes === null ? null : scaled(figure.interval, bytes / MIB);
}
