// Every figure of a report as CSV, a row a figure.

import { figureOf, whyNone, type Data } from "../data";

const HEADS = [
  "machine",
  "workload",
  "family",
  "threads_asked",
  "threads",
  "ops_per_s",
  "low",
  "high",
  "windows",
  "bytes_per_op",
  "note",
];

/** A cell that no spreadsheet takes for a formula. */
function cell(of: string | number | null): string {
  if (typeof of === "number") return Number.isFinite(of) ? String(of) : "";
  const text = of ?? "";
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}

export function csv(data: Data): string {
  const lines = data.groups.flatMap((group, place) =>
    data.rows.flatMap((head, row) => {
      const of = data.cells[place]?.[row];
      if (!of) return [];
      const figure = figureOf(data, of);
      const note = figure ? figure.warnings.join("; ") : whyNone(data, of);
      const { centre = null, low = null, high = null } = figure?.interval ?? {};
      const cells = [
        group.label,
        head.name,
        head.family,
        head.threads,
        figure?.threads ?? null,
        centre,
        low,
        high,
        figure?.windows ?? null,
        head.bytes_per_op,
        note,
      ];
      return [cells.map(cell).join(",")];
    }),
  );
  return `${[HEADS.join(","), ...lines].join("\r\n")}\r\n`;
}
