// How good the data is: what disturbed runs, what was not measured, what has no ratio and why.

import { type Data, type Sheet } from "../data";
import { compare } from "../judge/comparison";
import { answerable, drawn, type View } from "../view";
import { inWords } from "./differences";
import { count, percent, shown } from "./numbers";

/** One word on the data of what is shown. */
export interface Badge {
  kind: Sheet["validity"] | "no-error-bars" | "warned";
  text: string;
}

/** Below this share of rows with an interval, the report has no error bars. */
const LEAST_KNOWN = 0.5;

export function badge(data: Data, view: View): Badge {
  const sheets = drawn(view).flatMap((group) => data.groups[group]?.sheets ?? []);
  const is = (standing: Sheet["validity"]): boolean => sheets.some(({ validity }) => validity === standing);
  if (is("invalid")) return { kind: "invalid", text: "Invalid data" };
  if (is("suspect")) return { kind: "suspect", text: "Suspect data" };
  const cells = drawn(view).flatMap((group) => data.cells[group] ?? []);
  const figures = cells.flatMap((cell) => (cell && "interval" in cell ? [cell.interval] : []));
  const known = figures.filter(([, , high]) => high !== null).length;
  if (known < LEAST_KNOWN * figures.length) {
    const text = data.view === "imported" ? "Measured once: no error bars" : "No error bars";
    return { kind: "no-error-bars", text };
  }
  const warnings = sheets.flatMap(findings).filter(({ severity }) => severity === "warning").length;
  return warnings > 0
    ? { kind: "warned", text: `Valid data, ${count(warnings, "warning")}` }
    : { kind: "valid", text: "Valid data" };
}

/** Something that was found. */
export interface Found {
  text: string;
  severity: "about" | "fine" | "note" | "warning" | "unfit";
  /** Which rows it is about, where it is not about all. */
  rows: string[];
}

/** Findings that several machines share. */
interface MachinesFound {
  machines: string;
  found: Found[];
}

/** Findings about the machines that are shown: those that most share come first, and stand once. */
export function quality(data: Data, view: View): MachinesFound[] {
  const shown = drawn(view);
  const all = shown.flatMap((group) =>
    (data.groups[group]?.sheets.flatMap(ofRun) ?? []).map((found) => ({
      group,
      found,
      key: JSON.stringify(found),
    })),
  );
  const blocks = new Map<string, Found[]>(shown.map((group) => [String(group), []]));
  for (const { key, found } of new Map(all.map((entry) => [entry.key, entry])).values()) {
    const groups = [...new Set(all.flatMap((entry) => (entry.key === key ? [entry.group] : [])))];
    blocks.set(groups.join(), [...(blocks.get(groups.join()) ?? []), found]);
  }
  for (const group of answerable(view)) blocks.get(String(group))?.push(...withoutRatio(data, view, group));
  return [...blocks]
    .map(([key, found]) => ({ groups: key.split(",").map(Number), found }))
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => b.groups.length - a.groups.length)
    .map(({ groups, found }) => {
      const isAll = groups.length > 1 && groups.length === shown.length;
      const names = groups.map((group) => data.groups[group]?.label ?? "");
      return {
        machines: isAll
          ? `All ${count(groups.length, data.variants_of === null ? "machine" : "variant")}`
          : names.join(", "),
        found,
      };
    });
}

function ofRun(sheet: Sheet): Found[] {
  const problems = [...findings(sheet), ...outcomes(sheet)];
  const disturbed = Object.entries(sheet.disturbed).sort(([, a], [, b]) => b - a);
  const kinds = disturbed.map(([kind, samples]) => `${samples} (${kind})`);
  return [
    ...origin(sheet).map((text) => found(text, "about")),
    ...variants(sheet).map((text) => found(text, "about")),
    ...failed(sheet),
    ...problems,
    ...(kinds.length > 0
      ? [found(`disturbed samples, of ${sheet.samples}: ${kinds.join(", ")}`, "about")]
      : []),
    ...unseen(sheet),
    ...(problems.length + kinds.length === 0 && !sheet.origin ? [found("no problems found", "fine")] : []),
  ];
}

/** Where the variants of a run are compared, if it has any: that is not done row by row. */
export function variants({ file, variants }: Sheet): string[] {
  if (variants.length === 0) return [];
  const names = shown(variants.join(", "), 200);
  return [`sizeup compare ${shown(file)} compares its variants (${names}) pair by pair`];
}

function found(text: string, severity: Found["severity"], rows: string[] = []): Found {
  return { text, severity, rows };
}

/** Workloads that the tool which measured it has no valid result for. */
function failed({ origin }: Sheet): Found[] {
  const workloads = origin?.failed ?? [];
  if (workloads.length === 0) return [];
  return [found(`no valid result for ${count(workloads.length, "workload")}`, "about", workloads)];
}

function findings(sheet: Sheet): Found[] {
  return sheet.findings.flatMap(({ id, severity, what }) =>
    severity === "fine" || severity === "not-available"
      ? []
      : [found(`${severity}: ${what} (${id})`, severity)],
  );
}

/** Rules that could not be checked, which is not to say that all is fine. */
function unseen(sheet: Sheet): Found[] {
  const rules = sheet.findings.filter(({ severity }) => severity === "not-available");
  if (rules.length === 0) return [];
  return [
    found(
      `${count(rules.length, "rule")} could not be checked`,
      "about",
      rules.map(({ id }) => id),
    ),
  ];
}

function outcomes(sheet: Sheet): Found[] {
  return sheet.outcomes.map(({ workload, threads, outcome, message }) =>
    found(`${workload} on ${threads}: ${[outcome, message].filter(Boolean).join("; ")}`, "warning"),
  );
}

function origin(sheet: Sheet): string[] {
  const when = `${sheet.started.slice(0, 16).replace("T", " ")} UTC`;
  if (sheet.origin) {
    const { tool, lacks } = sheet.origin;
    const missing = lacks.length > 0 ? `; it lacks: ${lacks.join("; ")}` : "";
    return [`imported from ${tool}${missing}`, `${sheet.file}: ${when}`];
  }
  const length = `${count(Math.round(sheet.seconds), "second")}, ${count(sheet.samples, "sample")}`;
  const end = sheet.ended === null ? "incomplete" : `ended by ${sheet.ended}`;
  const suite = `suite ${sheet.suite} version ${sheet.suite_version}`;
  const asked = `requested margin ±${percent(sheet.precision, 1)}; sizeup ${sheet.sizeup}`;
  return [`${sheet.file}: ${suite}, ${when}, ${length}, ${end}; ${asked}`];
}

/** Why rows have no ratio, with those of each reason. */
function withoutRatio(data: Data, view: View, group: number): Found[] {
  const rows = new Map<string, string[]>();
  for (const row of compare(data, view.baseline, group)) {
    if (row.ratio) continue;
    const why = `no ratio, ${row.verdict}: ${row.reason ?? inWords(row.differences)}`;
    const head = data.rows[row.row];
    rows.set(why, [...(rows.get(why) ?? []), `${head?.name} on ${head?.threads}`]);
  }
  return [...rows].map(([why, names]) =>
    found(`${why} (${count(names.length, "workload")})`, "about", names),
  );
}
