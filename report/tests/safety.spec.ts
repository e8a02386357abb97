// A page of a stranger's names does no harm: they are text, nothing else.

import { drawAll, expect, openDetails, test } from "./support/page";
import { HOSTILE, REPORTS, unpacked } from "./support/reports";

for (const name of REPORTS) {
  test(`${name} is drawn whole without a complaint, a request or a dialog`, async ({ open }) => {
    const page = await open(name);
    await drawAll(page);
    await openDetails(page);
    await page.mouse.wheel(0, -100_000);
    for (const picture of await page.locator(".picture svg").all())
      await picture.hover({ position: { x: 200, y: 40 } });
  });
}

test("nothing may be loaded, and only the page's own program runs", async ({ open }) => {
  const page = await open("hostile");
  const policy =
    (await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content")) ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'sha256-[A-Za-z0-9+/]+=' 'wasm-unsafe-eval';/);
  expect(policy).not.toMatch(/https?:|\*/);
  const scripts = await page
    .locator("script")
    .evaluateAll((all) => all.map((one) => one.getAttribute("type")));
  expect(scripts).toEqual(["application/gzip", "application/gzip", null]);
  expect(await page.locator("script[src], iframe, object, embed, form[action]").count()).toBe(0);
});

test("the policy is in force: a program that is put into the page does not run", async ({
  open,
  complaints,
}) => {
  const page = await open("four");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'harmed'";
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "document.title = 'harmed'");
    image.src = "data:image/png,none";
    document.body.append(image);
  });
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2);
  expect(await page.title()).not.toBe("harmed");
  expect(complaints.every((complaint) => complaint.includes("Content Security Policy"))).toBe(true);
  complaints.length = 0;
});

test("hostile names are shown as the text that they are", async ({ open }) => {
  const page = await open("hostile");
  const options = await page.locator("select[name=baseline] option").allTextContents();
  expect(options.length).toBe(HOSTILE.length);
  for (const label of [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "${7*7}",
    "{{x}}",
    "__proto__",
  ]) {
    expect(options).toContain(label);
    await page.selectOption("select[name=baseline]", { label });
    await expect(page.locator("#answer")).toContainText(label);
    await expect(page.locator("#chart-relative h3")).toContainText(label.slice(0, 39));
    await expect(page.locator("#rows thead")).toContainText(label);
  }
  await drawAll(page);
  expect(await page.locator("svg text", { hasText: "onerror" }).count()).toBeGreaterThan(0);
  expect(await page.locator("img, b, main script").count()).toBe(0);
  await expect(page.locator("#rows")).toContainText("<b>bold/<script>");
  await expect(page.locator("#rows")).toContainText("{{x}}/&amp;");
});

test("characters that can't be seen are shown as what they are, everywhere", async ({ open }) => {
  const page = await open("hostile");
  await expect(page.locator("select[name=baseline]")).toContainText("left\\u{202e}tfel\\u{200f}");
  await expect(page.locator("select[name=baseline]")).toContainText("bell\\u{7}\\u{1b}[31mred");
  await drawAll(page);
  await openDetails(page);
  // Also of names and descriptions that only some hear: attributes, the title.
  const hidden = await page.evaluate(() => {
    const pattern =
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
    const attributes = [...document.querySelectorAll("body *")].flatMap((one) =>
      one.tagName === "SCRIPT"
        ? []
        : [...one.attributes].map((attribute) => `${one.tagName} ${attribute.name}: ${attribute.value}`),
    );
    const texts = [...document.querySelectorAll("body *:not(script)")].flatMap((one) =>
      [...one.childNodes]
        .filter((node) => node.nodeType === 3)
        .map((node) => `${one.tagName}: ${node.nodeValue ?? ""}`),
    );
    return [`title: ${document.title}`, ...attributes, ...texts]
      .filter((text) => pattern.test(text))
      .map((text) => JSON.stringify(text).slice(0, 120));
  });
  expect(hidden.slice(0, 10)).toEqual([]);
});

test("the data stand in the page without a character that HTML gives a meaning", async ({ open }) => {
  const page = await open("hostile");
  const text = (await page.locator("#data").textContent()) ?? "";
  expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(unpacked(text).groups.map((group) => group.label)).toEqual(HOSTILE);
});

test("a name of ten thousand letters is cut and breaks nothing", async ({ open }) => {
  const page = await open("hostile");
  await page.selectOption("select[name=baseline]", String(HOSTILE.findIndex((label) => label.length > 1000)));
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll("body *:not(script)")].map((one) =>
        one.childElementCount ? 0 : (one.textContent || "").length,
      ),
    ),
  );
  expect(longest).toBeLessThan(2500);
  expect((await page.title()).length).toBeLessThanOrEqual(160);
});
