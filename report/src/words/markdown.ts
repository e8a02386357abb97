// A report as Markdown, for a pull request or a blog.

import { SECTIONS } from "../charts";
import { extremes } from "../charts/overview";
import { workPerWatt } from "../charts/energy";
import { servers } from "../charts/servers";
import { figureOf, type Data } from "../data";
import { isKnown } from "../judge/interval";
import { compare, type Row } from "../judge/comparison";
import { categoriesOf, scoresOf, type Score } from "../judge/score";
import { answerable, currency, drawn, isWanted, priceOf, type View } from "../view";
import { answer, threadsOfAnswer, type Tile } from "./answer";
import { caveatInWords, caveats, type Caveat } from "./caveats";
import { SCORING } from "./coverage";
import { literal } from "./literal";
import { differing } from "./machines";
import { ends, fourDigits, threadsInWords, width } from "./numbers";
import { committed, priced, priceWithRange, ratioWithRange } from "./prices";
import { quality } from "./quality";
import { origin, title } from "./title";
import { figureInWords, unitOfAll } from "./unit";
import { ratioInWords } from "./verdict";

/** A picture of the report that is a file. */
export interface Picture {
  /** The section of the report that it belongs to. */
  section: string;
  title: string;
  /** Where it is, as a link has it. */
  file: string;
}

