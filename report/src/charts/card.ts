// The answer as a picture of the size that sites show beside a link.

import { type Data } from "../data";
import { type View } from "../view";
import { answer, type Tile } from "../words/answer";
import { nameOf } from "../words/names";
import { cut, shown } from "../words/numbers";
import { badge } from "../words/quality";
import { title } from "../words/title";
import { LIGHT } from "./chart";
import { FONT } from "./plot";

export const CARD = { name: "share-card", width: 1200, height: 630 };
const [EDGE, GAP, MOST_TILES] = [60, 20, 4];
const HEADLINE_TOP = 165;
/** The largest in which a headline fits is taken. */
const HEADLINES = [
  { fontPx: 50, linePx: 62, mostLines: 4 },
  { fontPx: 42, linePx: 52, mostLines: 5 },
  { fontPx: 34, linePx: 42, mostLines: 6 },
];
const [TILES_TOP, TILE_HEIGHT] = [400, 148];
/** Letters' widths in the font that is carried along, over its size. */
const [NARROW, USUAL, CAPITAL, WIDE] = [0.41, 0.64, 0.78, 1];

interface Text {
  x: number;
  y: number;
  fontPx: number;
  fill: string;
  isBold?: boolean;
}

/** The headline, up to four figures, and what they are of. */
export function card(data: Data, view: View, document: Document): SVGSVGElement {
  const svg = element(document, "svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width: CARD.width,
    height: CARD.height,
    viewBox: `0 0 ${CARD.width} ${CARD.height}`,
    role: "img",
    "font-family": FONT,
  }) as SVGSVGElement;
  const { width, height } = CARD;
  svg.append(element(document, "rect", { width, height, fill: LIGHT.paper }));
  svg.append(element(document, "rect", { width, height: 12, fill: LIGHT.groups[1] ?? "" }));
  const write = (words: string, roomPx: number, { x, y, fontPx, fill, isBold = false }: Text): void => {
    const text = element(document, "text", {
      x,
      y,
      fill,
      "font-size": `${fontPx}px`,
      "font-weight": isBold ? 700 : 400,
    });
    text.textContent = cutTo(words, fontPx, roomPx);
    svg.append(text);
  };
  const { headline, tiles } = answer(data, view);
  const room = width - 2 * EDGE;
  write("sizeup", room, { x: EDGE, y: 85, fontPx: 30, fill: LIGHT.groups[1] ?? "", isBold: true });
  const { fontPx, found } = fitted(headline, room);
  found.forEach(({ words, y }) => {
    write(words, room, { x: EDGE, y, fontPx, fill: LIGHT.ink, isBold: true });
  });
  tiles.slice(0, MOST_TILES).forEach((tile, place, all) => {
    const tileWidth = (room - GAP * (all.length - 1)) / all.length;
    const x = EDGE + place * (tileWidth + GAP);
    svg.append(
      element(document, "rect", {
        x,
        y: TILES_TOP,
        width: 5,
        height: TILE_HEIGHT,
        fill: LIGHT.groups[1] ?? "",
      }),
    );
    const tileRoom = tileWidth - 22;
    linesOf(data, tile, tileRoom).forEach(({ words, ...style }) => {
      write(words, tileRoom, { x: x + 22, ...style });
    });
  });
  write(footer(data, view), room, { x: EDGE, y: 595, fontPx: 22, fill: LIGHT.muted });
  return svg;
}

/** A headline in lines, as large as they have room; what is too long in the smallest letters is cut. */
function fitted(headline: string, roomPx: number): { fontPx: number; found: { words: string; y: number }[] } {
  const sizes = HEADLINES.map((size) => ({ ...size, found: lines(headline, size.fontPx, roomPx) }));
  const size = sizes.find(({ found, mostLines }) => found.length <= mostLines) ?? sizes.at(-1);
  if (!size) return { fontPx: 0, found: [] };
  const { fontPx, linePx, mostLines } = size;
  const found = size.found
    .slice(0, mostLines)
    .map((words, place) => ({ words, y: HEADLINE_TOP + place * linePx }));
  return { fontPx, found };
}

/** Who is ahead, by how much in up to two lines, and how certain that is; where nobody is, the figure stands in front. */
function linesOf(
  data: Data,
  { about, group, value, detail }: Tile,
  roomPx: number,
): (Omit<Text, "x"> & { words: string })[] {
  const at = (line: number): number => TILES_TOP + line;
  const { ink, muted } = LIGHT;
  const [first, ...rest] = group === null ? lines(value, 28, roomPx) : [nameOf(data, group, 40)];
  const then = group === null ? rest : lines(value, 22, roomPx);
  // On which work it is, the headline says.
  const [certainty = ""] = detail.split("; ");
  const [one = "", two = ""] = then.length > 0 ? [then[0], then.slice(1).join(" ")] : [certainty];
  return [
    { words: about, y: at(22), fontPx: 22, fill: muted },
    { words: first ?? "", y: at(58), fontPx: 28, fill: ink, isBold: true },
    { words: one, y: at(88), fontPx: 22, fill: then.length > 0 ? ink : muted },
    { words: two, y: at(114), fontPx: 22, fill: ink },
    { words: then.length > 0 ? certainty : "", y: at(142), fontPx: 20, fill: muted },
  ];
}

const VIEWS: Partial<Record<Data["view"], string>> = {
  uncontended: "uncontended",
  delivered: "as delivered",
  "per-ghz": "per GHz",
};

function footer(data: Data, view: View): string {
  const sheets = data.groups.flatMap((group) => group.sheets);
  const suites = [...new Set(sheets.map(({ suite }) => suite))].map((suite) => shown(suite, 30));
  const parts = [
    badge(data, view).text,
    title(data),
    suites.slice(0, 2).join(", "),
    VIEWS[data.view],
    data.made.slice(0, 10),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** How wide a text is at most: no browser is there to measure it. */
function wide(text: string, fontPx: number): number {
  const widthOf = (letter: string): number => {
    if (/[ilIjtfr.,:;!|'()[\]/\- ]/.test(letter)) return NARROW;
    if (/[A-LN-VX-Z]/.test(letter)) return CAPITAL;
    return /[\x20-\x7f×–…·±]/.test(letter) && !/[MWmw@%]/.test(letter) ? USUAL : WIDE;
  };
  return fontPx * Array.from(text).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Words in lines, each cut if it is too long by itself. */
function lines(text: string, fontPx: number, roomPx: number): string[] {
  const found: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${found.at(-1) ?? ""} ${word}`.trim();
    if (found.length > 0 && wide(longer, fontPx) <= roomPx) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

function cutTo(words: string, fontPx: number, roomPx: number): string {
  const share = roomPx / wide(words, fontPx);
  if (share >= 1) return words;
  const letters = Array.from(words).length;
  let most = Math.floor(letters * share);
  while (most > 6 && wide(cut(words, most), fontPx) > roomPx) most -= 1;
  return cut(words, most);
}

function element(document: Document, name: string, attributes: Record<string, string | number>): Element {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
