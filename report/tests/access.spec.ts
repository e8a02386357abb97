// Who can't see, has no mouse or a narrow screen reads the same report.

import AxeBuilder from "@axe-core/playwright";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "@playwright/test";
import { drawAll, expect, openDetails, test } from "./support/page";
import { siteFolder, type Name } from "./support/reports";

const WIDTHS = [1440, 768, 390];

/** Faults that axe finds and that keep somebody from reading. */
async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary?.slice(0, 300) ?? ""}`),
    );
}

// Each width and both colours, not every report in each: an analysis takes seconds.
const LOOKS: [Name, "light" | "dark", number][] = [
  ["four", "light", 1440],
  ["uncontended", "dark", 768],
  ["hostile", "light", 390],
  ["unpriced", "dark", 390],
  ["alone", "light", 768],
  ["variants", "dark", 1440],
  ["many", "dark", 390],
];

for (const [name, colorScheme, width] of LOOKS) {
  test(`axe finds no barrier in ${name}, ${colorScheme}, ${width} px wide`, async ({ open, page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await open(name);
    await drawAll(page);
    await openDetails(page);
    await page.locator(".controls details").evaluateAll((all) => {
      all.forEach((one) => ((one as HTMLDetailsElement).open = true));
    });
    expect(await violations(page)).toEqual([]);
  });
}

/** Texts of pictures that end outside of them. */
async function cutOff(page: Page): Promise<string[]> {
  return page.locator(".picture > svg").evaluateAll((all) =>
    all.flatMap((svg) => {
      const paper = svg.getBoundingClientRect();
      return [...svg.querySelectorAll("text")]
        .map((text) => ({ text: text.textContent.slice(0, 40), box: text.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.left < paper.left - 2 || box.right > paper.right + 2))
        .map(({ text, box }) => {
          const [left, right] = [box.left - paper.left, box.right - paper.left].map(Math.round);
          return `${svg.closest("figure")?.id ?? ""}: "${text}" from ${left} to ${right} of ${Math.round(paper.width)}`;
        });
    }),
  );
}

/** Elements that make a page wider than its window. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scroll"))
      .map(
        (one) => `${one.tagName}.${one.getAttribute("class") ?? ""} ${(one.textContent || "").slice(0, 40)}`,
      );
  });
}

for (const name of ["four", "many", "hostile", "uncontended", "unpriced", "alone"] as Name[]) {
  test(`${name} is never wider than a screen, and no text of its pictures is cut off`, async ({
    open,
    page,
  }) => {
    await open(name);
    for (const width of [...WIDTHS, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await drawAll(page);
      if (width === WIDTHS[0]) await openDetails(page);
      await expect.poll(() => tooWide(page), `${width} px`).toEqual([]);
      await expect.poll(() => cutOff(page), `${width} px`).toEqual([]);
    }
  });
}

for (const width of WIDTHS) {
  for (const name of ["four", "unpriced", "alone", "many"] as Name[]) {
    test(`the first screen of ${name} holds the answer and a picture, ${width} px wide`, async ({
      openFolded,
      page,
    }) => {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await openFolded(name);
      await expect(page.locator("#answer h1")).toBeInViewport({ ratio: 1 });
      for (const tile of await page.locator("#answer .tile").all())
        await expect(tile).toBeInViewport({ ratio: 1 });
      await expect(page.locator("#answer :is(.picture > svg, .ranking ol)").first()).toBeInViewport({
        ratio: 0.4,
      });
    });
  }
}

test("a drawer of a phone opens from the bottom and closes by Escape", async ({ openFolded, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openFolded("four");
  const drawer = page.locator("details.drawer");
  await drawer.locator("> summary").click();
  await expect(page.locator("select[name=baseline]")).toBeInViewport({ ratio: 1 });
  const box = await drawer.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
  await page.keyboard.press("Escape");
  await expect(page.locator("select[name=baseline]")).toBeHidden();
});

test("the lists of controls open within a narrow screen", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await open("four");
  for (const list of await page.locator(".controls details").all()) {
    await list.locator("summary").click();
    const box = await list.locator("fieldset").boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await list.locator("summary").click();
  }
});

test("the tabulator reaches every control, button and list, in their order, each with a visible mark", async ({
  open,
  page,
}) => {
  await open("four");
  await drawAll(page);
  await page.evaluate(() => scrollTo(0, 0));
  const all = await page
    .locator("a[href], button, select, input, summary, [tabindex='0']")
    .evaluateAll((all) =>
      all
        .filter((one) => (one as HTMLElement).checkVisibility())
        .map((one, place) => {
          one.setAttribute("data-stop", String(place));
          return String(place);
        }),
    );
  const reached: string[] = [];
  const unmarked: string[] = [];
  for (let press = 0; press < all.length + 5; press += 1) {
    await page.keyboard.press("Tab");
    const [stop, outline, what] = await page.evaluate(() => {
      const at = document.activeElement;
      const style = at ? getComputedStyle(at) : null;
      return [
        at?.getAttribute("data-stop") ?? "",
        style?.outlineStyle ?? "",
        `${at?.tagName ?? ""} ${at?.textContent.slice(0, 30) ?? ""}`,
      ] as const;
    });
    if (stop === "" || reached.includes(stop)) break;
    reached.push(stop);
    if (outline === "none" || outline === "") unmarked.push(what);
  }
  expect(reached).toEqual(all);
  expect(unmarked).toEqual([]);
});

for (const key of ["Tab", "Shift+Tab"]) {
  test(`by ${key} no stop lies hidden behind the bar`, async ({ open, page }) => {
    await open("four");
    await drawAll(page);
    const hidden: string[] = [];
    const seen = new Set<string>();
    for (let press = 0; press < 200; press += 1) {
      await page.keyboard.press(key);
      const { id, covered } = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at === document.body) return { id: "", covered: false };
        at.id ||= `stop-${Math.random()}`;
        const bar = document.querySelector(".bar")?.getBoundingClientRect();
        const box = at.getBoundingClientRect();
        const isInside = at.closest(".bar, .skip") !== null;
        return { id: at.id, covered: !isInside && bar !== undefined && box.bottom <= bar.bottom + 1 };
      });
      if (id === "" || seen.has(id)) break;
      seen.add(id);
      if (covered) hidden.push(id);
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(hidden).toEqual([]);
  });
}

for (const path of ["index.html", "workload"]) {
  test(`axe finds no barrier in a site's ${path}`, async ({ page }) => {
    const folder = siteFolder();
    const file = path === "workload" ? join(path, readdirSync(join(folder, path))[0] ?? "") : path;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(pathToFileURL(join(folder, file)).href);
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
}

