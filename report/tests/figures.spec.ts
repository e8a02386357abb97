// A reader sees what the program prints: ratios, intervals, verdicts, scores.

import { isKnown, Mistakes } from "./support/numbers";
import { cells, everyView, expect, heads, test, values } from "./support/page";
import { compared, scored, type Compared, type Scored } from "./support/program";
import { report, type Name } from "./support/reports";

const UNKNOWN = "no error bars";

const PAIRED: Name[] = ["four", "allowed", "uncontended", "delivered", "seen-once"];

for (const name of PAIRED) {
  test(`the table of ${name} shows each ratio, its interval and its verdict as the program does, for every baseline`, async ({
    open,
  }) => {
    const page = await open(name);
    const made = report(name);
    const mistakes = new Mistakes();
    const against = (baseline: string): Compared[] => compared(made.args, baseline);
    await everyView(page, against, async (program, baseline, threads) => {
      const table = page.locator("#rows table");
      const columns = await heads(table);
      mistakes.same(columns[1], `${baseline} (baseline)`, "the first column");
      const rows = new Map((await cells(table)).map((row) => [row[0], row]));
      for (const { other, rows: expected } of program) {
        const column = columns.indexOf(other);
        for (const row of expected.filter((row) => row.threads === threads)) {
          const what = `${other} against ${baseline}, ${row.workload} on ${row.threads}`;
          const cell = (rows.get(row.workload)?.[column] ?? "").split("\n");
          const isUnknown = row.ratio !== null && !isKnown(row.ratio);
          const told = cell.find((line) => line.includes(isUnknown ? "(no error bar)" : row.verdict)) ?? "";
          const [centre, ...rest] = told.split(" ");
          if (row.ratio && isUnknown) {
            mistakes.shown(centre?.replace("×", ""), row.ratio.centre, what);
            mistakes.same(rest.join(" "), "(no error bar)", what);
          } else if (row.ratio) {
            mistakes.shown(centre?.replace("×", ""), row.ratio.centre, what);
            mistakes.width(rest.join(" ").replace(` ${row.verdict}`, ""), row.ratio, what);
            mistakes.same(told.endsWith(` ${row.verdict}`), true, `${what}: ${told}`);
          } else {
            mistakes.same(told, row.verdict, what);
          }
        }
      }
    });
    mistakes.expectNone();
  });
}

test("the table shows each figure of each machine as the program does", async ({ open }) => {
  const page = await open("uncontended");
  const made = report("uncontended");
  const mistakes = new Mistakes();
  const [program] = compared(made.args, "calm");
  const columns = await heads(page.locator("#rows table"));
  const rows = new Map((await cells(page.locator("#rows table"))).map((row) => [row[0], row]));
  const threads = await page.locator("select[name=threads]").inputValue();
  for (const row of program?.rows.filter((row) => row.threads === threads) ?? []) {
    for (const [label, figure] of [
      ["calm (baseline)", row.baseline],
      [program?.other ?? "", row.other],
    ] as const) {
      if (!figure) continue;
      const [first = ""] = (rows.get(row.workload)?.[columns.indexOf(label)] ?? "").split("\n");
      const [centre = "", width, clock = ""] = /^(\S+) (.*?) at (\S+)\u00a0GHz$/.exec(first)?.slice(1) ?? [];
      mistakes.shown(centre, figure.centre, `${label} ${row.workload}`);
      mistakes.width(width, figure, `${label} ${row.workload}`);
      const hz = label === program?.other ? row.other_clock_hz : row.baseline_clock_hz;
      mistakes.same(clock, ((hz?.centre ?? NaN) / 1e9).toFixed(2), `${label} ${row.workload}: clock`);
    }
  }
  mistakes.expectNone();
});

