// A report's title and origin.

import { type Data } from "../data";
import { listed, nameOf } from "./names";
import { count, shown } from "./numbers";

/** Labels of the first groups (of two, the baseline last), or of the variants and what they are of. */
export function title(data: Data): string {
  if (data.groups.length === 2 && data.variants_of === null)
    return `${nameOf(data, 1, 40)} against ${nameOf(data, 0, 40)}`;
  const labels = listed(
    data.groups.map((_, group) => nameOf(data, group, 40)),
    4,
  );
  return data.variants_of === null ? labels : `${labels} on ${shown(data.variants_of, 40)}`;
}

const VIEWS: Record<string, string> = {
  uncontended: "uncontended",
  delivered: "as delivered",
  "per-ghz": "per GHz, uncontended",
  imported: "imported",
};

/** How much there is, in which view, measured and made when, and by what. */
export function origin(data: Data): string {
  const made = data.made.slice(0, 16).replace("T", " ");
  const contents = `${count(data.groups.length, data.variants_of === null ? "machine" : "variant")}, ${count(data.rows.length, "row")}, ${VIEWS[data.view] ?? data.view}`;
  const days = data.groups.flatMap(({ sheets }) => sheets.map(({ started }) => started.slice(0, 10))).sort();
  const measured = [...new Set([days[0], days[days.length - 1]])].join(" to ");
  return `${contents}; measured ${measured}; made ${made} UTC by sizeup ${data.sizeup}`;
}
