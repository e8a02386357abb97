// Every figure of a report as CSV, a row a figure.

import { figureOf, whyNone, type Data } from "../data";
import { isKnown } from "../judge/interval";
import { inBytes } from "../words/unit";

/** A cell in which no spreadsheet finds a formula: crates/export/src/csv.rs says more. */
function cell(value: string | number | null): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = value ?? "";
  const harmless = text.replace(/(^|[;|])(?=\s*[=+\-@＝＋－＠])/g, "$1'");
  return /[",]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}

export function csv(data: Data): string {
  const lines = data.groups.flatMap((group, place) =>
    data.rows.flatMap((head, row) => {
      const found = data.cells[place]?.[row];
      if (!found) return [];
      const figure = figureOf(data, found);
      const note = figure ? figure.warnings.join("; ") : whyNone(data, found);
      const { centre = null } = figure?.interval ?? {};
      const { low = null, high = null } = figure && isKnown(figure.interval) ? figure.interval : {};
      const cells = [
        group.label,
        head.name,
        head.family,
        head.threads,
        figure?.threads ?? null,
        figure && `${figure.unit}${data.view === "per-ghz" ? " per GHz" : ""}`,
        centre,
        low,
        high,
        figure?.samples ?? null,
        figure?.bytesPerOp ?? null,
        figure?.clockHz ?? null,
        figure?.kernelShare ?? null,
        figure?.faultsPerOp ?? null,
        (figure && inBytes(figure)?.centre) ?? null,
        note,
      ];
      return [cells.map(cell).join(",")];
    }),
  );
  const heads = [
    "machine",
    "workload",
    "family",
    "threads_asked",
    "threads",
    "unit",
    "value",
    "low",
    "high",
    "samples",
    "bytes_per_op",
    "clock_hz",
    "kernel_share",
    "minor_faults_per_op",
    "mib_per_s",
    "note",
  ];
  return `${[heads.join(","), ...lines].join("\r\n")}\r\n`;
}
