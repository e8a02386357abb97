// Whether the figures can be believed: what was found, what was disturbed, what has no ratio and why.

import { type Data, type Sheet } from "../data";
import { compare } from "../judge/comparison";
import { answerable, drawn, type View } from "../view";
import { inWords } from "./differences";
import { count, percent, shown } from "./numbers";

/** Something that was found. */
export interface Found {
  text: string;
  /** How much it stands against the figures. */
  severity: "told" | "fine" | "note" | "warning" | "unfit";
  /** Which rows it is about, where it is not about all. */
  rows: string[];
}

/** What was found of a machine. */
interface MachineFound {
  machine: string;
  found: Found[];
}

/** Of each machine that is shown. */
export function quality(data: Data, view: View): MachineFound[] {
  return drawn(view).map((group) => ({
    machine: data.groups[group]?.label ?? "",
    found: [
      ...(data.groups[group]?.sheets.flatMap(ofRun) ?? []),
      ...(data.groups[group]?.notes ?? []).map((text) => found(text, "note")),
      ...(answerable(view).includes(group)
        ? [...together(data, view, group), ...withoutRatio(data, view, group)]
        : []),
    ],
  }));
}

function ofRun(sheet: Sheet): Found[] {
  const against = [
    ...sheet.notes.map((text) => found(text, "warning")),
    ...findings(sheet),
    ...outcomes(sheet),
  ];
  const disturbed = Object.entries(sheet.disturbed).sort(([, a], [, b]) => b - a);
  const kinds = disturbed.map(([kind, samples]) => `${samples} (${kind})`);
  return [
    found(origin(sheet), "told"),
    ...variants(sheet).map((text) => found(text, "told")),
    ...against,
    ...(kinds.length > 0
      ? [found(`disturbed samples, of ${sheet.samples}: ${kinds.join(", ")}`, "told")]
      : []),
    ...unseen(sheet),
    ...(against.length + kinds.length === 0 ? [found("no problems found", "fine")] : []),
  ];
}

/** Where the variants of a run are compared, if it has any: that is not done row by row. */
export function variants({ file, variants }: Sheet): string[] {
  if (variants.length === 0) return [];
  const names = shown(variants.join(", "), 200);
  return [`Its variants (${names}) are compared pair by pair by sizeup compare ${shown(file)}`];
}

function found(text: string, severity: Found["severity"], rows: string[] = []): Found {
  return { text, severity, rows };
}

function findings(sheet: Sheet): Found[] {
  return sheet.findings.flatMap(({ id, severity, seen, meaning, remedy }) => {
    if (severity === "fine" || severity === "not-available") return [];
    const told = [seen, meaning, remedy].filter(Boolean).join("; ");
    return [found(`${severity}: ${id}: ${told}`, severity)];
  });
}

/** What no rule could look at, which is not to say that it is fine. */
function unseen(sheet: Sheet): Found[] {
  const rules = sheet.findings.filter(({ severity }) => severity === "not-available");
  if (rules.length === 0) return [];
  const why = rules.map(({ id, seen }) => `${id}: ${seen}`);
  return [found(`${count(rules.length, "rule")} had nothing to look at`, "told", why)];
}

function outcomes(sheet: Sheet): Found[] {
  return sheet.outcomes.map(({ workload, threads, outcome, message, hint }) =>
    found(`${workload} on ${threads}: ${[outcome, message, hint].filter(Boolean).join("; ")}`, "warning"),
  );
}

function origin(sheet: Sheet): string {
  const when = `${sheet.started.slice(0, 16).replace("T", " ")} UTC`;
  if (sheet.origin) {
    return `${sheet.file}: imported from ${sheet.origin.tool}, ${when}`;
  }
  const length = `${count(Math.round(sheet.seconds), "second")}, ${count(sheet.samples, "sample")}`;
  const end = `ended by ${sheet.ended ?? "nothing: it is incomplete"}`;
  const by = `sizeup ${sheet.sizeup}`;
  const suite = `suite ${sheet.suite} version ${sheet.suite_version}`;
  return `${sheet.file}: ${suite}, ${when}, ${length}, ${end}; ±${percent(sheet.precision, 1)} was asked for; measured by ${by}`;
}

/** What must be known of it and the baseline together. */
function together(data: Data, view: View, group: number): Found[] {
  const note = data.pair_notes[`${view.baseline}-${group}`];
  return note === undefined ? [] : [found(note, "warning")];
}

/** Why rows have no ratio, with those of each reason. */
function withoutRatio(data: Data, view: View, group: number): Found[] {
  const rows = new Map<string, string[]>();
  for (const row of compare(data, view.baseline, group)) {
    if (row.ratio) continue;
    const told = `without a ratio, ${row.verdict}: ${row.reason ?? inWords(row.differences)}`;
    const head = data.rows[row.row];
    rows.set(told, [...(rows.get(told) ?? []), `${head?.name} on ${head?.threads}`]);
  }
  return [...rows].map(([told, of]) => found(`${told} (${count(of.length, "row")})`, "told", of));
}
