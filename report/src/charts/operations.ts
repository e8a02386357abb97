// Numbers in the names of operations: a level (`gzip-6`, `brotli-11-flush`), or the size of the data.

import { type RowHead } from "../shapes";
import { fourDigits } from "../words/numbers";
import { MIB } from "../words/unit";

const SIZE = /(^|-)(\d+)(B|KiB|MiB|GiB|K|M)(?=-|$)/;
const LEVEL = /-(\d+)(?=-|$)/;
const BYTES: Record<string, number> = { B: 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };
/** As kopia's splitters are named. */
const SHORT: Record<string, number> = { K: 1024, M: MIB };

/** An operation but for a number in its name. */
export interface Numbered {
  /** Its name without the number, with the implementation: `gzip-…/zlib`. */
  series: string;
  at: number;
}

function without(head: RowHead, pattern: RegExp, gap: string): string {
  return `${head.operation.replace(pattern, gap)}/${head.implementation}`;
}

/** By the size in bytes in the operation's name. */
export function bySize(head: RowHead): Numbered | null {
  const found = SIZE.exec(head.operation);
  if (!found) return null;
  const unit = found[3] ?? "";
  const gap = found[1] === "" ? "…" : "-…";
  return { series: without(head, SIZE, gap), at: Number(found[2]) * (BYTES[unit] ?? SHORT[unit] ?? 1) };
}

/** By the only number in the operation's name that stands alone. */
export function byLevel(head: RowHead): Numbered | null {
  const found = LEVEL.exec(head.operation);
  return found ? { series: without(head, LEVEL, "-…"), at: Number(found[1]) } : null;
}

/** 64 B, 4 KiB, 5 MiB. */
export function sizeInWords(bytes: number): string {
  const unit = Object.entries(BYTES)
    .reverse()
    .find(([, size]) => bytes >= size) ?? ["B", 1];
  return `${fourDigits(bytes / unit[1]).replace(/\.0+$/, "")} ${unit[0]}`;
}

/** Rows as they come, but those that differ in a number only together and by that. */
export function inSeries<T>(all: T[], headOf: (entry: T) => RowHead): T[] {
  const first = new Map<string, number>();
  const keyed = all.map((entry, place) => {
    const head = headOf(entry);
    const { series, at } = bySize(head) ?? byLevel(head) ?? { series: head.name, at: 0 };
    if (!first.has(series)) first.set(series, place);
    return { entry, series: first.get(series) ?? 0, at };
  });
  return keyed.sort((a, b) => a.series - b.series || a.at - b.at).map(({ entry }) => entry);
}
