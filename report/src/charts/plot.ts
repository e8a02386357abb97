// Parts of Observable Plot that all pictures share: fonts, colours, legends, labels.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { drawn, type View } from "../view";
import { nameOf } from "../words/names";
import { cut } from "../words/numbers";
import { SYMBOLS, type Canvas, type Theme } from "./chart";

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const LETTER_PX = 7.8;
const CAPITAL_PX = 9.5;
const WIDE_PX = 13;

/** How opaque bars are, and those that can't be compared with the others. */
export const [FULL, PALE] = [0.85, 0.25];

/** Groups as a picture tells them apart: different names, short enough. */
export function groupNames(data: Data, most = 40): string[] {
  const names = data.groups.map((_, group) => nameOf(data, group, most));
  return names.map((name, place) => (names.indexOf(name) === place ? name : `${name} (${place + 1})`));
}

/** The colour of a group in every picture: the baseline is grey beside others, one alone has the first of their colours. A group that is
 * not drawn row by row has none. */
export function colourOf(view: View, { groups }: Theme, group: number): string | undefined {
  const all = drawn(view);
  const place = all.indexOf(group);
  if (place < 0) return undefined;
  return groups[all.length === 1 ? 1 : place % groups.length];
}

/** Colours and symbols of the groups that are drawn. */
export function groupScales(
  data: Data,
  view: View,
  canvas: Canvas,
): { color: Plot.ScaleOptions; symbol: Plot.ScaleOptions } {
  const names = groupNames(data);
  const domain = drawn(view).map((place) => names[place] ?? "");
  const colours = drawn(view).map((group) => colourOf(view, canvas.theme, group) ?? "");
  return {
    color: { type: "ordinal", domain, range: colours },
    symbol: { domain, range: domain.map((_, place) => SYMBOLS[place % 8] ?? "circle") as never },
  };
}

/** How long a label of 12 px is about: no browser is there to measure it. */
export function lettersWide(label: string): number {
  const widthOf = (letter: string): number => {
    if (/[MW@\u2e80-\uffff]|\p{Emoji_Presentation}/u.test(letter)) return WIDE_PX;
    return /\p{Lu}/u.test(letter) ? CAPITAL_PX : LETTER_PX;
  };
  return Array.from(label).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Room for labels on the left. */
export function labelRoom(labels: string[], canvas: Canvas): number {
  return Math.min(Math.ceil(Math.max(0, ...labels.map(lettersWide))) + 18, canvas.width * 0.45);
}

/** A label that fits into the room, and differs from those among which it stands. */
export function fitting(label: string, room: number, among: readonly string[] = []): string {
  const share = (room - 18) / lettersWide(label);
  return share >= 1 ? label : cut(label, Math.max(6, Math.floor(Array.from(label).length * share)), among);
}

/** The axis of a picture with a line for each name. */
export function namedLines(lines: string[], room: number): Plot.ScaleOptions {
  return {
    type: "band",
    domain: lines,
    label: null,
    tickSize: 0,
    padding: 0.2,
    tickFormat: (name: string) => fitting(name, room, lines),
  };
}

/** Plots, and writes the size and the words of all pictures. */
export function plot(
  canvas: Canvas,
  title: string,
  options: Plot.PlotOptions & { height: number },
): SVGSVGElement {
  const { theme } = canvas;
  const drawing = Plot.plot({
    ...options,
    document: canvas.document,
    width: canvas.width,
    style: {
      fontFamily: FONT,
      fontSize: "12px",
      color: theme.ink,
      background: theme.paper,
      overflow: "visible",
    },
    ariaLabel: title,
    figure: false,
  });
  drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("fill", theme.ink);
  drawing.setAttribute("color", theme.ink);
  // Parts have no role, so that they can have no label; the picture has one.
  for (const part of drawing.querySelectorAll("g[aria-label]")) {
    part.setAttribute("data-mark", part.getAttribute("aria-label") ?? "");
    part.removeAttribute("aria-label");
  }
  return drawing as SVGSVGElement;
}

/** Puts a picture into another one. */
export function nest(outer: SVGSVGElement, inner: SVGSVGElement, x: number, y: number): void {
  // The outer one's style holds for all of it, and its label is the picture's.
  inner.querySelector("style")?.remove();
  for (const name of ["class", "role", "aria-label", "xmlns"]) inner.removeAttribute(name);
  // Between its marks an inner picture is not there for a pointer, as an outer one is.
  const ground = inner.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [
    ["width", inner.getAttribute("width") ?? ""],
    ["height", inner.getAttribute("height") ?? ""],
    ["fill", "none"],
    ["pointer-events", "all"],
  ] as const) {
    ground.setAttribute(name, value);
  }
  inner.prepend(ground);
  inner.setAttribute("x", String(x));
  inner.setAttribute("y", String(y));
  outer.append(inner);
}

/** Names of those of the drawn groups that a picture has, in lines above it, left of which there is so wide a margin, with so
 * much room between. They are a part of it: a copy of the picture has them, too. */
