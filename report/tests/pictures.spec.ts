// Pictures are there where there is something to show, light and dark, on screens and on paper, and can be taken along.

import { readFile } from "node:fs/promises";
import { type Locator, type Page } from "@playwright/test";
import { figureOf } from "../src/data";
import { charts, drawAll, expect, openDetails, test, values } from "./support/page";
import { dataOf as readable } from "../src/data";
import { dataOf, report, type Name } from "./support/reports";

/** Pictures that must be drawn of each report, in this order. A new picture goes in here. */
const FAMILIES = ["family-hash", "family-compress", "family-pki"];
const SWEEP = ["throughput", "efficiency"];
const SCALING = SWEEP.map((kind) => `scaling-sha-256-16kib-openssl-${kind}`);
const MEASURED = [
  "speed-up",
  "time-cpu-time-of-other-processes",
  "time-core-clock",
  "time-instructions-per-cycle-in-the-pulses",
  "time-load",
  "time-steal",
  "samples-sha-256-16kib-openssl",
];
const EXPECTED: Partial<Record<Name, string[]>> = {
  four: [
    "relative",
    "scores",
    ...FAMILIES,
    "speed-up",
    ...SCALING,
    "pareto",
    "price-adjusted",
    "work-per-watt",
    "per-watt",
    "implementations",
  ],
  unpriced: ["overview", "extremes", "relative", ...FAMILIES, "speed-up", ...SCALING, "implementations"],
  uncontended: ["relative", "scores", "family-hash", "family-compress", ...MEASURED],
  delivered: ["relative", "scores", "family-hash", "family-compress", ...MEASURED],
  many: ["relative", "scores", "family-other", "level-op-lib0"],
  hostile: [
    "relative",
    "scores",
    "family-other",
    "speed-up",
    ...SWEEP.map((kind) => `scaling-b-bold-script-${kind}`),
  ],
  "seen-once": [
    "overview",
    "relative",
    "family-other",
    "speed-up",
    ...SCALING,
    "pareto",
    "price-adjusted",
    "implementations",
  ],
  alone: ["overview", ...FAMILIES, "speed-up", ...SCALING, "work-per-watt", "implementations"],
};

for (const [name, expected] of Object.entries(EXPECTED) as [Name, string[]][]) {
  test(`${name} has its pictures, each with a title, a caption and values`, async ({ open }) => {
    const page = await open(name);
    expect(await charts(page)).toEqual(expected.map((chart) => `chart-${chart}`));
    await drawAll(page);
    for (const chart of expected) {
      const figure = page.locator(`#chart-${chart}`);
      expect((await figure.locator("figcaption p").innerText()).length).toBeGreaterThan(20);
      if (chart === "scores") {
        // On the page they are a table.
        expect(await figure.locator(".scores tbody tr").count()).toBeGreaterThan(1);
      } else {
        await expect(figure.locator("svg[role=img]")).toHaveCount(1);
        expect(await figure.locator("svg[role=img]").getAttribute("aria-label")).toBeTruthy();
        expect((await figure.locator(".unseen").textContent())?.length).toBeGreaterThan(20);
      }
      expect((await values(page, chart)).length).toBeGreaterThan(0);
    }
  });
}

/** The marks of a kind as Plot names them. */
function mark(kind: string): string {
  return `:is(g[aria-label="${kind}"], g[data-mark="${kind}"])`;
}

test("a picture has a mark for every value in its table", async ({ open }) => {
  const page = await open("four");
  await drawAll(page);
  const dots = (chart: string): Locator => page.locator(`#chart-${chart} svg ${mark("dot")} path`);
  for (const chart of ["relative", "price-adjusted"]) {
    const rows = await values(page, chart);
    // Three more are the legend's.
    await expect(dots(chart)).toHaveCount(rows.length + 3);
  }
  for (const chart of ["family-hash", "family-compress", "family-pki"]) {
    const rows = await values(page, chart);
    await expect(page.locator(`#chart-${chart} svg ${mark("bar")} rect`)).toHaveCount(rows.length);
  }
});