test("the first stop skips to the answer, and the keyboard goes on from there", async ({ open, page }) => {
  await open("four", "#threads=1");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the answer" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#answer")).toBeInViewport();
  await page.keyboard.press("Tab");
  // Behind the controls: what comes after the answer.
  expect(await page.evaluate(() => document.activeElement?.closest(".controls, .skip") === null)).toBe(true);
  // The choice is not lost on the way.
  await expect(page.locator("select[name=threads]")).toHaveValue("1");
});

test("a picture's values open and close by keyboard", async ({ open, page }) => {
  await open("four");
  const details = page.locator("#chart-relative details.values");
  await details.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(details.locator("table")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(details.getByRole("button").first()).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await expect(details.locator("table")).toHaveCount(0);
});

test("notes and lists of controls open by keyboard", async ({ open, page }) => {
  await open("allowed");
  const notes = page.locator("#rows details.notes").first();
  await notes.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(notes.locator("p").first()).toBeVisible();
  const implementations = page.locator(".controls details").first();
  await implementations.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.locator(".controls input[name=implementation]").first()).toBeChecked();
});

test("headings go down step by step, and every section is named", async ({ open, page }) => {
  await open("four");
  const levels = await page
    .locator("h1, h2, h3, h4")
    .evaluateAll((all) => all.map((one) => Number(one.tagName[1])));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level) => level === 1).length).toBe(1);
  levels.forEach((level, place) => {
    expect(level - (levels[place - 1] ?? 1)).toBeLessThanOrEqual(1);
  });
  for (const section of await page.locator("main > section").all()) {
    expect(
      await section.evaluate(
        (one) => document.getElementById(one.getAttribute("aria-labelledby") ?? "")?.textContent,
      ),
    ).toBeTruthy();
  }
});
