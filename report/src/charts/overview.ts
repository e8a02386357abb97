// The picture of the answer: of two machines the categories, of one its speed-ups.

import { OVERALL, type Data } from "../data";
import { type RowHead } from "../shapes";
import { compare } from "../judge/comparison";
import { scaled, type Interval } from "../judge/interval";
import { chosenMeasure, ofWork, type Measure } from "../judge/measure";
import { overall, scoresOf } from "../judge/score";
import { isWanted, type View } from "../view";
import { speedUps } from "../words/alone";
import { aboutOf, onWhat, pairOf } from "../words/answer";
import { nameOf, threadsOf } from "../words/names";
import { count, end, fourDigits, shown, width } from "../words/numbers";
import { confidenceOfFactor, isDecided, standing, times, type Lead } from "../words/speed";
import { errorBars } from "./blocks";
import { type Chart, type MakeChart } from "./chart";
import { drawLeads, type LeadBar } from "./leads";
import { byLevel, bySize } from "./operations";
import { colourOf } from "./plot";

/** So many wins and losses are drawn. */
const MOST_EXTREMES = 5;
/** More workloads than this are too many for the first screen. */
const MOST_WORKLOADS = 12;
/** So many of a machine's workloads are drawn where it stands alone. */
const MOST_SPEED_UPS = 12;

/** Nothing of many machines: these are ranked. */
export const overview: MakeChart = (data, view) => {
  if (view.shown.length === 0) return ofOne(data, view);
  const lead = leadOfPair(data, view);
  if (!lead) return null;
  const categories = categoriesOf(data, view, lead);
  if (categories.length > 1) return ofLines(data, view, lead, categories, "category", "categories");
  const workloads = fewWorkloads(data, view, lead);
  return workloads.length > 0 ? ofLines(data, view, lead, workloads, "workload", "workloads") : null;
};

/** The measure that the reader chose, where it is known of both, and how much more of it that is than of throughput. */
function chosen(
  data: Data,
  view: View,
  { one, other, interval }: Lead,
): { measure: Measure; factor: number } {
  const measure = chosenMeasure(data, view);
  const held = measure.held(one, other);
  return held
    ? { measure, factor: held.interval.centre / interval.centre }
    : { measure: ofWork(data, view.threads), factor: 1 };
}

function categoriesOf(data: Data, view: View, lead: Lead): Line[] {
  return scoresOf(data, lead.other, lead.one).flatMap(({ category, threads, rows, interval }) =>
    category !== OVERALL && threads === view.threads && interval ? [{ line: category, rows, interval }] : [],
  );
}

/** Each workload, where they are of one category and few enough for the first screen. */
function fewWorkloads(data: Data, view: View, lead: Lead): Line[] {
  if (categoriesOf(data, view, lead).length > 1) return [];
  const workloads = compare(data, lead.other, lead.one).flatMap(({ row, ratio }) =>
    ratio && isWanted(data, view, row)
      ? [{ line: data.rows[row]?.name ?? "", rows: 1, interval: ratio }]
      : [],
  );
  return workloads.length <= MOST_WORKLOADS ? workloads : [];
}

/** The five largest wins and losses of the machine that is ahead, unless the overview has them all. */
export const extremes: MakeChart = (data, view) => {
  const lead = leadOfPair(data, view);
  if (!lead || fewWorkloads(data, view, lead).length > 0) return null;
  const rows = compare(data, lead.other, lead.one).flatMap(({ row, ratio, verdict }) => {
    const head = data.rows[row];
    return head && ratio && verdict !== "no detectable difference" && isWanted(data, view, row)
      ? [{ line: head.name, head, rows: 1, interval: ratio }]
      : [];
  });
  const sorted = byLead(onePerSeries(rows));
  const wins = sorted.filter(({ interval }) => interval.centre > 1).slice(0, MOST_EXTREMES);
  const losses = sorted.filter(({ interval }) => interval.centre < 1).slice(-MOST_EXTREMES);
  if (rows.length <= 2) return null;
  const [ahead, behind] = [nameOf(data, lead.one, 40), nameOf(data, lead.other, 40)];
  const on = threadsOf(data, [lead.one, lead.other], view.threads);
  const title = rows.every(({ interval }) => interval.centre > 1)
    ? `${ahead} is ahead on every workload that differs on ${on}`
    : `Largest wins and losses of ${ahead} against ${behind} on ${on}`;
  return chart(
    "extremes",
    title,
    `From ${count(rows.length, "workload")} that differ; of one at several sizes or levels, the largest.`,
    "workload",
    [...wins, ...losses],
    data,
    view,
    lead,
  );
};

/** The largest win and the largest loss of rows that differ only in a size or a level. */
function onePerSeries<T extends Line & { head: RowHead }>(rows: T[]): T[] {
  const kept = new Map<string, T>();
  const size = ({ interval }: Line): number => Math.abs(Math.log(interval.centre));
  for (const row of rows) {
    const series = (bySize(row.head) ?? byLevel(row.head))?.series ?? row.line;
    const key = `${series} ${row.interval.centre > 1}`;
    const known = kept.get(key);
    if (!known || size(row) > size(known)) kept.set(key, row);
  }
  return [...kept.values()];
}

interface Line {
  line: string;
  rows: number;
  /** Whether it is of all the others together. */
  isWhole?: boolean;
  /** The leader's over the other's. */
  interval: Interval;
}