test("a bar of what can't be compared is pale, and its values say why", async ({ open }) => {
  const page = await open("four");
  await drawAll(page);
  const pale = (chart: string): Promise<number> =>
    page
      .locator(`#chart-${chart} svg ${mark("bar")} rect`)
      .evaluateAll((all) => all.filter((bar) => Number(bar.getAttribute("fill-opacity")) < 0.5).length);
  const rows = await values(page, "family-compress");
  const unlike = rows.filter((row) => row[6]);
  expect(unlike.map(([workload, , machine]) => `${workload} ${machine}`)).toEqual(
    unlike.map(() => "brotli-5/brotli EPYC 7R13"),
  );
  expect(unlike.length).toBeGreaterThan(0);
  for (const row of unlike) expect(row[6]).toContain("4096");
  expect(await pale("family-compress")).toBe(unlike.length);
  expect(await pale("family-hash")).toBe(0);
  // Against the one that is otherwise, all others are.
  await page.selectOption("select[name=baseline]", { label: "EPYC 7R13" });
  await drawAll(page);
  await expect.poll(() => pale("family-compress")).toBe(3 * unlike.length);
});

test("a bar of the first picture is as long as its ratio, which stands beside it", async ({ open }) => {
  const page = await open("unpriced");
  await drawAll(page);
  const rows = await values(page, "overview");
  const svg = page.locator("#chart-overview .picture > svg");
  const widths = await svg
    .locator(`${mark("bar")} rect`)
    .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  expect(widths.length).toBe(rows.length);
  const lengths = rows.map(([, , ratio], place) => (widths[place] ?? NaN) / Number(ratio));
  lengths.forEach((length) => {
    expect(Math.abs(length / (lengths[0] ?? NaN) - 1)).toBeLessThan(0.01);
  });
  const texts = await svg.locator("text").allTextContents();
  for (const [line = "", , ratio] of rows) {
    expect(texts).toContain(line);
    expect(texts).toContain(`${Number(ratio).toPrecision(3)}×`);
  }
});

test("a machine has one colour on the whole page", async ({ open }) => {
  const page = await open("four");
  await drawAll(page);
  const machines = dataOf(report("four")).groups.map(({ label }) => label);
  const colours = async (lines: string): Promise<Map<string | undefined, string>> => {
    const found = await page.locator(lines).evaluateAll((all) =>
      all.map((line) => {
        const bar = getComputedStyle(line.querySelector(".bar-of") as HTMLElement);
        return { text: (line as HTMLElement).innerText.trim(), colour: bar.backgroundColor };
      }),
    );
    return new Map(
      found.map(({ text, colour }) => [machines.find((machine) => text.startsWith(machine)), colour]),
    );
  };
  const ranked = await colours(".ranking ol li");
  expect([...ranked.keys()].sort()).toEqual([...machines].sort());
  expect(new Set(ranked.values()).size).toBe(4);
  expect(await colours(".scores tbody tr")).toEqual(ranked);
  // In pictures the others' dots, and bars of all.
  const inks = (chart: string, selector: string): Promise<string[]> =>
    page
      .locator(`#chart-${chart} svg ${selector}`)
      .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fill))].sort());
  expect(await inks("family-hash", `${mark("bar")} rect`)).toEqual([...ranked.values()].sort());
  expect(await inks("pareto", `${mark("dot")} path, ${mark("dot")} circle`)).toEqual(
    expect.arrayContaining([ranked.get("Graviton 3")]),
  );
});

test("a dot stands where its ratio is on the axis", async ({ open }) => {
  const page = await open("unpriced");
  await drawAll(page);
  const ticks = await page
    .locator(`#chart-relative svg ${mark("x-axis tick label")} text`)
    .evaluateAll((all) =>
      all.map((one) => {
        const box = one.getBoundingClientRect();
        return { value: Number(one.textContent), x: box.x + box.width / 2 };
      }),
    );
  expect(ticks.length).toBeGreaterThan(2);
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) throw new Error("the axis has no marks");
  const scale = (value: number): number =>
    first.x + (Math.log(value / first.value) / Math.log(last.value / first.value)) * (last.x - first.x);
  const expected = (await values(page, "relative")).map((row) => scale(Number(row[2]))).sort((a, b) => a - b);
  const found = await page
    .locator(`#chart-relative svg ${mark("dot")} path`)
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => box.x + box.width / 2));
  found.sort((a, b) => a - b);
  expect(found.length).toBe(expected.length);
  found.forEach((x, place) => {
    expect(Math.abs(x - (expected[place] ?? NaN))).toBeLessThan(2);
  });
});

