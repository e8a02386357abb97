// Runs over their time: telemetry with what happened meanwhile, and how long requests took.

import { readFileSync } from "node:fs";
import { type Locator, type Page } from "@playwright/test";
import { Mistakes } from "./support/numbers";
import { drawAll, expect, heads, test, values } from "./support/page";
import { dataOfCommand, sizeup } from "./support/program";
import { report } from "./support/reports";
import { fourDigits } from "../src/words/numbers";

/** The run files of a report. */
function filesOf(name: "served" | "uncontended"): string[] {
  return report(name).args.filter((arg) => arg.endsWith(".jsonl"));
}

/** How many records of a kind a run file has. */
function recorded(file: string, kind: string): number {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.filter((line) => (JSON.parse(line) as { record: string }).record === kind).length;
}

/** The short lines above a picture: one for each time that something happened. */
function marks(page: Page, chart: string): Locator {
  return page.locator(`#chart-${chart} svg [data-mark="vector"] path`);
}

test("above telemetry stand the launches, disturbed samples and resumes of the run files", async ({
  open,
}) => {
  const page = await open("served");
  await drawAll(page);
  const rows = await values(page, "time-load");
  const columns = await heads(page.locator("#chart-time-load details.values table"));
  const column = (name: string): string[] => rows.map((row) => row[columns.indexOf(name)] ?? "");
  const files = filesOf("served");
  const launches = files.map((file) => recorded(file, "launch"));
  const disturbed = files.map((file) => {
    const [head = "", ...samples] = sizeup(["export", "csv", "--rows", "samples", file]).trim().split("\n");
    const place = head.split(",").indexOf("disturbed_by");
    const causes = samples.flatMap((sample) => sample.split(",")[place]?.split("; ") ?? []).filter(Boolean);
    return [...new Set(causes)].sort().map((cause) => ({
      cause,
      samples: causes.filter((other) => other === cause).length,
    }));
  });
  expect(column("launches")).toEqual(launches.map(String));
  const words = disturbed.map((all) =>
    all.map(({ cause, samples }) => `${cause}: ${String(samples)}`).join(", "),
  );
  expect(words[0]).toContain("steal");
  expect(column("disturbed samples")).toEqual(words);
  expect(column("resumed")).toEqual(["1", "1"]);
  const titles = await marks(page, "time-load").locator("title").allTextContents();
  const marked = (what: RegExp): number =>
    titles.reduce((sum, title) => sum + Number(what.exec(title)?.[1] ?? 0), 0);
  const sum = (counts: number[]): number => counts.reduce((sum, count) => sum + count);
  expect(marked(/ s: (\d+) launch/)).toBe(sum(launches));
  const total = disturbed.flat().map(({ samples }) => samples);
  expect(marked(/ s: (\d+) disturbed samples?: /)).toBe(sum(total));
  expect(titles.filter((title) => title.endsWith(": resumed"))).toHaveLength(2);
  await expect(page.locator('#chart-time-load svg [data-mark="rule"][stroke-dasharray] line')).toHaveCount(2);
});

test("a launch is marked where its time is on the axis", async ({ open }) => {
  const page = await open("uncontended");
  await drawAll(page);
  const figure = page.locator("#chart-time-load");
  const ticks = await figure.locator('svg [data-mark="x-axis tick label"] text').evaluateAll((all) =>
    all.map((one) => {
      const box = one.getBoundingClientRect();
      return { value: Number(one.textContent), x: box.x + box.width / 2 };
    }),
  );
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) throw new Error("the axis has no marks");
  const at = (second: number): number =>
    first.x + ((second - first.value) / (last.value - first.value)) * (last.x - first.x);
  const found = await marks(page, "time-load").evaluateAll((all) =>
    all.map((one) => {
      const box = one.getBoundingClientRect();
      const title = one.querySelector("title")?.textContent ?? "";
      return { x: box.x + box.width / 2, second: Number(/, ([\d.]+) s: /.exec(title)?.[1]) };
    }),
  );
  expect(found.length).toBeGreaterThan(5);
  for (const { x, second } of found) expect(Math.abs(x - at(second))).toBeLessThan(2);
});

