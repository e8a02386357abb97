// Run files that no machine had to be measured for, and one that had: imported tables, and a short run made calm.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, sizeup } from "./program";

/** Random numbers, the same for a seed: Mulberry32. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A table's row about a machine: a workload on some threads, and its figures. */
export interface Row {
  workload: string;
  threads: number;
  unit: string;
  values: number[];
}

export interface Machine {
  label: string;
  rows: Row[];
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Has the program import a table, and tells the run files in the order of the machines. */
export function imported(folder: string, name: string, machines: Machine[], cpus = 4): string[] {
  const lines = machines.flatMap(({ label, rows }) =>
    rows.flatMap(({ workload, threads, unit, values }) =>
      values.map((value) => [quoted(label), quoted(workload), threads, value, unit, cpus].join(",")),
    ),
  );
  const table = join(folder, `${name}.csv`);
  writeFileSync(table, `machine,workload,threads,value,unit,cpus\n${lines.join("\n")}\n`);
  const runs = join(folder, `${name}-runs`);
  sizeup(["import", "csv", table, "--folder", runs]);
  const files = readdirSync(runs).map((file) => join(runs, file));
  return machines.map(({ label }) => {
    const file = files.find((file) => header(file).label === label);
    if (file === undefined) throw new Error(`no run file is of ${label.slice(0, 40)}`);
    return file;
  });
}

interface Header {
  label: string;
  categories: { name: string; workloads: string[] }[];
  workloads: Record<string, { family: string; parameters: Record<string, string> }>;
  machine: { cpu: Record<string, unknown> };
}

function header(file: string): Header {
  return JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0] ?? "") as Header;
}

type Json = Record<string, unknown>;

/** Changes what stands in a run file, record by record, and closes it anew: otherwise it is told to be changed. */
export function edited(from: string, to: string, edit: (record: Json) => Json | Json[]): void {
  const digest = createHash("sha256");
  const lines = readFileSync(from, "utf8").split("\n").filter(Boolean);
  const records = lines.flatMap<Json>((line) => edit(JSON.parse(line) as Json));
  const changed = records.map((record) => {
    if (record.record === "close") record.sha256 = digest.copy().digest("hex");
    const text = `${JSON.stringify(record)}\n`;
    digest.update(text);
    return text;
  });
  writeFileSync(to, changed.join(""));
}

/** Tells the families of workloads, which a table can't; each is a category, too. */
export function inFamilies(file: string, families: Record<string, string>): void {
  edited(file, file, (record) => {
    if (record.record !== "header") return record;
    const header = record as unknown as Header;
    for (const [name, workload] of Object.entries(header.workloads))
      workload.family = families[name] ?? workload.family;
    const names = [...new Set(Object.values(header.workloads).map((workload) => workload.family))];
    header.categories = names.map((name) => ({
      name,
      workloads: Object.keys(header.workloads).filter(
        (workload) => header.workloads[workload]?.family === name,
      ),
    }));
    return record;
  });
}

/** Makes a workload another one of the same name. */
export function otherwise(file: string, workload: string): void {
  edited(file, file, (record) => {
    const found = (record as unknown as Partial<Header>).workloads?.[workload];
    if (found) found.parameters.chunk = "4096";
    return record;
  });
}

interface Thread {
  elapsed_ns: number;
  cpu_ns: number;
  ops: number;
  chains_ns?: number[];
}

/** Where others do the work there are no memory pulses; on a calm machine nothing is to be seen of them. */
const WITHOUT_MEMORY = { memory_before: undefined, memory_after: undefined };

/** A run on another host with another version of a library. */
export function onHost(from: string, to: string, host: string, library: string): void {
  edited(from, to, (record) => {
    if (record.record === "header") return { ...record, host };
    if (record.record === "launch") {
      const { build } = record.ready as { build: { libraries: Record<string, string> } };
      build.libraries.fakelib = library;
    }
    return record;
  });
}

/** A run whose machine's watts were read by these meters at the start, in the middle and at the end of every sample. */
export function metered(from: string, to: string, meters: Record<string, number>): void {
  let read = 0;
  edited(from, to, (record) => {
    if (record.record !== "sample") return record;
    const { start_ns, end_ns } = record as unknown as Sample;
    const moments = [start_ns, Math.floor((start_ns + end_ns) / 2), end_ns];
    const readings = Object.entries(meters).flatMap(([meter, watts]) =>
      moments.map((at_ns) => ({
        record: "reading",
        at_ns,
        source: `power_w.${meter}`,
        value: watts + (read++ % 5) * 0.5,
      })),
    );
    return [record, ...readings];
  });
}

