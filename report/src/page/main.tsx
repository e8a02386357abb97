// The page: reads its data, follows its address, draws.

import { render } from "preact";
import { type Data } from "../data";
import { shown } from "../words/numbers";
import { App } from "./app";

const holder = document.getElementById("data");
const root = document.getElementById("root");
if (holder && root) {
  const data = JSON.parse(holder.textContent) as Data;
  document.title = `sizeup: ${data.groups.map((group) => shown(group.label, 40)).join(", ")}`.slice(0, 120);
  root.replaceChildren();
  render(<App data={data} />, root);
}
