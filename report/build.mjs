// Builds what the program embeds: dist/page.html, into which it writes data, and dist/headless.js, which draws without a browser;
// the libraries that the worker in JavaScript measures; and dist/packages, a line for each package that is a part of them: name, version, folder.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

/** The judge of the page, crates/verdict as WebAssembly: `make page` compiles it. */
const JUDGE = "../target/wasm32-unknown-unknown/page/verdict.wasm";

const common = {
  bundle: true,
  minify: true,
  write: false,
  target: "es2022",
  format: "iife",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
};

const hashOf = (text) => createHash("sha256").update(text).digest("base64");
/** The program of an element `script`, and its hash, by which a page allows no other. */
function scriptOf({ outputFiles }) {
  const text = outputFiles[0].text.trimEnd();
  if (text.includes("</script")) throw new Error("the program of a page would end its own element");
  return { text, hash: hashOf(text) };
}

const finder = scriptOf(await build({ ...common, entryPoints: ["src/site/find.ts"] }));
const [page, style, headless, libraries] = await Promise.all([
  build({
    ...common,
    entryPoints: ["src/page/main.tsx"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  build({ ...common, entryPoints: ["src/page/style.css"] }),
  build({
    ...common,
    entryPoints: ["src/headless/main.ts"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { FINDER: JSON.stringify(finder) },
  }),
  build({
    ...common,
    // As programs on servers load them.
    minify: false,
    entryPoints: { react: "../workers/node/react.js", terser: "terser" },
    nodePaths: ["node_modules"],
    outdir: "dist/node",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    platform: "node",
    define: { "process.env.NODE_ENV": '"production"' },
  }),
]);
const script = scriptOf(page);
// Only this program and its judge run, and nothing is fetched: a label can't do harm even where it were taken for HTML.
const policy = `default-src 'none'; script-src 'sha256-${script.hash}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;

/** The manifests of the packages that esbuild took anything from, and of those beside. */
async function packages(outputs, others) {
  const inputs = outputs.flatMap(({ inputs }) => Object.entries(inputs));
  const taken = inputs.flatMap(([path, { bytesInOutput }]) => {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    return folder && bytesInOutput > 0 ? [folder] : [];
  });
  const folders = [...new Set([...taken, ...others])].sort();
  return Promise.all(
    folders.map(async (folder) => ({
      folder,
      ...JSON.parse(await readFile(`${folder}/package.json`, "utf8")),
    })),
  );
}

const outputs = [page, headless, libraries].flatMap(({ metafile }) => Object.values(metafile.outputs));
const inPage = await packages(Object.values(page.metafile.outputs), []);
const inAll = await packages(outputs, ["node_modules/dejavu-fonts-ttf"]);
const credits = inPage.map(({ name, version, license }) => `${name} ${version} (${license})`).join(", ");

const judge = await readFile(JUDGE);
const template = await readFile("src/page/page.html", "utf8");
const html = template
  .replace("CREDITS", () => credits)
  .replace("POLICY", () => policy)
  .replace("STYLE", () => style.outputFiles[0].text)
  .replace("SCRIPT", () => script.text)
  .replace("JUDGE", () => gzipSync(judge, { level: 9 }).toString("base64"));
await mkdir("dist/node", { recursive: true });
await writeFile("dist/style.css", style.outputFiles[0].text);
await writeFile("dist/judge.wasm", judge);
await writeFile("dist/headless.js", headless.outputFiles[0].text);
for (const { path, text } of libraries.outputFiles) await writeFile(path, text);
const versions = Object.fromEntries(inAll.map(({ name, version }) => [name, version]));
await writeFile(
  "dist/node/versions.json",
  JSON.stringify({ react: versions.react, terser: versions.terser }),
);
// A program of 18 kB, for the minifier.
await copyFile("node_modules/react/cjs/react.production.js", "dist/node/program.js");
// Pictures that the program makes show their words in a font that it carries along.
await copyFile("node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf", "dist/DejaVuSans.ttf");
await writeFile(
  "dist/packages",
  inAll.map(({ name, version, folder }) => `${name} ${version} ${folder}\n`).join(""),
);
// Last: whoever sees it may take it that all is there.
await writeFile("dist/page.html", html);
