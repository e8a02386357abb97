// Machines side by side, as each reports itself; of several runs of a machine the first.

import { type Data, type Sheet } from "../data";

/** What a line of the table is of, and what each machine reports. */
interface Fact {
  what: string;
  values: string[];
  differs: boolean;
}

const ALWAYS = ["CPU: model", "Topology: cores", "Topology: threads"];

/** What differs between these groups, and which CPUs they have. */
export function differing(data: Data, groups: number[]): Fact[] {
  return facts(data, groups).filter((fact) => ALWAYS.includes(fact.what) || fact.differs);
}

/** What the program writes of a fact that it does not know. */
const UNKNOWN = "not available";

/** All that any of these groups reports; what of all is unknown says nothing. */
export function facts(data: Data, groups: number[]): Fact[] {
  const reported = groups.map((group) => {
    const sheet = data.groups[group]?.sheets[0];
    return new Map([...machine(sheet), ...builds(sheet)]);
  });
  const all = new Set(reported.flatMap((of) => [...of.keys()]));
  return [...all].flatMap((what) => {
    const values = reported.map((of) => of.get(what) ?? "–");
    const isKnown = values.some((value) => value !== "–" && !value.startsWith(UNKNOWN));
    return isKnown ? [{ what, values, differs: new Set(values).size > 1 }] : [];
  });
}

function machine(sheet: Sheet | undefined): [string, string][] {
  return (sheet?.machine ?? []).map(([group, label, value]) => [`${group}: ${label}`, value]);
}

function builds(sheet: Sheet | undefined): [string, string][] {
  return Object.entries(sheet?.builds ?? {}).map(([worker, of]) => {
    const libraries = Object.entries(of.libraries).map(([name, version]) => `${name} ${version}`);
    const paths = Object.entries(of.paths).map(([name, path]) => `${name}: ${path}`);
    return [`Build of ${worker}`, [of.compiler, of.flags, ...libraries, ...paths].filter(Boolean).join("; ")];
  });
}
