// The reports that the tests look at, each made by the program once a test run.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Data } from "../../src/data";
import "./judge";
import { flagsOf, sizeup, type Rates } from "./program";
import {
  imported,
  inFamilies,
  inKernel,
  measured,
  metered,
  onHost,
  otherwise,
  random,
  served,
  squeezed,
  type Machine,
  type Row,
  varied,
} from "./runs";

export const REPORTS = [
  "four",
  "allowed",
  "many",
  "hostile",
  "uncontended",
  "delivered",
  "alone",
  "unpriced",
  "committed",
  "seen-once",
  "served",
  "groups",
  "metered",
  "per-ghz",
  "contrary",
  "sizes",
  "units",
  "variants",
  "squeezed",
] as const;
export type Name = (typeof REPORTS)[number];

/** A report, and what it was made of. */
export interface Report extends Rates {
  name: Name;
  path: string;
  /** The program's arguments beside prices and watts: its other commands are given the same. */
  args: string[];
}

/** Unpleasant names of machines. */
export const HOSTILE = [
  "left\u202etfel\u200f",
  "bell\u0007\u001b[31mred",
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "n".repeat(10_000),
  "${7*7}",
  "{{x}}",
  "__proto__",
  "constructor",
];

/** Workloads of a table, in families that it can't tell. */
export const FAMILIES: Record<string, string> = {
  "sha-256-16KiB/openssl": "hash",
  "sha-256-16KiB/go": "hash",
  "blake3-1MiB/blake3": "hash",
  "gzip-5/zlib": "compress",
  "brotli-5/brotli": "compress",
  "zstd-3/zstd": "compress",
  "ecdsa-p256-sign/openssl": "pki",
  "rsa2048-sign/openssl": "pki",
};

/** One operation at three sizes. */
export const SIZES = ["hash-64B/x", "hash-4KiB/x", "hash-1MiB/x"];

/** Figures around a value, one or several. */
function around(value: number, noise: number, count: number, next: () => number): number[] {
  return Array.from({ length: count }, () => value * (1 + (next() - 0.5) * 2 * noise));
}

/** A machine of a table: `pace` of each workload, 1 is the first machine's. */
function machine(
  label: string,
  seed: number,
  pace: (place: number) => number,
  workloads = Object.keys(FAMILIES),
): Machine {
  const next = random(seed);
  const rows = workloads.flatMap((workload, place): Row[] =>
    [1, 2, 4].map((threads) => {
      const value = 1000 * (place + 1) ** 2 * threads ** 0.95 * pace(place);
      const hasBytes = FAMILIES[workload] === "hash" || SIZES.includes(workload);
      const unit = hasBytes ? "MiB/s" : "ops/s";
      return { workload, threads, unit, values: around(value, 0.01, 6, next) };
    }),
  );
  return { label, rows };
}

function four(): Machine[] {
  const all = [
    machine("Xeon 8375C", 1, () => 1),
    machine("Graviton 3", 2, (place) => 0.8 + place * 0.06),
    machine("EPYC 7R13", 3, () => 1.004),
    machine("Altra", 4, (place) => 0.7 + (place % 3) * 0.2),
  ];
  // One lacks a row; another of its rows was measured once.
  const altra = all[3];
  if (altra) altra.rows = altra.rows.filter((row) => row.workload !== "zstd-3/zstd");
  altra?.rows.forEach((row) => {
    if (row.workload === "rsa2048-sign/openssl" && row.threads === 2) row.values.length = 1;
  });
  return all;
}

/** Nineteen machines, thirty rows each. */
function many(): Machine[] {
  return Array.from({ length: 19 }, (_, number) => {
    const next = random(100 + number);
    const rows = Array.from({ length: 30 }, (_, place): Row => {
      const value = 500 * (place + 1) * (0.75 + number * 0.03) * (0.9 + next() * 0.2);
      const values = around(value, 0.002 + (place % 5) * 0.01, 2 + (place % 6), next);
      return {
        workload: `op-${String(place)}/lib${String(place % 4)}`,
        threads: place % 3 === 0 ? 4 : 1,
        unit: "ops/s",
        values,
      };
    });
    return { label: `machine ${String(number + 1)}`, rows };
  });
}

