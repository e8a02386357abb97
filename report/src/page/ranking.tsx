import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { type Theme } from "../charts/chart";
import { colourOf } from "../charts/plot";
import { rankedRows, rankedTo, type Data } from "../data";
import { around } from "../judge/interval";
import { ofCpus, ofMoney, ofWork, ranking, referenceOf, type Measure } from "../judge/measure";
import { currency, drawn, priceOf, toHash, type View } from "../view";
import { aboutOf, notRanked, onWhat } from "../words/answer";
import { marksOf, type Caveat } from "../words/caveats";
import { unsettledNeighbours } from "../words/leaders";
import { architectureOf, nameOf } from "../words/names";
import { count, fourDigits } from "../words/numbers";
import { confidenceOfFactor, times } from "../words/speed";
import { Bar, endOf } from "./bar";

/** So many are shown at first. */
const FIRST = 12;
/** Marks a machine whose order with the next one depends on the work. */
const UNSETTLED = "⇅";

interface Props {
  data: Data;
  view: View;
  theme: Theme;
  caveats: Caveat[];
  by: Measure;
}

/** All machines by their score; each leads to its head-to-head with the first. */
export function Ranking({ data: whole, view: chosen, theme, caveats, by: measure }: Props): JSX.Element {
  const data = rankedTo(whole);
  const view = { ...chosen, threads: measure.threads };
  const [isWhole, setWhole] = useState(false);
  const all = ranking(data, view, measure);
  const none = notRanked(data, chosen, measure);
  const groups = all.map(({ group }) => group);
  const rows = rankedRows(data, view.threads)?.length ?? all.find(({ held }) => held)?.held?.rows ?? 0;
  const baseline = referenceOf(all) ?? view.baseline;
  const most = Math.max(...all.map(({ held }) => (held ? endOf(held.interval) : 1)));
  const shown = isWhole ? all : all.slice(0, FIRST);
  // Only the order by throughput is one of work.
  const unsettled =
    measure.kind === "work" ? unsettledNeighbours(data, view, groups) : new Map<number, string>();
  return (
    <div class="ranking">
      <p class="muted">
        {none === null ? "" : `${none}. Shown instead: `}
        {data.category === undefined ? "Overall score" : "Score"} {onWhat(data, groups, measure)};{" "}
        {nameOf(data, baseline, 40)} = 1. Ranked by the {count(rows, "workload")} that all of these machines
        ran.
        <span class="on-screen"> Choose a machine to compare it with the leader.</span>
        {shown.length < all.length ? (
          <span class="on-paper"> The first {shown.length} machines; the scores below have more.</span>
        ) : null}
        {groups.every((group) => drawn(view).includes(group))
          ? ""
          : " Filled bars: the machines in the sections below, in their colours."}
      </p>
      <ol>
        {shown.map((entry, place) => (
          <li key={entry.group}>
            <a href={`#${headToHead(data, view, groups, entry.group)}`}>
              <span class="name">
                {nameOf(data, entry.group, 40)}
                <sup>{marksOf(caveats, entry.group)}</sup>
                {unsettled.has(place) ? <span title={unsettled.get(place)}> {UNSETTLED}</span> : null}
              </span>
              <Bar
                length={entry.held?.interval ?? around(1, 0, Infinity)}
                most={most}
                colour={colourOf(view, theme, entry.group)}
              />
              <span class="figure" title={entry.held ? confidenceOfFactor(entry.held.interval) : ""}>
                {times(entry.value)}
              </span>
              <span class="about">{about(data, view, entry.group, baseline, measure)}</span>
            </a>
          </li>
        ))}
      </ol>
      {shown.length < all.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {all.length} machines
        </button>
      ) : null}
      {unsettled.size > 0 ? (
        <details>
          <summary>
            {UNSETTLED} Whether a machine or the next one is faster depends on the work ({unsettled.size} of{" "}
            {all.length - 1} pairs)
          </summary>
          <ul>
            {[...unsettled].map(([place, why]) => (
              <li key={place}>{why}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

/** Facts about a machine that a buyer wants beside its place: `64 CPUs, Arm, 2.32 $/h; 1.02× per CPU, 0.981× per dollar`. */
function about(data: Data, view: View, group: number, baseline: number, ranked: Measure): string {
  const sheet = data.groups[group]?.sheets[0];
  const cores = sheet?.machine.find(([part, label]) => part === "Topology" && label === "cores")?.[2];
  const cpus = data.groups[group]?.cpu_count;
  const price = priceOf(data, view, group);
  const facts = [
    cpus ? count(cpus, "CPU") : "",
    cores && /^\d+$/.test(cores) && Number(cores) !== cpus ? count(Number(cores), "core") : "",
    architectureOf(data, group) ?? "",
    price === null ? "" : `${fourDigits(price)} ${currency(data)}/h`,
  ];
  const measures = [
    ofWork(data, view.threads),
    ...(view.threads === "all" ? [ofCpus(data, view.threads)] : []),
    ofMoney(data, view),
  ];
  const ratios = measures.flatMap((measure) => {
    if (measure.kind === ranked.kind || !measure.isKnown(group)) return [];
    const ratio = group === baseline ? 1 : measure.held(group, baseline)?.interval.centre;
    const what = measure.kind === "work" ? "per machine" : aboutOf(data, [group], measure);
    return ratio === undefined ? [] : [`${times(ratio)} ${what}`];
  });
  return [facts.filter(Boolean).join(", "), ratios.join(", ")].filter(Boolean).join("; ");
}

/** The address of a machine against the leader; of the leader against the next. */
function headToHead(data: Data, view: View, groups: number[], group: number): string {
  const [first = 0, second = 0] = groups;
  return toHash(data, { ...view, baseline: group === first ? second : first, shown: [group] });
}
