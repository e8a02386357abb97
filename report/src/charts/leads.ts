// A machine's ratios as bars from zero, each with its figure on the right.

import * as Plot from "@observablehq/plot";
import { isKnown, type Interval } from "../judge/interval";
import { times } from "../words/speed";
import { type Canvas } from "./chart";
import { fitting, FULL, lettersWide, PALE, plot } from "./plot";

export interface LeadBar {
  line: string;
  interval: Interval;
  /** Shown where a pointer is at it. */
  tip: string;
  /** Whether the ratio differs detectably from 1. */
  isDetected: boolean;
  /** Whether it is of all the others together. */
  isWhole: boolean;
}

interface Options {
  title: string;
  bars: LeadBar[];
  /** The machine that a ratio is over: `c6i`. */
  over: string;
  colour: string;
}

/** Below this width a name stands above its bar, and not beside it. */
const NARROW_PX = 560;
const [LINE_PX, TWO_LINES_PX, HEAD_PX, FOOT_PX] = [26, 40, 20, 6];
const MOST_NAME_PX = 300;

/** Draws the bars in this order from above, with a line at 1. */
export function drawLeads(canvas: Canvas, { title, bars, over, colour }: Options): SVGSVGElement {
  const isNarrow = canvas.width < NARROW_PX;
  const linePx = isNarrow ? TWO_LINES_PX : LINE_PX;
  const lines = bars.map(({ line }) => line);
  const names = Math.max(...lines.map(lettersWide));
  const room = isNarrow ? 4 : Math.ceil(Math.min(names + 18, MOST_NAME_PX, canvas.width * 0.4));
  const figures = Math.max(...bars.map(({ interval }) => lettersWide(times(interval.centre)))) + 14;
  const most = Math.max(
    1,
    ...bars.map(({ interval }) => (isKnown(interval) ? interval.high : interval.centre)),
  );
  const points = bars.map((bar, place) => ({ ...bar, ...bar.interval, slot: String(place) }));
  // On the side of the line at 1 that has more room.
  const isRight = 1 / most < 0.5;
  const label = `${over} = 1`;
  const length = (canvas.width - room - figures) * Math.max(1 / most, 1 - 1 / most);
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: figures,
    marginTop: HEAD_PX,
    marginBottom: FOOT_PX,
    height: HEAD_PX + FOOT_PX + bars.length * linePx,
    x: { domain: [0, most], axis: null },
    y: { type: "band", domain: points.map(({ slot }) => slot), axis: null, padding: 0.25 },
    marks: [
      Plot.barX(points, {
        x: "centre",
        y: "slot",
        insetTop: isNarrow ? 17 : 0,
        fill: colour,
        fillOpacity: { value: ({ isDetected }: LeadBar) => (isDetected ? FULL : PALE), scale: null },
      }),
      Plot.ruleY(
        points.filter(({ interval }) => isKnown(interval)),
        { x1: "low", x2: "high", y: "slot", dy: isNarrow ? 8 : 0, stroke: canvas.theme.ink },
      ),
      Plot.ruleX([0], { stroke: canvas.theme.muted }),
      // A name above its bar is not run through.
      Plot.tickX(points, {
        x: () => 1,
        y: "slot",
        insetTop: isNarrow ? 15 : -3,
        insetBottom: -3,
        stroke: canvas.theme.muted,
        strokeDasharray: "4,3",
      }),
      Plot.text([fitting(label, length + 18)], {
        x: 1,
        frameAnchor: "top",
        dx: isRight ? -1 : 1,
        dy: -HEAD_PX + 8,
        lineAnchor: "middle",
        textAnchor: isRight ? "start" : "end",
        fill: canvas.theme.muted,
      }),
      ...[true, false].flatMap((isWhole) => {
        const some = points.filter((bar) => bar.isWhole === isWhole);
        const style = { y: "slot", fill: canvas.theme.ink, fontWeight: isWhole ? "600" : "400" };
        return [
          Plot.text(some, {
            ...style,
            frameAnchor: "left",
            dx: isNarrow ? 4 : 8 - room,
            dy: isNarrow ? -11 : 0,
            textAnchor: "start",
            text: ({ line }: LeadBar) => fitting(line, isNarrow ? canvas.width : room, lines),
            ...(isNarrow ? { stroke: canvas.theme.paper, strokeWidth: 4 } : {}),
          }),
          Plot.text(some, {
            ...style,
            frameAnchor: "right",
            dx: figures,
            dy: isNarrow ? 8 : 0,
            textAnchor: "end",
            text: ({ interval }: LeadBar) => times(interval.centre),
          }),
        ];
      }),
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
