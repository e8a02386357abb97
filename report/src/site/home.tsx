import { type ComponentChildren, type JSX } from "preact";
import { overview } from "../charts/overview";
import { rankedTo, type Data } from "../data";
import { around, isKnown } from "../judge/interval";
import { ofWork, ranking } from "../judge/measure";
import { placed } from "../judge/score";
import { Table } from "../page/table";
import { defaultView, threadChoices, type View } from "../view";
import { answer } from "../words/answer";
import { caveatInWords, caveats } from "../words/caveats";
import { description } from "../words/description";
import { count, factor, shown, threadsInWords, width } from "../words/numbers";
import { standing, times } from "../words/speed";
import { Bars } from "./bars";
import { Frame } from "./frame";
import { type Draw, Drawn } from "./workload";

interface Props {
  data: Data;
  style: string;
  /** Workload and its page. */
  workloads: { name: string; path: string }[];
  draw: Draw;
}

/** The first page: who leads, all machines in their order, any two of them, all workloads. */
export function Home({ data, style, workloads, draw }: Props): JSX.Element {
  const view = defaultView(data);
  const threads = threadChoices(data)[0] ?? "1";
  const { headline } = answer(data, view);
  const charts = [overview(data, view)].flatMap((chart) => chart ?? []);
  return (
    <Frame title={headline} style={style} isHome description={description(data).text}>
      <p>
        <a href="report.html">The report on {count(data.groups.length, "machine")}</a>; made{" "}
        {data.made.slice(0, 16).replace("T", " ")} UTC by sizeup {data.sizeup}.
      </p>
      {charts.map((chart) => (
        <Drawn key={chart.name} chart={chart} draw={draw} />
      ))}
      <h2>Machines</h2>
      <p>
        Overall score on {threadsInWords(threads)}; {shown(data.groups[view.baseline]?.label ?? "", 60)} = 1.
        Each links to the report that compares it with the one above it, the first with the second.
      </p>
      <Machines data={data} view={view} />
      <h2>Head-to-head</h2>
      <p>
        Overall throughput on {threadsInWords(threads)}: the machine of the column over that of the row, with
        its margin (95 % CI) where known. Each cell links to the report on the two.
      </p>
      <Pairs data={data} threads={threads} />
      <h2>Workloads</h2>
      {byFamily(data, workloads).map(([family, of]) => (
        <Family
          key={family}
          family={shown(family, 60) || "other"}
          of={of}
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
function Machines({ data: whole, view }: { data: Data; view: View }): JSX.Element {
  const data = rankedTo(whole);
  const places = ranking(data, view, ofWork(data, view.threads));
  const rest = data.groups.flatMap((_, group) => (places.some((of) => of.group === group) ? [] : [group]));
  const all = [...places, ...rest.map((group) => ({ group, held: null, value: null }))];
  const hasErrorBars = places.some(({ held }) => held && isKnown(held.interval));
  return (
    <Bars
      label="Machines"
      heads={["machine", "score", ...(hasErrorBars ? ["95 %"] : []), "CPU", "CPUs", "measured"]}
      lines={all.map(({ group, held, value }, place) => {
        const rival = all[place === 0 ? 1 : place - 1]?.group ?? group;
        const of = data.groups[group];
        const [first] = of?.sheets ?? [];
        const model = first?.machine.find(([part, label]) => part === "CPU" && label === "model")?.[2];
        const interval = held?.interval ?? null;
        return {
          about: <a href={`report.html#baseline=${rival}&shown=${group}`}>{shown(of?.label ?? "", 60)}</a>,
          length: value === null ? null : (interval ?? around(1, 0, Infinity)),
          cells: [
            value === null ? "not ranked" : times(value),
            ...(hasErrorBars ? [interval ? width(interval) : ""] : []),
            shown(model ?? "", 80),
            of?.cpu_count ?? "",
            first?.started.slice(0, 10) ?? "",
          ],
        };
      })}
    />
  );
}

interface FamilyProps {
  family: string;
  of: { name: string; path: string }[];
  isOpen: boolean;
}

function Family({ family, of, isOpen }: FamilyProps): JSX.Element {
  const heading = `${family}: ${count(of.length, "workload")}`;
  const list = (
    <ul class="columns">
      {of.map(({ name, path }) => (
        <li key={path}>
          <a href={`./${path}`}>{shown(name, 100)}</a>
        </li>
      ))}
    </ul>
  );
  if (!isOpen) {
    return (
      <details>
        <summary>{heading}</summary>
        {list}
      </details>
    );
  }
  return (
    <>
      <h3>{heading}</h3>
      {list}
    </>
  );
}

/** Of more workloads a reader opens the families that he looks for. */
const MOST_OPEN = 40;

function byFamily<T extends { name: string }>(data: Data, workloads: T[]): [family: string, of: T[]][] {
  const families = new Map(data.rows.map(({ name, family }) => [name, family]));
  const familyOf = ({ name }: T): string => families.get(name) ?? "";
  const all = [...new Set(workloads.map(familyOf))];
  return all.map((family) => [family, workloads.filter((of) => familyOf(of) === family)]);
}

const COLOURS = { ahead: "faster", behind: "slower", same: "", undecided: "", unknown: "" };

/** A line a baseline, a column a machine. */
function Pairs({ data, threads }: { data: Data; threads: string }): JSX.Element {
  const labels = data.groups.map((group) => shown(group.label, 40));
  const cell = (baseline: number, other: number): ComponentChildren => {
    const score = other === baseline ? null : placed(data, baseline, other, threads)?.interval;
    if (!score) return "–";
    return (
      <a class={`ratio ${COLOURS[standing(score)]}`} href={`report.html#baseline=${baseline}&shown=${other}`}>
        {factor(score.centre)} {isKnown(score) ? width(score) : ""}
        {standing(score) === "undecided" ? " (can't tell)" : ""}
      </a>
    );
  };
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Head-to-head">
      <Table
        heads={["against", ...labels]}
        rows={labels.map((label, baseline) => [label, ...labels.map((_, other) => cell(baseline, other))])}
      />
    </div>
  );
}
