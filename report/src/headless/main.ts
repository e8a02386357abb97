// Pictures and words of a report without a browser: sizeup runs this in QuickJS (crates/sizeup/src/report/page/headless.rs).

import "./shim";
import { parseHTML } from "linkedom/worker";
import { SECTIONS } from "../charts";
import { LIGHT, type Canvas, type Chart } from "../charts/chart";
import { type Data } from "../data";
import { defaultView } from "../view";
import { markdown, type Picture } from "../words/markdown";
import { xml } from "./xml";

/** Wide enough for a page, small enough for a column of a paper. */
const WIDTH_PX = 960;

interface Drawn {
  section: string;
  chart: Chart;
}

/** Every picture of a report for its default view. */
function charts(data: Data): Drawn[] {
  const view = defaultView(data);
  return SECTIONS.flatMap((section) => section.make(data, view).map((chart) => ({ section: section.id, chart })));
}

/** Name and SVG of every picture, as JSON. */
function drawCharts(json: string): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const canvas: Canvas = { document, width: WIDTH_PX, theme: LIGHT, interactive: false };
  const drawn = charts(JSON.parse(json) as Data);
  return JSON.stringify(drawn.map(({ chart }) => ({ name: chart.name, svg: xml(chart.draw(canvas)) })));
}

/** The report as Markdown; if the pictures are files, these are links to them in their order. */
function writeMarkdown(json: string, links: string): string {
  const data = JSON.parse(json) as Data;
  const files = JSON.parse(links) as string[];
  const pictures: Picture[] =
    files.length === 0 ? [] : charts(data).map(({ section, chart }, place) => ({ section, title: chart.title, file: files[place] ?? "" }));
  return markdown(data, defaultView(data), pictures);
}

Object.assign(globalThis, { drawCharts, writeMarkdown });
