// Every control does what it says, and the address remembers it.

import { type Locator, type Page } from "@playwright/test";
import { cells, expect, hashOf, heads, test, values } from "./support/page";
import { dataOf, report } from "./support/reports";
import { defaultView, fromHash } from "../src/view";

const LABELS = ["Xeon 8375C", "Graviton 3", "EPYC 7R13", "Altra"];

async function rowNames(page: Page): Promise<string[]> {
  return (await cells(page.locator("#rows table"))).map(([name = ""]) => name);
}

async function columns(page: Page): Promise<string[]> {
  return (await heads(page.locator("#rows table"))).slice(1).map((head) => head.replace(" (baseline)", ""));
}

/** The lines of a picture from above, each once. */
async function lines(page: Page, chart: string): Promise<string[]> {
  return [...new Set((await values(page, chart)).map(([line = ""]) => line))];
}

/** All that a view decides, as it is shown. */
async function state(page: Page): Promise<unknown> {
  const control = (name: string): Promise<string> => page.locator(`.controls [name=${name}]`).inputValue();
  const checked = await page
    .locator(".controls input[type=checkbox]")
    .evaluateAll((all) =>
      (all as HTMLInputElement[]).filter((one) => one.checked).map((one) => `${one.name}=${one.value}`),
    );
  return {
    controls: [
      await control("baseline"),
      await control("threads"),
      await control("sort"),
      await control("text"),
    ],
    checked,
    prices: await page
      .locator("#prices input")
      .evaluateAll((all) => (all as HTMLInputElement[]).map((one) => one.value)),
    answer: await page.locator("#answer").innerText(),
    rows: await cells(page.locator("#rows table")),
    columns: await columns(page),
    relative: (await page.locator("#chart-relative").count()) > 0 ? await values(page, "relative") : null,
  };
}

/** An address that is loaded afresh shows what it did. */
async function expectSameWhenLoaded(
  page: Page,
  open: (name: "four", hash: string) => Promise<Page>,
): Promise<void> {
  const before = await state(page);
  const hash = await page.evaluate(() => location.hash);
  expect(hash).not.toBe("");
  await open("four", hash);
  expect(await state(page)).toEqual(before);
  expect(await page.evaluate(() => location.hash)).toBe(hash);
}

async function choose(page: Page, title: string, label: string): Promise<void> {
  const list = page.locator(".many", { hasText: title }).first();
  if (!(await list.evaluate((details: HTMLDetailsElement) => details.open)))
    await list.locator("summary").click();
  await list.getByLabel(label, { exact: true }).click();
}

test("the baseline is the first machine, and another is compared with it when it is chosen", async ({
  open,
}) => {
  const page = await open("four");
  expect((await columns(page))[0]).toBe(LABELS[0]);
  await page.selectOption("select[name=baseline]", { label: "Graviton 3" });
  expect(await columns(page)).toEqual(["Graviton 3", "Xeon 8375C", "EPYC 7R13", "Altra"]);
  await expect(page.locator("#chart-relative h3")).toContainText("against Graviton 3");
  await expect(page.locator("#chart-scores h3")).toContainText("against Graviton 3");
  await expect(page.locator("#answer")).toContainText("Graviton 3 = 1");
  expect((await hashOf(page)).get("baseline")).toBe("1");
  await expectSameWhenLoaded(page, open);
});

test("threads choose the rows that are shown", async ({ open }) => {
  const page = await open("four");
  const control = page.locator("select[name=threads]");
  await expect(control).toHaveValue("all");
  for (const threads of ["1", "2"]) {
    await control.selectOption(threads);
    const on = threads === "1" ? "1 thread" : "2 threads";
    await expect(page.locator("#chart-relative h3")).toContainText(on);
    await expect(page.locator("#rows p").first()).toContainText(on);
    expect((await hashOf(page)).get("threads")).toBe(threads);
    await expectSameWhenLoaded(page, open);
  }
});

