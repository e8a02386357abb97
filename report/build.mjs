// Builds what the program embeds: dist/page.html, into which it writes data, and dist/headless.js, which draws without a browser.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";

const common = {
  bundle: true,
  minify: true,
  write: false,
  target: "es2022",
  format: "iife",
  charset: "ascii",
  legalComments: "none",
};

const [page, style, headless] = await Promise.all([
  build({
    ...common,
    entryPoints: ["src/page/main.tsx"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  build({ ...common, entryPoints: ["src/page/style.css"] }),
  build({ ...common, entryPoints: ["src/headless/main.ts"], jsx: "automatic", jsxImportSource: "preact" }),
]);
const script = page.outputFiles[0].text.trimEnd();
if (script.includes("</script")) throw new Error("the program of the page would end its own element");
const hash = createHash("sha256").update(script).digest("base64");
// Only this program runs, and nothing is fetched: a label can't do harm even where it were taken for HTML.
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const template = await readFile("src/page/page.html", "utf8");
const html = template
  .replace("POLICY", () => policy)
  .replace("STYLE", () => style.outputFiles[0].text)
  .replace("SCRIPT", () => script);
await mkdir("dist", { recursive: true });
await writeFile("dist/style.css", style.outputFiles[0].text);
await writeFile("dist/headless.js", headless.outputFiles[0].text);
// Pictures that the program makes show their words in a font that it carries along.
await copyFile("node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf", "dist/DejaVuSans.ttf");
// Last: whoever sees it may take it that all is there.
await writeFile("dist/page.html", html);
