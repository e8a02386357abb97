// The answer says no more than is known. Without a browser.

import { expect, test } from "@playwright/test";
import { overview } from "../src/charts/overview";
import { ranking as rankingChart } from "../src/charts/ranking";
import { scores, scoresOfMany } from "../src/charts/scores";
import { narrowTo, rankedTo, type Data } from "../src/data";
import { ofWork, ranking } from "../src/judge/measure";
import { type PairLine } from "../src/shapes";
import { defaultShown, defaultView, type View } from "../src/view";
import { answer, type Answer } from "../src/words/answer";
import { caveats } from "../src/words/caveats";
import { filtered } from "../src/words/coverage";
import { unsettledNeighbours } from "../src/words/leaders";
import { badge, quality } from "../src/words/quality";
import { confidence, faster } from "../src/words/speed";
import { origin } from "../src/words/title";
import { jsonOfCommand } from "./support/program";
import { dataOf, report, type Name } from "./support/reports";

const around = (centre: number, factor: number) => ({
  centre,
  low: centre / factor,
  high: centre * factor,
  freedom: 9,
});

function answerOf(name: Name, change: Partial<View> = {}): Answer & { data: Data; view: View } {
  const data = dataOf(report(name));
  const view = { ...defaultView(data), ...change };
  return { ...(JSON.parse(plain(JSON.stringify(answer(data, view)))) as Answer), data, view };
}

function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** The program's answer to a command on a report's runs. */
function programsAnswer(name: Name, command: string): string {
  const { answer } = jsonOfCommand([command, ...report(name).args]);
  return answer.join("\n");
}

test("a number is not parted from what it counts", () => {
  expect(faster(1.124)).toBe("12\u00a0% faster");
  expect(confidence(around(0.71, 1.1))).toBe("95\u00a0% CI\u00a022–35\u00a0%");
  expect(confidence({ centre: 2, low: 0, high: Infinity, freedom: 1 })).toBe("no error bars");
});

for (const name of ["units", "sizes", "many", "four", "groups", "contrary"] as const) {
  test(`the headline of ${name} is the program's answer`, () => {
    const { headline } = answerOf(name);
    // Words in brackets may stand at the end there, for all figures.
    expect(programsAnswer(name, "score")).toContain(headline.replace(/ \([^)]*\)$/, ""));
  });
}

