// Who leads many machines, and by how much.

import { rankedRows, type Data } from "../data";
import { cpusAtWork, ofWork, ranking, type Held, type Measure } from "../judge/measure";
import { overall } from "../judge/score";
import { currency, type View } from "../view";
import { aboutOf, dependsOn, onWhat, quantityOf, whichDependsOn, type Tile } from "./answer";
import { rankedWork } from "./coverage";
import { listed, nameOf, threadsOf } from "./names";
import { count, fourDigits, shown, threadsInWords } from "./numbers";
import { askLead, type Order } from "../judge/program";
import { confidence, fasterThan, standing } from "./speed";

/** Who leads by a measure. */
export interface Leader {
  measure: Measure;
  /** All that are ranked, the first first. */
  groups: number[];
  /** The first over the next, on the rows that both have. */
  lead: Held | null;
  tile: Tile;
  facts: string[];
}

export function leader(data: Data, view: View, measure: Measure): Leader | null {
  const groups = ranking(data, view, measure).map(({ group }) => group);
  const [first, second] = groups;
  if (first === undefined || second === undefined) return null;
  const lead = measure.held(first, second);
  const about = aboutOf(data, groups, measure);
  const [name, next] = [nameOf(data, first, 40), nameOf(data, second, 40)];
  const how = lead ? standing(lead.interval) : "no-error-bars";
  const depends =
    measure.kind === "work" && isLead(how) ? dependsOn(data, second, first, measure.threads) : null;
  const isTied = !isLead(how) || depends !== null;
  const words = quantityOf(measure);
  const difference = lead ? fasterThan(lead.interval.centre, next, words) : "";
  const facts =
    measure.kind === "work"
      ? [
          ...(isTied ? [] : mostOfLead(data, first, second, measure.threads)),
          ...toLast(data, measure, groups, about),
          ...left(data, groups, measure.threads),
        ]
      : measure.kind === "money"
        ? [...unpriced(data, measure), ...ofThreads(data, measure), ...edited(data, view)]
        : [];
  return {
    measure,
    groups,
    lead,
    tile: {
      about,
      group: isTied ? null : first,
      value: isTied ? `${name}, ${next}` : difference || "leads",
      detail:
        depends !== null
          ? "which of the two depends on the work"
          : (lead ? confidence(lead.interval) : `no workload in common with ${next}`) +
            (["work", "money"].includes(measure.kind)
              ? rankedWork(data, measure.threads).replace(" at ", "; ")
              : "") +
            (measure.kind === "money" && groups.length < data.groups.length
              ? `; ${groups.length} of ${data.groups.length} machines`
              : "") +
            (lead && !isTied ? hangsOn(data, first, second, measure) : ""),
    },
    facts,
  };
}

/** `c8g leads 19 machines on all threads: 12 % faster than c7a (95 % CI 11–13 %)`. */
export function headlineOfMany(data: Data, { groups, lead, measure }: Leader): string {
  const [first = 0, second = 0] = groups;
  return askLead({
    names: [nameOf(data, first), nameOf(data, second)],
    ratio: lead?.interval ?? null,
    quantity: quantityOf(measure),
    ranked: groups.length,
    all: data.groups.length,
    aside: unpricedInWords(data, measure),
    on: onWhat(data, groups, measure) + rankedWork(data, measure.threads),
    depends: measure.kind === "work" ? dependsOn(data, second, first, measure.threads) : null,
  });
}

/** ` (17 have no price)`, of those that are not ranked for it. */
function unpricedInWords(data: Data, measure: Measure): string {
  const unpriced = data.groups.filter((_, group) => !measure.isKnown(group)).length;
  if (measure.kind !== "money" || unpriced === 0) return "";
  return ` (${unpriced} ${unpriced === 1 ? "has" : "have"} no price)`;
}

/** Neighbours in a ranking by throughput whose order depends on the work: the place of the first of each two, and why. */
export function unsettledNeighbours(data: Data, view: View, groups: number[]): Map<number, string> {
  const { held, threads } = ofWork(data, view.threads);
  const found = groups.slice(0, -1).flatMap((group, place): [number, string][] => {
    const next = groups[place + 1] ?? group;
    const lead = held(group, next);
    const depends = whichDependsOn(data, next, group, threads);
    return lead && depends !== null && isLead(standing(lead.interval)) ? [[place, depends]] : [];
  });
  return new Map(found);
}