test("controls under Answer change the answer, those under Below it do not", async ({ open }) => {
  const page = await open("four");
  const headline = page.locator("#answer h1");
  const group = (title: string): Locator => page.locator(`.controls [role=group][aria-label="${title}"]`);
  const plain = await headline.innerText();
  await group("Below it").locator("[name=sort]").selectOption("name");
  await group("Below it").locator("[name=text]").fill("zlib");
  await expect.poll(async () => (await hashOf(page)).get("text")).toBe("zlib");
  expect(await headline.innerText()).toBe(plain);
  await group("Answer").locator("[name=threads]").selectOption("1");
  await expect(headline).not.toHaveText(plain);
  const onOne = await headline.innerText();
  await group("Answer").locator("[name=per]").selectOption("money");
  await expect(headline).not.toHaveText(onOne);
});

test("rows are sorted by ratio, by name or as measured", async ({ open }) => {
  const page = await open("unpriced");
  const ratios = async (): Promise<number[]> => (await values(page, "relative")).map((row) => Number(row[2]));
  const falling = await ratios();
  expect(falling.length).toBeGreaterThan(3);
  expect(falling).toEqual([...falling].sort((a, b) => b - a));
  await page.selectOption("select[name=sort]", { label: "by name" });
  const names = await lines(page, "relative");
  expect(names).toEqual([...names].sort());
  expect((await hashOf(page)).get("sort")).toBe("name");
  await page.selectOption("select[name=sort]", { label: "as measured" });
  const data = dataOf(report("unpriced"));
  expect(await lines(page, "relative")).toEqual(
    data.rows.filter((row) => row.threads === "all").map((row) => row.name),
  );
  expect((await hashOf(page)).get("sort")).toBe("table");
});

test("where machines can't be ranked by what is chosen, bars by something else say so", async ({ open }) => {
  const page = await open("many", "#per=money");
  const said = page.locator(".ranking > p");
  await expect(said).toContainText(
    "No machine has a price, so none can be ranked per dollar. Shown instead: ",
  );
  await expect(said).toContainText("Overall score on ");
  expect(await page.locator(".ranking li").count()).toBeGreaterThan(1);
});

test("where nothing can be compared no section is empty", async ({ openFolded }) => {
  const page = await openFolded("contrary", "#baseline=3&shown=0");
  await expect(page.locator("#answer h1")).toContainText("have no comparable workload");
  await expect(page.locator("#relative, #scores")).toHaveCount(0);
});

test("find leaves the rows whose name has it, in any case", async ({ open }) => {
  const page = await open("four");
  await page.locator("input[name=text]").fill("SHA-256");
  await expect.poll(() => rowNames(page)).toEqual(["sha-256-16KiB/openssl", "sha-256-16KiB/go"]);
  expect(new Set(await lines(page, "relative"))).toEqual(new Set(await rowNames(page)));
  expect((await hashOf(page)).get("text")).toBe("SHA-256");
  await expect(page.locator("figure[id^=chart-family-]")).toHaveCount(1);
  await expectSameWhenLoaded(page, open);
  await page.locator("input[name=text]").fill("there is no such row (*[");
  await expect.poll(() => rowNames(page)).toEqual([]);
  await expect(page.locator("#chart-relative")).toHaveCount(0);
});

test("a category answers anew, and leaves its rows", async ({ open }) => {
  const page = await open("four");
  const data = dataOf(report("four"));
  const expected = (isExpected: (row: (typeof data.rows)[number]) => boolean): string[] =>
    data.rows.filter((row) => row.threads === "all" && isExpected(row)).map((row) => row.name);
  const all = await page.locator("#answer h1").innerText();
  await page.selectOption("select[name=category]", "hash");
  expect(await rowNames(page)).toEqual(expected((row) => row.family === "hash"));
  expect((await hashOf(page)).get("category")).toBe("hash");
  await expect(page.locator("#answer h1")).toContainText(" at hash");
  await expect(page.locator("#answer .tile .about").first()).toContainText(" at hash");
  // The scores of the category are the ranking's, and no others are shown.
  const scores = await values(page, "scores");
  expect(new Set(scores.map(([category]) => category))).toEqual(new Set(["hash"]));
  const ranked = await page.locator(".ranking ol li").allInnerTexts();
  for (const [, machine = "", , score = ""] of scores) {
    const shown = ranked.find((text) => text.startsWith(machine))?.match(/([\d.]+)×/)?.[1];
    expect(Math.abs(Number(shown) / Number(score) - 1)).toBeLessThan(0.006);
  }
  await page.selectOption("select[name=category]", "");
  await expect(page.locator("#answer h1")).toHaveText(all);
  await page.selectOption("select[name=category]", "pki");
  await choose(page, "Implementations", "openssl");
  expect(await rowNames(page)).toEqual(
    expected((row) => row.family === "pki" && row.implementation === "openssl"),
  );
  expect((await hashOf(page)).getAll("implementation")).toEqual(["openssl"]);
  await expectSameWhenLoaded(page, open);
});

