// The work that figures cover: an answer over all workloads says little about work that none of them does.

import { figureOf, rankedRows, rowsOf, type Data } from "../data";
import { hasRatio } from "../judge/comparison";
import { filters, isWantedWorkload, threadChoices, type View } from "../view";
import { threadsOf } from "./names";
import { count, shown } from "./numbers";

/** So many families of work are named. */
const MOST_NAMED = 2;

/**
 * The rows that an answer counts: those compared between the first of the groups and any other: `67 workloads on all 64
 * threads: 36 cipher, 30 hash, 1 text; no HTTP, databases, TLS handshakes.`
 */
export function coverage(data: Data, groups: number[], threads: string): string[] {
  const [baseline = 0, ...others] = groups;
  const rows = new Set(others.flatMap((other) => compared(data, baseline, other, threads)));
  return rows.size === 0
    ? []
    : [
        `${count(rows.size, "workload")} on ${threadsOf(data, groups, threads)}: ${kindsOf(data, [...rows])}.`,
      ];
}

/** The work that a machine alone was measured on: `20 workloads: 7 compress, …; no HTTP, databases.` */
export function coverageOfOne(data: Data, group: number): string {
  const rows = new Map(
    data.rows.flatMap(({ name }, row) => (figureOf(data, data.cells[group]?.[row]) ? [[name, row]] : [])),
  );
  return `${count(rows.size, "workload")}: ${kindsOf(data, [...rows.values()])}.`;
}

/** `36 cipher, 30 hash; no HTTP, databases`. */
function kindsOf(data: Data, rows: number[]): string {
  const counts = families(data, rows);
  const found = [...counts].map(([family, rows]) => `${rows} ${shown(nameOfFamily(data, family), 40)}`);
  const expected = data.category === undefined ? data.expected_families : [];
  const missing = expected.filter(([family]) => !counts.has(family)).map(([, name]) => name);
  const none = missing.length > 0 ? `; no ${missing.join(", ")}` : "";
  return `${found.join(", ")}${none}`;
}

/** The rows on a number of threads that have a ratio and are scored. */
function compared(data: Data, baseline: number, other: number, threads: string): number[] {
  return data.rows.flatMap((head, row) => {
    const isScored = head.threads === threads && !head.shares_stream;
    return isScored && hasRatio(data, row, baseline, other) ? [row] : [];
  });
}

/** How many rows are of each family, most first. */
function families(data: Data, rows: number[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const family = data.rows[row]?.family ?? "";
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** Whether little of what two machines did on all threads and on one is the same work: crates/judge/src/compare/score.rs. */
export function isOtherWork(data: Data, baseline: number, other: number): boolean {
  const choices = threadChoices(data);
  const most = choices.includes("all") ? "all" : (choices.at(-1) ?? "1");
  const names = (threads: string): Set<string> =>
    new Set(compared(data, baseline, other, threads).map((row) => data.rows[row]?.name ?? ""));
  const [onMost, onOne] = [names(most), names("1")];
  const both = [...onMost].filter((name) => onOne.has(name)).length;
  const fewer = Math.min(onMost.size, onOne.size);
  return most !== "1" && fewer > 0 && 2 * both < fewer;
}

/** Whether work is of a kind that has a name: other work is in no overall score beside it (crates/judge/src/compare/scored_pair.rs). */
export function isKnownKind(family: string): boolean {
  return family !== "" && family !== "other";
}

/** How rows are weighed. */
export const SCORING =
  "A score is a geometric mean in three steps: over the sizes and levels of an operation, over the operations of a category, and " +
  "over the categories. Suites of a study that defines a plain mean over its rows keep it.";

/** `cipher and hash (67 workloads)`. */
export function workOf(data: Data, baseline: number, other: number, threads: string): string {
  return workOfRows(data, compared(data, baseline, other, threads));
}

/** The work of a ranking, where it lacks a kind of work that a machine did: ` at cipher and hash (66 workloads)`. */
export function rankedWork(data: Data, threads: string): string {
  const rows = data.category === undefined ? rankedRows(data, threads) : null;
  if (!rows) return "";
  const ranked = families(data, rows);
  const lacksNone = data.rows.every(({ family }) => ranked.has(family) || !isKnownKind(family));
  return lacksNone ? "" : ` at ${workOfRows(data, rows)}`;
}

function workOfRows(data: Data, rows: number[]): string {
  const names = [...families(data, rows).keys()].map((family) => shown(family, 40));
  const first = names.slice(0, MOST_NAMED);
  const named = names.length > MOST_NAMED ? `${first.join(", ")} and more` : first.join(" and ");
  return `${named} (${count(rows.length, "workload")})`;
}

function nameOfFamily(data: Data, family: string): string {
  return data.expected_families.find(([known]) => known === family)?.[1] ?? family;
}

/** How much the filters leave below the answer. */
export function filtered(data: Data, view: View): string {
  const chosen = shown(filters(view).join(", "), 80);
  const names = new Set(rowsOf(data).map(({ name }) => name));
  const left = [...names].filter((name) => isWantedWorkload(data, view, name)).length;
  return left === 0
    ? `No workload matches ${chosen}: nothing to show below. The answer is of all ${count(names.size, "workload")}.`
    : `${count(left, "workload")} of ${names.size} (${chosen}) in the sections below. The answer is of all of them; ` +
        "sizeup report --workload TEXT answers for some.";
}