function byLead(lines: Line[]): Line[] {
  return [...lines].sort((a, b) => b.interval.centre - a.interval.centre);
}

/** The pair that is shown, the baseline second. */
function leadOfPair(data: Data, view: View): Lead | null {
  const pair = pairOf(view);
  const score = pair && overall(data, pair[0], pair[1], view.threads)?.interval;
  return pair && score ? { one: pair[1], other: pair[0], interval: score, standing: standing(score) } : null;
}

function ofLines(data: Data, view: View, lead: Lead, found: Line[], one: string, many: string): Chart {
  const { measure, factor } = chosen(data, view, lead);
  const lines = found.map((line) => ({ ...line, interval: scaled(line.interval, factor) }));
  const groups = [lead.one, lead.other];
  const on = onWhat(data, groups, measure);
  const name = nameOf(data, lead.one, 40);
  const won = lines.filter(
    ({ interval }) => ["ahead", "no-error-bars"].includes(standing(interval)) && interval.centre > 1,
  );
  const isAllTied = lines.every(({ interval }) => !isDecided(interval));
  const title = isAllTied
    ? `No detectable difference in any ${one} ${on}`
    : won.length === lines.length
      ? `${name} is ahead in every ${one} ${on}`
      : lines.every(({ interval }) => isDecided(interval) && interval.centre < 1)
        ? `${name} is behind in every ${one} ${on}`
        : `${name} is ahead in ${won.length} of ${count(lines.length, one, many)} ${on}`;
  const caption = one === "category" ? "Geometric mean of each category's workloads." : "";
  const rows = overall(data, lead.other, lead.one, view.threads)?.rows ?? 0;
  const whole = { line: OVERALL, rows, interval: scaled(lead.interval, factor), isWhole: true };
  const all = lines.length > 1 ? [whole, ...byLead(lines)] : lines;
  return chart("overview", title, caption, one, all, data, view, lead, measure);
}

function chart(
  name: string,
  title: string,
  caption: string,
  one: string,
  lines: Line[],
  data: Data,
  view: View,
  lead: Lead,
  measure = ofWork(data, view.threads),
): Chart {
  const [ahead, behind] = [nameOf(data, lead.one, 40), nameOf(data, lead.other, 40)];
  const isOfCategories = one === "category";
  const per = measure.kind === "work" ? "" : ` ${aboutOf(data, [lead.one, lead.other], measure)}`;
  const bars = lines.map(({ line, rows, interval, isWhole = false }): LeadBar => ({
    line: shown(line),
    interval,
    isDetected: isDecided(interval),
    isWhole,
    tip: `${shown(line)}: ${ahead} ${times(interval.centre)} ${behind}\n${confidenceOfFactor(interval)}\n${count(rows, "workload")}`,
  }));
  const pale = bars.some(({ isDetected }) => !isDetected) ? " Pale bars: no detectable difference." : "";
  return {
    name,
    title,
    caption:
      `${caption} Throughput${per} of ${ahead} over that of ${behind}, from zero. ${errorBars(lines.map(({ interval }) => interval))}${pale}`.trim(),
    summary: `${title}. ${bars.map(({ line, interval }) => `${line}: ${times(interval.centre)}`).join("; ")}.`,
    table: () => ({
      heads: [
        ...(isOfCategories ? ["category", "workloads"] : ["workload"]),
        `${ahead} over ${behind}`,
        "95 %",
        "from",
        "to",
      ],
      rows: lines.map(({ line, rows, interval }) => [
        shown(line),
        ...(isOfCategories ? [String(rows)] : []),
        fourDigits(interval.centre),
        width(interval),
        end(interval, "low", fourDigits),
        end(interval, "high", fourDigits),
      ]),
    }),
    draw: (canvas) =>
      drawLeads(canvas, { title, bars, over: behind, colour: colourOf(view, canvas.theme, lead.one) ?? "" }),
  };
}

function ofOne(data: Data, view: View): Chart | null {
  const group = view.baseline;
  const all = speedUps(data, group);
  if (all.length === 0) return null;
  const half = MOST_SPEED_UPS / 2;
  const lines = all.length > MOST_SPEED_UPS ? [...all.slice(0, half), ...all.slice(-half)] : all;
  const threads = threadsOf(data, [group], "all");
  const title = `Speed-up of ${nameOf(data, group, 40)} from 1 thread to ${threads}`;
  const which =
    all.length > lines.length
      ? `The ${half} largest and ${half} smallest of ${count(all.length, "workload")}.`
      : "";
  const bars = lines.map(({ workload, interval }): LeadBar => ({
    line: shown(workload),
    interval,
    isDetected: true,
    isWhole: false,
    tip: `${shown(workload)}: ${times(interval.centre)}\n${confidenceOfFactor(interval)}`,
  }));
  return {
    name: "overview",
    title,
    caption: `${which} From zero. ${errorBars(lines.map(({ interval }) => interval))}`.trim(),
    summary: `${title}: ${bars.map(({ line, interval }) => `${line} ${times(interval.centre)}`).join("; ")}.`,
    table: () => ({
      heads: ["workload", "speed-up", "95 %"],
      rows: lines.map(({ workload, interval }) => [
        shown(workload),
        fourDigits(interval.centre),
        width(interval),
      ]),
    }),
    draw: (canvas) =>
      drawLeads(canvas, { title, bars, over: "1 thread", colour: colourOf(view, canvas.theme, group) ?? "" }),
  };
}
