// Every row against the baseline, sorted; at equal work, and at equal money.

import { type Data } from "../data";
import { compare, type Row, type Verdict } from "../judge/comparison";
import { isKnown, type Interval } from "../judge/interval";
import { answerable, currency, isWanted, priceOf, type View } from "../view";
import { end, fourDigits, range, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { hasOnlyOps, workInWords } from "../words/unit";
import { type Chart, type MakeChart } from "./chart";
import { groupNames } from "./plot";
import { drawRatios, type RatioDot } from "./ratios";

interface Found {
  group: number;
  row: Row;
  interval: Interval;
}

function found(data: Data, view: View, groups: number[], factorOf: (group: number) => number): Found[] {
  return groups.flatMap((group) => {
    return compare(data, view.baseline, group, factorOf(group)).flatMap((row) =>
      row.ratio && isWanted(data, view, row.row) ? [{ group, row, interval: row.ratio }] : [],
    );
  });
}

/** The rows from above: as in the table, by name, or by their mean ratio, the greatest first. */
function ordered(data: Data, view: View, all: { row: number; centre: number }[]): number[] {
  const rows = [...new Set(all.map((entry) => entry.row))].sort((a, b) => a - b);
  const name = (row: number): string => data.rows[row]?.name ?? "";
  if (view.sort === "name") return rows.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  if (view.sort === "table") return rows;
  const logs = new Map<number, number[]>();
  for (const { row, centre } of all) logs.set(row, [...(logs.get(row) ?? []), Math.log(centre)]);
  const mean = (row: number): number => {
    const known = logs.get(row) ?? [0];
    return known.reduce((sum, log) => sum + log, 0) / known.length;
  };
  return rows.sort((a, b) => mean(b) - mean(a));
}

function chart(
  data: Data,
  view: View,
  all: Found[],
  kind: {
    name: string;
    title: string;
    caption: string;
    label: string;
    words: Record<Verdict, string>;
  },
): Chart | null {
  if (all.length === 0) return null;
  const names = groupNames(data);
  const line = (row: number): string => shown(data.rows[row]?.name ?? "");
  const order = ordered(
    data,
    view,
    all.map((entry) => ({ row: entry.row.row, centre: entry.interval.centre })),
  );
  const dots: RatioDot[] = all.map(({ group, row, interval }) => ({
    line: line(row.row),
    group,
    interval,
    isDetected: row.verdict === "faster" || row.verdict === "slower",
    title: `${line(row.row)}\n${names[group]}: ${fourDigits(interval.centre)}\n${range(interval)}\n${kind.words[row.verdict]}`,
  }));
  const hasClock = all.some((entry) => entry.row.clockRatio !== null);
  const clock = ({ clockRatio }: Row): string => (clockRatio === null ? "" : fourDigits(clockRatio));
  const place = new Map(order.map((row, at) => [row, at]));
  const sorted = [...all].sort(
    (a, b) => (place.get(a.row.row) ?? 0) - (place.get(b.row.row) ?? 0) || a.group - b.group,
  );
  const ends = sorted.length > 0 ? [sorted[0], sorted[sorted.length - 1]] : [];
  return {
    name: kind.name,
    title: kind.title,
    fold: allWorkloads(order.length),
    caption: kind.caption,
    summary: `${all.length} ratios; ${ends.map((entry) => (entry ? `${line(entry.row.row)} ${fourDigits(entry.interval.centre)}` : "")).join(" to ")}.`,
    table: () => ({
      heads: [
        "workload",
        "machine",
        "ratio",
        "95 %",
        "from",
        "to",
        "verdict",
        ...(hasClock ? ["ratio of clocks"] : []),
      ],
      rows: sorted.map(({ row, group, interval }) => [
        line(row.row),
        names[group] ?? "",
        fourDigits(interval.centre),
        width(interval),
        end(interval, "low", fourDigits),
        end(interval, "high", fourDigits),
        kind.words[row.verdict],
        ...(hasClock ? [clock(row)] : []),
      ]),
    }),
    draw: (canvas) =>
      drawRatios(
        canvas,
        kind.title,
        { label: kind.label, isShare: false },
        data,
        view,
        order.map(line),
        dots,
      ),
  };
}

/** More lines than this a reader opens. */
const MOST_OPEN = 40;

export function longFold(lines: number): Pick<Chart, "fold"> {
  return lines > MOST_OPEN ? { fold: allWorkloads(lines) } : {};
}

/** Words that open a picture with a line for each workload. */
function allWorkloads(lines: number): string {
  return lines === 1 ? "The only workload" : `All ${lines} workloads`;
}

const OF_WORK: Record<Verdict, string> = {
  faster: "faster",
  slower: "slower",
  "no detectable difference": "no detectable difference",
  unknown: "unknown",
  "not comparable": "not comparable",
  missing: "missing",
};

/** Each row's throughput over the baseline's. */
export const relative: MakeChart = (data, view) => {
  const baseline = groupNames(data)[view.baseline] ?? "";
  const on = threadsInWords(view.threads);
  const all = found(data, view, answerable(view), () => 1);
  return chart(data, view, all, {
    name: "relative",
    title: `Each workload against ${baseline} on ${on}`,
    caption: `${workInWords(data)} over that of ${baseline}, ${withErrorBars(all.map((entry) => isKnown(entry.interval)))}, on a logarithmic axis.${all.some((entry) => isKnown(entry.interval)) ? " A hollow dot: no detectable difference (significance level 5 %, Holm-corrected over all rows)." : ""}`,
    label: `times ${baseline}`,
    words: OF_WORK,
  });
};

/** Each row's throughput per unit of money. */
export const priceAdjusted: MakeChart = (data, view) => {
  const baseline = groupNames(data)[view.baseline] ?? "";
  const ours = priceOf(data, view, view.baseline);
  const priced = answerable(view).filter((group) => priceOf(data, view, group) !== null);
  if (ours === null || priced.length === 0) return null;
  const price = (group: number): number => priceOf(data, view, group) ?? ours;
  const names = groupNames(data);
  const unit = currency(data);
  const prices = [view.baseline, ...priced]
    .map((group) => `${names[group]} ${fourDigits(price(group))} ${unit}/h`)
    .join(", ");
  const all = found(data, view, priced, (group) => ours / price(group));
  return chart(data, view, all, {
    name: "price-adjusted",
    title: `Price-adjusted throughput against ${baseline} on ${threadsInWords(view.threads)}`,
    caption: `${hasOnlyOps(data) ? "Operations" : "Work"} per unit of money relative to ${baseline}, ${withErrorBars(all.map((entry) => isKnown(entry.interval)))}, at ${prices}.`,
    label: `times ${baseline}, price-adjusted`,
    words: { ...OF_WORK, faster: "more for its price", slower: "less for its price" },
  });
};
