// Machines side by side, as each reports itself; of several runs of a machine the first.

import { type Data, type Sheet } from "../data";

/** A line of the table: its subject, and what each machine reports of it. */
interface Fact {
  what: string;
  values: string[];
  differs: boolean;
}

const ALWAYS = ["CPU: model", "Topology: cores", "Topology: threads"];

/** Facts that differ between these groups, and which CPUs they have. */
export function differing(data: Data, groups: number[]): Fact[] {
  return facts(data, groups).filter((fact) => ALWAYS.includes(fact.what) || fact.differs);
}

/** The program's word for a fact that it does not know. */
const UNKNOWN = "not available";

/** All that any of these groups reports; what of all is unknown says nothing. */
export function facts(data: Data, groups: number[]): Fact[] {
  const reported = groups.map((group) => {
    const sheet = data.groups[group]?.sheets[0];
    return new Map([...machine(sheet), ...builds(sheet)]);
  });
  const all = new Set(reported.flatMap((report) => [...report.keys()]));
  return [...all].flatMap((what) => {
    const values = reported.map((report) => report.get(what) ?? "–");
    const isKnown = values.some((value) => value !== "–" && !value.startsWith(UNKNOWN));
    return isKnown ? [{ what, values, differs: new Set(values).size > 1 }] : [];
  });
}

function machine(sheet: Sheet | undefined): [string, string][] {
  return (sheet?.machine ?? []).map(([group, label, value]) => [`${group}: ${label}`, value]);
}

function builds(sheet: Sheet | undefined): [string, string][] {
  return Object.entries(sheet?.builds ?? {}).map(([worker, build]) => {
    const libraries = Object.entries(build.libraries).map(([name, version]) => `${name} ${version}`);
    const paths = Object.entries(build.paths).map(([name, path]) => `${name}: ${path}`);
    const parts = [build.compiler, build.flags, ...libraries, ...paths];
    return [`Build of ${worker}`, parts.filter(Boolean).join("; ")];
  });
}
