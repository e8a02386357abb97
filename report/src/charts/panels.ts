// Bars from zero, panels of them side by side: a panel a number of threads, a block of panels a unit.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { isKnown } from "../judge/interval";
import { drawn, type View } from "../view";
import { type Bar, type Block } from "./blocks";
import { type Canvas } from "./chart";
import {
  FULL,
  PALE,
  fitting,
  groupNames,
  groupScales,
  heading,
  labelRoom,
  legend,
  lettersWide,
  nest,
  plot,
  tickInWords,
  tipColours,
} from "./plot";

export interface Bars {
  /** The panels from the left. */
  sides: string[];
  /** Headings above them. */
  headings: Map<string, string>;
  blocks: Block[];
}

/** Below this a page has no room for panels side by side. */
const NARROW_PX = 560;
const BAR_PX = 12;
/** A line of a single bar needs no slot that sets it apart. */
const LONE_BAR_PX = 18;
/** The legend's first line is so far from the top. */
const LEGEND_PX = 8;
/** Where the heading stands, and the axis with its unit. */
const [TOP_PX, BOTTOM_PX] = [26, 40];
/** Figures stand behind bars' ends where the bars still have most of the panel. */
const MOST_FIGURES = 0.4;

interface Panel {
  canvas: Canvas;
  block: Block;
  side: string;
  /** Room for the names of lines; 0: they stand beside another panel. */
  room: number;
  groups: number[];
}

export function drawBars(
  canvas: Canvas,
  title: string,
  data: Data,
  view: View,
  contents: Bars,
): SVGSVGElement {
  const groups = drawn(view).filter((group) =>
    contents.blocks.some((block) => block.bars.some((bar) => bar.group === group)),
  );
  const isStacked = canvas.width < NARROW_PX;
  const room = labelRoom(
    contents.blocks.flatMap((block) => block.lines),
    canvas,
  );
  const key = legend(canvas, 0, data, view, groups);
  const placed: { drawing: SVGSVGElement; x: number; y: number }[] = [];
  let y = Math.max(0, key.height - LEGEND_PX);
  for (const block of contents.blocks) {
    const height = panelHeight(block, groups);
    const sides = contents.sides.filter((side) => block.bars.some((bar) => bar.side === side));
    const share = isStacked ? canvas.width : (canvas.width - room) / sides.length;
    sides.forEach((side, place) => {
      const hasNames = isStacked || place === 0;
      const width = isStacked ? share : share + (hasNames ? room : 0);
      const panel = { canvas: { ...canvas, width }, block, side, room: hasNames ? room : 0, groups };
      const x = hasNames ? 0 : room + place * share;
      placed.push({ drawing: drawPanel(panel, data, view, contents), x, y });
      if (isStacked) y += height;
    });
    if (!isStacked) y += height;
  }
  const outer = plot(canvas, title, {
    height: y,
    marginTop: key.height + LEGEND_PX,
    marginLeft: 0,
    marks: key.marks,
  });
  for (const { drawing, x, y } of placed) nest(outer, drawing, x, y);
  return outer;
}

function slotsOf({ lines }: Block, groups: number[]): string[] {
  // A slot without a bar sets the lines apart.
  const slots = groups.length > 1 ? [...groups, "gap"] : groups;
  return lines.flatMap((line) => slots.map((group) => `${line}\u0000${group}`));
}

function panelHeight(block: Block, groups: number[]): number {
  const slotPx = groups.length > 1 ? BAR_PX : LONE_BAR_PX;
  return TOP_PX + slotsOf(block, groups).length * slotPx + BOTTOM_PX;
}

