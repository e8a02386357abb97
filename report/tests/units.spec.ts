// Figures of several units: each stands with its own, and bytes are nowhere called operations.

import { h } from "preact";
import render from "preact-render-to-string";
import { figureOf } from "../src/data";
import { Row } from "../src/site/row";
import { figureInWords } from "../src/words/unit";
import { drawAll, expect, heads, test, values } from "./support/page";
import { dataOf, report } from "./support/reports";

test("a figure is told with its unit where not all are operations", () => {
  const told = (name: "units" | "uncontended"): Record<string, string> => {
    const data = dataOf(report(name));
    const figures = data.rows.flatMap((row, place) => {
      const figure = figureOf(data, data.cells[1]?.[place]);
      return row.threads === "1" && figure ? [[row.name, figureInWords(data, figure)]] : [];
    });
    return Object.fromEntries(figures) as Record<string, string>;
  };
  const { "zip/x": zip, "get/x": get, "sum/x": sum, "odd/x": odd } = told("units");
  expect(zip).toMatch(/^(200\.0|199\.9+) MiB\/s$/);
  expect([get, sum]).toEqual([expect.stringMatching(/ requests\/s$/), expect.stringMatching(/ ops\/s$/)]);
  expect(odd).toMatch(/^0\.13\d+ MiB\/s$/);
  expect(Object.values(told("uncontended")).join()).toMatch(/^[\d,.]+$/);
});

test("machines in two units are not drawn on one axis", () => {
  const data = dataOf(report("units"));
  const row = data.rows.findIndex(({ name, threads }) => name === "odd/x" && threads === "1");
  const page = render(h(Row, { data, row }));
  expect(page).toContain('<p class="muted">ops/s, ');
  const lines = page.split("<tr>").slice(2);
  const line = (machine: string): string => lines.find((line) => line.includes(`>${machine}<`)) ?? "";
  expect(line("left")).toMatch(/bar-of.*<td>[\d.,]+ ops\/s</);
  expect(line("right")).toMatch(/<td><\/td><td>[\d.,]+ MiB\/s<.*not comparable: the figure's unit/);
});

test("tables, bars and curves stand in their units", async ({ open }) => {
  const page = await open("units", "#threads=1");
  await drawAll(page);
  const bars = [...(await values(page, "family-other")), ...(await values(page, "requests"))];
  const unitOf = (cells: string[]): string => cells[4] ?? "";
  const expected: Record<string, string> = { "zip/x": "MiB/s", "get/x": "requests/s", "sum/x": "ops/s" };
  for (const cells of bars.filter(([workload]) => workload !== "odd/x")) {
    expect(unitOf(cells), cells.join()).toBe(expected[cells[0] ?? ""]);
  }
  const odd = bars.filter(([workload]) => workload === "odd/x");
  expect([...new Set(odd.map((cells) => `${cells[2]} ${unitOf(cells)}`))].sort()).toEqual([
    "left ops/s",
    "right MiB/s",
  ]);
  for (const [workload, unit] of [...Object.entries(expected), ["odd/x", "ops/s"]] as const) {
    await page.selectOption("select[name=scaling-workload]", workload);
    const name = `scaling-${workload.replace("/", "-")}-throughput`;
    const machines = new Set((await values(page, name)).map(([machine]) => machine));
    const [, , head] = await heads(page.locator(`#chart-${name} details.values table`));
    expect(head, workload).toBe(unit);
    expect([...machines].join(), workload).toBe(workload === "odd/x" ? "left" : "left,right");
  }
});

test("work per watt is told in bytes where bytes are counted", async ({ open }) => {
  // Rated watts are of all threads.
  const page = await open("units", "#threads=all");
  const [[, , ours, theirs] = []] = (await values(page, "per-watt")).filter(([name]) => name === "zip/x");
  expect([ours, theirs].join()).toMatch(/^[\d.]+ MiB,[\d.]+ MiB$/);
});

test("a site's row has the columns that one of its figures has, each in its form", () => {
  const data = dataOf(report("uncontended"));
  const row = data.rows.findIndex(({ name, threads }) => name === "gzip-5/zlib" && threads === "all");
  const page = render(h(Row, { data, row }));
  const figures = data.cells.flatMap((cells) => figureOf(data, cells[row]) ?? []);
  for (const [place, { heading }] of data.columns.entries()) {
    const isKnown = figures.some(({ values }) => typeof values[place] === "number");
    expect(page.includes(`>${heading ?? "bytes_per_op"}</th>`), heading ?? "").toBe(
      heading !== null && isKnown,
    );
  }
  const outputs = figures.flatMap(({ outputBytes }) => outputBytes ?? []);
  expect(outputs.length).toBeGreaterThan(0);
  for (const bytes of outputs) expect(page).toContain(`<td>${bytes.toLocaleString("en")}</td>`);
});