async function brightness(place: Locator): Promise<number> {
  return place.evaluate((one) => {
    const found = /rgba?\((\d+), (\d+), (\d+)/.exec(getComputedStyle(one).backgroundColor);
    return found ? (Number(found[1]) + Number(found[2]) + Number(found[3])) / 3 : NaN;
  });
}

async function ink(page: Page): Promise<string | null> {
  return page.locator("#chart-relative .picture > svg").getAttribute("fill");
}

test("in the dark the page is dark, and its pictures are drawn anew", async ({ open, page }) => {
  await open("four");
  await drawAll(page);
  expect(await brightness(page.locator("body"))).toBeGreaterThan(240);
  const light = await ink(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => ink(page)).not.toBe(light);
  expect(await brightness(page.locator("body"))).toBeLessThan(40);
  expect(await brightness(page.locator("#chart-relative .picture > svg"))).toBeLessThan(40);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => ink(page)).toBe(light);
});

for (const name of ["four", "unpriced", "alone", "many", "uncontended"] as const) {
  test(`on paper the answer of ${name} takes two pages, without controls`, async ({ open, page }) => {
    await open(name);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
    await page.emulateMedia({ media: "print" });
    for (const gone of [".controls", "nav", ".tools", ".values", ".skip", "#rows", "#machines"]) {
      for (const one of await page.locator(gone).all()) await expect(one).toBeHidden();
    }
  });
}

test("all sections are printed when a reader says so", async ({ openFolded }) => {
  const page = await openFolded("four");
  await page.evaluate(() => {
    window.print = () => dispatchEvent(new Event("beforeprint"));
  });
  await page.getByRole("button", { name: "Print all sections" }).click();
  await expect(page.locator("body.print-all")).toHaveCount(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("#rows table")).toBeVisible();
  for (const picture of await page.locator(".picture").all())
    await expect(picture.locator("> svg")).toHaveCount(1);
});

test("every picture is drawn by the time that a browser has asked for it to print", async ({ open }) => {
  const page = await open("four");
  // Whatever is drawn later is not on the paper.
  const missing = await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    return [...document.querySelectorAll(".picture")]
      .filter((picture) => picture.querySelector("svg") === null)
      .map((picture) => picture.closest("figure")?.id);
  });
  expect(missing).toEqual([]);
});

test("on paper pictures are light and no wider than the paper, also of a dark screen", async ({
  open,
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open("four");
  await page.pdf({ format: "A4" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await expect.poll(() => ink(page)).toBe("#1b1f24");
  expect(await brightness(page.locator("body"))).toBeGreaterThan(240);
});

async function download(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [arrived] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: arrived.suggestedFilename(), bytes: await readFile(await arrived.path()) };
}

for (const name of ["four", "hostile"] as const) {
  test(`each picture of ${name} can be saved as SVG and as PNG`, async ({ open, page }) => {
    await open(name);
    for (const [place, chart] of (await charts(page)).entries()) {
      // After ten downloads in a row Chromium asks its user whether there may be more, who is not here.
      if (place % 4 === 0) {
        await open(name);
        // Once all are drawn and open nothing moves from under the pointer.
        await drawAll(page);
        await openDetails(page);
      }
      const figure = page.locator(`#${chart}`);
      const svg = await download(page, figure.getByRole("button", { name: "Save SVG" }));
      expect(svg.name).toBe(`${chart.replace("chart-", "")}.svg`);
      const drawing = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
        const root = parsed.documentElement;
        const shown = document.body.appendChild(document.importNode(root, true));
        const [paper, words] = [shown, shown.querySelector('[data-mark="title"]')].map((element) =>
          element?.getBoundingClientRect(),
        );
        shown.remove();
        const isWithin = paper && words && words.left >= paper.left && words.right <= paper.right;
        return {
          hasWholeTitle: isWithin && words.width > 0 && words.top >= paper.top,
          error: parsed.querySelector("parsererror")?.textContent ?? null,
          root: `${root.namespaceURI ?? ""} ${root.tagName}`,
          width: root.getAttribute("width"),
          height: root.getAttribute("height"),
          title: parsed.querySelector('[data-mark="title"]')?.textContent ?? "",
          texts: parsed.querySelectorAll("text").length,
          marks: parsed.querySelectorAll("path, rect, line").length,
        };
      }, svg.bytes.toString("utf8"));
      expect(drawing).toMatchObject({
        error: null,
        hasWholeTitle: true,
        root: "http://www.w3.org/2000/svg svg",
        width: "960",
      });
      const title = await figure.locator("h3").innerText();
      expect(title.startsWith(drawing.title.replace(/…$/, ""))).toBe(true);
      expect(drawing.title).not.toBe("");
      expect(drawing.texts).toBeGreaterThan(2);
      expect(drawing.marks).toBeGreaterThan(2);
      const png = await download(page, figure.getByRole("button", { name: "Save PNG" }));
      expect(png.name).toBe(`${chart.replace("chart-", "")}.png`);
      expect(png.bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
      expect(png.bytes.readUInt32BE(16)).toBe(960 * 2);
      expect(png.bytes.readUInt32BE(20)).toBe(Number(drawing.height) * 2);
      await expect(figure.getByRole("status")).toHaveText(/is saved$/);
    }
  });
}

test("where a browser refuses to copy a picture, it is said", async ({ open, page }) => {
  await open("four");
  await drawAll(page);
  await openDetails(page);
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  const figure = page.locator("#chart-relative");
  await figure.getByRole("button", { name: "Copy as PNG" }).click();
  await expect(figure.getByRole("status")).toContainText("does not let the page copy a picture");
});

test("a picture can be copied where the browser allows it", async ({ open, page, context }) => {
  await open("four");
  await drawAll(page);
  await openDetails(page);
  const figure = page.locator("#chart-relative");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await figure.getByRole("button", { name: "Copy as PNG" }).click();
  await expect(figure.getByRole("status")).toHaveText("copied");
  const [type, size] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const blob = await item?.getType("image/png");
    return [item?.types.join(), blob?.size ?? 0] as const;
  });
  expect(type).toContain("image/png");
  expect(size).toBeGreaterThan(1000);
});

