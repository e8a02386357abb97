// The questions of the page to its judge, compared with the output of the program: without a browser.

import { expect, test } from "@playwright/test";
import { type Data, narrowTo, OVERALL, rankedTo } from "../src/data";
import { compare, hasRatio, type Row } from "../src/judge/comparison";
import { perJoule, perWatt } from "../src/judge/energy";
import { scaled, type Interval } from "../src/judge/interval";
import { overall, scoresOf } from "../src/judge/score";
import { Mistakes } from "./support/numbers";
import { compared, costed, dataOfCommand, scored } from "./support/program";
import { dataOf, report, REPORTS, type Name } from "./support/reports";

/** Every baseline of a few machines; of many, some. */
function baselines(name: Name, count: number): number[] {
  return name === "many" ? [0, 7, count - 1] : Array.from({ length: count }, (_, place) => place);
}

function find(data: Data, rows: Row[], workload: string, threads: string): Row | undefined {
  return rows.find(({ row }) => data.rows[row]?.name === workload && data.rows[row].threads === threads);
}

// The prices of "committed" are a file, which comparisons don't take: its rows are those of "unpriced".
const PAIRED = REPORTS.filter((name) => !["alone", "variants", "committed"].includes(name));

test("every ratio and verdict of a variant is that of the program's pairs", () => {
  const made = report("variants");
  const data = dataOf(made);
  const program = dataOfCommand(["compare", ...made.args]) as {
    rows: { workload: string; threads: string; verdict: string; ratio: Interval }[];
  };
  expect(data.groups.map(({ label }) => label)).toEqual(["plain", "tuned"]);
  const mistakes = new Mistakes();
  const rows = compare(data, 0, 1);
  for (const { workload, threads, verdict, ratio } of program.rows) {
    const what = `${workload} on ${threads}`;
    const found = find(data, rows, workload, threads);
    mistakes.same(found?.verdict, verdict, what);
    mistakes.close(found?.ratio?.centre, ratio.centre, what);
    mistakes.close(found?.ratio?.low, ratio.low, what);
    mistakes.close(found?.ratio?.high, ratio.high, what);
    // With one workload the score is its ratio.
    mistakes.close(overall(data, 0, 1, threads)?.interval?.centre, ratio.centre, what);
  }
  mistakes.expectNone();
  expect(program.rows.map(({ verdict }) => verdict)).toEqual(["slower", "slower"]);
});

for (const name of PAIRED) {
  test(`every ratio of ${name} is the program's to a millionth and every verdict is the same`, () => {
    const made = report(name);
    const data = dataOf(made);
    const mistakes = new Mistakes();
    let ratios = 0;
    for (const baseline of baselines(name, data.groups.length)) {
      for (const program of compared(made.args, data.groups[baseline]?.label ?? "")) {
        const other = data.groups.findIndex((group) => group.label === program.other);
        const rows = compare(data, baseline, other);
        const pair = `${program.other.slice(0, 20)} against ${program.baseline.slice(0, 20)}`;
        mistakes.same(rows.length, program.rows.length, pair);
        const having = data.rows.map((_, row) => row).filter((row) => hasRatio(data, row, baseline, other));
        const withRatio = rows.filter(({ ratio }) => ratio).map(({ row }) => row);
        mistakes.same(having, withRatio, pair);
        for (const expected of program.rows) {
          const what = `${pair}, ${expected.workload} on ${expected.threads}`;
          const found = find(data, rows, expected.workload, expected.threads);
          mistakes.same(found?.verdict, expected.verdict, what);
          mistakes.same(found?.differences, expected.differences, what);
          mistakes.same(Boolean(found?.ratio), Boolean(expected.ratio), what);
          mistakes.same(found?.reason ?? null, expected.reason, what);
          mistakes.same(found?.clockRatio === null, expected.clock_ratio === null, what);
          if (expected.clock_ratio) mistakes.close(found?.clockRatio, expected.clock_ratio.centre, what);
          if (!expected.ratio || !found?.ratio) continue;
          ratios += 1;
          const { centre, low, high } = found.ratio;
          mistakes.close(centre, expected.ratio.centre, what);
          mistakes.close(low, expected.ratio.low, what);
          mistakes.close(high, expected.ratio.high, what);
        }
      }
    }
    mistakes.expectNone();
    expect(ratios).toBeGreaterThan(0);
  });

  test(`every score of ${name} is the program's to a millionth`, () => {
    const made = report(name);
    const data = dataOf(made);
    const mistakes = new Mistakes();
    for (const baseline of baselines(name, data.groups.length)) {
      const label = data.groups[baseline]?.label ?? "";
      for (const program of scored(made.args, label).filter((score) => score.label !== label)) {
        const other = data.groups.findIndex((group) => group.label === program.label);
        const found = scoresOf(rankedTo(data), baseline, other);
        for (const expected of program.lines) {
          const pair = `${program.label.slice(0, 20)} against ${label.slice(0, 20)}`;
          const what = `${pair}, ${expected.category} on ${expected.threads}`;
          const line = found.find(
            (one) => one.category === expected.category && one.threads === expected.threads,
          );
          mistakes.same(line?.rows ?? 0, expected.rows, what);
          mistakes.same(Boolean(line?.interval), expected.score !== null, what);
          if (!expected.score || !line?.interval) continue;
          mistakes.close(line.interval.centre, expected.score.centre, what);
          mistakes.close(line.interval.low, expected.score.low, what);
          mistakes.close(line.interval.high, expected.score.high, what);
          // Where there are many machines, only the first baseline's are drawn.
          if (data.groups.length <= 24) {
            mistakes.same(line.robustness?.ahead, expected.robustness?.ahead, what);
            for (const which of ["least", "greatest"] as const) {
              const [page, left] = [line.robustness?.[which], expected.robustness?.[which]];
              mistakes.same(page?.without, left?.without, what);
              mistakes.same(page?.rows, left?.rows, what);
              if (page && left) mistakes.close(page.score, left.score, what);
            }
          }
        }
      }
    }
    mistakes.expectNone();
  });
}

