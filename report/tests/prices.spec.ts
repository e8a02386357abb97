// A reader sees at prices and at watts what `sizeup cost` prints.

import { type Page } from "@playwright/test";
import { isKnown, Mistakes } from "./support/numbers";
import { cells, everyView, expect, heads, test, values } from "./support/page";
import {
  costed,
  costedAlone,
  dataOfCommand,
  scored,
  type Commitment,
  type Costed,
  type Interval,
} from "./support/program";
import { dataOf, report, type Name } from "./support/reports";
import { defaultView } from "../src/view";
import { answer } from "../src/words/answer";

/** `1.208–1.263`, where it is known. */
function expectRange(mistakes: Mistakes, text: string, expected: Interval, what: string): void {
  if (!isKnown(expected)) return;
  const [low, high] = text.split("–");
  mistakes.ends(low, high, expected, what);
}

/** Expects the page to show at prices what `sizeup cost` prints of them. */
async function expectPrices(page: Page, name: Name, prices: Record<string, number>): Promise<void> {
  const made = report(name);
  const data = dataOf(made);
  const mistakes = new Mistakes();
  const words: Record<string, string> = { faster: "more for its price", slower: "less for its price" };
  const against = (baseline: string): Costed[] => costed(made.args, baseline, { prices });
  await everyView(page, against, async (program, baseline, threads) => {
    mistakes.same(program.length, data.groups.length - 1, "machines with a price");
    const shown = await values(page, "price-adjusted");
    const prices = page.locator("#prices table.prices");
    const [table, columns] = [await cells(prices), await heads(prices)];
    for (const { cost } of program) {
      for (const row of cost.rows.filter((row) => row.threads === threads)) {
        const what = `${cost.other.label} against ${baseline}, ${row.workload} on ${row.threads}`;
        const found = shown.find(
          ([workload, machine]) => workload === row.workload && machine === cost.other.label,
        );
        const [, , ratio, width, from, to, verdict] = found ?? [];
        mistakes.shown(ratio, row.price_adjusted.centre, what);
        mistakes.width(width, row.price_adjusted, what);
        mistakes.ends(from, to, row.price_adjusted, what);
        const expected = isKnown(row.price_adjusted) ? row.verdict : "unknown";
        mistakes.same(verdict, words[expected] ?? expected, what);
      }
      const score = cost.scores.find((score) => score.category === "overall" && score.threads === threads);
      if (!score) continue;
      const what = `${cost.other.label} against ${baseline} on ${threads}`;
      const line = table.find(([label]) => label === cost.other.label) ?? [];
      // Without intervals the table has no columns of them.
      const [, , , adjusted, range = "", even, evenRange = ""] = columns.includes("95 %")
        ? line
        : line.flatMap((cell, place) => (place < 3 ? [cell] : [cell, ""]));
      mistakes.shown(adjusted, score.price_adjusted.centre, `${what}: for the money`);
      expectRange(mistakes, range, score.price_adjusted, `${what}: for the money`);
      mistakes.shown(even, score.break_even_per_hour.centre, `${what}: even at`);
      expectRange(mistakes, evenRange, score.break_even_per_hour, `${what}: even at`);
    }
  });
  mistakes.expectNone();
}

test("what a machine does for its price, its verdicts and where both are even are the program's", async ({
  open,
}) => {
  const page = await open("four");
  await expectPrices(page, "four", report("four").prices);
});

test("prices that the reader changes have the same effect as flags", async ({ open }) => {
  const page = await open("four");
  const prices = { "Xeon 8375C": 1.1, "Graviton 3": 1.07, "EPYC 7R13": 0.61, Altra: 3.25 };
  for (const [label, price] of Object.entries(prices)) {
    await page.getByLabel(`Price an hour of ${label}`).fill(String(price));
    await page.getByLabel(`Price an hour of ${label}`).press("Enter");
  }
  await expectPrices(page, "four", prices);
});

