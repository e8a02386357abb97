// The choices of a page's reader; the page's address holds them.

import { narrowTo, rowsOf, type Data } from "./data";
import { placed, reference } from "./judge/score";
import { count, visible } from "./words/numbers";

/** More groups than this are not distinguishable in one picture. */
export const MOST_SHOWN = 7;

/** Prices of an hour, as the program takes them: crates/catalog/src/price/mod.rs. */
export const [LEAST_PRICE, MOST_PRICE] = [1e-6, 1e9];

export type Sort = "table" | "name" | "ratio";

/** The quantity that throughput is divided by. */
export type Per = (typeof PERS)[number];
export const PERS = ["machine", "cpu", "money"] as const;

export interface View {
  /** The group that the others are compared to. */
  baseline: number;
  /** The others that are drawn row by row. */
  shown: number[];
  /** Numbers of threads as asked for. */
  threads: string;
  /** The quantity that answer and ranking divide by. */
  per: Per;
  /** The category that the answer is of; `null`: all. */
  category: string | null;
  /** None: all. */
  implementations: string[];
  /** Rows whose name contains it. */
  text: string;
  sort: Sort;
  /** The prices of an hour that the reader set. */
  prices: Map<number, number>;
}

/** The categories that there are rows of, in the order of the scores. */
export function categoryChoices(data: Data): string[] {
  const present = new Set(data.rows.flatMap(({ categories }) => categories));
  return [...new Set(data.lines.map(({ category }) => category))].filter((category) => present.has(category));
}

/** The numbers of threads that rows are on, all threads first. */
export function threadChoices(data: Data): string[] {
  const all = [...new Set(rowsOf(data).map((row) => row.threads))];
  const order = (threads: string): number => (threads === "all" ? -1 : Number(threads));
  return all.sort((a, b) => order(a) - order(b));
}

/** The others that are drawn when nobody has chosen: of many, those that score best, among themselves where the baseline has no score. */
export function defaultShown(data: Data, baseline: number, threads: string): number[] {
  const others = data.groups.map((_, place) => place).filter((place) => place !== baseline);
  if (others.length <= MOST_SHOWN) return others;
  const score = (other: number, to: number): number | undefined =>
    placed(data, to, other, threads)?.interval?.centre;
  const hasScore = (other: number, to: number): boolean => score(other, to) !== undefined;
  const to = reference(baseline, [baseline, ...others], hasScore) ?? baseline;
  const scored = others.map((other) => ({ other, score: other === to ? 1 : (score(other, to) ?? 0) }));
  const best = scored.sort((a, b) => b.score - a.score).slice(0, MOST_SHOWN);
  return best.map(({ other }) => other).sort((a, b) => a - b);
}

export function defaultView(data: Data): View {
  const threads = data.threads[0] ?? threadChoices(data)[0] ?? "1";
  return {
    baseline: 0,
    shown: defaultShown(data, 0, threads),
    threads,
    per: "machine",
    category: null,
    implementations: [],
    text: "",
    sort: "ratio",
    prices: new Map(),
  };
}

/** Whether figures can be divided by money: it buys operations a second, not a clock. */
export function canBePriced(data: Data): boolean {
  return data.view !== "per-ghz";
}

/** The price of an hour of a group, as the reader or the file says. */
export function priceOf(data: Data, view: View, group: number): number | null {
  return view.prices.get(group) ?? data.groups[group]?.prices[0]?.per_hour ?? null;
}

/** Whether any price is known. */
export function hasPrices(data: Data, view: View): boolean {
  return canBePriced(data) && data.groups.some((_, group) => priceOf(data, view, group) !== null);
}

/** The currency of all prices. */
export function currency(data: Data): string {
  return data.groups.map((group) => group.prices[0]?.currency).find(Boolean) ?? "$";
}

/** The groups that are drawn row by row, the baseline first. */
export function drawn(view: View): number[] {
  return [view.baseline, ...view.shown.filter((place) => place !== view.baseline)];
}