function hostile(): Machine[] {
  const workloads = ["<b>bold/<script>", "__proto__/${7*7}", "{{x}}/&amp;", "gzip-5/zlib"];
  return HOSTILE.map((label, number) =>
    machine(label, 50 + number, (place) => 1 + number * 0.02 + place * 0.1, workloads),
  );
}

/** Four machines. B does most beside A, for it has one row with it; C does more than B on the row that both have. */
function contrary(): Machine[] {
  const values = (centre: number): number[] => [0.998, 0.999, 1, 1.001, 1.002].map((times) => centre * times);
  const machineOf = (label: string, rows: Record<string, number>): Machine => ({
    label,
    rows: Object.entries(rows).map(([workload, value]) => ({
      workload,
      threads: 1,
      unit: "ops/s",
      values: values(value),
    })),
  });
  return [
    machineOf("A", { x: 100, y: 100, z: 100 }),
    machineOf("B", { x: 300, y: 300 }),
    machineOf("C", { x: 310, y: 310, z: 100 }),
    machineOf("D", { other: 1 }),
  ];
}

/** Groups of several runs, of which b's and c's libraries differ among themselves. */
function groups(folder: string, calm: string): string[] {
  const runs = { a: ["1.0"], b: ["2.0", "3.0"], c: ["1.0", "3.0"] };
  return Object.entries(runs).flatMap(([name, libraries]) => {
    libraries.forEach((library, place) => {
      const host = `${name}${place}`;
      onHost(calm, join(folder, `group-${host}.run.jsonl`), host, library);
    });
    return ["--group", `${name}=${join(folder, `group-${name}*.run.jsonl`)}`];
  });
}

/** Machines whose figures count bytes, requests and operations; of one workload each counts something else. */
function units(): Machine[] {
  const rows = (factor: number, unlike: string): Row[] =>
    [1, 2, 4].flatMap((threads) =>
      [
        ["zip/x", "MB/s", 104.8576],
        ["get/x", "requests/s", 1000],
        ["sum/x", "ops/s", 50],
        ["odd/x", unlike, 70],
      ].map(([workload, unit, value]) => ({
        workload: String(workload),
        threads,
        unit: String(unit),
        values: [1, 1.01, 0.99].map((noise) => noise * Number(value) * threads * factor),
      })),
    );
  return [
    { label: "left", rows: rows(1, "ops/s") },
    { label: "right", rows: rows(2, "kB/s") },
  ];
}

/** A price file with two commitments of each label. */
function committed(prices: Record<string, number>): string {
  return Object.entries(prices)
    .flatMap(([label, price]) =>
      Object.entries({ "on demand": price, spot: price / (2 + price) }).map(
        ([commitment, perHour]) =>
          `[[price]]\nlabel = "${label}"\nper_hour = ${perHour.toFixed(4)}\ncurrency = "USD"\ncommitment = "${commitment}"\n`,
      ),
    )
    .join("\n");
}

