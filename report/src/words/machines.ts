// Machines side by side, as each says of itself; of several runs of a machine the first.

import { type Data, type Sheet } from "../data";

/** What a line of the table is of, and what each machine says. */
export interface Fact {
  what: string;
  values: string[];
}

const ALWAYS = ["CPU: model", "Topology: cores", "Topology: threads"];

/** What differs between these groups, and which CPUs they have. */
export function differing(data: Data, groups: number[]): Fact[] {
  const sheets = groups.map((group) => data.groups[group]?.sheets[0]);
  return facts(sheets).filter(({ what, values }) => ALWAYS.includes(what) || new Set(values).size > 1);
}

function facts(sheets: (Sheet | undefined)[]): Fact[] {
  const said = sheets.map((sheet) => new Map([...machine(sheet), ...builds(sheet)]));
  const all = new Set(said.flatMap((of) => [...of.keys()]));
  return [...all].map((what) => ({ what, values: said.map((of) => of.get(what) ?? "–") }));
}

function machine(sheet: Sheet | undefined): [string, string][] {
  return (sheet?.machine ?? []).map(([group, label, value]) => [`${group}: ${label}`, value]);
}

function builds(sheet: Sheet | undefined): [string, string][] {
  return Object.entries(sheet?.builds ?? {}).map(([worker, of]) => {
    const libraries = Object.entries(of.libraries).map(([name, version]) => `${name} ${version}`);
    return [`Build of ${worker}`, [of.compiler, of.flags, ...libraries].filter(Boolean).join("; ")];
  });
}
