// Numbers as people read them.

import { margin, isKnown, type Interval } from "../judge/interval";
import { fourDigits, marginInWords } from "../judge/program";

export { fourDigits };

/** One end of an interval, as its number is written; a dash where it is unknown. */
export function end(interval: Interval, which: "low" | "high", written: (value: number) => string): string {
  return isKnown(interval) ? written(interval[which]) : "–";
}

/** ±2.3 %; by factor where it is wide. */
export function width(interval: Interval): string {
  return marginInWords(margin(interval));
}

/** 1.208–1.263. */
export function ends(interval: Interval): string {
  return isKnown(interval) ? `${fourDigits(interval.low)}–${fourDigits(interval.high)}` : "unknown";
}

/** An interval in a sentence: 95 % CI 1.208–1.263. */
export function range(interval: Interval): string {
  return isKnown(interval) ? `95\u00a0% CI ${ends(interval)}` : "no error bars";
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
export function count(amount: number, what: string, many = `${what}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ",")} ${amount === 1 ? what : many}`;
}

/** Hidden characters as code points, so that a name shows what it is. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Text with hidden characters visible; a very long one is cut. */
export function shown(text: string, most = 200): string {
  return cut(visible(text), most);
}

/** Stands for what is left out of a name. */
const GAP = "…";
/** Fewer letters of an end of a name say nothing. */
const LEAST_END = 3;

/**
 * So many characters at most. The middle is left out, unless others among which it stands begin and end with the same words:
 * then what it has in common with them around the words in which it differs, so that none of them reads the same.
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
  const others = among.filter((other) => other !== text);
  const alike = others.filter((other) => other.startsWith(words[0]) && other.endsWith(words[1]));
  const middleless = `${start}${GAP}${end}`;
  if (alike.length === 0) return middleless;
  let best: string | null = null;
  for (const way of ways(characters, alike, most)) {
    best ??= way;
    if (!others.some((other) => canRead(other, way))) return way;
  }
  return best ?? middleless;
}

/** Ways to cut a name that has much in common with others, the best first. */
function* ways(text: string[], alike: string[], most: number): Iterable<string> {
  const { before, own, behind } = apart(text, alike);
  const whole = withOwn(before, own, behind, most);
  if (whole !== null) yield whole;
  yield* parts(text, most);
  yield* halves(own, most - 2).map((way) => GAP + way + GAP);
  yield* halves(text, most);
}

/** Whether a name that is cut in the same places may read so. */
function canRead(name: string, way: string): boolean {
  const [start = "", ...rest] = way.split(GAP);
  const end = rest.pop() ?? "";
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  let inside = name.slice(start.length, name.length - end.length);
  return rest.every((middle) => {
    const at = inside.indexOf(middle);
    inside = inside.slice(at + middle.length);
    return at >= 0;
  });
}

/** The part of a name that is its own, and the parts around it that others have, too. */
function apart(text: string[], others: string[]): Record<"before" | "own" | "behind", string[]> {
  const same = inCommon(
    text,
    others.map((other) => Array.from(other)),
  );
  const rests = others.map((other) => Array.from(other).slice(same).reverse());
  const end = text.length - inCommon(text.slice(same).reverse(), rests);
  return { before: text.slice(0, same), own: text.slice(same, end), behind: text.slice(end) };
}

/** With the whole of what it has of its own; null if that has no room. */
function withOwn(before: string[], own: string[], behind: string[], most: number): string | null {
  const middle = own.join("");
  const room = most - own.length;
  const some = (letters: number): number => (letters < LEAST_END ? 0 : letters);
  if (before.length < room)
    return `${before.join("")}${middle}${GAP}${last(behind, some(room - before.length - 1))}`;
  if (behind.length < room)
    return `${first(before, some(room - behind.length - 1))}${GAP}${middle}${behind.join("")}`;
  if (room < 2) return null;
  const [start, end] = [some(Math.ceil(room / 2) - 1), some(Math.floor(room / 2) - 1)];
  return `${first(before, start)}${GAP}${middle.replace(OUTSIDE_WORDS, "")}${GAP}${last(behind, end)}`;
}

const OUTSIDE_WORDS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** One stretch of a name, from the beginning of a word to the end of one where a word has room; the longest first. */
function parts(text: string[], most: number): string[] {
  const isWord = (place: number): boolean => /[\p{L}\p{N}]/u.test(text[place] ?? "");
  const starts = [...text.keys()].filter((place) => isWord(place) && !isWord(place - 1));
  const found = starts.map((start) => {
    const before = start === 0 ? "" : GAP;
    const room = Math.max(most - before.length, 1);
    if (text.length - start <= room) return before + text.slice(start).join("");
    const limit = start + room - 1;
    let end = limit;
    while (end > start && isWord(end) && isWord(end - 1)) end -= 1;
    const words = text.slice(start, end).join("").replace(OUTSIDE_WORDS, "");
    return `${before}${words || text.slice(start, limit).join("")}${GAP}`;
  });
  return found.sort((a, b) => b.length - a.length);
}

/** The beginning and the end of a name, most of all such that the beginning is half as long again. */
function halves(text: string[], most: number): string[] {
  const room = Math.min(most, text.length) - 1;
  const heads = Array.from({ length: Math.max(0, room - 1) }, (_, place) => place + 1);
  const far = (head: number): number => Math.abs(head - room * 0.6);
  return heads
    .sort((a, b) => far(a) - far(b))
    .map((head) => `${first(text, head)}${GAP}${last(text, room - head)}`);
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
