// Caveats that must be known with the figures, once each; a mark stands where it applies.

import { type Data } from "../data";
import { fewCompared } from "../judge/comparison";
import { answerable, drawn, type View } from "../view";
import { threadsOfAnswer } from "./answer";
import { listed, nameOf, threadsOf } from "./names";
import { count, shown } from "./numbers";

export interface Caveat {
  text: string;
  /** The machines that it is about; none where it is about all that are shown. */
  groups: number[];
  /** Whether the figures must not be used. */
  isAlarm: boolean;
}

/** Caveats about all that is shown, the gravest first; texts that machines share stand once. */
export function caveats(data: Data, view: View): Caveat[] {
  const groups = shownGroups(data, view);
  // The run of variants is one, and stands with the first of them.
  const ofAllVariants = (caveat: Caveat): Caveat =>
    data.variants_of === null ? caveat : { ...caveat, groups };
  const all = [
    ...about(groups, (group) => unfit(data, group), true).map(ofAllVariants),
    ...whole(leftOut(data)),
    ...whole(data.contention === null ? [] : [shown(data.contention, 600)]),
    ...fewJudged(data, view),
    ...imports(data, groups),
    ...about(groups, (group) => notesOfRuns(data, group)).map(ofAllVariants),
    ...about(groups, (group) => (data.groups[group]?.notes ?? []).map((text) => shown(text, 600))),
    ...pairs(data, view),
    ...whole(chosen(data)),
    ...whole(data.price_notes.map((note) => shown(note, 600))),
  ];
  const merged = new Map<string, Caveat>();
  for (const caveat of all) {
    const known = merged.get(caveat.text);
    merged.set(
      caveat.text,
      known ? { ...known, groups: [...new Set([...known.groups, ...caveat.groups])] } : caveat,
    );
  }
  const isOfAll = (caveat: Caveat): boolean => groups.every((group) => caveat.groups.includes(group));
  return [...merged.values()].map((caveat) => (isOfAll(caveat) ? { ...caveat, groups: [] } : caveat));
}

/** Runs of which no answer is made. */
function leftOut({ left_out }: Data): string[] {
  return left_out === 0 ? [] : [`${count(left_out, "run")} left out: invalid`];
}

/** Choices of whoever made the page. */
function chosen(data: Data): string[] {
  const only = data.selection === null ? [] : [shown(data.selection, 600)];
  const kinds = data.allow.filter((kind) => kind !== "invalid");
  const isAllowed = kinds.length > 0 && data.variants_of === null;
  const allowed = `rows are compared even if they differ in ${listedOr(kinds)}; each says how`;
  return isAllowed ? [...only, allowed] : only;
}

/** `library, compiler or worker`. */
function listedOr(all: string[]): string {
  return [all.slice(0, -1).join(", "), ...all.slice(-1)].filter(Boolean).join(" or ");
}

/** The machines that the answer is about: all where there are many, else the two. */
function shownGroups(data: Data, view: View): number[] {
  return view.shown.length > 1 ? data.groups.map((_, group) => group) : drawn(view);
}

function whole(texts: string[]): Caveat[] {
  return texts.map((text) => ({ text, groups: [], isAlarm: false }));
}

function about(groups: number[], textsOf: (group: number) => string[], isAlarm = false): Caveat[] {
  return groups.flatMap((group) => textsOf(group).map((text) => ({ text, groups: [group], isAlarm })));
}

function unfit(data: Data, group: number): string[] {
  const sheets = data.groups[group]?.sheets ?? [];
  const findings = sheets.flatMap((sheet) => sheet.findings.filter(({ severity }) => severity === "unfit"));
  return [
    ...sheets.flatMap((sheet) => sheet.why_unfit),
    ...findings.map(({ what }) => `not fit for measuring: ${what}`),
  ].map((text) => shown(text, 600));
}

function notesOfRuns(data: Data, group: number): string[] {
  const { sheets = [] } = data.groups[group] ?? {};
  const ofRuns = sheets.flatMap((sheet) => sheet.notes.filter((note) => !sheet.why_unfit.includes(note)));
  return ofRuns.map((text) => shown(text, 600));
}

/** Figures of other tools, and what all of a tool's lack; what single machines lack stands in the data's quality. */
function imports(data: Data, groups: number[]): Caveat[] {
  const origins = groups.flatMap((group) =>
    (data.groups[group]?.sheets ?? []).flatMap(({ origin }) => (origin ? [{ group, ...origin }] : [])),
  );
  return [...new Set(origins.map(({ tool }) => tool))].map((tool) => {
    const imported = origins.filter((origin) => origin.tool === tool);
    const [first] = imported;
    const common = first?.lacks.filter((what) => imported.every(({ lacks }) => lacks.includes(what))) ?? [];
    const missing = common.length > 0 ? `; it lacks: ${common.join("; ")}` : "";
    return {
      text: shown(`imported from ${tool}, not measured by sizeup${missing}`, 600),
      groups: [...new Set(imported.map(({ group }) => group))],
      isAlarm: false,
    };
  });
}

/** Two of which few rows can be compared. */
function fewJudged(data: Data, view: View): Caveat[] {
  return answerable(view).flatMap((other) =>
    threadsOfAnswer(data, view).flatMap((threads) => {
      const few = fewCompared(data, view.baseline, other, threads);
      if (!few) return [];
      const baseline = nameOf(data, view.baseline, 40);
      const on = threadsOf(data, [view.baseline, other], threads);
      const text = `${few.judged === 0 ? "none" : `only ${few.judged}`} of ${count(few.all, "workload")} on ${on} can be compared with ${baseline}`;
      return [{ text, groups: [other], isAlarm: false }];
    }),
  );
}

function pairs(data: Data, view: View): Caveat[] {
  return answerable(view).flatMap((group) => {
    const note = data.pair_notes[`${view.baseline}-${group}`];
    return note === undefined ? [] : [{ text: shown(note, 600), groups: [], isAlarm: true }];
  });
}

/** `c6i, c7g: measured by …`. */
export function caveatInWords(data: Data, { text, groups }: Caveat): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  // A machine keeps its name as it is.
  const isNamed = data.groups.some((_, group) => text.startsWith(nameOf(data, group)));
  if (groups.length === 0)
    return `${isNamed ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
  return `${listed(groups.map((group) => nameOf(data, group, 40)))}: ${text}${end}`;
}

/** The numbers of the caveats that are about this machine and not about all. */
export function marksOf(all: Caveat[], group: number): string {
  return all.flatMap(({ groups }, place) => (groups.includes(group) ? [place + 1] : [])).join(",");
}
