// A picture's words where it stands alone: its title above it, below it how it is read and where it is from.

import { type Data } from "../data";
import { nameOf } from "../words/names";
import { shown } from "../words/numbers";
import { title } from "../words/title";
import { type Canvas, type Chart } from "./chart";
import { lettersWide } from "./plot";

const TITLE = { fontPx: 15, linePx: 20 };
const WORDS = { fontPx: 12, linePx: 16 };
const EDGE_PX = 8;
const MOST_TITLE_LINES = 2;
/** So many machines are named. */
const MOST_NAMES = 3;
/** Letters of whole lines are narrower than those of labels, which are guessed letter by letter. */
const [LABEL_PX, TIGHT] = [12, 0.78];

/** A picture with words around it where nothing else says them. */
export function framed(data: Data, chart: Chart): Chart {
  return {
    ...chart,
    draw: (canvas) => {
      const drawing = chart.draw(canvas);
      if (canvas.isTitled) addWords(drawing, canvas, chart, source(data));
      return drawing;
    },
  };
}

const VIEWS: Record<string, string> = {
  uncontended: "uncontended figures",
  delivered: "figures as delivered",
  "per-ghz": "uncontended figures per GHz",
};

/** The source of figures: tool, suite, view, and what doctor found unfit. */
export function source(data: Data): string {
  const sheets = data.groups.flatMap((group) => group.sheets);
  const distinct = (all: string[]): string =>
    [...new Set(all.filter(Boolean))].map((text) => shown(text, 60)).join(", ");
  const tools = distinct(
    sheets.map((sheet) =>
      sheet.origin ? `imported from ${sheet.origin.tool}` : `measured by sizeup ${sheet.sizeup}`,
    ),
  );
  const suites = distinct(sheets.filter((sheet) => !sheet.origin).map((sheet) => sheet.suite));
  const parts = [`Source: ${title(data)}, ${tools}`, suites ? `suite ${suites}` : "", VIEWS[data.view] ?? ""];
  return `${parts.filter(Boolean).join("; ")}.`.concat(caution(data));
}

/** Problems that `sizeup doctor` found on the machines. */
function caution(data: Data): string {
  const unfit = data.groups.flatMap((group, place) => {
    const findings = group.sheets
      .flatMap((sheet) => sheet.findings)
      .filter((finding) => finding.severity === "unfit");
    const ids = [...new Set(findings.map((finding) => finding.id))];
    return ids.length > 0 ? [`${nameOf(data, place, 40)} (${ids.join(", ")})`] : [];
  });
  if (unfit.length === 0) return "";
  const more = unfit.length > MOST_NAMES ? ` and ${unfit.length - MOST_NAMES} more` : "";
  return ` Caution: sizeup doctor found unfit: ${unfit.slice(0, MOST_NAMES).join(", ")}${more}.`;
}

/** Words in lines that are no wider. */
export function wrapped(text: string, fontPx: number, widthPx: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 ? `${lines[lines.length - 1] ?? ""} ${word}` : word;
    if (lines.length > 0 && lettersWide(longer) * (fontPx / LABEL_PX) * TIGHT <= widthPx)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function addWords(drawing: SVGSVGElement, canvas: Canvas, chart: Chart, from: string): void {
  const [width, height] = [canvas.width, Number(drawing.getAttribute("height"))];
  const room = width - 2 * EDGE_PX;
  const titles = wrapped(chart.title, TITLE.fontPx, room).slice(0, MOST_TITLE_LINES);
  const words = [chart.caption, from].flatMap((text) => wrapped(text, WORDS.fontPx, room));
  const above = EDGE_PX + titles.length * TITLE.linePx;
  const write = (text: string, y: number, mark: string, more: Record<string, string>): void => {
    const element = canvas.document.createElementNS("http://www.w3.org/2000/svg", "text");
    const attributes = {
      x: String(EDGE_PX),
      y: String(y),
      "text-anchor": "start",
      "data-mark": mark,
      ...more,
    };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    drawing.append(element);
  };
  titles.forEach((line, place) => {
    const more = { "font-size": `${TITLE.fontPx}px`, "font-weight": "600" };
    write(line, place * TITLE.linePx + TITLE.fontPx + EDGE_PX - above, "title", more);
  });
  words.forEach((line, place) => {
    const more = { "font-size": `${WORDS.fontPx}px`, fill: canvas.theme.muted };
    write(line, height + (place + 1) * WORDS.linePx, "caption", more);
  });
  const total = above + height + words.length * WORDS.linePx + EDGE_PX;
  drawing.setAttribute("height", String(total));
  drawing.setAttribute("viewBox", `0 ${-above} ${width} ${total}`);
}