test("machines can be left out and taken in again", async ({ open }) => {
  const page = await open("four");
  await choose(page, "Machines", "EPYC 7R13");
  expect(await columns(page)).toEqual(["Xeon 8375C", "Graviton 3", "Altra"]);
  await expect(page.locator("#machines thead")).not.toContainText("EPYC 7R13");
  expect((await values(page, "relative")).map((row) => row[1])).not.toContain("EPYC 7R13");
  expect((await hashOf(page)).get("shown")).toBe("1,3");
  await expectSameWhenLoaded(page, open);
  await choose(page, "Machines", "EPYC 7R13");
  expect(await columns(page)).toEqual(LABELS);
  expect(await page.evaluate(() => location.hash)).toBe("");
});

test("of many machines those seven are drawn that score best", async ({ open }) => {
  const page = await open("many");
  expect((await columns(page)).length).toBe(8);
  await expect(page.locator(".many summary", { hasText: "Machines" })).toHaveText(
    "Machines beside machine 1: 7 of 18",
  );
  await choose(page, "Machines", "machine 2");
  expect(await columns(page)).toContain("machine 2");
  expect((await columns(page)).length).toBe(8);
});

test("the picked machines stay when threads change", async ({ open }) => {
  const page = await open("many");
  await choose(page, "Machines", "machine 14");
  const before = await columns(page);
  expect(before).not.toContain("machine 14");
  await page.selectOption("select[name=threads]", "1");
  expect(await columns(page)).toEqual(before);
});

test("reset goes back to the default, whatever was chosen, and leaves no hash", async ({ open }) => {
  const page = await open("four");
  const before = await state(page);
  await page.selectOption("select[name=baseline]", { label: "Altra" });
  await page.selectOption("select[name=threads]", "1");
  await page.selectOption("select[name=sort]", { label: "by name" });
  await page.locator("input[name=text]").fill("openssl");
  await page.selectOption("select[name=category]", "hash");
  await page.selectOption("select[name=per]", "cpu");
  await page.getByLabel("Price an hour of Altra").fill("7");
  await page.getByLabel("Price an hour of Altra").press("Tab");
  expect([...(await hashOf(page)).keys()].sort()).toEqual([
    "baseline",
    "category",
    "per",
    "price",
    "sort",
    "text",
    "threads",
  ]);
  await page.getByRole("button", { name: "Reset" }).click();
  expect(await page.evaluate(() => location.hash)).toBe("");
  expect(page.url()).not.toContain("#");
  expect(await state(page)).toEqual(before);
});

test("going back to the default by hand leaves no hash", async ({ open }) => {
  const page = await open("four");
  for (const [name, other] of [
    ["baseline", "2"],
    ["threads", "1"],
    ["sort", "name"],
  ] as const) {
    const control = page.locator(`select[name=${name}]`);
    const plain = await control.inputValue();
    await control.selectOption(other);
    expect((await hashOf(page)).get(name)).toBe(other);
    await control.selectOption(plain);
    expect(page.url()).not.toContain("#");
  }
  await page.locator("input[name=text]").fill("x");
  await page.locator("input[name=text]").fill("");
  expect(page.url()).not.toContain("#");
});

