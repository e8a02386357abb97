// Bars of absolute figures that may stand on one axis: of one unit, and none so short beside another that nobody sees it.

import { isKnown, type Interval } from "../judge/interval";

/** A bar. */
export interface Bar {
  /** In which line. */
  line: string;
  group: number;
  /** In which of the panels side by side. */
  side: string;
  interval: Interval;
  unit: string;
  /** Its figure, which stands behind its end. */
  valueText: string;
  /** Shown where a pointer is at it. */
  tip: string;
  isPale: boolean;
}

/** Lines on one axis. */
export interface Block {
  unit: string;
  lines: string[];
  bars: Bar[];
}

/** A line whose longest bar is shorter than the longest of all by more than this has no place on their axis. */
const MOST_TIMES = 30;

/** A caption's words where there is more than one. */
export const SPLIT = `Rows in other units, or more than ${MOST_TIMES}× apart, have an axis of their own.`;

/** A caption's words on how far figures may be off. */
export function errorBars(all: Interval[]): string {
  const known = all.filter(isKnown).length;
  if (known === 0) return "No error bars: their width is unknown.";
  return `Lines at the ends are 95 % intervals${known < all.length ? "; a bar without one has no error bar" : ""}.`;
}

/** The blocks with the greatest figures of each unit first; lines stay in their order. */
export function blocks(bars: Bar[]): Block[] {
  return [...new Set(bars.map((bar) => bar.unit))].flatMap((unit) => {
    const ofUnit = bars.filter((bar) => bar.unit === unit);
    const most = new Map<string, number>();
    for (const bar of ofUnit) most.set(bar.line, Math.max(most.get(bar.line) ?? 0, bar.interval.centre));
    const ranked = [...most].sort((a, b) => b[1] - a[1]);
    const found: Set<string>[] = [];
    let top = Infinity;
    for (const [line, value] of ranked) {
      if (found.length === 0 || top / value > MOST_TIMES) {
        found.push(new Set());
        top = value;
      }
      found[found.length - 1]?.add(line);
    }
    return found.map((lines) => ({
      unit,
      lines: [...most.keys()].filter((line) => lines.has(line)),
      bars: ofUnit.filter((bar) => lines.has(bar.line)),
    }));
  });
}