for (const name of ["four", "allowed", "uncontended"] as const) {
  test(`the values of the picture of rows of ${name} are the program's, for every baseline`, async ({
    open,
  }) => {
    const page = await open(name);
    const made = report(name);
    const mistakes = new Mistakes();
    const against = (baseline: string): Compared[] => compared(made.args, baseline);
    await everyView(page, against, async (program, baseline, threads) => {
      const expected = program.flatMap(({ other, rows }) =>
        rows.flatMap((row) =>
          row.ratio && row.threads === threads ? [{ ...row, other, ratio: row.ratio }] : [],
        ),
      );
      if (expected.length === 0) {
        await expect(page.locator("#chart-relative")).toHaveCount(0);
        return;
      }
      const shown = await values(page, "relative");
      mistakes.same(shown.length, expected.length, `rows against ${baseline} on ${threads}`);
      for (const row of expected) {
        const what = `${row.other} against ${baseline}, ${row.workload} on ${row.threads}`;
        const found = shown.find(([workload, machine]) => workload === row.workload && machine === row.other);
        const [, , ratio, width, from, to, verdict] = found ?? [];
        mistakes.shown(ratio, row.ratio.centre, what);
        mistakes.width(width, row.ratio, what);
        mistakes.ends(from, to, row.ratio, what);
        mistakes.same(verdict, isKnown(row.ratio) ? row.verdict : "unknown", what);
      }
    });
    mistakes.expectNone();
  });
}

for (const name of ["four", "uncontended"] as const) {
  test(`the scores of ${name} are the program's, for every baseline`, async ({ open }) => {
    const page = await open(name);
    const made = report(name);
    const mistakes = new Mistakes();
    const against = (baseline: string): Scored[] =>
      scored(made.args, baseline).filter((score) => score.label !== baseline);
    await everyView(page, against, async (program, baseline, threads) => {
      const expected = program.flatMap(({ label, lines }) =>
        lines.flatMap((line) =>
          line.score && line.threads === threads ? [{ ...line, label, score: line.score }] : [],
        ),
      );
      if (expected.length === 0) {
        await expect(page.locator("#chart-scores")).toHaveCount(0);
        return;
      }
      const shown = await values(page, "scores");
      mistakes.same(shown.length, expected.length, `scores against ${baseline} on ${threads}`);
      // For two and for many machines the answer has its own pictures of scores.
      const isRanked = program.length > 1;
      const ranked = await page.locator(".ranking ol li").allInnerTexts();
      for (const line of expected) {
        const what = `${line.label} against ${baseline}, ${line.category} on ${line.threads}`;
        const found = shown.find(
          ([category, machine]) => category === line.category && machine === line.label,
        );
        const [, , rows, score, width, from, to] = found ?? [];
        mistakes.same(rows, String(line.rows), what);
        mistakes.shown(score, line.score.centre, what);
        mistakes.width(width, line.score, what);
        mistakes.ends(from, to, line.score, what);
        if (line.category !== "overall") continue;
        if (!isRanked) continue;
        const shownScore = ranked.find((text) => text.startsWith(line.label))?.match(/([\d.,]+)×/)?.[1];
        const ratio = Number(shownScore);
        mistakes.same(Math.abs(ratio / line.score.centre - 1) < 0.006, true, `${what}: ranked ${ratio}`);
      }
    });
    mistakes.expectNone();
  });
}

test("a machine that was measured once is nowhere called faster or slower", async ({ open }) => {
  const page = await open("seen-once");
  await expect(page.locator("#answer")).toContainText(UNKNOWN);
  const verdicts = (await values(page, "relative")).map((row) => row[6]);
  expect(new Set(verdicts)).toEqual(new Set(["unknown"]));
  await expect(page.locator("#rows .ratio").first()).toContainText("no error bar");
  // Nothing was tested for significance, other than where there are intervals.
  await expect(page.locator("#method")).not.toContainText("Significance");
  await expect((await open("four")).locator("#method")).toContainText("Significance level 5 %");
});

test("an interval that is not known is nowhere shown as if it had ends", async ({ open }) => {
  const page = await open("seen-once");
  for (const place of ["#answer", "#prices", "#rows", "#chart-overview", "#chart-relative"]) {
    expect.soft(await page.locator(place).innerText(), place).not.toMatch(/0 to –|– to –|0\.000 to/);
  }
});

test("a report of one machine says that there is nothing to compare it to", async ({ open }) => {
  const page = await open("alone");
  await expect(page.locator("#answer")).toContainText("the throughput of 1 thread on the median workload");
  await expect(page.locator("#chart-relative")).toHaveCount(0);
  await expect(page.locator("#rows tbody tr").first()).toBeVisible();
});

for (const name of ["four", "hostile", "many", "uncontended", "delivered", "alone", "seen-once"] as const) {
  test(`nothing on the page of ${name} is a number that is none`, async ({ open }) => {
    const page = await open(name);
    expect(await page.locator("body").innerText()).not.toMatch(/\bNaN\b|\bInfinity\b|\bundefined\b|\[object/);
  });
}