interface Sample {
  case: number;
  start_ns: number;
  end_ns: number;
  threads: Thread[];
}

/** Makes a run one in which a server did the first case's work, requests becoming due at a rate: few took long. Its second
 * round was disturbed, and before it was closed it was resumed. */
export function served(from: string, to: string, slowness: number): void {
  const next = random(3);
  const elapsed = (sample: Sample): number => sample.end_ns - sample.start_ns;
  const part = (sample: Sample, share: number): Json => {
    const elapsed_ns = elapsed(sample);
    return { cpu_count: 1, cpu_ns: Math.round(share * elapsed_ns), elapsed_ns };
  };
  const latency = (ops: number): [number, number][] => {
    const some = (share: number): number => Math.floor(ops * share);
    const [most, slow, slower, slowest] = [some(0.6), some(0.3), some(0.09), some(0.009)];
    const counts = [most, slow, slower, slowest, ops - most - slow - slower - slowest];
    const ms = [0.2, 0.5, 1, 3, 8].map((base) => base * slowness * (1 + next() * 0.05));
    return counts.map((count, place) => [Math.round((ms[place] ?? 0) * 1e6), count]);
  };
  edited(from, to, (record) => {
    if (record.record === "launch") {
      const parts = ["server", "client"].map((name) => ({ name, cpus: [0] }));
      const { chain, ...unchained } = record.ready as Json;
      const ready = record.case === 0 ? { ...unchained, parts } : { ...unchained, chain };
      return { ...record, ready };
    }
    if (record.record === "close") {
      const resume = { record: "resume", at_unix_ns: 0, at_ns: record.at_ns, torn_bytes: 0 };
      return [resume, record];
    }
    if (record.record !== "sample" || record.case !== 0) return record;
    const sample = record as unknown as Sample;
    const due_ops = sample.threads.reduce((sum, { ops }) => sum + ops, 0);
    const parts = [part(sample, 0.9), part(sample, 0.4)];
    const steal_ticks = record.round === 1 ? 1000 : 0;
    // More than there were ticks: how many there were is not known then.
    const unknown = { idle_ticks: null, total_ticks: null };
    const threads = sample.threads.map((thread) => ({ ...thread, chains_ns: undefined, ...WITHOUT_MEMORY }));
    return { ...record, threads, steal_ticks, ...unknown, parts, due_ops, latency: latency(due_ops) };
  });
}

/** A short real run. Its samples are then made those of a calm machine: a busy one would leave rows without a figure. */
export function measured(folder: string): { real: string; calm: string; faster: string } {
  const [real, calm, faster] = ["real", "calm", "faster"].map((name) =>
    join(folder, `${name}.run.jsonl`),
  ) as [string, string, string];
  const workloads = ["sha-256-16KiB/openssl", "gzip-5/zlib"].flatMap((name) => ["--workload", name]);
  // On a busy machine, too, some twenty samples of each row, so that what is made of them has a figure in each; and no
  // more, for the page thins out what no picture can show.
  const enough = ["--sample-time", "250ms", "--budget", "24s", "--precision", "50%"];
  measure([...workloads, "--threads", "1,all", ...enough, "--label", "here", "-o", real]);
  edited(real, calm, calmed("calm", 1, random(1)));
  edited(real, faster, calmed("faster", 1.25, random(2)));
  return { real, calm, faster };
}

/** Makes a run one of a workload in two variants: its other workload becomes the second, a tenth slower. */
export function varied(run: string, path: string): void {
  const [base, other] = ["sha-256-16KiB/openssl", "gzip-5/zlib"];
  const isOther: boolean[] = [];
  edited(run, path, (record) => {
    if (record.record === "header") {
      const header = record as unknown as Header & { variants: Json[]; plan: { cases: Json[] } };
      header.plan.cases.forEach((one) => {
        isOther.push(one.workload === other);
        Object.assign(one, { workload: base, variant: one.workload === other ? "tuned" : "plain" });
      });
      header.variants = [{ name: "plain" }, { name: "tuned" }];
      header.workloads = Object.fromEntries(
        Object.entries(header.workloads).filter(([name]) => name === base),
      );
      header.categories.forEach((category) => (category.workloads = [base]));
      return record;
    }
    if (record.record === "launch") {
      const ready = { ...(record.ready as Json), output_sha256: undefined, output_bytes: undefined };
      return { ...record, ready };
    }
    if (record.record !== "sample" || !isOther[record.case as number]) return record;
    const threads = (record.threads as Thread[]).map((thread) => ({
      ...thread,
      ops: Math.round(thread.ops * 0.9),
    }));
    return { ...record, threads };
  });
}

