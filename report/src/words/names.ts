// Machines and thread counts as sentences name them.

import { countsOfAll, type Data } from "../data";
import { cpusAtWork } from "../judge/measure";
import { cut, shown, threadsInWords, visible } from "./numbers";

export function nameOf(data: Data, group: number, most = 60): string {
  const label = visible(data.groups[group]?.label ?? "");
  return label.length <= most
    ? label
    : cut(
        label,
        most,
        data.groups.map(({ label }) => visible(label)),
      );
}

/**
 * `all 64 threads` where these machines have as many, else `all threads`; `8 threads`. Of two, one whose `all` is only a part of its
 * machine is named: `all threads, c7g on 4 of its 16 CPUs`.
 */
export function threadsOf(data: Data, groups: number[], threads: string): string {
  if (threads !== "all") return threadsInWords(threads) + atWork(data);
  const counts = new Set(groups.flatMap((group) => countsOfAll(data, group)));
  const [count = 0] = counts;
  const all = counts.size === 1 && count > 1 ? `all ${count} threads` : threadsInWords(threads);
  const parts = groups.flatMap((group) => {
    const most = cpusAtWork(data, group);
    const cpus = data.groups[group]?.cpu_count ?? 0;
    return most > 0 && most < cpus ? [`${nameOf(data, group)} on ${most} of its ${cpus} CPUs`] : [];
  });
  return [all + atWork(data), ...(groups.length === 2 ? parts : [])].join(", ");
}

/** ` at hash` where the data are of one category. */
export function atWork({ category }: Data): string {
  return category === undefined ? "" : ` at ${shown(category, 40)}`;
}

/** `a, b and 3 more`. */
export function listed(names: string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

/** `Arm`, `x86`, or what the machine calls it. */
export function architectureOf(data: Data, group: number): string | null {
  const facts = data.groups[group]?.sheets[0]?.machine ?? [];
  const reported = facts.find(([part, label]) => part === "CPU" && label === "architecture")?.[2];
  if (reported === undefined || reported.startsWith("not available")) return null;
  return { x86_64: "x86", aarch64: "Arm" }[reported] ?? shown(reported, 20);
}