test("what a machine does for its price is the program's to a millionth, at any prices", () => {
  const made = report("four");
  const data = dataOf(made);
  const mistakes = new Mistakes();
  const labels = data.groups.map((group) => group.label);
  for (const prices of [
    made.prices,
    { "Xeon 8375C": 1, "Graviton 3": 0.9, "EPYC 7R13": 1.01, Altra: 12.5 },
  ]) {
    const price = (label: string): number => prices[label] ?? NaN;
    for (const [baseline, label] of labels.entries()) {
      for (const { cost } of costed(made.args, label, { prices })) {
        const other = labels.indexOf(cost.other.label);
        const factor = price(label) / price(cost.other.label);
        const rows = compare(data, baseline, other, factor);
        for (const expected of cost.rows) {
          const what = `${cost.other.label} against ${label}, ${expected.workload} on ${expected.threads}`;
          const found = find(data, rows, expected.workload, expected.threads);
          const adjusted = found?.ratio;
          mistakes.close(adjusted?.centre, expected.price_adjusted.centre, what);
          mistakes.close(adjusted?.low, expected.price_adjusted.low, what);
          mistakes.close(adjusted?.high, expected.price_adjusted.high, what);
          mistakes.same(found?.verdict, expected.verdict, what);
        }
        for (const expected of cost.scores.filter((score) => score.category === "overall")) {
          const score = overall(rankedTo(data), baseline, other, expected.threads)?.interval;
          const even = score ? scaled(score, price(label)) : null;
          mistakes.close(even?.centre, expected.break_even_per_hour.centre, label);
          mistakes.close(even?.low, expected.break_even_per_hour.low, label);
          mistakes.close(even?.high, expected.break_even_per_hour.high, label);
        }
      }
    }
  }
  mistakes.expectNone();
});

for (const name of ["four", "metered"] as const) {
  test(`what ${name} does per watt is the program's to a millionth, and no row more has a ratio`, () => {
    const made = report(name);
    const data = dataOf(made);
    const mistakes = new Mistakes();
    const labels = data.groups.map((group) => group.label);
    for (const [baseline, label] of labels.entries()) {
      for (const { cost, energy, energy_scores } of costed(made.args, label, made)) {
        const found = perJoule(data, baseline, labels.indexOf(cost.other.label));
        const expected = energy.filter((row) => row.ratio);
        mistakes.same(found.length, expected.length, `${cost.other.label} against ${label}`);
        for (const row of expected) {
          const what = `${cost.other.label} against ${label}, ${row.workload} on ${row.threads}`;
          const it = found.find(({ row: place }) => {
            const head = data.rows[place];
            return head?.name === row.workload && head.threads === row.threads;
          });
          mistakes.close(it?.interval.centre, row.ratio?.centre ?? null, what);
          mistakes.close(it?.interval.low, row.ratio?.low ?? null, what);
          mistakes.close(it?.interval.high, row.ratio?.high ?? null, what);
          mistakes.close(it?.theirs.centre, row.other?.per_s_per_watt.centre ?? null, what);
          const source = row.other?.source;
          const words = typeof source === "object" ? `measured by ${source.measured}` : source;
          mistakes.same(it?.source, words, what);
        }
        for (const { category, threads, score, rows, sources } of energy_scores) {
          const narrowed = category === OVERALL ? data : narrowTo(data, category);
          const found = perWatt(narrowed, baseline, labels.indexOf(cost.other.label), threads);
          const what = `${cost.other.label} against ${label}, ${category} on ${threads}`;
          mistakes.close(found?.interval.centre, score.centre, what);
          mistakes.close(found?.interval.low, score.low, what);
          mistakes.close(found?.interval.high, score.high, what);
          mistakes.same([found?.rows, found?.sources], [rows, sources], what);
        }
      }
    }
    mistakes.expectNone();
  });
}

interface Implementations {
  operations: {
    operation: string;
    threads: string;
    rows: {
      implementation: string;
      cells: { of_fastest: { centre: number } | null; reason: string | null }[];
    }[];
  }[];
}

test("implementations beside the fastest are the program's, with what must be said of them", () => {
  const made = report("four");
  const data = dataOf(made);
  const mistakes = new Mistakes();
  const { operations } = dataOfCommand(["implementations", ...made.args]) as Implementations;
  const found = new Map(
    data.implementations.map(({ row, cells }) => [
      `${data.rows[row]?.name ?? ""} ${data.rows[row]?.threads ?? ""}`,
      cells,
    ]),
  );
  for (const { operation, threads, rows } of operations) {
    for (const { implementation, cells } of rows) {
      const what = `${operation}/${implementation} ${threads}`;
      for (const [group, { of_fastest, reason }] of cells.entries()) {
        const [ofFastest = null, said = null] = found.get(what)?.[group] ?? [];
        mistakes.close(ofFastest?.[0], of_fastest?.centre ?? null, what);
        mistakes.same(said === null ? null : data.texts[said], reason, what);
      }
    }
  }
  mistakes.expectNone();
});
