// Numbers that are shown or computed, compared with those that they are to be. Mistakes are collected and reported together: an
// expectation each would take minutes for as many numbers as a report has.

import { expect } from "@playwright/test";

interface Ends {
  low: number | null;
  high: number | null;
}

export function numberIn(shown: string): number {
  return shown.trim() === "" ? NaN : Number(shown.replaceAll(",", ""));
}

/** An end that no number is is told as null. */
export function isKnown(ends: Ends): ends is { low: number; high: number } {
  return ends.low !== null && ends.high !== null && ends.low > 0;
}

export class Mistakes {
  private readonly all: string[] = [];
  /** How much was looked at. */
  private looks = 0;

  /** Two that must be equal. */
  same(found: unknown, expected: unknown, what: string): void {
    this.looks += 1;
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    if (a !== b) this.all.push(`${what}: ${a} instead of ${b}`);
  }

  /** Two that must be equal to a millionth, or both unknown. */
  close(found: number | null | undefined, expected: number | null, what: string): void {
    this.looks += 1;
    const isEnd = (value: number | null | undefined): value is number =>
      typeof value === "number" && Number.isFinite(value) && value !== 0;
    const are =
      isEnd(found) && isEnd(expected)
        ? Math.abs(found / expected - 1) <= 1e-6
        : isEnd(found) === isEnd(expected);
    if (!are) this.all.push(`${what}: ${found} instead of ${expected}`);
  }

  /** A number in the digits that are shown, four that count at least. */
  shown(text: string | undefined, expected: number, what: string): void {
    this.looks += 1;
    const shown = text ?? "";
    const [mantissa = "", exponent = "0"] = shown.replaceAll(",", "").split("e");
    const digits = mantissa.split(".")[1]?.length ?? 0;
    // Half of the last digit, and what the digits of the page's data leave open.
    const room = 0.5 * 10 ** (Number(exponent) - digits) + Math.abs(expected) * 1e-6;
    const isNear = Math.abs(numberIn(shown) - expected) <= room;
    const counting = shown.replace(/\D/g, "").replace(/^0+(?=\d{3})/, "").length;
    if (!isNear || counting < 3) this.all.push(`${what}: "${shown}" for ${expected}`);
  }

  /** Both ends, where they are known. */
  ends(low: string | undefined, high: string | undefined, expected: Ends, what: string): void {
    if (isKnown(expected)) {
      this.shown(low, expected.low, `${what}: from`);
      this.shown(high, expected.high, `${what}: to`);
    } else {
      this.same([low, high], ["–", "–"], what);
    }
  }

  /** `±2.3 %`, `×÷3.1`, or that it is unknown. */
  width(text: string | undefined, expected: Ends, what: string): void {
    this.looks += 1;
    const shown = text ?? "";
    if (!isKnown(expected)) {
      if (shown !== "unknown") this.all.push(`${what}: "${shown}" for an interval without ends`);
      return;
    }
    const margin = Math.log(expected.high / expected.low) / 2;
    const percent = /^±([\d.]+)\s%$/.exec(shown)?.[1];
    const factor = /^×÷([\d.]+)$/.exec(shown)?.[1];
    const isRight =
      percent !== undefined
        ? Math.abs(Number(percent) - margin * 100) <= 0.0501
        : factor !== undefined && margin > 0.7 && Math.abs(Number(factor) / Math.exp(margin) - 1) <= 0.06;
    if (!isRight) this.all.push(`${what}: "${shown}" for ±${margin * 100} %`);
  }

  /** There are none, and there was something to look at. */
  expectNone(): void {
    expect(this.all.slice(0, 20)).toEqual([]);
    expect(this.looks).toBeGreaterThan(0);
  }
}
