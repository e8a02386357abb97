// Pictures beside scores and rows show the program's numbers, too: bars, curves, cost against performance.

import { slug } from "../src/charts/chart";
import { density } from "../src/charts/density";
import { figureOf } from "../src/data";
import { defaultView } from "../src/view";
import { percent } from "../src/words/numbers";
import { Mistakes } from "./support/numbers";
import { type Locator } from "@playwright/test";
import { drawAll, expect, heads, test, values } from "./support/page";
import { compared, dataOfCommand, scored, type Interval } from "./support/program";
import { dataOf, report } from "./support/reports";

const MIB = 1_048_576;

test("bars are of the figures that the program prints, in the unit that stands above them", async ({
  open,
}) => {
  const page = await open("four");
  await drawAll(page);
  const made = report("four");
  const mistakes = new Mistakes();
  const pairs = compared(made.args, "Xeon 8375C");
  for (const chart of ["family-hash", "family-compress", "family-pki"]) {
    const bars = await values(page, chart);
    for (const [workload, threads, machine, value, told, width] of bars) {
      expect(told).toBe(chart === "family-hash" ? "MiB/s" : "ops/s");
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

/** A panel's axis: where its marks are, and how many pixels a unit is. */
async function axis(
  panel: Locator,
  side: "x" | "y",
): Promise<{ zero: number; pixels: number; label: string }> {
  const texts = (mark: string): Promise<{ text: string; x: number; y: number }[]> =>
    panel.locator(`[data-mark="${side}-axis ${mark}"] text`).evaluateAll((all) =>
      all.map((one) => {
        const box = one.getBoundingClientRect();
        return { text: one.textContent, x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }),
    );
  const ticks = (await texts("tick label")).map(({ text, ...at }) => ({
    value: Number(text.replaceAll(",", "")),
    at: at[side],
  }));
  const [zero, last] = [ticks[0], ticks.at(-1)];
  expect(zero?.value).toBe(0);
  const [label] = await texts("label");
  const pixels = ((last?.at ?? NaN) - (zero?.at ?? NaN)) / (last?.value ?? NaN);
  return { zero: zero?.at ?? NaN, pixels, label: label?.text ?? "" };
}

test("bars begin at the zero of an axis with a unit, and are as long as the program's figures are great", async ({
  open,
}) => {
  const page = await open("four");
  await drawAll(page);
  const pairs = compared(report("four").args, "Xeon 8375C");
  const rows = await values(page, "family-hash");
  for (const [place, side] of ["1", "all"].entries()) {
    const panel = page.locator("#chart-family-hash .picture > svg > svg").nth(place);
    const { zero, pixels, label } = await axis(panel, "x");
    expect(label).toBe("MiB/s");
    const bars = await panel.locator('[data-mark="bar"] rect').evaluateAll((all) =>
      all.map((one) => {
        const box = one.getBoundingClientRect();
        return { left: box.left, width: box.width };
      }),
    );
    const expected = rows.filter(([, threads]) => threads === side);
    expect(bars).toHaveLength(expected.length);
    for (const [number, [workload, threads, machine]] of expected.entries()) {
      const pair = pairs.find(({ other }) => other === machine) ?? pairs[0];
      const row = pair?.rows.find((row) => row.workload === workload && row.threads === threads);
      const figure = machine === "Xeon 8375C" ? row?.baseline : row?.other;
      const length = ((figure?.centre ?? NaN) / MIB) * pixels;
      expect(Math.abs((bars[number]?.left ?? NaN) - zero)).toBeLessThan(2);
      expect(Math.abs((bars[number]?.width ?? NaN) - length), `${machine} ${workload}`).toBeLessThan(2);
    }
  }
});

test("curves are ratios to the baseline on a logarithmic axis, each with its machine's name at its end", async ({
  open,
}) => {
  const page = await open("sizes");
  await drawAll(page);
  // This moves the page.
  const rows = (await values(page, "size-hash-x")).filter(([, threads]) => threads === "all");
  const panel = page.locator("#chart-size-hash-x .picture > svg > svg").last();
  const ticks = await panel.locator('[data-mark="y-axis tick label"] text').evaluateAll((all) =>
    all.map((one) => {
      const box = one.getBoundingClientRect();
      return { value: parseFloat(one.textContent), y: box.y + box.height / 2 };
    }),
  );
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) throw new Error("the axis has no marks");
  expect(ticks.find(({ value }) => value === 1)).toBeDefined();
  const scale = (value: number): number =>
    first.y + (Math.log(value / first.value) / Math.log(last.value / first.value)) * (last.y - first.y);
  const expected = rows.map(([, , , , , ratio]) => scale(Number(ratio)));
  const found = await panel
    .locator('[data-mark="dot"] path')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => box.y + box.height / 2));
  expect(found).toHaveLength(expected.length);
  found.sort((a, b) => a - b);
  expected.sort((a, b) => a - b);
  // The middle of a symbol's box is not always the symbol's.
  found.forEach((y, place) => {
    expect(Math.abs(y - (expected[place] ?? NaN))).toBeLessThan(3);
  });
  for (const name of ["short", "long"]) await expect(panel.getByText(name, { exact: true })).toHaveCount(1);
});

test("the speed-up of a row is the program's", async ({ open }) => {
  const page = await open("four");
  const mistakes = new Mistakes();
  const all = dataOfCommand(["scaling", ...report("four").args]) as Scaled[];
  const rows = await values(page, "speed-up");
  expect(rows.length).toBeGreaterThan(0);
  for (const [workload = "", machine = "", threads, value, width] of rows) {
    const curve = all
      .find((scaling) => scaling.workload === workload)
      ?.curves.find(({ group }) => group === machine);
    const point = curve?.points.find((point) => String(point.threads) === threads);
    mistakes.shown(value, point?.speed_up?.centre ?? NaN, `${machine} ${workload}`);
    mistakes.width(width, point?.speed_up ?? { low: null, high: null }, `${machine} ${workload}`);
  }
  mistakes.expectNone();
});

test("a speed-up stands as a share of ideal on one axis for all machines, and no line but the ideal's crosses it", async ({
  open,
}) => {
  const page = await open("four");
  await drawAll(page);
  const rows = await values(page, "speed-up");
  for (const [, , threads, times, , share] of rows)
    expect(parseFloat(share ?? "")).toBe(Math.round((100 * Number(times)) / Number(threads)));
  const shares = rows.map((row) => parseFloat(row[5] ?? "") / 100);
  const marksOf = (mark: string): Promise<{ text: string; x: number }[]> =>
    page.locator(`#chart-speed-up svg [data-mark="${mark}"] > *`).evaluateAll((all) =>
      all.map((one) => {
        const box = one.getBoundingClientRect();
        return { text: one.textContent, x: box.x + box.width / 2 };
      }),
    );
  const ticks = await marksOf("x-axis tick label");
  expect(ticks.map(({ text }) => text.replace("\u00a0", " "))).toEqual([
    "0 %",
    "25 %",
    "50 %",
    "75 %",
    "100 %",
  ]);
  const [zero = NaN, ideal = NaN] = [ticks[0]?.x, ticks[4]?.x];
  expect((await marksOf("rule")).map(({ x }) => Math.round(x))).toEqual([Math.round(ideal)]);
  const found = (await marksOf("dot")).map(({ x }) => (x - zero) / (ideal - zero));
  // Above the picture are those of its legend.
  const drawn = found.slice(-shares.length).sort((a, b) => a - b);
  shares
    .sort((a, b) => a - b)
    .forEach((share, place) => {
      expect(Math.abs((drawn[place] ?? NaN) - share)).toBeLessThan(0.01);
    });
});

test("what rows keep beside co-runners is the program's", async ({ open }) => {
  const page = await open("squeezed");
  const mistakes = new Mistakes();
  const [pair] = compared(report("squeezed").args, "calm");
  const charts = [...new Set(pair?.beside?.map((row) => row.co_runners))];
  expect(charts).toHaveLength(2);
  for (const co_runners of charts) {
    const rows = await values(page, slug("beside", co_runners));
    expect(rows).toHaveLength(2);
    for (const [machine = "", workload = "", , count, value, width] of rows) {
      const row = pair?.beside?.find((row) => row.workload === workload && row.co_runners === co_runners);
      const left = (machine === "calm" ? row?.baseline : row?.other) ?? {
        centre: NaN,
        low: null,
        high: null,
      };
      mistakes.same(Number(count), row?.count, `${machine} ${workload}: co-runners`);
      mistakes.shown(value, left.centre, `${machine} ${workload}`);
      mistakes.width(width, left, `${machine} ${workload}`);
    }
  }
  mistakes.expectNone();
});

test("what slows rows is the program's", async ({ open }) => {
  const page = await open("squeezed");
  const { standouts } = dataOfCommand(["explain", ...report("squeezed").args]) as { standouts: Standout[] };
  const others = standouts.filter((standout) => standout.cause !== "co-runners");
  expect(others.map((standout) => standout.cause)).toContain("page-faults");
  expect(await values(page, "slowed")).toEqual(
    others.map((standout) => [
      standout.label,
      standout.workload,
      standout.threads,
      `${(100 * standout.loss).toFixed(0)}\u00a0%`,
      standout.evidence,
    ]),
  );
  const row = others[0]?.workload ?? "";
  // A picture far from the window is not drawn yet.
  await page.locator("#chart-slowed").scrollIntoViewIfNeeded();
  await expect(page.locator("#chart-slowed svg")).toContainText("page faults/op");
  expect(row).not.toBe("");
});

interface Standout {
  label: string;
  workload: string;
  threads: string;
  cause: string;
  loss: number;
  evidence: string;
}

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

test("curves are of the throughput and efficiency that the program prints", async ({ open }) => {
  const page = await open("four");
  const mistakes = new Mistakes();
  const all = dataOfCommand(["scaling", ...report("four").args]) as Scaled[];
  const sweep = all.find(({ workload }) => workload === "sha-256-16KiB/openssl");
  for (const kind of ["throughput", "efficiency"] as const) {
    const rows = await values(page, `scaling-sha-256-16kib-openssl-${kind}`);
    const points = sweep?.curves.flatMap((curve) =>
      curve.points.map((point) => ({ ...point, group: curve.group, unit: curve.unit })),
    );
    mistakes.same(rows.length, points?.filter((point) => point[kind]).length, kind);
    for (const [machine, threads, value] of rows) {
      const point = points?.find((point) => point.group === machine && String(point.threads) === threads);
      const isInBytes = kind === "throughput" && point?.unit === "bytes/s";
      const centre = (point?.[kind]?.centre ?? NaN) / (isInBytes ? MIB : 1);
      const what = `${kind} of ${machine ?? ""} on ${threads ?? ""}`;
      if (kind === "efficiency")
        mistakes.same(value?.replace("\u00a0", " "), `${(centre * 100).toFixed(0)} %`, what);
      else mistakes.shown(value, centre, what);
    }
  }
  mistakes.expectNone();
});

test("crossovers are with the chosen baseline, and machines that do not cross it stand in one line", async ({
  open,
}) => {
  const chart = "scaling-sha-256-16kib-openssl-throughput";
  const scaling = dataOf(report("four")).scaling.find(({ workload }) => workload === "sha-256-16KiB/openssl");
  for (const [baseline, hash] of ["", "#baseline=1"].entries()) {
    const page = await open("four", hash);
    await values(page, chart);
    const notes = await page.locator(`#chart-${chart} > .chart-notes li`).allInnerTexts();
    const details = await page.locator(`#chart-${chart} .values .chart-notes li`).allInnerTexts();
    const expected = scaling?.crossovers[baseline] ?? [];
    expect(expected).toHaveLength(3);
    for (const { words } of expected) expect(details).toContain(words);
    const apart = expected.filter(({ changes }) => changes.length === 0).length;
    expect(notes).toHaveLength(apart > 1 ? expected.length - apart + 1 : expected.length);
  }
});

test("cost against performance has each machine's price and score, and on the front who is beaten by none", async ({
  open,
}) => {
  const page = await open("four");
  const made = report("four");
  const mistakes = new Mistakes();
  const score = (label: string): number =>
    scored(made.args, "Xeon 8375C")
      .find((found) => found.label === label)
      ?.lines.find(({ category, threads }) => category === "overall" && threads === "all")?.score?.centre ??
    NaN;
  const points = Object.entries(made.prices).map(([label, price]) => ({
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
  // Figures of 52,000 MiB/s are read more easily so.
  expect((await heads(page.locator("#chart-size-hash-x details.values table")))[3]).toBe("GiB/s");
  expect(rows.map(([machine, threads, size]) => `${threads ?? ""} ${machine ?? ""} ${size ?? ""}`)).toEqual(
    ["1", "all"].flatMap((threads) =>
      ["short", "long"].flatMap((machine) =>
        ["64 B", "4 KiB", "1 MiB"].map((size) => `${threads} ${machine} ${size}`),
      ),
    ),
  );
  for (const [machine, threads, size = "", value, width] of rows) {
    const row = pair?.rows.find(
      (row) => row.workload === `hash-${size.replace(" ", "")}/x` && row.threads === threads,
    );
    const figure = machine === "short" ? row?.baseline : row?.other;
    mistakes.shown(value, (figure?.centre ?? NaN) / MIB / 1024, `${machine ?? ""} ${size}`);
    mistakes.width(width, figure ?? { low: null, high: null }, `${machine ?? ""} ${size}`);
  }
  mistakes.expectNone();
});

test("compressed size is the output of an operation over its input, beside the row's speed", () => {
  const data = structuredClone(dataOf(report("uncontended")));
  const row = data.rows.findIndex(({ name, threads }) => name === "gzip-5/zlib" && threads === "all");
  const head = data.rows[row];
  const figure = figureOf(data, data.cells[0]?.[row]);
  if (!head || !figure?.bytesPerOp || !figure.outputBytes) throw new Error("gzip has no sizes");
  const outputs = data.columns.findIndex(({ name }) => name === "output_bytes");
  for (const level of [1, 9]) {
    data.rows.push({ ...head, operation: `gzip-${level}`, name: `gzip-${level}/zlib` });
    for (const cells of data.cells) {
      const cell = structuredClone(cells[row] ?? null);
      // A busy machine may have no figure.
      if (cell && "values" in cell) cell.values[outputs] = figure.outputBytes / level;
      cells.push(cell);
    }
  }
  const [chart] = density(data, defaultView(data));
  expect(chart?.name).toBe("compression-28-64-kib");
  const rows = chart?.table().rows.filter(([, machine]) => machine === data.groups[0]?.label);
  const mistakes = new Mistakes();
  for (const [workload, level] of [
    ["gzip-1/zlib", 1],
    ["gzip-5/zlib", 1],
    ["gzip-9/zlib", 9],
  ] as const) {
    const [, , speed, , bytes, share] = rows?.find(([name]) => name === workload) ?? [];
    mistakes.shown(speed, (figure.interval.centre * figure.bytesPerOp) / MIB, workload);
    mistakes.shown(bytes, figure.outputBytes / level, workload);
    mistakes.same(share, percent(figure.outputBytes / level / figure.bytesPerOp, 1), workload);
  }
  mistakes.expectNone();
});