/** The whole report for a view; text from elsewhere is escaped. */
export function markdown(data: Data, view: View, pictures: Picture[]): string {
  const chapter = (heading: string, section: string, parts: string[]): string[] => {
    const links = pictures
      .filter((picture) => picture.section === section)
      .map((picture) => `![${literal(picture.title)}](${picture.file})`);
    const all = [...links, ...parts];
    return all.length > 0 ? [`## ${heading}`, ...all] : [];
  };
  const { headline, tiles, facts } = answer(data, view);
  const known = caveats(data, view);
  const blocks = [
    `# ${literal(headline)}`,
    literal(`${title(data)}: ${origin(data)}${unshown(data, view)}.`),
    ...(tiles.length > 0 ? [tilesTable(data, tiles)] : []),
    ...chapter("By category", "answer", [
      ...byThreads(data, view, (threads) => scores(data, view, threads)),
      ...(facts.length > 0 ? [bullets(facts.map((fact) => literal(fact)))] : []),
    ]),
    ...chapter("Largest wins and losses", "relative", extremesTables(data, view)),
    ...chapter(
      "Caveats",
      "caveats",
      known.length > 0 ? [bullets(known.map((caveat) => emphasised(data, caveat)))] : [],
    ),
    ...chapter(
      "Head-to-head",
      "rows",
      byThreads(data, view, (threads) => rows(data, view, threads)),
    ),
    ...SECTIONS.filter(({ id }) => !["answer", "relative"].includes(id)).flatMap(({ id, title }) =>
      chapter(title, id, tablesOf(id, data, view)),
    ),
    ...chapter("Machines", "machines", machines(data, view)),
    ...chapter(
      "Data quality",
      "quality",
      quality(data, view).flatMap(({ machines, found }) => [
        `### ${literal(machines)}`,
        bullets(found.map((note) => literal(note.text))),
      ]),
    ),
    ...chapter("Method", "method", [literal(method(data))]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Those that forbid to use the figures are set off. */
function emphasised(data: Data, caveat: Caveat): string {
  const text = literal(caveatInWords(data, caveat));
  return caveat.isAlarm ? `**${text}**` : text;
}

function tilesTable(data: Data, tiles: Tile[]): string {
  const cells = tiles.map(({ about, group, value, detail }) => [
    literal(about),
    group === null ? "" : labelOf(data, group),
    literal(value),
    literal(detail),
  ]);
  return table(["measure", "ahead", "by", "95&nbsp;% CI"], cells, ":--");
}

/** The largest wins and losses of two machines. */
function extremesTables(data: Data, view: View): string[] {
  const chart = extremes(data, view);
  if (!chart) return [];
  const { heads, rows } = chart.table();
  return [
    literal(chart.title),
    table(
      heads.map((head) => literal(head, 80)),
      rows.map((row) => row.map((cell) => literal(cell, 80))),
    ),
  ];
}

/** The tables of a chapter of pictures. */
function tablesOf(section: string, data: Data, view: View): string[] {
  if (section === "prices") return prices(data, view);
  const charts =
    section === "servers" ? servers(data, view) : section === "watts" ? workPerWatt(data, view) : [];
  return charts.flatMap((chart) => {
    const { heads, rows } = chart.table();
    const cells = (texts: string[]): string[] => texts.map((cell) => literal(cell, 80));
    return [`### ${literal(chart.title)}`, literal(chart.caption), table(cells(heads), rows.map(cells))];
  });
}

function bullets(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** A table; cells are Markdown, and those of numbers stand on the right. */
function table(heads: string[], rows: string[][], side = "--:"): string {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  const marks = heads.map((_, place) => (place === 0 ? ":--" : side));
  return [line(heads), line(marks), ...rows.map(line)].join("\n");
}

function labelOf(data: Data, group: number): string {
  return literal(data.groups[group]?.label ?? "", 60);
}

function unshown(data: Data, view: View): string {
  const left = data.groups.length - drawn(view).length;
  return left === 0 ? "" : `; row by row, the baseline and the ${drawn(view).length - 1} best are shown`;
}

/** A table for each number of threads that has one. */
function byThreads(data: Data, view: View, make: (threads: string) => string | null): string[] {
  const chosen = data.threads.length > 0 ? data.threads : threadsOfAnswer(data, view);
  return chosen.flatMap((threads) => {
    const made = make(threads);
    return made === null ? [] : [`### On ${literal(threadsInWords(threads))}`, made];
  });
}

function scores(data: Data, view: View, threads: string): string | null {
  const others = answerable(view);
  const all = others.map((other) =>
    scoresOf(data, view.baseline, other).filter((score) => score.threads === threads && score.interval),
  );
  const categories = categoriesOf(all.flat());
  if (categories.length === 0) return null;
  const cell = (score: Score | undefined): string =>
    score?.interval
      ? `${fourDigits(score.interval.centre)} (${isKnown(score.interval) ? ends(score.interval) : "no error bars"})`
      : "–";
  const lines = categories.map((category) => {
    const found = all.map((scores) => scores.find((score) => score.category === category));
    const counts = found.flatMap((score) => (score ? [score.rows] : []));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return [literal(category, 60), least === most ? String(most) : `${least}–${most}`, ...found.map(cell)];
  });
  const baseline = labelOf(data, view.baseline);
  return table(
    [
      "category",
      "rows",
      ...others.map((other) => `${labelOf(data, other)}, over ${baseline} (95&nbsp;% CI)`),
    ],
    lines,
  );
}

function rows(data: Data, view: View, threads: string): string | null {
  const others = answerable(view);
  const wanted = data.rows.map((_, row) => row).filter((row) => isWanted(data, view, row, threads));
  if (wanted.length === 0) return null;
  const found = others.map(
    (other) => new Map(compare(data, view.baseline, other).map((row) => [row.row, row])),
  );
  const lines = wanted.map((row) => [
    literal(data.rows[row]?.name ?? "", 80),
    figure(data, view.baseline, row),
    ...others.map((other, place) => verdict(data, other, row, found[place]?.get(row))),
  ]);
  const baseline = labelOf(data, view.baseline);
  return table(
    [
      "workload",
      [baseline, unitOfAll(data)].filter((text) => text).join(", "),
      ...others.map((other) => `${labelOf(data, other)}; over ${baseline}`),
    ],
    lines,
  );
}

function figure(data: Data, group: number, row: number): string {
  const found = figureOf(data, data.cells[group]?.[row]);
  if (!found) return "–";
  return [literal(figureInWords(data, found)), isKnown(found.interval) ? width(found.interval) : ""]
    .join(" ")
    .trim();
}

function verdict(data: Data, group: number, place: number, row: Row | undefined): string {
  if (!row) return "not measured";
  const why = row.ratio || row.reason === null ? ratioInWords(row) : literal(row.reason, 200);
  return row.other ? `${figure(data, group, place)}; ${why}` : why;
}

/** Prices of the groups, and from which price on another is the better buy; nothing where no price is known. */
function prices(data: Data, view: View): string[] {
  const groups = drawn(view);
  if (groups.every((group) => priceOf(data, view, group) === null)) return [];
  const shown = priced(data, view).slice(0, groups.length);
  const lines = shown.map(({ group, price, perCpu, adjusted, breakEven }) => [
    labelOf(data, group),
    price === null ? "–" : fourDigits(price),
    perCpu === null ? "–" : fourDigits(perCpu),
    ratioWithRange(adjusted),
    priceWithRange(breakEven),
  ]);
  const unit = currency(data);
  const about = `Prices in ${unit}/h; overall score on ${threadsInWords(view.threads)}, with 95\u00a0% intervals.`;
  return [
    literal(about),
    table(["machine", "per hour", "per CPU", `score per ${literal(unit)}`, "break-even price"], lines),
    ...commitments(data, view),
  ];
}

/** Prices of each machine under each commitment. */
function commitments(data: Data, view: View): string[] {
  const lines = committed(data, view).map(({ group, price, adjusted, breakEven }) => [
    labelOf(data, group),
    literal(price.commitment ?? "unknown", 40),
    fourDigits(price.per_hour),
    ratioWithRange(adjusted),
    priceWithRange(breakEven),
  ]);
  const unit = literal(currency(data));
  const heads = ["machine", "commitment", "per hour", `score per ${unit}`, "break-even price"];
  return lines.length === 0 ? [] : ["By commitment:", table(heads, lines)];
}

function machines(data: Data, view: View): string[] {
  const groups = drawn(view);
  const facts = differing(data, groups);
  if (facts.length === 0) return [];
  const lines = facts.map(({ what, values }) => [
    literal(what, 80),
    ...values.map((value) => literal(value, 200)),
  ]);
  return [
    "CPUs, and what differs.",
    table(["what", ...groups.map((group) => labelOf(data, group))], lines, ":--"),
  ];
}

function method(data: Data): string {
  const allowed = data.allow.length > 0 ? ` Allowed to differ: ${data.allow.join(", ")}.` : "";
  return (
    "Intervals, where known, are 95\u00a0% intervals. A row whose definition, input, library, compiler, flags or output differs has no ratio " +
    `unless that was allowed.${allowed} Significance level 5\u00a0%, Holm-corrected over all rows. ${SCORING}`
  );
}
