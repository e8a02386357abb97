// Events of a run while it measured, in lanes above what is shown over its time.

import * as Plot from "@observablehq/plot";
import { type Events, type Sheet } from "../data";
import { count } from "../words/numbers";
import { type Canvas } from "./chart";

const KINDS = ["launch", "disturbed", "resume"] as const;
const LANES = { launch: "launches", disturbed: "disturbed", resume: "resumed" };
const [MARK_PX, NEXT_MARK_PX, NEXT_LANE_PX] = [5, 6, 6];

/** A machine whose events are drawn. */
export interface Happened {
  name: string;
  events: Events[];
}

/** Heads of a table's columns that say how often what happened. */
export const EVENT_HEADS = ["launches", "disturbed samples", "resumed"];

/** How often what happened in a run; samples that several things disturbed count for each. */
export function eventCells(sheet: Sheet | undefined): string[] {
  const events = sheet?.events ?? [];
  const often = ({ at }: Events): number => at.reduce((sum, [, number]) => sum + number, 0);
  const total = (kind: Events["kind"]): string =>
    String(events.filter((entry) => entry.kind === kind).reduce((sum, entry) => sum + often(entry), 0));
  const why = events
    .filter((entry) => entry.kind === "disturbed")
    .map((entry) => `${entry.what}: ${often(entry)}`);
  const disturbed = why.length > 0 ? why.join(", ") : "0";
  return [total("launch"), disturbed, total("resume")];
}

/** Lanes above a picture's frame, left of which there is so wide a margin: a lane a kind of event, in it a line a machine. */
export function lanes(
  canvas: Canvas,
  marginLeft: number,
  happened: Happened[],
): { marks: Plot.Markish[]; height: number } {
  const kinds = KINDS.filter((kind) =>
    happened.some(({ events }) => events.some((entry) => entry.kind === kind)),
  );
  const lane = happened.length * NEXT_MARK_PX + NEXT_LANE_PX;
  const height = kinds.length * lane;
  const marks = kinds.flatMap((kind, place) => {
    const top = place * lane - height;
    const label = Plot.text([LANES[kind]], {
      frameAnchor: "top-left",
      dx: -marginLeft + 4,
      dy: top + (lane - NEXT_LANE_PX) / 2,
      textAnchor: "start",
      lineAnchor: "middle",
      fontSize: 10,
      fill: canvas.theme.muted,
    });
    const lines = happened.map((machine, line) => ticks(machine, kind, top + line * NEXT_MARK_PX));
    return [label, ...lines];
  });
  return { marks: [...marks, ...happened.map(resumes)], height };
}

function marksOf({ events }: Happened, kind: Events["kind"]): { second: number; words: string }[] {
  return events
    .filter((entry) => entry.kind === kind)
    .flatMap((entry) => entry.at.map(([second, number]) => ({ second, words: inWords(entry, number) })));
}

function inWords({ kind, what }: Events, number: number): string {
  if (kind === "launch") return count(number, "launch", "launches");
  return kind === "resume" ? "resumed" : `${count(number, "disturbed sample")}: ${what}`;
}

/** A short line at each event. */
function ticks(machine: Happened, kind: Events["kind"], top: number): Plot.Markish {
  return Plot.vector(marksOf(machine, kind), {
    x: "second",
    frameAnchor: "top",
    dy: top,
    length: MARK_PX,
    rotate: 180,
    anchor: "start",
    shape: {
      draw: (path, length) => {
        path.moveTo(0, 0);
        path.lineTo(0, -length);
      },
    },
    stroke: () => machine.name,
    strokeWidth: 1.5,
    title: ({ second, words }: { second: number; words: string }) => `${machine.name}, ${second} s: ${words}`,
  });
}

/** Before and after a resume are two sittings: a line through the whole picture parts them. */
function resumes(machine: Happened): Plot.Markish {
  return Plot.ruleX(marksOf(machine, "resume"), {
    x: "second",
    stroke: () => machine.name,
    strokeDasharray: "4 3",
  });
}
