// The page: unpacks its data, follows its address, draws.

import { render } from "preact";
import { type Data, dataOf } from "../data";
import { App } from "./app";

/** The data as they stand in the page: JSON, by gzip, in base64. */
async function unpacked(text: string): Promise<Data> {
  const gzip = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const json = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
  return dataOf(await new Response(json).text());
}

const holder = document.getElementById("data");
const root = document.getElementById("root");
if (holder && root) {
  unpacked(holder.textContent).then(
    (data) => {
      root.replaceChildren();
      render(<App data={data} />, root);
    },
    (error: unknown) => {
      root.textContent = `This browser can't unpack the report's data (${String(error)}); one of 2023 or later can.`;
    },
  );
}
