// What a report is of.

import { type Data } from "../data";
import { count, shown } from "./numbers";

/** Labels of the first groups. */
export function title(data: Data): string {
  const names = data.groups.map((group) => shown(group.label, 40));
  if (names.length <= 4) return names.join(" · ");
  return `${names.slice(0, 3).join(" · ")} and ${names.length - 3} more`;
}

const VIEWS: Record<string, string> = {
  uncontended: "uncontended",
  delivered: "as delivered",
  "per-ghz": "per GHz, uncontended",
  imported: "as imported",
};

/** How much there is, in which view, made when and by what. */
export function origin(data: Data): string {
  const made = data.made.slice(0, 16).replace("T", " ");
  const of = `${count(data.groups.length, "machine")}, ${count(data.rows.length, "row")}, ${VIEWS[data.view] ?? data.view}`;
  return `${of}; made ${made} UTC by sizeup ${data.sizeup}`;
}
