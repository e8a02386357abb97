// The page: reads its data, follows its address, draws.

import { render } from "preact";
import { type Data } from "../data";
import { App } from "./app";

const holder = document.getElementById("data");
const root = document.getElementById("root");
if (holder && root) {
  const data = JSON.parse(holder.textContent) as Data;
  root.replaceChildren();
  render(<App data={data} />, root);
}
