// The linter refuses what would take data for more than text.

import { ESLint } from "eslint";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const report = join(import.meta.dirname, "..");

/** Programs that would let a name do harm, or in by another way than `dataOf`. */
const SINKS = [
  "export const f = (e: Element, text: string) => { e.innerHTML = text; };",
  "export const f = (e: Element, text: string) => { e.outerHTML = text; };",
  "export const f = (e: HTMLIFrameElement, text: string) => { e.srcdoc = text; };",
  'export const f = (e: Element, text: string) => { e.insertAdjacentHTML("beforeend", text); };',
  "export const f = (text: string) => { document.write(text); };",
  "export const f = (text: string) => document.createRange().createContextualFragment(text);",
  'export const f = (text: string) => new DOMParser().parseFromString(text, "text/html");',
  'export const f = (e: Element, text: string) => { e.setAttribute("onclick", text); };',
  "export const f = (text: string) => <p dangerouslySetInnerHTML={{ __html: text }} />;",
  "export const f = (text: string) => <a href={text}>a</a>;",
  "export const f = (text: string) => <a href={`${text}`}>a</a>;",
  'export const f = () => <a href="javascript:alert(1)">a</a>;',
  'export const f = () => { location.href = "javascript:alert(1)"; };',
  "export const f = (text: string): unknown => eval(text);",
  "export const f = (text: string): unknown => new Function(text);",
  "export const f = (text: string): unknown => JSON.parse(text);",
  "export const f = (response: Response): Promise<unknown> => response.json();",
];
const RULES = ["no-restricted-syntax", "no-script-url", "no-eval", "no-new-func"];

test("what takes data for markup, code or an address is refused by the linter", async () => {
  const eslint = new ESLint({ cwd: report });
  // As if it were in a file of the page.
  const filePath = join(report, "src/page/fold.tsx");
  for (const program of SINKS) {
    const [result] = await eslint.lintText(program, { filePath });
    const rules = result?.messages.map((message) => message.ruleId ?? message.message) ?? [];
    expect(
      rules.some((rule) => RULES.includes(rule)),
      `${program}: ${rules.join()}`,
    ).toBe(true);
  }
  const harmless = "export const f = (text: string) => <a href={`#${encodeURIComponent(text)}`}>{text}</a>;";
  const [result] = await eslint.lintText(harmless, { filePath });
  expect(result?.messages.filter((message) => RULES.includes(message.ruleId ?? ""))).toEqual([]);
});