test("prices can be given where the report has none", async ({ open }) => {
  const page = await open("unpriced");
  await expect(page.locator("#prices")).toHaveCount(0);
  await page.getByRole("button", { name: "Add prices" }).click();
  const prices = { "Xeon 8375C": 2, "Graviton 3": 1.5 };
  for (const [label, price] of Object.entries(prices)) {
    await page.getByLabel(`Price an hour of ${label}`).fill(String(price));
    await page.getByLabel(`Price an hour of ${label}`).press("Tab");
  }
  await expect(page.locator("#prices details.fold")).toHaveCount(1);
  await expectPrices(page, "unpriced", prices);
});

test("a price can be set for each machine, also for those that are not drawn, and names its source", async ({
  open,
}) => {
  const page = await open("many");
  const { groups } = dataOf(report("many"));
  if ((await page.locator("#prices").count()) === 0)
    await page.getByRole("button", { name: "Add prices" }).click();
  const lines = page.locator("#prices table.prices tbody tr");
  expect(await lines.count()).toBeLessThan(groups.length);
  await page
    .getByRole("button", { name: `Show all ${groups.length} machines` })
    .last()
    .click();
  await expect(lines).toHaveCount(groups.length);
  const last = lines.last();
  await last.locator("input").fill("0.5");
  await last.locator("input").press("Enter");
  await expect(last.locator("td").last()).toHaveText("set on this page");
});

test("all commitments of a price file stand on the page, with what the program makes of them", async ({
  open,
}) => {
  const page = await open("committed", "#threads=all");
  const costs = dataOfCommand(["cost", ...report("committed").args]) as { commitments: Commitment[] }[];
  const commitments = costs[0]?.commitments ?? [];
  expect(commitments).toHaveLength(4);
  const rows = await page
    .locator("#prices table.commitments tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.innerText.trim())),
    );
  const mistakes = new Mistakes();
  mistakes.same(rows.length, commitments.length, "commitments");
  for (const { price, price_adjusted, break_even_per_hour } of commitments) {
    const what = `${price.label}, ${price.commitment ?? ""}`;
    const [, , perHour, adjusted, range = "", even] =
      rows.find(([label, commitment]) => label === price.label && commitment === price.commitment) ?? [];
    mistakes.shown(perHour, price.per_hour, what);
    mistakes.shown(adjusted, price_adjusted?.centre ?? NaN, `${what}: for the money`);
    if (price_adjusted && range !== "")
      expectRange(mistakes, range, price_adjusted, `${what}: for the money`);
    mistakes.shown(even, break_even_per_hour?.centre ?? NaN, `${what}: even at`);
  }
  mistakes.expectNone();
});

test("what one machine does per watt is the program's, without anything to compare it to", async ({
  open,
}) => {
  const page = await open("alone");
  const made = report("alone");
  const mistakes = new Mistakes();
  const threads = await page.locator("select[name=threads]").inputValue();
  const rows = costedAlone(made.args, made)?.rows ?? [];
  const expected = rows.filter((row) => row.energy && row.threads === threads);
  const shown = await values(page, "work-per-watt");
  mistakes.same(shown.length, expected.length, `rows on ${threads}`);
  expect(shown.length).toBeGreaterThan(0);
  for (const { workload, unit, per_s, energy } of expected) {
    const [, , figure = "", watts, perWatt = "", width, source] =
      shown.find(([name]) => name === workload) ?? [];
    const [times, word] = unit === "bytes/s" ? [1 / 1_048_576, "MiB/s"] : [1, "ops/s"];
    mistakes.same(figure.endsWith(` ${word}`), true, `${workload}: ${figure}`);
    mistakes.shown(figure.replace(` ${word}`, ""), per_s.centre * times, workload);
    mistakes.shown(watts, energy?.watts.centre ?? NaN, `${workload}: watts`);
    mistakes.same(perWatt.endsWith(` ${word} per watt`), true, `${workload}: ${perWatt}`);
    const found = energy?.per_s_per_watt;
    mistakes.shown(
      perWatt.replace(` ${word} per watt`, ""),
      (found?.centre ?? NaN) * times,
      `${workload}: per watt`,
    );
    if (found) mistakes.width(width, found, workload);
    mistakes.same(source, "rated", workload);
  }
  mistakes.expectNone();
});