export function legend(
  canvas: Canvas,
  marginLeft: number,
  data: Data,
  view: View,
  groups: number[],
  room = 0,
): { marks: Plot.Markish[]; height: number } {
  const [left, line] = [8, 18];
  let [x, y] = [0, 0];
  const entries = legendEntries(data, view, canvas, groups);
  const placed = entries.map((full) => {
    const entry = { ...full, name: fitting(full.name, canvas.width - 2 * left - 10) };
    const width = lettersWide(entry.name) + 28;
    if (x > 0 && x + width > canvas.width - 2 * left) [x, y] = [0, y + line];
    const at = { ...entry, x, y };
    x += width;
    return at;
  });
  const height = entries.length > 0 ? y + line + 12 : 0;
  const marks = placed.flatMap(({ name, colour, symbol, x, y }) => [
    Plot.dot([0], {
      facet: "super",
      frameAnchor: "top-left",
      dx: left + x - marginLeft,
      dy: y - height - room,
      r: 4,
      fill: colour,
      symbol: symbol as never,
    }),
    Plot.text([name], {
      facet: "super",
      frameAnchor: "top-left",
      dx: left + x + 10 - marginLeft,
      dy: y - height - room,
      textAnchor: "start",
      lineAnchor: "middle",
      fill: canvas.theme.ink,
    }),
  ]);
  return { marks, height };
}

function legendEntries(
  data: Data,
  view: View,
  canvas: Canvas,
  groups: number[],
): { name: string; colour: string; symbol: string }[] {
  const names = groupNames(data);
  const entries = drawn(view).map((group, number) => ({
    group,
    name: names[group] ?? "",
    colour: colourOf(view, canvas.theme, group) ?? "",
    symbol: SYMBOLS[number % 8] ?? "circle",
  }));
  return entries.filter(({ group }) => groups.includes(group));
}

/** Ends of an axis of ratios: 1 and all of them, with some room. */
export function ratioDomain(ends: number[]): [number, number] {
  const finite = ends.filter((end) => Number.isFinite(end) && end > 0);
  const [low, high] = [Math.min(1, ...finite), Math.max(1, ...finite)];
  const room = Math.max(1.02, (high / low) ** 0.04);
  return [low / room, high * room];
}

const STEPS = [
  0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2,
  3, 5, 10,
];
/** Marks of an axis stand this far apart at least. */
const TICK_PX = 38;

/** Where an axis of ratios that is so long has its marks: those nearest to 1 first, as many as have room. */
export function ratioTicks([low, high]: [number, number], length: number): number[] {
  const decades = Array.from({ length: 80 }, (_, place) => 10 ** (place - 40));
  const inside = [...new Set([...STEPS, ...decades])].filter((step) => step >= low && step <= high);
  const apart = (a: number, b: number): number => (Math.abs(Math.log(a / b)) / Math.log(high / low)) * length;
  const kept: number[] = [];
  for (const step of inside.sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)))) {
    if (kept.every((other) => apart(step, other) > TICK_PX)) kept.push(step);
  }
  return kept.sort((a, b) => a - b);
}

/**
 * Marks of a logarithmic axis of quantities, which begins and ends with one: 1, 2, 5 and 10, or powers of ten where these have no
 * room.
 */
export function decades(all: number[], length: number): number[] {
  const finite = all.filter((value) => Number.isFinite(value) && value > 0);
  const [low, high] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [1, 1];
  const first = Math.floor(Math.log10(low)) - 1;
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) + 2 - first }, (_, place) => first + place);
  const holding = (steps: number[]): number[] => {
    const marks = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
    const [from, to] = [
      marks.filter((mark) => mark <= low).length - 1,
      marks.findIndex((mark) => mark > low && mark >= high),
    ];
    return marks.slice(from, to + 1);
  };
  const fine = holding([1, 2, 5]);
  return fine.length * LOG_TICK_PX <= length ? fine : holding([1]);
}
/** Marks of a logarithmic axis of quantities stand this far apart on average. */
const LOG_TICK_PX = 18;

/** A number on an axis of quantities: 0.25, 12,000, 3M. */
export function tickInWords(value: number): string {
  const [unit, letter] = value >= 1e9 ? [1e9, "G"] : value >= 1e6 ? [1e6, "M"] : [1, ""];
  const [whole = "", part] = String(Number((value / unit).toPrecision(6))).split(".");
  const apart = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return `${apart}${part === undefined ? "" : `.${part}`}${letter}`;
}

/** A panel's heading above it. */
export function heading(canvas: Canvas, text: string, dy: number): Plot.Markish {
  return Plot.text([text], {
    frameAnchor: "top-left",
    dx: 4,
    dy,
    textAnchor: "start",
    fontWeight: "600",
    fill: canvas.theme.ink,
  });
}

/** Colours of a box beside the pointer. */
export function tipColours(canvas: Canvas): { fill: string; stroke: string } {
  return { fill: canvas.theme.paper, stroke: canvas.theme.muted };
}
