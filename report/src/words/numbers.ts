// Numbers as people read them.

import { margin, isKnown, type Interval } from "../judge/interval";

/** Four digits that count, thousands apart: 1,234,567 · 48.21 · 0.003812. As crates/judge/src/numbers.rs has it. */
export function quantity(of: number): string {
  if (!Number.isFinite(of)) return "–";
  if (of === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(of)));
  const [whole = "", part] = of.toFixed(Math.min(Math.max(0, 3 - size), 9)).split(".");
  const apart = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return part ? `${apart}.${part}` : apart;
}

/** A ratio: 1.234, 0.00123. */
export function factor(of: number): string {
  if (!Number.isFinite(of)) return "–";
  if (of >= 100 || (of < 0.1 && of !== 0)) return quantity(of);
  return of.toFixed(of >= 10 ? 2 : 3);
}

/** One end of an interval, as its number is written; a dash where it is unknown. */
export function end(of: Interval, which: "low" | "high", written: (of: number) => string): string {
  return isKnown(of) ? written(of[which]) : "–";
}

/** A wider margin stands as a factor: this one is about 2. */
const FROM_FACTOR = 0.7;

/** ±2.3 %; by factor where it is wide. */
export function width(of: Interval): string {
  return marginInWords(margin(of));
}

/** The same of a margin: 0.023 is ±2.3 %. */
export function marginInWords(share: number): string {
  if (!Number.isFinite(share)) return "unknown";
  return share > FROM_FACTOR ? `×÷${Math.exp(share).toFixed(1)}` : `±${(share * 100).toFixed(1)}\u00a0%`;
}

/** 1.208–1.263. */
export function ends(of: Interval): string {
  return isKnown(of) ? `${factor(of.low)}–${factor(of.high)}` : "unknown";
}

/** The same in a sentence. */
export function range(of: Interval): string {
  return isKnown(of) ? `95\u00a0% CI ${ends(of)}` : "no error bars";
}

/** A clock in GHz: 2.60. */
export function ghz(clockHz: number): string {
  return (clockHz / 1e9).toFixed(2);
}

/** 12.3 %. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)}\u00a0%`;
}

/** `1 thread`, `8 threads`, `all threads`. */
export function threadsInWords(threads: string): string {
  return threads === "1" ? "1 thread" : `${threads} threads`;
}

/** `1 row`, `2 rows`. */
export function count(of: number, what: string, many = `${what}s`): string {
  return `${of.toLocaleString("en-US")} ${of === 1 ? what : many}`;
}

/** Hidden characters as code points, so that a name shows what it is. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same; very long ones are cut. */
export function shown(text: string, most = 200): string {
  return cut(visible(text), most);
}

/**
 * So many characters at most. The middle is left out, unless others among which it stands begin and end with the same words:
 * then what it has in common with them before or after the words in which it differs.
 */
export function cut(text: string, most: number, among: readonly string[] = []): string {
  // Fewer units than that are fewer characters.
  if (text.length <= most) return text;
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const kept = Math.max(most - 1, 1);
  const head = Math.ceil(kept * 0.6);
  const [start, end] = [first(characters, head), last(characters, kept - head)];
  const words = [start.replace(/[\p{L}\p{N}]+$/u, ""), end.replace(/^[\p{L}\p{N}]+/u, "")] as const;
  const alike = among.filter(
    (other) => other !== text && other.startsWith(words[0]) && other.endsWith(words[1]),
  );
  return (alike.length > 0 ? cutAround(characters, alike, most) : null) ?? `${start}…${end}`;
}

/** With the whole of what differs from others; null if that has no room. */
function cutAround(text: string[], others: string[], most: number): string | null {
  const before = inCommon(
    text,
    others.map((other) => Array.from(other)),
  );
  const rests = others.map((other) => Array.from(other).slice(before).reverse());
  const behind = inCommon(text.slice(before).reverse(), rests);
  const [head, tail] = [text.slice(0, before), text.slice(text.length - behind)];
  const own = text.slice(before, text.length - behind).join("");
  const room = most - Array.from(own).length;
  if (head.length < room) return `${head.join("")}${own}…${last(tail, room - head.length - 1)}`;
  if (tail.length < room) return `${first(head, room - tail.length - 1)}…${own}${tail.join("")}`;
  if (room < 2) return null;
  return `${first(head, Math.ceil(room / 2) - 1)}…${own}…${last(tail, Math.floor(room / 2) - 1)}`;
}

/** How many characters a text begins with as all others, but for a word that goes on where they differ. */
function inCommon(text: string[], others: string[][]): number {
  const differs = text.findIndex((letter, place) => others.some((other) => other[place] !== letter));
  let same = differs < 0 ? text.length : differs;
  while (same > 0 && /[\p{L}\p{N}]/u.test(text[same - 1] ?? "")) same -= 1;
  return same;
}

function first(characters: string[], most: number): string {
  return characters.slice(0, most).join("");
}

function last(characters: string[], most: number): string {
  return characters.slice(characters.length - most).join("");
}