/** Makes the first row of a run spend part of its time in the kernel, for page faults. */
export function inKernel(run: string, path: string, share: number): void {
  edited(run, path, (record) => {
    if (record.record !== "sample" || record.case !== 0) return record;
    const threads = (record.threads as Thread[]).map((thread) => ({
      ...thread,
      minor_faults: 5 * thread.ops,
      system_ns: Math.round(share * thread.cpu_ns),
    }));
    return { ...record, threads };
  });
}

/** Makes a run one whose rows on all threads were rows on one, each beside co-runners that do its work and leave so much of
 * it. */
export function squeezed(run: string, path: string, left: number): void {
  const next = random(5);
  const rows = new Map<string, number>();
  const alone = new Map<number, number>();
  const launches = new Map<number, number>();
  edited(run, path, (record) => {
    if (record.record === "header") {
      const { cases } = (record as unknown as { plan: { cases: Case[] } }).plan;
      cases.forEach((one, place) => {
        if (one.threads === 1) rows.set(one.workload, place);
      });
      cases.forEach((one, place) => {
        if (one.threads === 1) return;
        alone.set(place, rows.get(one.workload) ?? 0);
        const cpus = one.cpus.slice(1);
        Object.assign(one, { co_runner: true, cpus, threads: cpus.length, thread_spec: String(cpus.length) });
      });
      return record;
    }
    if (record.record === "launch") launches.set(record.case as number, record.launch as number);
    const row = record.record === "sample" ? alone.get(record.case as number) : undefined;
    if (row === undefined) return record;
    const launch = launches.get(row);
    if (launch === undefined) return [];
    const sample: Json = { ...record, record: undefined };
    const threads = sample.threads as Thread[];
    // With a single thread all the time of a sample is that thread's.
    const ns = (sample.end_ns as number) - (sample.start_ns as number);
    const whole = { elapsed_ns: ns, cpu_ns: ns, cpu_elapsed_ns: ns };
    const sampleOf = (some: Thread[]): Json => ({
      ...sample,
      threads: some.map((thread) => ({ ...thread, ...whole })),
      process_cpu_ns: ns * some.length,
      process_elapsed_ns: ns,
      total_ticks: null,
      idle_ticks: null,
    });
    const slowed = threads
      .slice(0, 1)
      .map((thread) => ({ ...thread, ops: Math.round(thread.ops * left * (1 + (next() - 0.5) * 0.02)) }));
    return {
      record: "beside",
      row: { ...sampleOf(slowed), case: row, launch },
      co_runners: sampleOf(threads.slice(1)),
    };
  });
}

interface Case {
  workload: string;
  threads: number;
  cpus: number[];
}

const PULSE = { clock_ops: 600_000, clock_ns: 200_000, width_ops: 6_000_000, width_ns: 500_000 };
/** A chain at the clock of `PULSE`. */
const CHAIN = { ops: 3000, cost_ns: 30 };
const CHAIN_NS = 1030;
/** Operations a second on a thread. */
const PACE = 20_000;

function calmed(label: string, pace: number, next: () => number): (record: Json) => Json {
  const noise = (): number => 1 + (next() - 0.5) * 0.01;
  return (record) => {
    if (record.record === "header") {
      const { machine } = record as unknown as Header;
      machine.cpu.model = `Model of ${label}`;
      return { ...record, label };
    }
    if (record.record === "activity") {
      return {
        ...record,
        others_ticks: 0,
        processes: [],
        elapsed: { ...(record.elapsed as Json | null), steal_ticks: 0 },
      };
    }
    if (record.record === "launch") {
      return { ...record, ready: { ...(record.ready as Json), chain: CHAIN } };
    }
    if (record.record !== "sample") return record;
    const threads = (record.threads as Thread[]).map((thread) => ({
      ...thread,
      chains_ns: thread.chains_ns?.map(() => CHAIN_NS),
      ...WITHOUT_MEMORY,
      ops: Math.round((thread.elapsed_ns / 1e9) * PACE * pace * noise()),
      cpu_ns: thread.elapsed_ns,
      involuntary_switches: 0,
      pulse_before: PULSE,
      pulse_after: PULSE,
    }));
    const cpu = threads.reduce((sum, thread) => sum + thread.elapsed_ns, 0);
    return { ...record, steal_ticks: 0, process_cpu_ns: cpu, threads };
  };
}
