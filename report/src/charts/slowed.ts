// Rows that something slows, by what was measured beside them: page faults, the kernel, a low clock, their own threads.

import * as Plot from "@observablehq/plot";
import { type Data } from "../data";
import { drawn, isWanted, threadChoices, type View } from "../view";
import { percent, shown, threadsInWords } from "../words/numbers";
import { type Canvas, type Chart } from "./chart";
import { colourOf, groupNames, labelRoom, namedLines, plot, tipColours, lettersWide } from "./plot";

interface Slowdown {
  group: number;
  /** The line's name; different lines have different names. */
  line: string;
  workload: string;
  threads: string;
  loss: number;
  evidence: string;
}

/** So many rows are drawn, those that lose most; the values have all. */
const MOST_DRAWN = 15;
const LINE_PX = 20;

/** Bars of what rows lose, the most first; none where nothing slows one. */
export function slowed(data: Data, view: View): Chart | null {
  const all = found(data, view);
  if (all.length === 0) return null;
  const names = groupNames(data);
  const title = "What slows rows";
  const cut = all.length > MOST_DRAWN ? ` The ${MOST_DRAWN} rows of ${all.length} that lose most.` : "";
  return {
    name: "slowed",
    title,
    caption: `About how much of its throughput a row loses, from zero, and by what. No error bars.${cut}`,
    summary: `${title}: ${all.map((slowdown) => `${names[slowdown.group] ?? ""} ${slowdown.workload} on ${threadsInWords(slowdown.threads)} about ${percent(slowdown.loss)}: ${slowdown.evidence}`).join("; ")}.`,
    table: () => ({
      heads: ["machine", "workload", "threads", "loses about", "why"],
      rows: all.map((slowdown) => [
        names[slowdown.group] ?? "",
        slowdown.workload,
        slowdown.threads,
        percent(slowdown.loss),
        slowdown.evidence,
      ]),
    }),
    draw: (canvas) => draw(canvas, title, view, all.slice(0, MOST_DRAWN)),
  };
}

function found(data: Data, view: View): Slowdown[] {
  const names = groupNames(data);
  const groups = drawn(view);
  const choices = threadChoices(data);
  const all = groups.flatMap((group) =>
    (data.slowed[group] ?? []).flatMap(({ row, loss, evidence }): Slowdown[] => {
      const head = data.rows[row];
      if (!head || !choices.some((threads) => isWanted(data, view, row, threads))) return [];
      const workload = shown(head.name);
      const machine = groups.length > 1 ? `${names[group] ?? ""}: ` : "";
      const line = `${machine}${workload}, ${threadsInWords(head.threads)}`;
      const words = shown(data.texts[evidence] ?? "", 300);
      return [{ group, line, workload, threads: head.threads, loss, evidence: words }];
    }),
  );
  return all.sort((a, b) => b.loss - a.loss);
}

function draw(canvas: Canvas, title: string, view: View, drawn: Slowdown[]): SVGSVGElement {
  // Two things may slow one row.
  const lines = [...new Set(drawn.map((slowdown) => slowdown.line))];
  const worst = lines
    .map((line) => drawn.find((slowdown) => slowdown.line === line))
    .filter((slowdown) => slowdown !== undefined);
  const room = labelRoom(lines, canvas);
  const ink = (slowdown: Slowdown): string =>
    colourOf(view, canvas.theme, slowdown.group) ?? canvas.theme.ink;
  return plot(canvas, title, {
    marginLeft: room,
    marginRight: 30,
    marginTop: 10,
    marginBottom: 40,
    height: 56 + lines.length * LINE_PX,
    x: {
      domain: [0, 1],
      label: "loses about",
      labelAnchor: "center",
      labelArrow: "none",
      tickFormat: percent,
    },
    y: namedLines(lines, room),
    marks: [
      Plot.barX(worst, { x: "loss", y: "line", fill: ink, fillOpacity: 0.35 }),
      Plot.text(worst, {
        x: 0,
        y: "line",
        text: (slowdown: Slowdown) => {
          const whole = `${percent(slowdown.loss)}: ${slowdown.evidence}`;
          return lettersWide(whole) < canvas.width - room - 6 ? whole : percent(slowdown.loss);
        },
        dx: 6,
        textAnchor: "start",
        fill: canvas.theme.ink,
      }),
      ...(canvas.interactive
        ? [
            Plot.tip(
              worst,
              Plot.pointerY({
                x: "loss",
                y: "line",
                title: (slowdown: Slowdown) =>
                  `${slowdown.line}\n${percent(slowdown.loss)}: ${slowdown.evidence}`,
                ...tipColours(canvas),
              }),
            ),
          ]
        : []),
    ],
  });
}