/** Makes all of them in a folder. */
export function makeReports(folder: string): void {
  const make = (name: Name, args: string[], rates: Rates = { prices: {} }): void => {
    const path = join(folder, `${name}.html`);
    // Without this, the cheapest of several would be the baseline.
    const [first] = Object.keys(rates.prices);
    const baseline = first === undefined ? [] : ["--baseline", first];
    sizeup(["report", ...args, ...flagsOf(rates), ...baseline, "-o", path]);
    const template = process.env.SIZEUP_PAGE;
    if (template !== undefined) writeFileSync(path, filled(readFileSync(template, "utf8"), path));
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ name, path, args, ...rates } satisfies Report),
    );
  };
  const tables = imported(folder, "four", four());
  tables.forEach((file) => {
    inFamilies(file, FAMILIES);
  });
  otherwise(tables[2] ?? "", "brotli-5/brotli");
  const prices = { "Xeon 8375C": 1.92, "Graviton 3": 1.45, "EPYC 7R13": 1.8, Altra: 1.2 };
  const watts = { "Xeon 8375C": 270, "Graviton 3": 110, "EPYC 7R13": 225, Altra: 250 };
  make("four", tables, { prices, watts });
  make("allowed", [...tables, "--allow", "definition"], { prices });
  make("unpriced", tables.slice(0, 2));
  const priceFile = join(folder, "committed.toml");
  writeFileSync(priceFile, committed(prices));
  make("committed", [...tables.slice(0, 2), "--prices", priceFile]);
  make("alone", tables.slice(0, 1), { prices: {}, watts: { "Xeon 8375C": 270 } });
  make("many", imported(folder, "many", many()));
  make("hostile", imported(folder, "hostile", hostile()));
  mkdirSync(join(folder, "site-runs"));
  tables.forEach((file, place) => {
    copyFileSync(file, join(folder, "site-runs", `${String(place)}.run.jsonl`));
  });
  sizeup(["site", join(folder, "site-runs"), "-o", join(folder, "site")]);
  const once = four().slice(0, 2);
  once.forEach(({ rows }) => {
    rows.forEach((row) => (row.values.length = 1));
  });
  make("seen-once", imported(folder, "once", once), { prices: { "Xeon 8375C": 1.92, "Graviton 3": 1.45 } });
  const { real, calm, faster } = measured(folder);
  // Whatever else this machine did when they were measured.
  const busy = ["--allow", "invalid"];
  make("uncontended", [calm, faster, real, "--view", "uncontended", ...busy]);
  const servers = ["calm", "faster"].map((name) => join(folder, `${name}-server.run.jsonl`));
  [calm, faster].forEach((file, place) => {
    served(file, servers[place] ?? "", 1 - place * 0.3);
  });
  make("served", [...servers, ...busy]);
  make("groups", [...groups(folder, calm), "--allow", "library,invalid"]);
  make("per-ghz", [calm, faster, "--view", "per-ghz", ...busy]);
  const bySize = ["short", "long"].map((label, place) =>
    machine(label, 70 + place, (size) => 1 + size * (0.2 + place * 0.6), SIZES),
  );
  make("sizes", imported(folder, "sizes", bySize));
  make("units", imported(folder, "units", units()), {
    prices: { left: 1, right: 1 },
    watts: { left: 100, right: 100 },
  });
  make("contrary", imported(folder, "contrary", contrary()));
  const read = ["both", "one"].map((name) => join(folder, `${name}-meters.run.jsonl`));
  metered(calm, read[0] ?? "", { wall: 100, "rapl-package-0": 60 });
  metered(faster, read[1] ?? "", { "rapl-package-0": 50 });
  make("metered", [...read, ...busy], { prices: { calm: 1, faster: 1 } });
  const variants = join(folder, "variants.run.jsonl");
  varied(calm, variants);
  make("variants", [variants]);
  const besideOthers = ["calm", "faster"].map((name) => join(folder, `${name}-beside.run.jsonl`));
  const faulting = join(folder, "calm-faulting.run.jsonl");
  inKernel(calm, faulting, 0.6);
  squeezed(faulting, besideOthers[0] ?? "", 0.7);
  squeezed(faster, besideOthers[1] ?? "", 0.95);
  make("squeezed", [...besideOthers, ...busy]);
  make("delivered", [real, calm, faster, "--view", "delivered", ...busy]);
}

const DATA = /(<script type="application\/gzip" id="data">)(.*?)(<\/script>)/s;

function dataText(html: string): string {
  const text = DATA.exec(html)?.[2];
  if (text === undefined) throw new Error("the page holds no data");
  return text;
}

/** The data of a page. */
export function unpacked(text: string): Data {
  return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString("utf8")) as Data;
}

/** A template with the data of a page. */
function filled(template: string, path: string): string {
  const text = dataText(readFileSync(path, "utf8"));
  return template.replace(DATA, (_, before: string, __: string, after: string) => `${before}${text}${after}`);
}

function folder(): string {
  const folder = process.env.SIZEUP_REPORTS;
  if (folder === undefined) throw new Error("the global setup did not run");
  return folder;
}

/** A site on the machines of the report `four`. */
export function siteFolder(): string {
  return join(folder(), "site");
}

/** A report that the global setup made. */
export function report(name: Name): Report {
  return JSON.parse(readFileSync(join(folder(), `${name}.json`), "utf8")) as Report;
}

/** The data of a report's page. */
export function dataOf(report: Report): Data {
  return unpacked(dataText(readFileSync(report.path, "utf8")));
}
