// The page's judge for tests without a browser, as it stands in the page.

import { readFileSync } from "node:fs";
import { appoint, judgeOf } from "../../src/judge/program";

const file = new URL("../../dist/judge.wasm", import.meta.url);
appoint(judgeOf(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)))));
