// The site that the program writes, and the only thing that runs in it.

import { expect, test } from "@playwright/test";
import { pathToFileURL } from "node:url";
import { type Data } from "../src/data";
import { site } from "../src/site/site";
import { dataOf, report, siteFolder } from "./support/reports";

function home(data: Data): string {
  return site(data, "", { text: "", hash: "" }, () => "")[0]?.html ?? "";
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
  const none = { ...data, scores: data.scores.map((others) => others.map(() => null)), ranked: [] };
  expect(home(data)).toContain("Head-to-head");
  expect(home(none)).not.toContain("Head-to-head");
});

test("a site's first page finds workloads by what their names hold, and opens where they are", async ({
  page,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await page.goto(pathToFileURL(`${siteFolder()}/index.html`).href);
  const links = page.locator("details.family li");
  const all = await links.count();
  const isOpen = (): Promise<boolean[]> =>
    page.locator("details.family").evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open));
  const wereOpen = await isOpen();
  await page.getByRole("searchbox", { name: "Find" }).fill(" SHA-256 ");
  const found = await links.filter({ visible: true }).allTextContents();
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(all);
  for (const name of found) expect(name).toContain("sha-256");
  await expect(page.locator("#found")).toHaveText(`${found.length} of ${all}`);
  await page.getByRole("searchbox").fill("no such workload");
  await expect(links.filter({ visible: true })).toHaveCount(0);
  await page.getByRole("searchbox").fill("");
  expect(await isOpen()).toEqual(wereOpen);
  await expect(page.locator("#found")).toBeEmpty();
  expect(refused).toEqual([]);
});

test("without scripts a site's first page shows no field to find workloads by", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(`${siteFolder()}/index.html`).href);
  await expect(page.getByRole("heading", { name: "Workloads" })).toBeVisible();
  await expect(page.locator("#find")).toBeHidden();
  await context.close();
});