test("what each does per watt is the program's, for every baseline, and what can't be compared has no ratio", async ({
  open,
}) => {
  const page = await open("four");
  const made = report("four");
  const mistakes = new Mistakes();
  const against = (baseline: string): Costed[] => costed(made.args, baseline, made);
  await everyView(page, against, async (program, baseline, threads) => {
    const expected = program.flatMap(({ cost, energy }) =>
      energy.flatMap((row) =>
        row.ratio && row.threads === threads ? [{ ...row, ratio: row.ratio, label: cost.other.label }] : [],
      ),
    );
    if (expected.length === 0) {
      await expect(page.locator("#chart-per-watt")).toHaveCount(0);
      return;
    }
    const shown = await values(page, "per-watt");
    mistakes.same(shown.length, expected.length, `rows against ${baseline} on ${threads}`);
    for (const row of expected) {
      const what = `${row.label} against ${baseline}, ${row.workload} on ${threads}`;
      const found = shown.find(([workload, machine]) => workload === row.workload && machine === row.label);
      const [, , mine, theirs, ratio, width, source] = found ?? [];
      // The program's JSON has bytes.
      const [times, unit] = row.unit === "bytes/s" ? [1 / 1_048_576, " MiB"] : [1, " ops"];
      for (const [text = "", side, energy] of [
        [mine, "the baseline", row.baseline],
        [theirs, "the other", row.other],
      ] as const) {
        mistakes.same(text.endsWith(unit), true, `${what}: ${side}: ${text}`);
        mistakes.shown(
          text.replace(unit, ""),
          (energy?.per_s_per_watt.centre ?? NaN) * times,
          `${what}: ${side}`,
        );
      }
      mistakes.shown(ratio, row.ratio.centre, what);
      mistakes.width(width, row.ratio, what);
      mistakes.same(source, "rated", what);
    }
  });
  mistakes.expectNone();
});

test("the answer says who is ahead per watt, and by score and watts it is the program's", () => {
  const made = report("four");
  const data = dataOf(made);
  const { tiles } = answer(data, defaultView(data));
  const tile = tiles.find(({ about }) => about === "per watt");
  const first = data.groups[tile?.group ?? -1]?.label ?? "";
  const [, factor, percent, next = ""] =
    /^(?:([\d.]+)×|([\d.]+)\s%) more than (.+)$/.exec(tile?.value ?? "") ?? [];
  const shown = factor === undefined ? 1 + Number(percent) / 100 : Number(factor);
  // By score and watts: what the program prints of both.
  const score = scored(made.args, next)
    .find(({ label }) => label === first)
    ?.lines.find(({ category, threads }) => category === "overall" && threads === "all")?.score;
  const watts = made.watts ?? {};
  const expected = ((score?.centre ?? NaN) * (watts[next] ?? NaN)) / (watts[first] ?? NaN);
  expect(Math.abs(shown / expected - 1)).toBeLessThan(0.006);
});

test("the baseline's own price is its break-even price, and its score is 1", async ({ open }) => {
  const page = await open("four");
  const line =
    (await cells(page.locator("table.prices"))).find(([name]) => name?.includes("(baseline)")) ?? [];
  const [name, , , score, range, even, evenRange] = line;
  expect([name, score, range, even, evenRange]).toEqual(["Xeon 8375C (baseline)", "1.000", "", "1.920", ""]);
});

test("prices of figures without error bars have no columns for them", async ({ open }) => {
  const columns = async (name: "four" | "seen-once"): Promise<string[]> =>
    heads((await open(name)).locator("table.prices"));
  expect((await columns("four")).filter((head) => head === "95 %")).toHaveLength(2);
  expect(await columns("seen-once")).toEqual([
    "machine",
    "price per hour",
    "per CPU",
    "score per $",
    "break-even price",
  ]);
});
