// Bars of how far a machine is ahead or behind, each with its words at its end.

import * as Plot from "@observablehq/plot";
import { isKnown, type Interval } from "../judge/interval";
import { isDecided } from "../words/speed";
import { type Canvas } from "./chart";
import { fitting, FULL, lettersWide, plot, ratioDomain } from "./plot";

export interface LeadBar {
  line: string;
  interval: Interval;
  /** What stands at the bar's end. */
  words: string;
  /** What pointing at it shows. */
  tip: string;
}

interface Options {
  title: string;
  bars: LeadBar[];
  /** What the two sides of 1 mean. */
  sides: [behind: string, ahead: string] | null;
  /** A broken line across all bars. */
  mark: { at: number; words: string } | null;
}

/** Below this width a name stands above its bar, and not beside it. */
const NARROW_PX = 560;
const [LINE_PX, TWO_LINES_PX, HEAD_LINE_PX, FOOT_PX] = [27, 40, 17, 8];
const MOST_NAME_PX = 300;

/** Draws the bars in this order from above. */
export function drawLeads(canvas: Canvas, { title, bars, sides, mark }: Options): SVGSVGElement {
  const isNarrow = canvas.width < NARROW_PX;
  const linePx = isNarrow ? TWO_LINES_PX : LINE_PX;
  const lines = bars.map(({ line }) => line);
  const names = Math.max(...lines.map(lettersWide));
  const room = isNarrow ? 4 : Math.ceil(Math.min(names + 18, MOST_NAME_PX, canvas.width * 0.4));
  const wordsPx = Math.max(...bars.map(({ words }) => lettersWide(words))) + 10;
  const ends = bars.flatMap(({ interval: of }) => [of.centre, ...(isKnown(of) ? [of.low, of.high] : [])]);
  const domain = ratioDomain(mark ? [...ends, mark.at] : ends);
  const isAny = (side: (of: number) => boolean): boolean =>
    bars.some(({ interval }) => side(interval.centre));
  const points = bars.map((bar, place) => ({
    ...bar,
    ...bar.interval,
    slot: String(place),
    isAhead: bar.interval.centre >= 1,
  }));
  const isSure = ({ interval }: LeadBar): boolean => isDecided(interval);
  const [grey = "", accent = ""] = canvas.theme.groups;
  const end = (of: (typeof points)[number]): number =>
    isKnown(of.interval) ? (of.isAhead ? Math.max(of.high, 1) : Math.min(of.low, 1)) : of.centre;
  const words = (filter: (of: (typeof points)[number]) => boolean, anchor: "start" | "end"): Plot.Markish =>
    Plot.text(points.filter(filter), {
      x: end,
      y: "slot",
      text: "words",
      dx: anchor === "start" ? 6 : -6,
      dy: isNarrow ? 8 : 0,
      textAnchor: anchor,
      fill: canvas.theme.ink,
      stroke: canvas.theme.paper,
      strokeWidth: 4,
      fontWeight: 600,
    });
  const headPx = 4 + HEAD_LINE_PX * ((sides ? 1 : 0) + (mark ? 1 : 0));
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: 4,
    marginTop: headPx,
    marginBottom: FOOT_PX,
    height: headPx + FOOT_PX + bars.length * linePx,
    x: {
      type: "log",
      domain,
      axis: null,
      insetLeft: isAny((of) => of < 1) ? wordsPx : 0,
      insetRight: isAny((of) => of >= 1) ? wordsPx : 0,
    },
    y: { type: "band", domain: points.map(({ slot }) => slot), axis: null, padding: 0.25 },
    marks: [
      Plot.barX(points, {
        x1: 1,
        x2: "centre",
        y: "slot",
        insetTop: isNarrow ? 17 : 0,
        fill: (of: (typeof points)[number]) => (of.isAhead && isSure(of) ? accent : grey),
        fillOpacity: (of: (typeof points)[number]) => (isSure(of) ? FULL : 0.4),
      }),
      Plot.ruleY(
        points.filter(({ interval }) => isKnown(interval)),
        { x1: "low", x2: "high", y: "slot", dy: isNarrow ? 8 : 0, stroke: canvas.theme.ink },
      ),
      Plot.ruleX([1], { stroke: canvas.theme.ink }),
      ...overall(canvas, mark, domain),
      ...sideMarks(
        canvas,
        sides,
        room,
        headPx,
        isAny((of) => of < 1),
      ),
      Plot.text(points, {
        y: "slot",
        frameAnchor: "left",
        dx: isNarrow ? 0 : 8 - room,
        dy: isNarrow ? -11 : 0,
        textAnchor: "start",
        text: ({ line }: LeadBar) => fitting(line, isNarrow ? canvas.width : room, lines),
        fill: canvas.theme.ink,
        stroke: canvas.theme.paper,
        strokeWidth: 4,
      }),
      words(({ isAhead }) => isAhead, "start"),
      words(({ isAhead }) => !isAhead, "end"),
      ...(canvas.interactive
        ? [
            Plot.tip(
              points,
              Plot.pointerY({
                x: "centre",
                y: "slot",
                title: "tip",
                fill: canvas.theme.paper,
                stroke: canvas.theme.muted,
              }),
            ),
          ]
        : []),
    ],
  });
}

/** The broken line, with its words on the side that has room. */
function overall(canvas: Canvas, mark: Options["mark"], [low, high]: [number, number]): Plot.Markish[] {
  if (!mark) return [];
  const isLeft = Math.log(mark.at / low) < Math.log(high / low) / 2;
  return [
    Plot.ruleX([mark.at], { stroke: canvas.theme.muted, strokeDasharray: "4,3" }),
    Plot.text([mark.words], {
      x: mark.at,
      frameAnchor: "top",
      dx: isLeft ? 4 : -4,
      dy: -8,
      textAnchor: isLeft ? "start" : "end",
      fill: canvas.theme.muted,
    }),
  ];
}

/** What is left and right of the middle, above the bars. */
function sideMarks(
  canvas: Canvas,
  sides: Options["sides"],
  room: number,
  headPx: number,
  hasBehind: boolean,
): Plot.Markish[] {
  if (!sides) return [];
  const [behind, ahead] = sides;
  const most = hasBehind ? (canvas.width - 8) / 2 : canvas.width - 8;
  const text = (words: string, anchor: "start" | "end"): Plot.Markish =>
    Plot.text([fitting(words, most)], {
      frameAnchor: anchor === "start" ? "top-left" : "top-right",
      dx: anchor === "start" ? 4 - room : 0,
      dy: 9 - headPx,
      textAnchor: anchor,
      lineAnchor: "middle",
      fill: canvas.theme.muted,
    });
  return [...(hasBehind ? [text(`← ${behind}`, "start")] : []), text(`${ahead} →`, "end")];
}
