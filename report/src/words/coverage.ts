// What the figures are of: an answer over all workloads says little about work that none of them does.

import { type Data } from "../data";
import { filters, isWantedWorkload, type View } from "../view";
import { threadsOf } from "./names";
import { count, shown } from "./numbers";

/** `67 workloads on all 64 threads: 36 cipher, 30 hash, 1 text; no public key, key exchange, AEAD, HTTP.` */
export function coverage(data: Data, groups: number[], threads: string): string[] {
  const counts = new Map<string, number>();
  const rows = data.rows.filter((row) => row.threads === threads);
  for (const { family } of rows) counts.set(family, (counts.get(family) ?? 0) + 1);
  if (rows.length === 0) return [];
  const found = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([family, of]) => `${of} ${shown(nameOfFamily(data, family), 40)}`);
  const missing = data.expected_families.filter(([family]) => !counts.has(family)).map(([, name]) => name);
  const none = missing.length > 0 ? `; no ${missing.join(", ")}` : "";
  return [
    `${count(rows.length, "workload")} on ${threadsOf(data, groups, threads)}: ${found.join(", ")}${none}.`,
  ];
}

function nameOfFamily(data: Data, family: string): string {
  return data.expected_families.find(([known]) => known === family)?.[1] ?? family;
}

/** What filters leave below the answer. */
export function filtered(data: Data, view: View): string {
  const chosen = shown(filters(view).join(", "), 80);
  const names = new Set(data.rows.map(({ name }) => name));
  const left = [...names].filter((name) => isWantedWorkload(data, view, name)).length;
  return left === 0
    ? `No workload matches ${chosen}: nothing to show below. The answer is of all ${count(names.size, "workload")}.`
    : `${count(left, "workload")} of ${names.size} (${chosen}) in the sections below. The answer is of all of them; ` +
        `\`sizeup report --workload TEXT\` answers for some.`;
}