/** Records of CSV, as RFC 4180 has them. */
function records(text: string): string[][] {
  const all: string[][] = [];
  let record: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error(`no CSV: ${text.slice(0, 100)}`);
    const [, value = "", end] = found;
    record.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end !== ",") {
      all.push(record);
      record = [];
    }
  }
  return all;
}

for (const name of ["four", "hostile", "uncontended"] as const) {
  test(`the figures of ${name} can be downloaded as CSV and as JSON`, async ({ open, page }) => {
    await open(name);
    await drawAll(page);
    // As the page reads it: nothing is hidden in its names.
    const data = readable(JSON.stringify(dataOf(report(name))));
    const json = await download(page, page.getByRole("button", { name: "Download JSON" }));
    expect(JSON.parse(json.bytes.toString("utf8"))).toEqual(data);
    const csv = await download(page, page.getByRole("button", { name: "Download CSV" }));
    const [head = [], ...rows] = records(csv.bytes.toString("utf8"));
    expect(rows.length).toBe(data.cells.flat().filter((cell) => cell !== null).length);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    for (const row of rows) {
      const cells = Object.fromEntries(head.map((name, place) => [name, row[place] ?? ""]));
      const group = data.groups.findIndex(({ label }) => label === cells.machine);
      expect(group, cells.machine?.slice(0, 40)).toBeGreaterThanOrEqual(0);
      const place = data.rows.findIndex(
        (row) => row.name === cells.workload && row.threads === cells.threads_asked,
      );
      const figure = figureOf(data, data.cells[group]?.[place]);
      expect(cells.value).toBe(figure ? String(figure.interval.centre) : "");
      expect(cells.unit).toBe(figure?.unit ?? "");
      for (const [place, { name }] of data.columns.entries()) {
        expect(cells[name], name).toBe(String(figure?.values[place] ?? ""));
      }
    }
    // No cell is a formula.
    expect(rows.flat().filter((cell) => /^[=+@\t\r]|^-\D/.test(cell))).toEqual([]);
  });
}

for (const name of ["four", "many", "uncontended", "sizes"] as const) {
  test(`no text of a picture of ${name} stands on another`, async ({ open, page }) => {
    await open(name);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await drawAll(page);
      await expect.poll(() => onEachOther(page), `${width} px`).toEqual([]);
    }
  });
}

/** Texts of pictures that stand on others. */
async function onEachOther(page: Page): Promise<string[]> {
  return page.locator("figure.drawing").evaluateAll((all) =>
    all.flatMap((figure) => {
      const texts = [...figure.querySelectorAll(".picture > svg text")].map((text) => ({
        text: text.textContent,
        box: text.getBoundingClientRect(),
      }));
      return texts.flatMap(({ text, box: a }, place) =>
        texts
          .slice(place + 1)
          .filter(
            ({ box: b }) =>
              a.right - 2 > b.left && b.right - 2 > a.left && a.bottom - 4 > b.top && b.bottom - 4 > a.top,
          )
          .map((other) => `${figure.id}: ${text} on ${other.text}`),
      );
    }),
  );
}
