// The answer of one machine, which there is nothing to compare to.

import { figureOf, intervalOf, type Data, type Figure } from "../data";
import { margin, type Interval } from "../judge/interval";
import { marginInWords } from "../judge/program";
import { type Answer, type Tile } from "./answer";
import { coverageOfOne } from "./coverage";
import { nameOf, threadsOf } from "./names";
import { count, shown } from "./numbers";
import { times } from "./speed";

/** A workload's throughput on all threads over that on one. */
export interface SpeedUp {
  workload: string;
  interval: Interval;
}

/** The speed-ups of a machine, the greatest first. */
export function speedUps(data: Data, group: number): SpeedUp[] {
  const found = data.rows.flatMap(({ name, threads }, row) => {
    const speedUp = threads === "all" ? figureOf(data, data.cells[group]?.[row])?.speedUp : null;
    return speedUp ? [{ workload: name, interval: intervalOf(speedUp) }] : [];
  });
  return found.sort((a, b) => b.interval.centre - a.interval.centre);
}

function median(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

const UNKNOWN = "unknown";

/** The median margin of rows. */
function precision(rows: { figure: Figure }[]): string {
  return marginInWords(median(rows.map(({ figure: { interval } }) => margin(interval))) ?? Infinity);
}

export function alone(data: Data, group: number): Answer {
  const measured = data.rows.flatMap(({ name, threads }, row) => {
    const figure = figureOf(data, data.cells[group]?.[row]);
    return figure ? [{ name, threads, figure }] : [];
  });
  const workloads = count(new Set(measured.map(({ name }) => name)).size, "workload");
  const found = speedUps(data, group);
  const speedUp = median(found.map(({ interval }) => interval.centre));
  const typical = precision(measured);
  const byThreads = [...new Set(measured.map(({ threads }) => threads))].map(
    (threads) =>
      `${precision(measured.filter((row) => row.threads === threads))} on ${threadsOf(data, [group], threads)}`,
  );
  const name = nameOf(data, group);
  const headline =
    speedUp === null
      ? `${name}: ${workloads} measured`
      : `${name}: ${threadsOf(data, [group], "all")} give ${times(speedUp)} the throughput of 1 thread on the median workload`;
  const tiles: Tile[] = [
    { about: "measured", group: null, value: workloads, detail: count(measured.length, "figure") },
    {
      about: "precision",
      group: null,
      value: typical,
      detail:
        typical === UNKNOWN
          ? "no error bars"
          : `median margin${data.view === "imported" ? "" : " from run to run"}, 95\u00a0% CI${byThreads.length > 1 ? `: ${byThreads.join(", ")}` : ""}`,
    },
  ];
  if (speedUp !== null) {
    const { length } = found;
    tiles.unshift({
      about: threadsOf(data, [group], "all"),
      group: null,
      value: times(speedUp),
      detail: `of 1 thread, median of ${count(length, "workload")}`,
    });
  }
  const [file] = (data.groups[group]?.sheets ?? []).map(({ file }) => shown(file, 80));
  const next =
    data.groups.length === 1
      ? [`To compare it, measure another machine and open both: sizeup report ${file} OTHER.run.jsonl`]
      : [];
  return { headline, tiles, facts: measured.length > 0 ? [coverageOfOne(data, group), ...next] : next };
}
