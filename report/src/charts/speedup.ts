// Speed-ups by more threads: each row's throughput on all of them over as many times that on one.

import { figureOf, intervalOf, type Data } from "../data";
import { isKnown, scaled, type Interval } from "../judge/interval";
import { drawn, isWanted, threadChoices, type View } from "../view";
import { count, fourDigits, percent, range, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { type MakeChart } from "./chart";
import { inSeries } from "./operations";
import { groupNames } from "./plot";
import { drawRatios } from "./ratios";
import { longFold } from "./relative";

interface SpeedUp {
  row: number;
  line: string;
  group: number;
  threads: number;
  times: Interval;
}

/** All workloads, on as many threads as the reader chose; for one thread, on the most. */
export const speedUps: MakeChart = (data, view) => {
  const choices = threadChoices(data);
  const most = choices.includes("all") ? "all" : (choices[choices.length - 1] ?? "1");
  const threads = view.threads === "1" ? most : view.threads;
  const all = inSeries(found(data, view, threads), ({ row }) => data.rows[row] as never);
  if (all.length === 0) return null;
  const names = groupNames(data);
  const on = threadsInWords(threads);
  const title = `Speed-up from 1 thread to ${on}, as a share of ideal`;
  const lines = [...new Set(all.map(({ line }) => line))];
  const share = ({ times, threads }: SpeedUp): Interval => scaled(times, 1 / threads);
  return {
    name: "speed-up",
    title,
    ...longFold(lines.length),
    caption: `Throughput on ${on} over as many times that on 1 thread, ${withErrorBars(all.map(({ times }) => isKnown(times)))}. Less than 100 % is usual where two threads share a core.`,
    summary: `${title}: ${all.map((speedUp) => `${speedUp.line} ${names[speedUp.group]} ${fourDigits(speedUp.times.centre)}× on ${speedUp.threads}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "machine", "threads", "speed-up", "95 %", "of ideal"],
      rows: all.map((speedUp) => [
        speedUp.line,
        names[speedUp.group] ?? "",
        String(speedUp.threads),
        fourDigits(speedUp.times.centre),
        width(speedUp.times),
        percent(share(speedUp).centre),
      ]),
    }),
    draw: (canvas) => {
      const dots = all.map((speedUp) => ({
        line: speedUp.line,
        group: speedUp.group,
        interval: share(speedUp),
        isDetected: true,
        title: `${speedUp.line}\n${names[speedUp.group] ?? ""}: ${fourDigits(speedUp.times.centre)}× on ${count(speedUp.threads, "thread")}, ${percent(share(speedUp).centre)} of ideal\n${range(speedUp.times)}`,
      }));
      return drawRatios(canvas, title, { label: "of ideal", isShare: true }, data, view, lines, dots);
    },
  };
};

function found(data: Data, view: View, threads: string): SpeedUp[] {
  return data.rows.flatMap((head, row) => {
    if (!isWanted(data, view, row, threads)) return [];
    return drawn(view).flatMap((group) => {
      const figure = figureOf(data, data.cells[group]?.[row]);
      if (!figure?.speedUp) return [];
      const { threads } = figure;
      return [{ row, line: shown(head.name), group, threads, times: intervalOf(figure.speedUp) }];
    });
  });
}
