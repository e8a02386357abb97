// The page: unpacks its judge and its data, follows its address, draws.

import { render } from "preact";
import { type Data, dataOf } from "../data";
import { appoint, judgeOf } from "../judge/program";
import { App } from "./app";

/** An element's contents as they stand in the page: by gzip, in base64. */
function unpacked(id: string): Response {
  const text = document.getElementById(id)?.textContent ?? "";
  const gzip = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip")));
}

async function loaded(): Promise<Data> {
  const { instance } = await WebAssembly.instantiate(await unpacked("judge").arrayBuffer());
  appoint(judgeOf(instance));
  return dataOf(await unpacked("data").text());
}

const root = document.getElementById("root");
if (root) {
  loaded().then(
    (data) => {
      root.replaceChildren();
      render(<App data={data} />, root);
    },
    (error: unknown) => {
      root.textContent = `This browser can't unpack the report (${String(error)}); one of 2023 or later can.`;
    },
  );
}
