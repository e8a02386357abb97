// Pictures and words of a report without a browser: sizeup runs this in QuickJS (crates/export/src/page/headless.rs).

import "./shim";
import { parseHTML } from "linkedom/worker";
import { charts } from "../charts";
import { card, CARD } from "../charts/card";
import { LIGHT, type Canvas } from "../charts/chart";
import { type Data, dataOf } from "../data";
import { appoint, type Judge } from "../judge/program";
import { type Script } from "../site/frame";
import { site } from "../site/site";
import { defaultView } from "../view";
import { description } from "../words/description";
import { markdown, type Picture } from "../words/markdown";
import { xml } from "./xml";

/** The program itself: crates/export/src/page/headless.rs. */
declare const judge: Judge;
appoint(judge);

/** Wide enough for a page, small enough for a column of a paper. */
const WIDTH_PX = 960;

/** Where pictures are drawn. */
function canvas(isTitled: boolean): Canvas {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  return { document, width: WIDTH_PX, theme: LIGHT, interactive: false, isTitled };
}

/** How many pixels of a PNG file a pixel is: sharp on today's screens, and as sites want it. */
const [SHARP, EXACT] = [2, 1];

/** Name, SVG and scale of every picture of a report for its default view, its share card last, as JSON. */
function drawCharts(json: string): string {
  const data = dataOf(json);
  const on = canvas(true);
  const drawn = charts(data, defaultView(data)).map(({ chart }) => ({
    name: chart.name,
    svg: xml(chart.draw(on)),
    scale: SHARP,
  }));
  return JSON.stringify([...drawn, shareCard(data)]);
}

/** The answer as a picture. */
function shareCard(data: Data): { name: string; svg: string; scale: number } {
  const svg = xml(card(data, defaultView(data), canvas(true).document));
  return { name: CARD.name, svg, scale: EXACT };
}

/** The report's title and text, as other sites show them beside a link. */
function describe(json: string): string {
  return JSON.stringify(description(dataOf(json)));
}

/** The report as Markdown; if the pictures are files, these are links to them in their order. */
function writeMarkdown(json: string, links: string): string {
  const data = dataOf(json);
  // eslint-disable-next-line no-restricted-syntax -- the program's own names of files
  const files = JSON.parse(links) as string[];
  const placed = files.length === 0 ? [] : charts(data, defaultView(data));
  const pictures: Picture[] = placed.map(({ section, chart }, place) => ({
    section,
    title: chart.title,
    file: files[place] ?? "",
  }));
  return markdown(data, defaultView(data), pictures);
}

/** The program that `report/build.mjs` made of `site/find.ts`. */
declare const FINDER: Script;

/** The pages of a site, its share card and its report's description, as JSON. */
function writeSite(json: string, style: string): string {
  const data = dataOf(json);
  const on = canvas(false);
  const pages = site(data, style, FINDER, (chart, width) => xml(chart.draw({ ...on, width })));
  return JSON.stringify({ pages, card: shareCard(data), description: description(data) });
}

Object.assign(globalThis, { describe, drawCharts, writeMarkdown, writeSite });
