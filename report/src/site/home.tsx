import { type ComponentChildren, type JSX } from "preact";
import { overview } from "../charts/overview";
import { rankedTo, type Data } from "../data";
import { around, isKnown, type Interval } from "../judge/interval";
import { ofWork, ranking, referenceOf, type Ranked } from "../judge/measure";
import { overall } from "../judge/score";
import { Table } from "../page/table";
import { defaultView, type View } from "../view";
import { answer } from "../words/answer";
import { caveatInWords, caveats } from "../words/caveats";
import { description } from "../words/description";
import { count, shown, threadsInWords, width } from "../words/numbers";
import { standing, times } from "../words/speed";
import { Bars } from "./bars";
import { Frame, type Script } from "./frame";
import { type Draw, Drawn } from "./workload";

interface Props {
  data: Data;
  style: string;
  /** The program that finds workloads in the list of them. */
  finder: Script;
  /** Workload and its page. */
  workloads: { name: string; path: string }[];
  draw: Draw;
}

/** The first page: who leads, all machines in their order, any two of them, all workloads. */
export function Home({ data, style, finder, workloads, draw }: Props): JSX.Element {
  const view = defaultView(data);
  const { headline } = answer(data, view);
  const places = ranking(rankedTo(data), view, ofWork(rankedTo(data), view.threads));
  const baseline = referenceOf(places) ?? view.baseline;
  const charts = [overview(data, view)].flatMap((chart) => chart ?? []);
  return (
    <Frame title={headline} style={style} script={finder} isHome description={description(data).text}>
      <p>
        <a href="report.html">The report on {count(data.groups.length, "machine")}</a>; made{" "}
        {data.made.slice(0, 16).replace("T", " ")} UTC by sizeup {data.sizeup}.
      </p>
      {charts.map((chart) => (
        <Drawn key={chart.name} chart={chart} draw={draw} />
      ))}
      <h2>Machines</h2>
      <p>
        Overall score on {threadsInWords(view.threads)}; {shown(data.groups[baseline]?.label ?? "", 60)} = 1.
        Each links to the report that compares it with the one above it, the first with the second.
      </p>
      <Machines data={data} places={places} />
      <Pairs data={data} view={view} groups={places.map(({ group }) => group)} />
      <h2>Workloads</h2>
      <p hidden>
        <label>
          Find <input id="find" type="search" maxLength={100} />
        </label>{" "}
        <span id="found" class="muted" role="status" />
      </p>
      {byFamily(data, workloads).map(([family, members]) => (
        <Family
          key={family}
          family={shown(family, 60) || "other"}
          workloads={members}
          isOpen={workloads.length <= MOST_OPEN}
        />
      ))}
      <h2>Caveats</h2>
      <ol class="caveats">
        {caveats(data, view).map((caveat, place) => (
          <li key={place}>{caveatInWords(data, caveat)}</li>
        ))}
      </ol>
    </Frame>
  );
}

/** Machines in their order, each with the one above it; those without a place last. */
function Machines({ data, places }: { data: Data; places: Ranked[] }): JSX.Element {
  const rest = data.groups.flatMap((_, group) =>
    places.some((place) => place.group === group) ? [] : [group],
  );
  const all = [...places, ...rest.map((group) => ({ group, held: null, value: null }))];
  const hasErrorBars = places.some(({ held }) => held && isKnown(held.interval));
  return (
    <Bars
      label="Machines"
      heads={["machine", "score", ...(hasErrorBars ? ["95 %"] : []), "CPU", "CPUs", "measured"]}
      lines={all.map(({ group, held, value }, place) => {
        const rival = all[place === 0 ? 1 : place - 1]?.group ?? group;
        const machine = data.groups[group];
        const [first] = machine?.sheets ?? [];
        const model = first?.machine.find(([part, label]) => part === "CPU" && label === "model")?.[2];
        const interval = held?.interval ?? null;
        return {
          about: (
            <a href={`report.html#baseline=${rival}&shown=${group}`}>{shown(machine?.label ?? "", 60)}</a>
          ),
          length: value === null ? null : (interval ?? around(1, 0, Infinity)),
          cells: [
            value === null ? "not ranked" : times(value),
            ...(hasErrorBars ? [interval ? width(interval) : ""] : []),
            shown(model ?? "", 80),
            machine?.cpu_count ?? "",
            first?.started.slice(0, 10) ?? "",
          ],
        };
      })}
    />
  );
}

interface FamilyProps {
  family: string;
  workloads: { name: string; path: string }[];
  isOpen: boolean;
}

function Family({ family, workloads, isOpen }: FamilyProps): JSX.Element {
  return (
    <details class="family" open={isOpen}>
      <summary>
        {family}: {count(workloads.length, "workload")}
      </summary>
      <ul class="columns">
        {workloads.map(({ name, path }) => (
          <li key={path}>
            <a href={`./${path}`}>{shown(name, 100)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** With more workloads than this, the families are closed at first. */
const MOST_OPEN = 40;

function byFamily<T extends { name: string }>(data: Data, workloads: T[]): [family: string, members: T[]][] {
  const families = new Map(data.rows.map(({ name, family }) => [name, family]));
  const familyOf = ({ name }: T): string => families.get(name) ?? "";
  const all = [...new Set(workloads.map(familyOf))];
  return all.map((family) => [family, workloads.filter((workload) => familyOf(workload) === family)]);
}

/** So many times as fast has the darkest colour. */
const DARKEST = 4;
const DARKEST_PERCENT = 30;

/** A line a baseline, a column a machine, both in the order of the ranking: what has no place has no score either. */
function Pairs({
  data: whole,
  view,
  groups,
}: {
  data: Data;
  view: View;
  groups: number[];
}): JSX.Element | null {
  const data = rankedTo(whole);
  if (groups.length === 0) return null;
  const scores = groups.map((baseline) =>
    groups.map((other) => overall(data, baseline, other, view.threads)?.interval ?? null),
  );
  const hasErrorBars = scores.flat().some((score) => score && isKnown(score));
  const labels = groups.map((group) => shown(data.groups[group]?.label ?? "", 40));
  const cell = (score: Interval | null, baseline: number, other: number): ComponentChildren =>
    score ? (
      <a class="heat" style={heat(score)} href={`report.html#baseline=${baseline}&shown=${other}`}>
        {times(score.centre)} {isKnown(score) ? width(score) : ""}
        {standing(score) === "undecided" ? " (can't tell)" : ""}
      </a>
    ) : (
      "–"
    );
  return (
    <>
      <h2>Head-to-head</h2>
      <p>
        Overall throughput on {threadsInWords(view.threads)}: the machine of the column over that of the row
        {hasErrorBars ? ", with its margin (95 % CI)" : ""}. Green is faster, orange slower. Each cell links
        to the report on the two.
      </p>
      <div class="scroll pairs" tabIndex={0} role="region" aria-label="Head-to-head">
        <Table
          heads={["against", ...labels]}
          rows={scores.map((line, row) => [
            labels[row],
            ...line.map((score, column) => cell(score, groups[row] ?? 0, groups[column] ?? 0)),
          ])}
        />
      </div>
    </>
  );
}

/** Green where a machine is faster, orange where it is slower, the darker the more. */
function heat(score: Interval): string | undefined {
  if (["same", "undecided"].includes(standing(score))) return undefined;
  const share = Math.min(1, Math.abs(Math.log(score.centre)) / Math.log(DARKEST));
  const colour = score.centre > 1 ? "good" : "bad";
  return `background: color-mix(in srgb, var(--${colour}) ${Math.round(share * DARKEST_PERCENT)}%, transparent)`;
}