/** Whether a row is among those that the reader wants to see. */
export function isWanted(data: Data, view: View, row: number, threads = view.threads): boolean {
  const head = data.rows[row];
  return (
    head?.threads === threads &&
    (view.category === null || head.categories.includes(view.category)) &&
    (view.implementations.length === 0 || view.implementations.includes(head.implementation)) &&
    head.name.toLowerCase().includes(view.text.toLowerCase())
  );
}

/** Whether a workload has such a row, on any number of threads. */
export function isWantedWorkload(data: Data, view: View, name: string): boolean {
  return data.rows.some((head, row) => head.name === name && isWanted(data, view, row, head.threads));
}

/** The filters that keep workloads out of sight below the answer, in words: `2 implementations`, `"aes"`. */
export function filters({ implementations, text }: View): string[] {
  return [
    ...(implementations.length === 0 ? [] : [count(implementations.length, "implementation")]),
    ...(text ? [`“${text}”`] : []),
  ];
}

const SORTS: Sort[] = ["table", "name", "ratio"];

/** The part of an address behind #, of what differs from the default. */
export function toHash(data: Data, view: View): string {
  const parameters = new URLSearchParams();
  const plain = defaultView(data);
  if (view.baseline !== plain.baseline) parameters.set("baseline", String(view.baseline));
  if (view.threads !== plain.threads) parameters.set("threads", view.threads);
  const shown = defaultShown(narrowTo(data, view.category), view.baseline, view.threads);
  if (view.shown.join() !== shown.join()) parameters.set("shown", view.shown.join(","));
  if (view.category !== null) parameters.set("category", view.category);
  if (view.per !== plain.per) parameters.set("per", view.per);
  view.implementations.forEach((name) => parameters.append("implementation", name));
  if (view.text) parameters.set("text", view.text);
  if (view.sort !== plain.sort) parameters.set("sort", view.sort);
  view.prices.forEach((price, group) => parameters.append("price", `${group}:${price}`));
  return parameters.toString();
}

/** The view that an address asks for; what can't be is left as it is by default. */
export function fromHash(data: Data, hash: string): View {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const view = defaultView(data);
  const isGroup = (place: number): boolean => Number.isInteger(place) && place in data.groups;
  const baseline = Number(parameters.get("baseline") ?? 0);
  if (isGroup(baseline)) view.baseline = baseline;
  view.category = categoryChoices(data).find((category) => category === parameters.get("category")) ?? null;
  const narrowed = narrowTo(data, view.category);
  const [asked, choices] = [parameters.get("threads"), threadChoices(narrowed)];
  const isChoice = (threads: string | null): threads is string => choices.includes(threads ?? "");
  view.threads = [asked, view.threads].find(isChoice) ?? choices[0] ?? view.threads;
  view.shown = defaultShown(narrowed, view.baseline, view.threads);
  const shown = parameters.get("shown");
  if (shown !== null) {
    const asked = shown.split(",").filter(Boolean).map(Number);
    view.shown = [...new Set(asked)]
      .filter((place) => isGroup(place) && place !== view.baseline)
      .slice(0, MOST_SHOWN);
  }
  view.implementations = parameters
    .getAll("implementation")
    .filter((name) => data.rows.some((row) => row.implementation === name));
  view.text = visible(parameters.get("text") ?? "");
  const per = PERS.find((per) => per === parameters.get("per"));
  if (per) view.per = per;
  const sort = SORTS.find((sort) => sort === parameters.get("sort"));
  if (sort) view.sort = sort;
  for (const price of canBePriced(data) ? parameters.getAll("price") : []) {
    const [group, perHour] = price.split(":").map(Number);
    if (
      group !== undefined &&
      isGroup(group) &&
      perHour !== undefined &&
      LEAST_PRICE <= perHour &&
      perHour <= MOST_PRICE
    ) {
      view.prices.set(group, perHour);
    }
  }
  return view;
}

/** The groups that are compared with the baseline and drawn. */
export function answerable(view: View): number[] {
  return drawn(view).slice(1);
}
