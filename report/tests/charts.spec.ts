// Pictures beside scores and rows show the program's numbers, too: bars, curves, cost against performance.

import { Mistakes } from "./support/numbers";
import { drawAll, expect, heads, test, values } from "./support/page";
import { compared, dataOfCommand, scored, type Interval } from "./support/program";
import { report } from "./support/reports";

const MIB = 1_048_576;

test("bars are of the figures that the program prints, in the unit that stands above them", async ({
  open,
}) => {
  const page = await open("four");
  await drawAll(page);
  const of = report("four");
  const mistakes = new Mistakes();
  const pairs = compared(of.args, "Xeon 8375C");
  for (const chart of ["family-hash", "family-compress", "family-pki"]) {
    const bars = await values(page, chart);
    const [, , , told] = await heads(page.locator(`#chart-${chart} details.values table`));
    expect(told).toBe(chart === "family-hash" ? "MiB/s" : "ops/s");
    for (const [workload, threads, machine, value, width] of bars) {
      const what = `${machine ?? ""} ${workload ?? ""} ${threads ?? ""}`;
      const pair = pairs.find(({ other }) => other === machine) ?? pairs[0];
      const row = pair?.rows.find((row) => row.workload === workload && row.threads === threads);
      const figure = machine === "Xeon 8375C" ? row?.baseline : row?.other;
      // The program's JSON has bytes.
      const factor = told === "MiB/s" ? 1 / MIB : 1;
      mistakes.shown(value, (figure?.centre ?? NaN) * factor, what);
      mistakes.width(width, figure ?? { low: null, high: null }, what);
    }
  }
  mistakes.expectNone();
});

interface Scaled {
  workload: string;
  curves: {
    group: string;
    unit: string;
    points: {
      threads: number;
      throughput: Interval;
      speed_up: Interval | null;
      efficiency: Interval | null;
    }[];
  }[];
}

test("curves are of the throughput, speed-up and efficiency that the program prints", async ({ open }) => {
  const page = await open("four");
  const mistakes = new Mistakes();
  const all = dataOfCommand(["scaling", ...report("four").args]) as Scaled[];
  const sweep = all.find(({ workload }) => workload === "sha-256-16KiB/openssl");
  for (const [kind, key] of [
    ["throughput", "throughput"],
    ["speed-up", "speed_up"],
    ["efficiency", "efficiency"],
  ] as const) {
    const rows = await values(page, `scaling-sha-256-16kib-openssl-${kind}`);
    const points = sweep?.curves.flatMap((curve) =>
      curve.points.map((of) => ({ ...of, group: curve.group, unit: curve.unit })),
    );
    mistakes.same(rows.length, points?.filter((of) => of[key]).length, kind);
    for (const [machine, threads, value] of rows) {
      const point = points?.find((of) => of.group === machine && String(of.threads) === threads);
      const isInBytes = kind === "throughput" && point?.unit === "bytes/s";
      const centre = (point?.[key]?.centre ?? NaN) / (isInBytes ? MIB : 1);
      const what = `${kind} of ${machine ?? ""} on ${threads ?? ""}`;
      if (kind === "efficiency")
        mistakes.same(value?.replace("\u00a0", " "), `${(centre * 100).toFixed(0)} %`, what);
      else mistakes.shown(value, centre, what);
    }
  }
  mistakes.expectNone();
});

test("cost against performance has each machine's price and score, and on the front who is beaten by none", async ({
  open,
}) => {
  const page = await open("four");
  const of = report("four");
  const mistakes = new Mistakes();
  const score = (label: string): number =>
    scored(of.args, "Xeon 8375C")
      .find((found) => found.label === label)
      ?.lines.find(({ category, threads }) => category === "overall" && threads === "all")?.score?.centre ??
    NaN;
  const points = Object.entries(of.prices).map(([label, price]) => ({
    label,
    price,
    score: label === "Xeon 8375C" ? 1 : score(label),
  }));
  const rows = await values(page, "pareto");
  expect(rows).toHaveLength(points.length);
  for (const { label, price, score } of points) {
    const [, shownPrice, shownScore, , front] = rows.find(([machine]) => machine === label) ?? [];
    mistakes.shown(shownPrice, price, label);
    mistakes.shown(shownScore, score, label);
    const isBeaten = points.some(
      (other) => other.label !== label && other.price <= price && other.score >= score,
    );
    mistakes.same(front, isBeaten ? "no" : "yes", label);
  }
  mistakes.expectNone();
});

test("throughput against size is of the figures that the program prints", async ({ open }) => {
  const page = await open("sizes");
  const mistakes = new Mistakes();
  const [pair] = compared(report("sizes").args, "short");
  const rows = await values(page, "size-hash-x");
  expect(rows.map(([machine, size]) => `${machine ?? ""} ${size ?? ""}`)).toEqual(
    ["short", "long"].flatMap((machine) => ["64 B", "4 KiB", "1 MiB"].map((size) => `${machine} ${size}`)),
  );
  for (const [machine, size = "", value, width] of rows) {
    const row = pair?.rows.find(
      ({ workload, threads }) => workload === `hash-${size.replace(" ", "")}/x` && threads === "all",
    );
    const figure = machine === "short" ? row?.baseline : row?.other;
    mistakes.shown(value, (figure?.centre ?? NaN) / MIB, `${machine ?? ""} ${size}`);
    mistakes.width(width, figure ?? { low: null, high: null }, `${machine ?? ""} ${size}`);
  }
  mistakes.expectNone();
});