test("of two machines one that used only a part of its CPUs is named in the headline", () => {
  const data = dataOf(report("units"));
  const [, right] = data.groups;
  if (right) right.cpu_count = 1000;
  const { headline } = answer(data, defaultView(data));
  expect(plain(headline)).toMatch(/ on all (\d+ )?threads, right on \d+ of its 1000 CPUs \(/);
});

test("the machine beside the baseline is the subject, whichever is ahead", () => {
  const { headline, tiles } = answerOf("units");
  expect(headline).toMatch(/^right is 2\.00× faster than left on /);
  const turned = answerOf("units", { baseline: 1, shown: [0] });
  expect(turned.headline).toMatch(/^left is 50 % slower than right on /);
  expect(tiles.map(({ about }) => about)).toEqual([
    expect.stringMatching(/^all /),
    "1 thread",
    "per dollar",
    "per watt",
  ]);
});

test("places and sentence of a ranking are of the workloads that all its machines did", () => {
  // On all that each shares with A, B would do 3 times as much and C 2.1 times.
  const { data, view, headline, facts } = answerOf("contrary", { threads: "1" });
  expect(headline).toMatch(/^C leads 3 of 4 machines on 1 thread: 3\.3 % faster than B \(95 % CI /);
  const places = ranking(rankedTo(data), view, ofWork(rankedTo(data), "1"));
  expect(places.map(({ group }) => data.groups[group]?.label)).toEqual(["C", "B", "A"]);
  expect((places[0]?.value ?? 0) / (places[1]?.value ?? 1)).toBeCloseTo(31 / 30, 3);
  expect(facts.join("\n")).toMatch(
    /Not ranked on 1 thread: D; it lacks too many of the \d+ workloads that the ranked ones have in common\./,
  );
});

test("a ranking for money says how many machines have no price, and which", () => {
  const data = dataOf(report("many"));
  data.groups.forEach((group, place) => {
    group.prices = place < 3 ? [{ label: group.label, per_hour: 1 + place }] : [];
  });
  const { headline, facts } = answer(data, { ...defaultView(data), per: "money" });
  const rest = data.groups.length - 3;
  expect(plain(headline)).toContain(
    `3 of ${data.groups.length} machines (${rest} have no price) per dollar on`,
  );
  expect(facts.join("\n")).toContain("Not ranked per $, having no price: machine 4, machine 5, ");
  expect(facts.join("\n")).not.toContain("set on this page");
  const changed = answer(data, { ...defaultView(data), per: "money", prices: new Map([[1, 0.5]]) });
  expect(changed.facts.join("\n")).toContain("Prices set on this page: machine 2 0.5000 $/h.");
});

test("where only two of many machines have a price, nobody leads: it is a pair", () => {
  const data = dataOf(report("many"));
  data.groups.forEach((group, place) => {
    group.prices = place < 2 ? [{ label: group.label, per_hour: 1 + place }] : [];
  });
  const { headline } = answer(data, { ...defaultView(data), per: "money" });
  const all = data.groups.length;
  const start = `Only 2 of ${all} machines can be ranked (${all - 2} have no price): `;
  expect(plain(headline).startsWith(start)).toBe(true);
  expect(plain(headline)).toMatch(/: machine [12] does .+ (more|less) work than machine [12] per dollar on /);
  expect(headline).not.toContain("leads");
});

test("where none or one of many machines has a price, the headline says so before it ranks by something else", () => {
  const data = dataOf(report("many"));
  const view: View = { ...defaultView(data), per: "money" };
  data.groups.forEach((group) => (group.prices = []));
  expect(answer(data, view).headline).toMatch(
    /^No machine has a price, so none can be ranked per dollar\. .+ on all/,
  );
  const [first] = data.groups;
  if (first) first.prices = [{ label: first.label, per_hour: 1 }];
  expect(answer(data, view).headline).toMatch(
    /^Only machine 1 has a price, so none can be ranked per dollar\. /,
  );
});

test("the answer names the workload that makes most of a lead, and none where none does", () => {
  const { data, view } = answerOf("many");
  const withLeast = (score: number): string => {
    const changed = structuredClone(data);
    for (const line of [...changed.scores, ...changed.ranked].flat(2)) {
      if (!line?.[2] || !line[3]) continue;
      line[2] = [1.2, 1.19, 1.21, 9];
      line[3].least = { without: "brotli-6/brotli", rows: 12, score };
      delete line[3].depends;
    }
    return answer(changed, view).facts.join("\n");
  };
  expect(plain(withLeast(1.03))).toMatch(
    /Most of the lead of .+ on .+ comes from brotli-6\/brotli \(12 of \d+ workloads\): without it, .+ is 3\.0 % faster than /,
  );
  expect(withLeast(1.18)).not.toContain("Most of the lead");
});

test("the answer of one machine says what was measured and what was not, and how to compare it", () => {
  const { data, facts } = answerOf("alone");
  const [file = ""] = (data.groups[0]?.sheets ?? []).map(({ file }) => file);
  expect(facts.some((fact) => /^\d+ workloads?: .+; no HTTP, databases/.test(fact))).toBe(true);
  expect(facts.join("\n")).toContain(`sizeup report ${file} OTHER.run.jsonl`);
});

test("where the order of the first two depends on the work, the headline and the tile say so", () => {
  const data = dataOf(report("many"));
  const view = defaultView(data);
  const changed = structuredClone(data);
  for (const line of changed.scores.flat(2)) {
    if (line?.[3] && line[2]) {
      line[3].depends = "is faster on all threads depends on the work: …";
      // Certainly ahead or behind.
      const [centre] = line[2];
      line[2] = [centre, centre * 0.999, centre * 1.001, 9];
    }
  }
  expect(answer(data, view).headline).not.toContain("depends on the work");
  const { headline, tiles } = answer(changed, view);
  expect(headline).toMatch(/ and .+ lead \d+ machines.*; [Ww]hich of .+ depends on the work: …$/);
  expect(tiles[0]?.detail).toBe("which of the two depends on the work");
});

test("where nothing is comparable on the chosen threads, the headline says so before it speaks of others", () => {
  const data = dataOf(report("many"));
  const view = { ...defaultView(data), threads: "all" };
  const without = {
    ...data,
    scores: data.scores.map((others) =>
      others.map((lines) => lines?.filter(([head]) => data.lines[head]?.threads !== "all") ?? null),
    ),
  };
  expect(answer(data, view).headline).not.toContain("No two machines can be compared");
  expect(answer(without, view).headline).toMatch(
    /^No two machines can be compared on all threads\. .+ 1 thread/,
  );
  // The bars below it are of what it names.
  expect(answer(without, view).ranked?.threads).toBe("1");
});

test("where nothing can be compared with the baseline, the others are ranked among themselves", () => {
  const data = dataOf(report("many"));
  const view = { ...defaultView(data), threads: "all" };
  const isKept = ([head]: PairLine): boolean => data.lines[head]?.threads !== "all";
  const without = <T extends PairLine[] | null>(all: T[][]): T[][] =>
    all.map((others, to) =>
      others.map((lines, group) =>
        [to, group].includes(view.baseline) ? ((lines?.filter(isKept) ?? null) as T) : lines,
      ),
    );
  const narrow = { ...data, scores: without(data.scores), ranked: without(data.ranked) };
  const { headline, ranked, facts } = answer(narrow, view);
  const all = data.groups.length;
  const others = ranking(rankedTo(narrow), view, ofWork(rankedTo(narrow), "all")).map(({ group }) => group);
  expect(new Set(others.slice(0, 7))).toEqual(new Set(defaultShown(narrow, view.baseline, "all")));
  expect(headline).toMatch(new RegExp(`leads? ${all - 1} of ${all} machines`));
  expect(ranked?.threads).toBe("all");
  expect(facts.join("\n")).toContain("Not ranked on");
  // The machine that is 1 in the picture of it is one of them.
  expect(rankingChart(narrow, view)?.caption).toMatch(
    new RegExp(`, ${data.groups[view.baseline === 0 ? 1 : 0]?.label} = 1\\.`),
  );
});

test("of one category two machines are compared at it once", () => {
  const data = dataOf(report("many"));
  for (const category of new Set(data.rows.flatMap(({ categories }) => categories))) {
    const narrow = narrowTo(data, category);
    for (const other of data.groups.keys()) {
      const { headline } = answer(narrow, { ...defaultView(data), shown: [other] });
      expect(headline.split(` at ${category}`).length).toBeLessThan(3);
    }
  }
});

test("per CPU and per dollar two machines are judged as what they have and cost", () => {
  const data = dataOf(report("units"));
  const [left, right] = data.groups;
  const perCpu = answer(data, { ...defaultView(data), per: "cpu" });
  expect(plain(perCpu.headline)).toMatch(
    /^right does 2\.00× more work than left per CPU on all (\d+ )?threads \(/,
  );
  for (const cell of data.cells[1] ?? []) if (cell && "threads" in cell) cell.threads *= 4;
  const fourfold = answer(data, { ...defaultView(data), per: "cpu" });
  expect(plain(fourfold.headline)).toMatch(/^right does 50 % less work than left per CPU on all threads/);
  expect(fourfold.tiles.map(({ about }) => about)).toContain("per CPU");
  for (const [group, per_hour] of [
    [left, 1],
    [right, 3],
  ] as const)
    if (group) group.prices = [{ label: group.label, per_hour }];
  const perDollar = answer(data, { ...defaultView(data), per: "money" });
  expect(plain(perDollar.headline)).toMatch(/^right does 33 % less work than left per dollar on all threads/);
  // And so is the picture.
  const view: View = { ...defaultView(data), per: "money" };
  const [perMachine, forMoney] = [overview(data, { ...view, per: "machine" }), overview(data, view)];
  expect(perMachine?.title).not.toContain("per dollar");
  expect(forMoney?.title).toContain("per dollar on");
  const figure = (chart: typeof forMoney): number => {
    const { heads = [], rows = [] } = chart?.table() ?? {};
    return Number(rows[0]?.[heads.findIndex((head) => head.includes(" over "))]);
  };
  expect(figure(forMoney) / figure(perMachine)).toBeCloseTo(1 / 3, 2);
});

test("neighbours of a ranking whose order depends on the work are marked", () => {
  const data = dataOf(report("many"));
  const view = defaultView(data);
  const groups = ranking(data, view, ofWork(data, view.threads)).map(({ group }) => group);
  expect(unsettledNeighbours(data, view, groups).has(2)).toBe(false);
  const [third = 0, fourth = 0] = groups.slice(2);
  const line = data.scores[fourth]?.[third]?.find(
    ([head]) => data.lines[head]?.category === "overall" && data.lines[head].threads === view.threads,
  );
  if (!line?.[2]) throw new Error("no score");
  line[2] = [1.1, 1.09, 1.11, 9];
  line[3] = { ahead: null, least: null, greatest: null, depends: "depends on …" };
  expect(unsettledNeighbours(data, view, groups).get(2)).toMatch(
    /^Which of machine \d+ and machine \d+ depends on …$/,
  );
});

test("what is on the page and what is not is said by kind, and a filter without a match says so", () => {
  const { data, view, facts } = answerOf("four");
  const families = [...new Set(data.rows.map(({ family }) => family))];
  const missing = data.expected_families.filter(([family]) => !families.includes(family));
  expect(missing.length).toBeGreaterThan(0);
  const line = facts.find((fact) => fact.includes(`; no ${missing.map(([, name]) => name).join(", ")}.`));
  expect(line).toMatch(/^\d+ workloads? on /);
  expect(filtered(data, { ...view, text: "tls" })).toMatch(/^No workload matches “tls”/);
  expect(filtered(data, { ...view, text: data.rows[0]?.name ?? "" })).toMatch(/^1 workload of /);
});

test("what must be known of two machines together stands beside their answer", () => {
  const { data, view } = answerOf("units");
  const note = "right: measured with --isa no-aes: …";
  const known = caveats({ ...data, pair_notes: { [`${view.baseline}-${view.shown[0] ?? ""}`]: note } }, view);
  expect(known).toContainEqual({ text: note, groups: [], isAlarm: true });
});

test("what was measured per GHz is compared at no price", () => {
  const { tiles, facts } = answerOf("per-ghz");
  expect(JSON.stringify([tiles, facts])).not.toMatch(/pric|watt|dollar/i);
});

test("a caveat of all machines stands once and without their names", () => {
  const { data, view } = answerOf("four");
  const known = caveats({ ...data, contention: "2 of 4 rows lack uncontended figures." }, view);
  expect(known[0]).toEqual({ text: "2 of 4 rows lack uncontended figures.", groups: [], isAlarm: false });
  expect(known.filter(({ text }) => text.includes("not measured by sizeup"))).toHaveLength(1);
  expect(new Set(known.map(({ text }) => text)).size).toBe(known.length);
});

test("the days on which runs were measured are not that of the page", () => {
  const data = structuredClone(dataOf(report("four")));
  const sheets = data.groups.flatMap(({ sheets }) => sheets);
  sheets.forEach((sheet, place) => (sheet.started = `2024-0${1 + (place % 9)}-05T10:00:00Z`));
  expect(origin(data)).toContain(`; measured 2024-01-05 to 2024-0${Math.min(9, sheets.length)}-05; made 2`);
  sheets.forEach((sheet) => (sheet.started = "2024-01-05T10:00:00Z"));
  expect(origin(data)).toContain("; measured 2024-01-05; made 2");
});

test("a caveat of some of the machines names them", () => {
  const { data, view } = answerOf("groups");
  const hosts = caveats(data, view).filter(({ text }) => text.includes("1 run on 1 host"));
  expect(hosts.map(({ groups }) => groups)).toEqual([[0]]);
});

test("the badge of valid data counts their warnings", () => {
  const { data, view } = answerOf("four");
  for (const { sheets } of data.groups) for (const sheet of sheets) sheet.findings = [];
  expect(badge(data, view)).toEqual({ kind: "valid", text: "Valid data" });
  data.groups[0]?.sheets[0]?.findings.push({ id: "pulse", severity: "warning", what: "unsteady pulse" });
  expect(badge(data, view)).toEqual({ kind: "warned", text: "Valid data, 1 warning" });
});

test("the badge says whether there are error bars and whether the runs are to be believed", () => {
  const { data, view } = answerOf("four");
  expect(badge(data, view)).toEqual({ kind: "valid", text: "Valid data" });
  const seenOnce = answerOf("seen-once");
  expect(badge(seenOnce.data, seenOnce.view)).toEqual({
    kind: "no-error-bars",
    text: "Measured once: no error bars",
  });
  const [sheet] = data.groups[1]?.sheets ?? [];
  for (const [validity, text] of [
    ["suspect", "Suspect data"],
    ["invalid", "Invalid data"],
  ] as const) {
    if (sheet) sheet.validity = validity;
    expect(badge(data, view)).toEqual({ kind: validity, text });
  }
});

test("of one machine with suspect data the headline has its name once, of two it says whose they are", () => {
  for (const [name, starts] of [
    ["alone", /^Suspect data: Xeon 8375C: /],
    ["unpriced", /^Suspect data of Xeon 8375C: /],
  ] as const) {
    const data = structuredClone(dataOf(report(name)));
    const sheet = data.groups[0]?.sheets[0];
    if (sheet) sheet.validity = "suspect";
    expect(answer(data, defaultView(data)).headline).toMatch(starts);
  }
});

test("scores are divided by what the reader chose, where that is known of the baseline", () => {
  const data = dataOf(report("four"));
  const view = defaultView(data);
  const whole = scoresOfMany(data, view);
  const prices = new Map(data.groups.map((_, group) => [group, group === view.baseline ? 1 : 2]));
  const priced: View = { ...view, per: "money", prices };
  const halves = scoresOfMany(data, priced);
  expect(halves?.all.length).toBe(whole?.all.length);
  for (const { group, category, interval } of halves?.all ?? []) {
    const score = whole?.all.find((score) => score.group === group && score.category === category);
    expect(interval.centre).toBeCloseTo((score?.interval.centre ?? NaN) / 2, 12);
    expect(interval.low).toBeCloseTo((score?.interval.low ?? NaN) / 2, 12);
  }
  expect(scores(data, priced)[0]?.title).toMatch(/^Scores per dollar against /);
  prices.delete(view.baseline);
  const groups = data.groups.map((machine, group) =>
    group === view.baseline ? { ...machine, prices: [] } : machine,
  );
  expect(scoresOfMany({ ...data, groups }, priced)?.all).toEqual(whole?.all);
});

test("the scores say once that work of no known kind is not in the overall one, and no column says the same as another", () => {
  const data = dataOf(report("four"));
  const captions = (data: Data): string[] => scores(data, defaultView(data)).map(({ caption }) => caption);
  const columns = (data: Data): string[] => scoresOfMany(data, defaultView(data))?.categories ?? [];
  expect(columns(data)).toEqual(["overall", "hash", "pki", "compress"]);
  expect(captions(data).join()).not.toContain("without “");
  const named = (name: string, as: string): Data => ({
    ...data,
    lines: data.lines.map((line) => (line.category === name ? { ...line, category: as } : line)),
  });
  const unknown = named("hash", "other");
  expect(columns(unknown)).toEqual(["overall", "pki", "compress", "other"]);
  expect(captions(unknown)).toEqual([expect.stringMatching(/ The overall score is without “other”: [^“]*$/)]);
  const isOfOne = (line: number): boolean => ["overall", "hash"].includes(data.lines[line]?.category ?? "");
  const onlyOf = (scores: Data["scores"]): Data["scores"] =>
    scores.map((row) => row.map((lines) => lines?.filter(([line]) => isOfOne(line)) ?? null));
  const one = {
    ...data,
    scores: onlyOf(data.scores),
    ranked: data.ranked.map((others) => onlyOf([others])[0] ?? []),
  };
  expect(columns(one as Data)).toEqual(["overall"]);
});

test("what several machines share stands once in the quality of the data", () => {
  const data = dataOf(report("four"));
  const view = defaultView(data);
  const found = quality(data, view);
  const lines = found.flatMap(({ found }) => found.map(({ text, rows }) => `${text} ${rows.join()}`));
  const ofRuns = lines.filter((line) => !line.startsWith("no ratio"));
  expect(new Set(ofRuns).size).toBe(ofRuns.length);
  expect(found[0]?.machines).toBe("All 4 machines");
  expect(found[0]?.found.map(({ text }) => text).join()).toContain("imported from a table; it lacks: ");
  // Findings about one machine stand below its name.
  const altra = found.find(({ machines }) => machines === "Altra");
  expect(altra?.found.map(({ text }) => text).join()).toContain("Altra did not measure it");
});

test("a tile names its work where the headline's is another", () => {
  const data = dataOf(report("four"));
  const ofHash = data.rows.flatMap(({ family, threads }, row) =>
    family === "hash" && threads === "1" ? [row] : [],
  );
  const lines = data.lines.map((line) =>
    line.category === "overall" && line.threads === "1" ? { ...line, ranked_rows: ofHash } : line,
  );
  const { tiles } = answer({ ...data, lines }, defaultView(data));
  const tile = tiles.find(({ about }) => about === "1 thread");
  expect(plain(tile?.detail ?? "")).toMatch(/^95 % CI .*; hash \(3 workloads\)/);
});
