// A page that is watched: whatever a browser complains of, asks a network for or pops up makes the test fail.

import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { pathToFileURL } from "node:url";
import { report, type Name } from "./reports";

export { expect };

interface Fixtures {
  /** Everything that went wrong so far. */
  complaints: string[];
  /** Opens a report with all that can be unfolded. */
  open: (name: Name, hash?: string) => Promise<Page>;
  /** Opens a report as a reader first sees it. */
  openFolded: (name: Name, hash?: string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()))
          complaints.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(`thrown: ${String(error)}`));
      page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for: ${request.url()}`);
      });
      page.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  openFolded: async ({ page }, use) => {
    await use(async (name, hash = "") => {
      // After an address that differs behind # only, the second would not be loaded anew.
      await page.goto("about:blank");
      await page.goto(pathToFileURL(report(name).path).href + hash);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      return page;
    });
  },
  open: async ({ openFolded }, use) => {
    await use(async (name, hash = "") => {
      const page = await openFolded(name, hash);
      await unfold(page);
      return page;
    });
  },
});

/** Opens the drawer and whatever is made when it is opened. */
export async function unfold(page: Page): Promise<void> {
  await page.locator("details.drawer, details.fold").evaluateAll((all) => {
    all.forEach((one) => ((one as HTMLDetailsElement).open = true));
  });
  await expect
    .poll(() =>
      page
        .locator("details.fold")
        .evaluateAll((all) => all.every((one) => (one as HTMLElement).childElementCount > 1)),
    )
    .toBe(true);
}

/** The part of the address behind #, as it was chosen. */
export async function hashOf(page: Page): Promise<URLSearchParams> {
  return new URLSearchParams(await page.evaluate(() => location.hash.slice(1)));
}

/** Rows of a table's body: what stands in its cells, the head of the row first. */
export async function cells(table: Locator): Promise<string[][]> {
  return table.evaluate((element: HTMLTableElement) =>
    [...(element.tBodies[0]?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.innerText.trim())),
  );
}

export async function heads(table: Locator): Promise<string[]> {
  return table.evaluate((element: HTMLTableElement) =>
    [...(element.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.innerText.trim()),
  );
}

/** The exact values of a picture. */
export async function values(page: Page, chart: string): Promise<string[][]> {
  await unfold(page);
  const details = page.locator(`#chart-${chart} details.values`);
  // Not by a click: pictures that are drawn meanwhile move what lies below them.
  await details.evaluate((element: HTMLDetailsElement) => (element.open = true));
  const table = details.locator("table");
  await expect(table).toBeVisible();
  return cells(table);
}

/** Draws every picture, also those far below. */
export async function drawAll(page: Page): Promise<void> {
  await unfold(page);
  for (const picture of await page.locator(".picture").all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture.locator("svg").first()).toBeVisible();
  }
}

/** The names of the pictures, from above. */
export async function charts(page: Page): Promise<string[]> {
  return page.locator("figure.drawing").evaluateAll((all) => all.map((one) => one.id));
}

/** Opens whatever can be opened; the lists of controls lie above the page and are opened one at a time elsewhere. */
export async function openDetails(page: Page): Promise<void> {
  await page.locator("main details").evaluateAll((all) => {
    all.forEach((one) => ((one as HTMLDetailsElement).open = true));
  });
  await expect(page.locator("main details.values table").first()).toBeVisible();
}

/** The choices in a control. */
async function choices(page: Page, name: string): Promise<{ value: string; text: string }[]> {
  return page
    .locator(`select[name=${name}] option`)
    .evaluateAll((all) =>
      all.map((one) => ({ value: (one as HTMLOptionElement).value, text: one.textContent })),
    );
}

/** Looks at a page with every baseline, by its label, on every number of threads. */
export async function everyView<T>(
  page: Page,
  ofBaseline: (baseline: string) => T,
  look: (found: T, baseline: string, threads: string) => Promise<void>,
): Promise<void> {
  for (const baseline of await choices(page, "baseline")) {
    await page.selectOption("select[name=baseline]", baseline.value);
    const found = ofBaseline(baseline.text);
    for (const threads of await choices(page, "threads")) {
      await page.selectOption("select[name=threads]", threads.value);
      await look(found, baseline.text, threads.value);
    }
  }
}
