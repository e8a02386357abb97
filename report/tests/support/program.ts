// The real program, and what it prints as JSON: what the page must show.

import { spawnSync } from "node:child_process";
import { type Robustness } from "../../src/data";

export interface Interval {
  centre: number;
  low: number | null;
  high: number | null;
}

export interface ComparedRow {
  workload: string;
  threads: string;
  verdict: string;
  baseline: Interval | null;
  other: Interval | null;
  ratio: Interval | null;
  baseline_clock_hz: Interval | null;
  other_clock_hz: Interval | null;
  clock_ratio: Interval | null;
  reason: string | null;
  differences: { kind: string; what: string; baseline: string; other: string }[];
}

export interface Compared {
  baseline: string;
  other: string;
  rows: ComparedRow[];
  beside?: { workload: string; co_runners: string; count: number; baseline: Interval; other: Interval }[];
}

export interface ScoreLine {
  category: string;
  threads: string;
  rows: number;
  score: Interval | null;
  robustness: Robustness | null;
}

export interface Scored {
  label: string;
  lines: ScoreLine[];
}

export interface Stand {
  threads: string;
  price_adjusted: Interval;
  break_even_per_hour: Interval;
}

interface PerWatt {
  per_s_per_watt: Interval;
  watts: Interval;
  source: string | { measured: string };
}

/** One machine with its watts. */
export interface CostedAlone {
  rows: { workload: string; threads: string; unit: string; per_s: Interval; energy: PerWatt | null }[];
}

export interface Costed {
  cost: {
    baseline: { label: string };
    other: { label: string };
    per_cpu: (number | null)[];
    rows: (Stand & { workload: string; verdict: string })[];
    scores: (Stand & { category: string; rows: number })[];
  };
  energy_scores: { category: string; threads: string; rows: number; score: Interval; sources: string }[];
  energy: {
    workload: string;
    threads: string;
    unit: string;
    baseline: PerWatt | null;
    other: PerWatt | null;
    ratio: Interval | null;
  }[];
}

/** A commitment as `sizeup cost` prints it. */
export interface Commitment {
  price: { label: string; commitment?: string; per_hour: number };
  price_adjusted: Interval | null;
  break_even_per_hour: Interval | null;
}

function program(): string {
  const path = process.env.SIZEUP;
  if (path === undefined) throw new Error("SIZEUP is not set: run report/test");
  return path;
}

/** Runs it; an exit status of 1 says that a check failed, and is none of ours. */
export function sizeup(args: string[]): string {
  const ended = spawnSync(program(), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (ended.error) throw ended.error;
  if (ended.status !== 0 && ended.status !== 1) {
    throw new Error(
      `sizeup ${args[0] ?? ""} ended with ${String(ended.status)}: ${ended.stderr.slice(0, 2000)}`,
    );
  }
  return ended.stdout;
}

/** Measures. It may find that a row is left without a figure, which is no mistake of the report's. */
export function measure(args: string[]): void {
  const ended = spawnSync(program(), ["run", ...args], { encoding: "utf8" });
  if (ended.error) throw ended.error;
  if (ended.status !== 0 && ended.status !== 3) throw new Error(`sizeup run: ${ended.stderr.slice(0, 2000)}`);
}

/** All that a command prints as JSON; verdicts in the words that tables and the page have. */
export function jsonOfCommand(args: string[]): { answer: string[]; data: unknown } {
  return JSON.parse(sizeup([...args, "--json"]), (key, value: unknown) =>
    key === "verdict" && typeof value === "string" ? value.replaceAll("-", " ") : value,
  ) as { answer: string[]; data: unknown };
}

/** The data that a command prints. */
export function dataOfCommand(args: string[]): unknown {
  return jsonOfCommand(args).data;
}

/** Always a list: for one other, the program prints none. */
function list<T>(found: unknown): T[] {
  return (Array.isArray(found) ? found : [found]) as T[];
}

export function compared(args: string[], baseline: string): Compared[] {
  return list<Compared>(dataOfCommand(["compare", "--baseline", baseline, ...args]));
}

export function scored(args: string[], baseline: string): Scored[] {
  return list<Scored>(dataOfCommand(["score", "--baseline", baseline, ...args]));
}

/** Prices of machines for an hour, and their rated watts, by label. */
export interface Rates {
  prices: Record<string, number>;
  watts?: Record<string, number>;
}

export function flagsOf({ prices, watts = {} }: Rates): string[] {
  const flags = (name: string, rates: Record<string, number>): string[] =>
    Object.entries(rates).flatMap(([label, rate]) => [name, `${label}=${String(rate)}`]);
  return [...flags("--price", prices), ...flags("--watts", watts)];
}

/** At prices, of those that have one: the program wants prices of all that it is given. */
export function costed(args: string[], baseline: string, rates: Rates): Costed[] {
  return list<Costed>(dataOfCommand(["cost", "--baseline", baseline, ...flagsOf(rates), ...args]));
}

/** The costs of a single machine. */
export function costedAlone(args: string[], rates: Rates): CostedAlone | undefined {
  return list<CostedAlone>(dataOfCommand(["cost", ...flagsOf(rates), ...args]))[0];
}
