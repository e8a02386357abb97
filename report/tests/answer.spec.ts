// The answer in sentences: it says no more than is known. Without a browser.

import { expect, test } from "@playwright/test";
import { type Data } from "../src/data";
import { defaultView, type View } from "../src/view";
import { answer } from "../src/words/answer";
import { quality } from "../src/words/quality";
import { scored } from "./support/program";
import { dataOf, report, type Name } from "./support/reports";

function told(name: Name, change: Partial<View> = {}): { data: Data; texts: string[] } {
  const data = dataOf(report(name));
  const texts = answer(data, { ...defaultView(data), threads: "1", ...change }).map(({ text }) => text);
  return { data, texts: texts.map((text) => text.replaceAll("\u00a0", " ")) };
}

test("a machine that leads beside the baseline only is not said to do most, and who is ahead of it is named", () => {
  const { texts } = told("contrary");
  const [first = ""] = texts.filter((text) => text.startsWith("Of "));
  const between = scored(report("contrary").args, "C").find(({ label }) => label === "B");
  const score = between?.lines.find(({ category }) => category === "overall")?.score?.centre ?? NaN;
  expect(score).toBeLessThan(1);
  expect(first).toContain("Of 3 machines B may do the most work on 1 thread: 3.000 times A");
  expect(first).toContain(`${score.toFixed(3)} times C, the next`);
  expect(first).toContain("which is ahead on the rows that both have");
});

test("machines that are not comparable with the baseline are named", () => {
  expect(told("contrary").texts).toContain(
    "Not among them: D: no row of theirs on 1 thread is comparable with A.",
  );
});

test("machines that tie within error are not ranked as if they did not", () => {
  const { data, texts } = told("many");
  const lead = texts.filter((text) => text.startsWith("Of 19 machines"));
  expect(lead.length).toBeGreaterThan(0);
  for (const text of lead) {
    const isSure = text.includes(" does the most ");
    const doubts = /tie within error|which is ahead on the rows|no error estimate/.test(text);
    expect(isSure, text).toBe(!doubts);
  }
  expect(data.groups.length).toBe(19);
});

test("what was measured per GHz is held against no money, and told per GHz", () => {
  const { texts } = told("per-ghz");
  expect(texts.join(" ")).not.toMatch(/pric|watt/i);
});

test("notes of groups stand in the data's quality", () => {
  const data = dataOf(report("groups"));
  const found = quality(data, defaultView(data)).map(({ found }) => found.map(({ text }) => text));
  expect(found[0]?.join()).toContain("1 run on 1 host");
  expect(found[1]?.join()).not.toContain("1 host");
});

test("rows that lack uncontended figures are told first", () => {
  const data = { ...dataOf(report("four")), contention: "2 of 4 rows lack uncontended figures." };
  const [first] = answer(data, defaultView(data));
  expect(first).toEqual({ kind: "warning", text: data.contention });
  expect(told("four").texts.join()).not.toContain("uncontended");
});