test("a changed price is in the address, and taken back when it is emptied", async ({ open }) => {
  const page = await open("four");
  const input = page.getByLabel("Price an hour of Graviton 3");
  await input.fill("0.5");
  await input.press("Tab");
  expect((await hashOf(page)).getAll("price")).toEqual(["1:0.5"]);
  await expectSameWhenLoaded(page, open);
  await input.fill("");
  await input.press("Tab");
  await expect(input).toHaveValue("1.45");
  expect(page.url()).not.toContain("#");
});

for (const wrong of ["-1", "0", "1e999"]) {
  test(`a price of ${wrong} is not taken`, async ({ open }) => {
    const page = await open("four");
    const before = await page.locator("#answer").innerText();
    const input = page.getByLabel("Price an hour of Graviton 3");
    await input.fill(wrong).catch(() => undefined);
    await input.press("Tab");
    expect(await page.locator("#answer").innerText()).toBe(before);
    await expect(input).toHaveValue("1.45");
    await expect(page.locator("#prices p[role=status]")).toContainText("Not a price");
  });
}

test("an address that is changed by hand is followed", async ({ open }) => {
  const page = await open("four");
  await page.evaluate(() => (location.hash = "#baseline=3&threads=1&text=gzip"));
  await expect(page.locator("select[name=baseline]")).toHaveValue("3");
  await expect(page.locator("select[name=threads]")).toHaveValue("1");
  await expect.poll(() => rowNames(page)).toEqual(["gzip-5/zlib"]);
});

const NONSENSE = [
  "#baseline=99",
  "#baseline=-1&threads=seven&sort=up",
  "#baseline=NaN&shown=,,,,9,x,-1",
  "#shown=",
  "#baseline=0.5&price=0:-1&price=x:y&price=99:1&price=1:NaN&price=:",
  "#category=nobody&implementation=__proto__&per=constructor",
  "#%00%ff%zz&&&===",
  "#baseline=__proto__&threads=constructor&shown=__proto__",
  `#text=${"a".repeat(10_000)}`,
  "#text=%3Cimg%20src=x%20onerror=alert(1)%3E",
  "#shown=0,0,0,1,1,1",
];

test("an address of nonsense asks for nothing but the default", () => {
  const data = dataOf(report("four"));
  const { baseline, threads, category, per, implementations, sort, prices } = defaultView(data);
  const plain = { baseline, threads, category, per, implementations, sort, prices };
  for (const hash of NONSENSE) expect(fromHash(data, hash), hash).toMatchObject(plain);
});

test("an address of nonsense does nothing bad", async ({ open }) => {
  const page = await open("four");
  for (const hash of NONSENSE) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await expect(page.locator("select[name=sort]")).toHaveValue("ratio");
    expect(await page.locator("body").innerText()).not.toMatch(/\bNaN\b|\bundefined\b/);
    expect(await page.locator("img").count()).toBe(0);
  }
});

test("a machine of the ranking leads to its head-to-head with the leader, and from there back to all", async ({
  openFolded,
}) => {
  const page = await openFolded("many");
  const names = page.locator(".ranking .name");
  const [leader = "", ...rest] = await names.allInnerTexts();
  const last = rest.at(-1) ?? "";
  await names.last().click();
  await expect(page.locator("#answer h1")).toContainText(leader);
  await expect(page.locator("#answer h1")).toContainText(last);
  await expect(page.locator("#chart-extremes, #chart-overview").first()).toBeVisible();
  await page.getByRole("button", { name: "All 19 machines" }).click();
  await expect(page.locator("#answer h1")).toContainText("19 machines");
  await page.getByRole("button", { name: "Show all 19 machines" }).click();
  await expect(names).toHaveCount(19);
  const marked = await names.filter({ hasText: "⇅" }).count();
  expect(marked).toBeGreaterThan(0);
  await page.locator(".ranking summary").click();
  await expect(page.locator(".ranking details li")).toHaveCount(marked);
});

test("the contents lead to their sections without touching the address", async ({ open }) => {
  const page = await open("four", "#threads=1");
  for (const button of await page.getByRole("navigation", { name: "Contents" }).getByRole("button").all()) {
    const name = await button.innerText();
    await button.click();
    const heading = page.getByRole("heading", { level: 2, name, exact: true });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
  }
  expect(await page.evaluate(() => location.hash)).toBe("#threads=1");
});