interface Shown {
  rows: {
    workload: string;
    thread_spec: string;
    service: {
      latency: { share: number; ns: { centre: number; low: number; high: number } | null }[];
    } | null;
  }[];
}

test("latencies of a server are those that the program shows, in the order of their shares", async ({
  open,
}) => {
  const page = await open("served");
  await page.selectOption("select[name=threads]", "1");
  await drawAll(page);
  const expected = filesOf("served").flatMap((file, place) => {
    const { rows } = dataOfCommand(["show", file]) as Shown;
    const row = rows.find(
      ({ workload, thread_spec }) => workload.startsWith("sha-256") && thread_spec === "1",
    );
    const machine = ["calm", "faster"][place] ?? "";
    return (row?.service?.latency ?? []).map(({ share, ns }) => [
      machine,
      `${(share * 100).toFixed(share > 0.99 ? 1 : 0)} %`,
      ns ? fourDigits(ns.centre / 1e6) : "too few requests",
      ns ? `${fourDigits(ns.low / 1e6)} to ${fourDigits(ns.high / 1e6)}` : "",
    ]);
  });
  expect(expected.length).toBe(8);
  const chart = "latency-sha-256-16kib-openssl";
  const found = await values(page, chart);
  expect(found.map((row) => row.map((cell) => cell.replaceAll("\u00a0", " ")))).toEqual(expected);
  const axis = await page
    .locator(`#chart-${chart} svg [data-mark="x-axis tick label"] text`)
    .allTextContents();
  expect(axis.map((text) => text.replaceAll("\u00a0", " "))).toEqual(["50 %", "90 %", "99 %", "99.9 %"]);
  await expect(page.locator(`#chart-${chart}`)).toContainText("server used 90");
  // An axis of milliseconds has both ends labelled, and all that is drawn is between them.
  const marks = page.locator(`#chart-${chart} svg [data-mark="y-axis tick label"] text`);
  const ms = (await marks.allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  const drawn = found.flatMap(([, , centre = ""]) =>
    centre.startsWith("too") ? [] : [Number(centre.replaceAll(",", ""))],
  );
  expect(ms.length).toBeGreaterThan(1);
  expect(Math.min(...ms)).toBeLessThanOrEqual(Math.min(...drawn));
  expect(Math.max(...ms)).toBeGreaterThanOrEqual(Math.max(...drawn));
});

/** Columns of the program's table of samples, by name. */
function samplesOf(file: string): Record<string, string>[] {
  const [head = "", ...lines] = sizeup(["export", "csv", "--rows", "samples", file]).trim().split("\n");
  const names = head.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((cell, place) => [names[place] ?? "", cell])),
  );
}

test("the load over time is what the run files hold, and a sample is shown over the median of its row", async ({
  open,
}) => {
  const page = await open("uncontended");
  const threads = await page.locator("select[name=threads]").inputValue();
  const files = filesOf("uncontended");
  const mistakes = new Mistakes();
  const load = await values(page, "time-load");
  const shown = await values(page, "samples-sha-256-16kib-openssl");
  for (const [place, file] of files.entries()) {
    const machine = load[place]?.[0] ?? "";
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const readings = lines
      .map((line) => JSON.parse(line) as { record: string; source?: string; value?: number })
      .filter(({ record, source }) => record === "reading" && source === "load1")
      .map(({ value = NaN }) => value);
    mistakes.shown(load[place]?.[1], Math.min(...readings), `${machine}: least load`);
    mistakes.shown(load[place]?.[3], Math.max(...readings), `${machine}: most load`);
    const found = samplesOf(file)
      .filter((sample) => sample.workload === "sha-256-16KiB/openssl" && sample.threads_asked === threads)
      .map((sample) => Number(sample.ops_per_s));
    const median = [...found].sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? NaN;
    const dots = shown.filter(([name]) => name === machine).map((row) => row[2]);
    expect(dots.length).toBeGreaterThan(3);
    mistakes.same(
      dots,
      found.map((perSecond) => (Math.round((perSecond / median) * 1000) / 1000).toFixed(3)),
      machine,
    );
  }
  mistakes.expectNone();
});
