// What more threads bring: each row's throughput on all of them over that on one.

import { figureOf, intervalOf, type Data } from "../data";
import { type Interval } from "../judge/interval";
import { drawn, isWanted, threadChoices, type View } from "../view";
import { count, factor, quantity, range, shown, threadsInWords, width } from "../words/numbers";
import { errorBars, type Bar } from "./blocks";
import { slug, type Chart } from "./chart";
import { inSeries } from "./operations";
import { drawBars, type Mark } from "./panels";
import { groupNames } from "./plot";

interface Of {
  row: number;
  bar: Bar;
  threads: number;
  times: Interval;
}

/** With more bars than this a page shows one family at a time. */
const MOST_AT_ONCE = 120;
const UNIT = "times the throughput of 1 thread";

/** One picture of all workloads, of many one a family, on as many threads as the reader chose; for one thread, on the most. */
export function speedUps(data: Data, view: View): Chart[] {
  const choices = threadChoices(data);
  const most = choices.includes("all") ? "all" : (choices[choices.length - 1] ?? "1");
  const threads = view.threads === "1" ? most : view.threads;
  const all = inSeries(found(data, view, threads), ({ row }) => data.rows[row] as never);
  if (all.length === 0) return [];
  if (all.length <= MOST_AT_ONCE) return [chart(data, view, threads, "Speed-up", all)];
  const families = [...new Set(all.map(({ row }) => data.rows[row]?.family ?? ""))];
  return families.map((family) => {
    const ofFamily = all.filter(({ row }) => data.rows[row]?.family === family);
    const what = `${family === "other" ? "Workloads" : family}: speed-up`;
    return { ...chart(data, view, threads, what, ofFamily), about: family, name: slug("speed-up", family) };
  });
}

function found(data: Data, view: View, threads: string): Of[] {
  const names = groupNames(data);
  return data.rows.flatMap((head, row) => {
    if (!isWanted(data, view, row, threads)) return [];
    return drawn(view).flatMap((group) => {
      const figure = figureOf(data, data.cells[group]?.[row]);
      if (!figure?.speedUp) return [];
      const times = intervalOf(figure.speedUp);
      const line = shown(head.name);
      const valueText = `${factor(times.centre)}×`;
      const tip = `${line}\n${names[group] ?? ""}: ${valueText} on ${count(figure.threads, "thread")}\n${range(times)}`;
      const bar = { line, group, side: threads, interval: times, unit: UNIT, valueText, tip, isPale: false };
      return [{ row, bar, threads: figure.threads, times }];
    });
  });
}

function chart(data: Data, view: View, threads: string, what: string, all: Of[]): Chart {
  const names = groupNames(data);
  const on = threadsInWords(threads);
  const title = `${what} from 1 thread to ${on}`;
  const marks = drawn(view).flatMap((group): Mark[] => {
    const most = Math.max(0, ...all.filter((of) => of.bar.group === group).map((of) => of.threads));
    return most > 0
      ? [{ side: threads, group, at: most, valueText: `${names[group] ?? ""}: ${most} threads` }]
      : [];
  });
  const lines = [...new Set(all.map((of) => of.bar.line))];
  const counts = marks.map((mark) => mark.valueText).join(", ");
  return {
    name: "speed-up",
    title,
    caption: `Throughput on ${on} over that on one, from zero. ${errorBars(all.map((of) => of.times))} Dashed lines: ideal scaling (${counts}); less is usual where two threads share a core.`,
    summary: `${title}: ${all.map((of) => `${of.bar.line} ${names[of.bar.group]} ${of.bar.valueText}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "machine", "threads", "speed-up", "95 %", "of ideal"],
      rows: all.map((of) => [
        of.bar.line,
        names[of.bar.group] ?? "",
        String(of.threads),
        factor(of.times.centre),
        width(of.times),
        `${quantity((100 * of.times.centre) / of.threads)} %`,
      ]),
    }),
    draw: (canvas) =>
      drawBars(canvas, title, data, view, {
        sides: [threads],
        headings: new Map([[threads, on]]),
        blocks: [{ unit: UNIT, lines, bars: all.map((of) => of.bar) }],
        marks,
      }),
  };
}
