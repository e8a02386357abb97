// What a report is of.

import { type Data } from "../data";
import { listed } from "./names";
import { count, shown } from "./numbers";

/** Labels of the first groups. */
export function title(data: Data): string {
  return listed(
    data.groups.map((group) => shown(group.label, 40)),
    4,
  );
}

const VIEWS: Record<string, string> = {
  uncontended: "uncontended",
  delivered: "as delivered",
  "per-ghz": "per GHz, uncontended",
  imported: "imported",
};

/** How much there is, in which view, made when and by what. */
export function origin(data: Data): string {
  const made = data.made.slice(0, 16).replace("T", " ");
  const of = `${count(data.groups.length, "machine")}, ${count(data.rows.length, "row")}, ${VIEWS[data.view] ?? data.view}`;
  return `${of}; made ${made} UTC by sizeup ${data.sizeup}`;
}
