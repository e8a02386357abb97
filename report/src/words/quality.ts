// Whether the figures can be believed: what was found, what was disturbed, what has no ratio and why.

import { type Data, type Sheet } from "../data";
import { compare, type Row } from "../judge/comparison";
import { answerable, drawn, type View } from "../view";
import { count, percent } from "./numbers";

/** What was found of a machine. */
export interface Found {
  machine: string;
  found: string[];
}

/** Of each other that is shown, its rows against the baseline. */
export type Comparisons = Map<number, Row[]>;

export function comparisons(data: Data, view: View): Comparisons {
  return new Map(answerable(view).map((other) => [other, compare(data, view.baseline, other)]));
}

/** Of each machine that is shown. */
export function quality(data: Data, view: View, compared: Comparisons): Found[] {
  return drawn(view).map((group) => ({
    machine: data.groups[group]?.label ?? "",
    found: [
      ...(data.groups[group]?.sheets.flatMap(ofRun) ?? []),
      ...withoutRatio(compared.get(group) ?? []),
    ],
  }));
}

function ofRun(sheet: Sheet): string[] {
  const bad = sheet.findings.filter((finding) => finding.severity !== "fine" && finding.severity !== "not-available");
  const disturbed = Object.entries(sheet.disturbed).sort(([, a], [, b]) => b - a);
  const kinds = disturbed.map(([kind, windows]) => `${windows} of ${sheet.windows} by ${kind}`);
  return [
    origin(sheet),
    ...sheet.notes,
    ...bad.map((finding) => `${finding.severity}: ${finding.id}: ${[finding.seen, finding.meaning].filter(Boolean).join("; ")}`),
    ...(kinds.length > 0 ? [`disturbed windows: ${kinds.join(", ")}`] : []),
    ...sheet.outcomes.map((of) => `${of.workload} on ${of.threads}: ${[of.outcome, of.message, of.hint].filter(Boolean).join("; ")}`),
    ...(bad.length + sheet.notes.length + sheet.outcomes.length === 0 ? ["nothing was found that stands against it"] : []),
  ];
}

function origin(sheet: Sheet): string {
  const when = `${sheet.started.slice(0, 16).replace("T", " ")} UTC`;
  const length = `${count(Math.round(sheet.seconds), "second")}, ${count(sheet.windows, "window")}`;
  const end = `ended by ${sheet.ended ?? "nothing: it is incomplete"}`;
  const by = sheet.origin?.tool ?? `sizeup ${sheet.sizeup}`;
  const suite = `suite ${sheet.suite} version ${sheet.suite_version}`;
  return `${sheet.file}: ${suite}, ${when}, ${length}, ${end}; ±${percent(sheet.precision, 1)} was asked for; measured by ${by}`;
}

/** Why rows have no ratio, with how many there are of each reason. */
function withoutRatio(rows: Row[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.ratio) continue;
    const why = row.reason ?? row.differences.map((of) => `${of.what}: ${of.baseline} and ${of.other}`).join("; ");
    const told = `without a ratio, ${row.verdict}: ${why}`;
    counts.set(told, (counts.get(told) ?? 0) + 1);
  }
  return [...counts].map(([told, rows]) => `${told} (${count(rows, "row")})`);
}
