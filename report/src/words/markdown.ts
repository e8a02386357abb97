// A report as Markdown, for a pull request or a blog.

import { SECTIONS } from "../charts";
import { workPerWatt } from "../charts/energy";
import { servers } from "../charts/servers";
import { figureOf, type Data } from "../data";
import { compare, type Row } from "../judge/comparison";
import { categoriesOf, scoresOf, type Score } from "../judge/score";
import { answerable, currency, drawn, isWanted, priceOf, type View } from "../view";
import { answer, threadsOfAnswer } from "./answer";
import { caveatInWords, caveats } from "./caveats";
import { nameOf } from "./names";
import { literal } from "./literal";
import { differing } from "./machines";
import { ends, factor, quantity, threadsInWords, width } from "./numbers";
import { priced, priceWithRange, ratioWithRange } from "./prices";
import { badge, quality } from "./quality";
import { origin, title } from "./title";
import { figureInWords, unitOfAll } from "./unit";
import { ratioInWords } from "./verdict";

/** A picture of the report that is a file. */
export interface Picture {
  /** Of which section of the report. */
  section: string;
  title: string;
  /** Where it is, as a link has it. */
  file: string;
}

/** The whole report for a view; text that isn't ours is escaped. */
export function markdown(data: Data, view: View, pictures: Picture[]): string {
  const chapter = (heading: string, section: string, parts: string[]): string[] => {
    const links = pictures
      .filter((of) => of.section === section)
      .map((of) => `![${literal(of.title)}](${of.file})`);
    const all = [...links, ...parts];
    return all.length > 0 ? [`## ${heading}`, ...all] : [];
  };
  const blocks = [
    `# ${literal(title(data))}`,
    literal(`${origin(data)}${unshown(data, view)}.`),
    ...chapter("Answer", "overview", theAnswer(data, view)),
    ...chapter("Caveats", "caveats", theCaveats(data, view)),
    ...chapter(
      "Scores",
      "scores",
      byThreads(data, view, (threads) => scores(data, view, threads)),
    ),
    ...chapter(
      "Workload by workload",
      "relative",
      byThreads(data, view, (threads) => rows(data, view, threads)),
    ),
    ...SECTIONS.filter(({ id }) => !["overview", "scores", "relative"].includes(id)).flatMap(
      ({ id, title }) => chapter(title, id, tablesOf(id, data, view)),
    ),
    ...chapter("Machines", "machines", machines(data, view)),
    ...chapter(
      "Data quality",
      "quality",
      quality(data, view).flatMap(({ machine, found }) => [
        `### ${literal(machine)}`,
        bullets(found.map((of) => literal(of.text))),
      ]),
    ),
    ...chapter("Method", "method", [literal(method(data))]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The headline, what else is measured, and what would change it. */
function theAnswer(data: Data, view: View): string[] {
  const { headline, tiles, facts } = answer(data, view);
  const lines = tiles.map(({ about, group, value, detail }) => {
    const name = group === null ? "" : `${nameOf(data, group, 40)} `;
    return literal(`${about}: ${name}${value} (${detail})`);
  });
  const { text } = badge(data, view);
  return [
    `**${literal(headline)}.** ${literal(text)}.`,
    ...(lines.length > 0 ? [bullets(lines)] : []),
    ...(facts.length > 0 ? [bullets(facts.map((fact) => literal(fact)))] : []),
  ];
}

function theCaveats(data: Data, view: View): string[] {
  const all = caveats(data, view).map((caveat) => {
    const text = literal(caveatInWords(data, caveat));
    return caveat.isAlarm ? `**${text}**` : text;
  });
  return all.length > 0 ? [bullets(all)] : [];
}

/** What a chapter of pictures shows beside them. */
function tablesOf(section: string, data: Data, view: View): string[] {
  if (section === "prices") return prices(data, view);
  const charts =
    section === "servers" ? servers(data, view) : section === "watts" ? workPerWatt(data, view) : [];
  return charts.flatMap((chart) => {
    const { heads, rows } = chart.table();
    const cells = (of: string[]): string[] => of.map((cell) => literal(cell, 80));
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
  return left === 0
    ? ""
    : `; ${drawn(view).length} of the machines are shown: the first and those that score best`;
}

/** A table for each number of threads that has one. */
function byThreads(data: Data, view: View, make: (threads: string) => string | null): string[] {
  const asked = data.threads.length > 0 ? data.threads : threadsOfAnswer(data, view);
  return asked.flatMap((threads) => {
    const made = make(threads);
    return made === null ? [] : [`### On ${literal(threadsInWords(threads))}`, made];
  });
}

function scores(data: Data, view: View, threads: string): string | null {
  const others = answerable(view);
  const all = others.map((other) =>
    scoresOf(data, view.baseline, other).filter((of) => of.threads === threads && of.interval),
  );
  const categories = categoriesOf(all.flat());
  if (categories.length === 0) return null;
  const cell = (of: Score | undefined): string =>
    of?.interval ? `${factor(of.interval.centre)} (${ends(of.interval)})` : "–";
  const lines = categories.map((category) => {
    const found = all.map((scores) => scores.find((of) => of.category === category));
    const counts = found.flatMap((of) => (of ? [of.rows] : []));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return [literal(category, 60), least === most ? String(most) : `${least} to ${most}`, ...found.map(cell)];
  });
  const baseline = labelOf(data, view.baseline);
  return table(
    ["category", "rows", ...others.map((other) => `${labelOf(data, other)}, times ${baseline} (95&nbsp;%)`)],
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
      [baseline, unitOfAll(data)].filter((of) => of).join(", "),
      ...others.map((other) => `${labelOf(data, other)}; times ${baseline}`),
    ],
    lines,
  );
}

function figure(data: Data, group: number, row: number): string {
  const found = figureOf(data, data.cells[group]?.[row]);
  return found ? `${literal(figureInWords(data, found))} ${width(found.interval)}` : "–";
}

function verdict(data: Data, group: number, place: number, row: Row | undefined): string {
  if (!row) return "not measured";
  const why = row.ratio || row.reason === null ? ratioInWords(row) : literal(row.reason, 200);
  return row.other ? `${figure(data, group, place)}; ${why}` : why;
}

/** What the groups cost, and from which price on another is the better buy; nothing where no price is known. */
function prices(data: Data, view: View): string[] {
  const groups = drawn(view);
  if (groups.every((group) => priceOf(data, view, group) === null)) return [];
  const lines = priced(data, view).map(({ group, price, perCpu, adjusted, breakEven }) => [
    labelOf(data, group),
    price === null ? "–" : quantity(price),
    perCpu === null ? "–" : quantity(perCpu),
    group === view.baseline ? "baseline" : ratioWithRange(adjusted),
    priceWithRange(breakEven),
  ]);
  const told = `Prices in ${currency(data)} an hour; the score over all categories on ${threadsInWords(view.threads)}, with 95\u00a0% intervals.`;
  return [
    literal(told),
    table(["machine", "per hour", "per CPU and hour", "price-performance", "break-even price"], lines),
    ...(data.price_notes.length > 0 ? [bullets(data.price_notes.map((note) => literal(note)))] : []),
  ];
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
    "As each says of itself; CPUs, and what differs.",
    table(["what", ...groups.map((group) => labelOf(data, group))], lines, ":--"),
  ];
}

function method(data: Data): string {
  const allowed = data.allow.length > 0 ? ` Allowed to differ: ${data.allow.join(", ")}.` : "";
  return (
    "Intervals are 95\u00a0% intervals. Like is compared with like: a row whose definition, input, library, compiler, flags or output differs has no ratio " +
    `unless that was allowed.${allowed} Verdicts are at 5\u00a0% over all rows together (Holm's correction). A score is the geometric mean of its rows' ratios.`
  );
}