/** Whether the first is ahead of the next, or would be if it had error bars. */
function isLead(how: Order): boolean {
  return how === "ahead" || how === "no-error-bars";
}

/** The workload without which the order of the first two would turn: `; without sm4-cbc/openssl (6 rows) c8g would lead`. */
function hangsOn(data: Data, first: number, second: number, { kind, threads, held }: Measure): string {
  const score = ["cpus", "money"].includes(kind) ? overall(data, second, first, threads) : null;
  const [least, work] = [score?.robustness?.least, score?.interval?.centre];
  // Per CPU and for money, all of a machine's work counts as much more as it has fewer or is cheaper.
  const lead = held(first, second)?.interval.centre;
  if (!least || work === undefined || lead === undefined || least.score * (lead / work) >= 1) return "";
  const rows = least.rows > 1 ? ` (${least.rows} rows)` : "";
  return `; without ${shown(least.without, 80)}${rows} ${nameOf(data, second, 40)} would lead`;
}

/** The workload or category that makes most of a lead. */
export function mostOfLead(data: Data, first: number, second: number, threads: string): string[] {
  const score = overall(data, second, first, threads);
  const [least, lead] = [score?.robustness?.least, score?.interval?.centre];
  if (!least || !score || lead === undefined || lead <= 1) return [];
  if (least.score < 1 || Math.log(least.score) > Math.log(lead) / 2) return [];
  const [name, next] = [nameOf(data, first, 40), nameOf(data, second, 40)];
  const on = threadsOf(data, [first, second], threads);
  const share = `${least.rows} of ${count(score.rows, "workload")}`;
  return [
    `Most of the lead of ${name} on ${on} comes from ${shown(least.without, 80)} (${share}): without it, ${name} is ${fasterThan(least.score, next)}.`,
  ];
}

/** On fewer threads than a machine has CPUs, it costs less than its price. */
function ofThreads(data: Data, { threads }: Measure): string[] {
  if (threads === "all") return [];
  const on = threadsInWords(threads);
  return [
    `Per ${currency(data)} on ${on}, a machine costs the share of its price that ${on} of its CPUs take.`,
  ];
}

function toLast(data: Data, measure: Measure, groups: number[], about: string): string[] {
  const [first = 0, last = 0] = [groups[0], groups[groups.length - 1]];
  const held = groups.length > 2 ? measure.held(first, last) : null;
  if (!held || held.interval.centre < 1) return [];
  // All threads of unlike machines are unlike many.
  const isUnlike = measure.threads === "all" && cpusAtWork(data, first) !== cpusAtWork(data, last);
  const cpus = (group: number): string => (isUnlike ? ` with ${count(cpusAtWork(data, group), "CPU")}` : "");
  const [name, slowest] = [nameOf(data, first, 40) + cpus(first), nameOf(data, last, 40) + cpus(last)];
  return [
    `On ${about} ${name} is ${fasterThan(held.interval.centre, `the last, ${slowest}`)} (${confidence(held.interval)}).`,
  ];
}

/** Those that lack too many of the workloads that the ranked ones have in common. */
function left(data: Data, groups: number[], threads: string): string[] {
  const names = data.groups.flatMap((_, group) => (groups.includes(group) ? [] : [nameOf(data, group, 40)]));
  const rows = rankedRows(data, threads)?.length ?? 0;
  if (names.length === 0) return [];
  return [
    `Not ranked on ${threadsOf(data, groups, threads)}: ${listed(names)}; ${names.length === 1 ? "it lacks" : "they lack"} too many of the ${count(rows, "workload")} that the ranked ones have in common.`,
  ];
}

/** Prices that a reader of the page set: the figures above are of these. */
function edited(data: Data, view: View): string[] {
  const prices = [...view.prices].map(
    ([group, price]) => `${nameOf(data, group, 40)} ${fourDigits(price)} ${currency(data)}/h`,
  );
  return prices.length > 0 ? [`Prices set on this page: ${prices.join(", ")}.`] : [];
}

function unpriced(data: Data, measure: Measure): string[] {
  const names = data.groups.flatMap((_, group) => (measure.isKnown(group) ? [] : [nameOf(data, group, 40)]));
  return names.length > 0 ? [`Not ranked per ${currency(data)}, having no price: ${listed(names)}.`] : [];
}
