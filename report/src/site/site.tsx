// A folder of pages about a folder of runs.

import render from "preact-render-to-string";
import { scaling } from "../charts/scaling";
import { slug } from "../charts/chart";
import { type Data } from "../data";
import { defaultView, threadChoices } from "../view";
import { type Script } from "./frame";
import { Home } from "./home";
import { type Draw, Workload } from "./workload";

/** A file of the site. */
export interface Page {
  path: string;
  html: string;
}

/** All pages but the report itself. */
export function site(data: Data, style: string, finder: Script, draw: Draw): Page[] {
  const names = [...new Set(data.rows.map((row) => row.name))];
  const view = defaultView(data);
  const paths = new Set<string>();
  const workloads = names.map((name) => {
    const plain = slug(name) || "workload";
    let path = `workload/${plain}.html`;
    for (let times = 2; paths.has(path); times += 1) path = `workload/${plain}-${times}.html`;
    paths.add(path);
    return { name, path };
  });
  const home = {
    path: "index.html",
    html: whole(<Home data={data} style={style} finder={finder} workloads={workloads} draw={draw} />),
  };
  const pages = workloads.map(({ name, path }) => ({
    path,
    html: whole(
      <Workload
        data={data}
        name={name}
        rows={rowsOf(data, name)}
        style={style}
        charts={scaling(scalingOf(data, name), view)}
        draw={draw}
      />,
    ),
  }));
  return [home, ...pages];
}

function whole(page: preact.JSX.Element): string {
  return `<!doctype html>\n${render(page)}\n`;
}

/** Those that a page shows in tables, by number of threads. */
function rowsOf(data: Data, name: string): number[] {
  const order = threadChoices(data);
  const rows = data.rows.flatMap((head, row) => (head.name === name ? [{ row, threads: head.threads }] : []));
  const isSwept = data.scaling.some(({ workload }) => workload === name);
  // The curve shows a sweep; one thread and all threads are shown apart all the same.
  const apart = rows.filter(({ threads }) => !isSwept || ["1", "all"].includes(threads));
  return apart.sort((a, b) => order.indexOf(a.threads) - order.indexOf(b.threads)).map(({ row }) => row);
}

function scalingOf(data: Data, name: string): Data {
  return { ...data, scaling: data.scaling.filter(({ workload }) => workload === name) };
}
