// What the program writes of a site. Without a browser.

import { expect, test } from "@playwright/test";
import { type Data } from "../src/data";
import { site } from "../src/site/site";
import { dataOf, report } from "./support/reports";

function home(data: Data): string {
  return site(data, "", () => "")[0]?.html ?? "";
}

test("a site holds each two ranked machines against each other, in the order of the ranking, and no others", () => {
  const data = dataOf(report("contrary"));
  const [, pairs = ""] = home(data).split("<h2>Head-to-head</h2>");
  const heads = [...(pairs.split("</thead>")[0] ?? "").matchAll(/scope="col">([^<]*)</g)].map(
    ([, head]) => head,
  );
  expect(heads).toEqual(["against", "C", "B", "A"]);
  expect(pairs).toContain('href="report.html#baseline=0&amp;shown=2"');
  // C is more than three times A, and they have error bars.
  expect(pairs).toMatch(
    /class="heat" style="background: color-mix\(in srgb, var\(--good\) [^"]*" href="[^"]*baseline=0&amp;shown=2"/,
  );
});

test("a site without two machines that can be compared has no head-to-head", () => {
  const data = dataOf(report("contrary"));
  const none = { ...data, scores: data.scores.map((of) => of.map(() => null)), ranked: [] };
  expect(home(data)).toContain("Head-to-head");
  expect(home(none)).not.toContain("Head-to-head");
});
