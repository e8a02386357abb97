// The program's own judge, crates/verdict: in a browser as WebAssembly, in QuickJS the program itself.

import { type PairRatio, type Interval as Written } from "../shapes";
import { type Interval } from "./interval";

export interface Judge {
  /** Answers a question in JSON by JSON: crates/verdict/src/question.rs. */
  ask: (question: string) => string;
  /** A number in four digits and a margin in words. Pages write thousands, for which JSON would take too long. */
  fourDigits: (value: number) => string;
  margin: (share: number) => string;
}

interface Exports {
  memory: WebAssembly.Memory;
  /** Where a question of so many bytes goes. */
  room: (length: number) => number;
  /** The length of the answer; of what is wrong with the question, below 0. */
  ask: () => number;
  four_digits: (value: number) => number;
  margin: (share: number) => number;
  /** Where the answer is. */
  said: () => number;
}

/** The judge of an instance of the program's module. Each call may move its memory to another buffer. */
export function judgeOf(instance: WebAssembly.Instance): Judge {
  const exports = instance.exports as unknown as Exports;
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const text = (length: number): string =>
    decoder.decode(new Uint8Array(exports.memory.buffer, exports.said(), length));
  return {
    ask: (question) => {
      const bytes = encoder.encode(question);
      const place = exports.room(bytes.length);
      new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes);
      const length = exports.ask();
      if (length < 0) throw new Error(text(-length));
      return text(length);
    },
    fourDigits: (value) => text(exports.four_digits(value)),
    margin: (share) => text(exports.margin(share)),
  };
}

let judge: Judge | null = null;

/** From now on this one answers. */
export function appoint(appointed: Judge): void {
  judge = appointed;
}

function appointed(): Judge {
  if (judge === null) throw new Error("nobody judges yet");
  return judge;
}

type Wire = [number, number | null, number | null, number | null];
/** How a ratio stands to 1; `same` where its whole interval is within a margin of it. */
export type Order = "ahead" | "behind" | "same" | "undecided" | "no-error-bars";
/** Words for more and less: faster, more, more work. */
export type Quantity = "speed" | "amount" | "work";

interface Phrase {
  what:
    "times" | "how-much" | "how-much-than" | "range" | "ends" | "same" | "anything" | "stands" | "break-even";
  ratio: Interval;
  one?: string;
  other?: string;
  on?: string;
  quantity?: Quantity;
}

/** Numbers that are not finite become `null`. */
function wire({ centre, low, high, freedom }: Interval): Wire {
  return [centre, low, high, freedom];
}

function ask(question: unknown): unknown {
  // eslint-disable-next-line no-restricted-syntax -- what the program says of texts that dataOf has read
  return JSON.parse(appointed().ask(JSON.stringify(question))) as unknown;
}

/** The ratio of two independent quantities. */
export function askRatio(one: Interval, other: Interval): Written {
  return ask({ ratio: [wire(one), wire(other)] }) as Written;
}

export function askOrder(ratio: Interval): Order {
  return ask({ order: wire(ratio) }) as Order;
}

/** A ratio in words, such that no number is parted from what it counts. */
export function say({ what, ratio, one = "", other = "", on = "", quantity = "speed" }: Phrase): string {
  const said = ask({ say: { what, ratio: wire(ratio), one, other, on, quantity } }) as string;
  return unbroken(said);
}

interface Lead {
  /** The leader's and the next's. */
  names: [string, string];
  /** The leader over the next. */
  ratio: Interval | null;
  quantity: Quantity;
  ranked: number;
  all: number;
  /** Beside the number of machines: ` (2 have no price)`. */
  aside: string;
  on: string;
  /** Where their order depends on the work, what says so of `which of them`. */
  depends: string | null;
}

/** Who leads several machines, in a sentence. */
export function askLead(lead: Lead): string {
  return unbroken(ask({ lead: { ...lead, ratio: lead.ratio && wire(lead.ratio) } }) as string);
}

interface Qualified {
  /** Machines with such data. */
  invalid: string[];
  suspect: string[];
  /** How many it is about. */
  machines: number;
  /** Whether it is about one machine, and names it. */
  is_named: boolean;
  is_delivered: boolean;
}

/** A sentence with what its data are. */
export function askQualified(sentence: string, data: Qualified): string {
  return ask({ qualify: [sentence, data] }) as string;
}

/** Four digits that count, thousands apart: 1,234,567 · 48.21 · 0.003812. */
export function fourDigits(value: number): string {
  return appointed().fourDigits(value);
}

/** ±2.3 %; by factor where it is wide. */
export function marginInWords(share: number): string {
  return unbroken(appointed().margin(share));
}

function unbroken(text: string): string {
  return text.replaceAll(" %", "\u00a0%").replaceAll("CI ", "CI\u00a0");
}

/** A row of two groups: whether it is refused, the two sides, and the ratio of pairs where they were measured in turn. */
export interface AskedRow {
  threads: string;
  is_refused: boolean;
  sides: [Side | null, Side | null];
  pairs: { Ok: PairRatio } | { Err: string } | null;
}

/** A figure, or why there is none: interval, that of the row alone, run effect, samples, which runs. */
export type Side = { Ok: [...PairRatio, number, number] } | { Err: string };

export interface JudgedRow {
  verdict: string;
  reason: string | null;
  ratio: Written | null;
}

/** Compares two groups row by row, at a factor. */
export function askComparison(labels: [string, string], factor: number, rows: AskedRow[]): JudgedRow[] {
  return ask({ compare: { labels, factor, rows } }) as JudgedRow[];
}