function drawPanel(panel: Panel, data: Data, view: View, contents: Bars): SVGSVGElement {
  const { canvas, block, side, groups } = panel;
  const names = groupNames(data);
  const marginLeft = panel.room || 12;
  const bars = block.bars.filter((bar) => bar.side === side).map((bar) => barAt(bar, names));
  const figures = Math.max(0, ...bars.map((bar) => lettersWide(bar.valueText))) + 10;
  const hasFigures = figures < (canvas.width - marginLeft) * MOST_FIGURES;
  const marginRight = hasFigures ? figures : 14;
  const most = Math.max(0, ...bars.map((bar) => bar.end)) || 1;
  const middle = groups[Math.floor((groups.length - 1) / 2)] ?? 0;
  const label = new Map(block.lines.map((line) => [`${line}\u0000${middle}`, line]));
  const length = canvas.width - marginLeft - marginRight;
  return plot(canvas, "", {
    marginLeft,
    marginRight,
    marginTop: TOP_PX,
    marginBottom: BOTTOM_PX,
    height: panelHeight(block, groups),
    x: { domain: [0, most], axis: null },
    y: {
      type: "band",
      domain: slotsOf(block, groups),
      axis: null,
      padding: groups.length > 1 ? 0.15 : 0.3,
      round: false,
    },
    color: groupScales(data, view, canvas).color,
    marks: [
      ...axis(canvas, block.unit, length),
      heading(canvas, contents.headings.get(side) ?? side, -18),
      ...(panel.room > 0 ? [lineNames(canvas, label, panel.room)] : []),
      ...barMarks(canvas, bars, hasFigures),
    ],
  });
}

/** Bars with their intervals and figures, and what pointing at them shows. */
function barMarks(canvas: Canvas, bars: BarAt[], hasFigures: boolean): Plot.Markish[] {
  return [
    Plot.barX(bars, { x: "value", y: "at", fill: "name", fillOpacity: { value: "opacity", scale: null } }),
    Plot.link(bars, {
      filter: "isKnown",
      x1: "low",
      x2: "high",
      y1: "at",
      y2: "at",
      stroke: canvas.theme.ink,
    }),
    ...(hasFigures
      ? [
          Plot.text(bars, {
            x: "end",
            y: "at",
            text: "valueText",
            dx: 5,
            textAnchor: "start",
            fill: canvas.theme.muted,
            // No line runs through a figure.
            stroke: canvas.theme.paper,
            strokeWidth: 4,
          }),
        ]
      : []),
    ...(canvas.interactive
      ? [Plot.tip(bars, Plot.pointer({ x: "value", y: "at", title: "tip", ...tipColours(canvas) }))]
      : []),
  ];
}

type BarAt = ReturnType<typeof barAt>;

function barAt(bar: Bar, names: string[]) {
  const { centre, low, high } = bar.interval;
  return {
    at: `${bar.line}\u0000${bar.group}`,
    name: names[bar.group] ?? "",
    value: centre,
    low,
    high,
    isKnown: isKnown(bar.interval),
    // Where what is drawn of it ends.
    end: isKnown(bar.interval) ? high : centre,
    opacity: bar.isPale ? PALE : FULL,
    valueText: bar.valueText,
    tip: bar.tip,
  };
}

/** From zero, with its unit. */
function axis(canvas: Canvas, unit: string, length: number): Plot.Markish[] {
  const ticks = Math.max(2, Math.floor(length / 75));
  return [
    Plot.gridX({ ticks, stroke: canvas.theme.faint, strokeOpacity: 1 }),
    Plot.axisX({
      ticks,
      tickFormat: tickInWords,
      label: fitting(unit, length + 18),
      labelAnchor: "center",
      labelArrow: "none",
    }),
    Plot.ruleX([0], { stroke: canvas.theme.muted }),
  ];
}

function lineNames(canvas: Canvas, label: Map<string, string>, room: number): Plot.Markish {
  const lines = [...label.values()];
  return Plot.axisY([...label.keys()], {
    text: (slot: string) => fitting(label.get(slot) ?? "", room, lines),
    tickSize: 0,
    label: null,
    fill: canvas.theme.ink,
  });
}
