// Every figure of a report as CSV, a row a figure.

import { figureOf, whyNone, type Data, type Figure, type RowHead } from "../data";
import { isKnown } from "../judge/interval";
import { inBytes } from "../words/unit";

/** A cell in which no spreadsheet finds a formula: crates/export/src/csv.rs says more. */
function cell(value: Value): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = value ?? "";
  const harmless = text.replace(/(^|[;|])(?=\s*[=+\-@＝＋－＠])/g, "$1'");
  return /[",]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}

/** A figure, or why there is none. */
interface Line {
  machine: string;
  row: RowHead;
  figure: Figure | null;
  whyNone: string | null;
}

type Value = string | number | null | undefined;

/** Each column's name and values. */
function columns(data: Data): [name: string, value: (line: Line) => Value][] {
  const end = (which: "low" | "high") => (line: Line) =>
    line.figure && isKnown(line.figure.interval) ? line.figure.interval[which] : null;
  const registered = data.columns.map(({ name }, place): [string, (line: Line) => Value] => [
    name,
    ({ figure }) => figure?.values[place],
  ]);
  return [
    ["machine", ({ machine }) => machine],
    ["workload", ({ row }) => row.name],
    ["family", ({ row }) => row.family],
    ["threads_asked", ({ row }) => row.threads],
    ["threads", ({ figure }) => figure?.threads],
    ["unit", ({ figure }) => figure && `${figure.unit}${data.view === "per-ghz" ? " per GHz" : ""}`],
    ["value", ({ figure }) => figure?.interval.centre],
    ["low", end("low")],
    ["high", end("high")],
    ["samples", ({ figure }) => figure?.samples],
    ...registered,
    ["mib_per_s", ({ figure }) => figure && inBytes(figure)?.centre],
    ["note", ({ figure, whyNone }) => (figure ? figure.warnings.join("; ") : whyNone)],
  ];
}

export function csv(data: Data): string {
  const all = columns(data);
  const lines = data.groups.flatMap(({ label }, group) =>
    data.rows.flatMap((row, place) => {
      const found = data.cells[group]?.[place];
      if (!found) return [];
      const line = { machine: label, row, figure: figureOf(data, found), whyNone: whyNone(data, found) };
      return [all.map(([, value]) => cell(value(line))).join(",")];
    }),
  );
  return `${[all.map(([name]) => name).join(","), ...lines].join("\r\n")}\r\n`;
}
