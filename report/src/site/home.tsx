import { type ComponentChildren, type JSX } from "preact";
import { overview } from "../charts/overview";
import { ranking as ranked } from "../charts/ranking";
import { type Data } from "../data";
import { isKnown } from "../judge/interval";
import { ofWork, ranking } from "../judge/measure";
import { placed } from "../judge/score";
import { Table } from "../page/table";
import { defaultView, threadChoices, type View } from "../view";
import { answer } from "../words/answer";
import { caveatInWords, caveats } from "../words/caveats";
import { description } from "../words/description";
import { count, factor, shown, threadsInWords, width } from "../words/numbers";
import { standing, times } from "../words/speed";
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
  const charts = [overview(data, view), ranked(data, view)].flatMap((chart) => chart ?? []);
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
      <ol>{order(data, view).map(({ group, rival, value }) => machine(data, group, rival, value))}</ol>
      <h2>Workloads</h2>
      <ul class="columns">
        {workloads.map(({ name, path }) => (
          <li key={path}>
            <a href={`./${path}`}>{shown(name, 100)}</a>
          </li>
        ))}
      </ul>
      <h2>Head-to-head</h2>
      <p>
        Overall throughput on {threadsInWords(threads)}: the machine of the column over that of the row, with
        its margin (95 % CI). Each cell links to the report on the two.
      </p>
      <Pairs data={data} threads={threads} />
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
function order(data: Data, view: View): { group: number; rival: number; value: number | null }[] {
  const places = ranking(data, view, ofWork(data, view.threads));
  const rest = data.groups.flatMap((_, group) => (places.some((of) => of.group === group) ? [] : [group]));
  const all = [
    ...places.map(({ group, value }) => ({ group, value })),
    ...rest.map((group) => ({ group, value: null })),
  ];
  return all.map((of, place) => ({ ...of, rival: all[place === 0 ? 1 : place - 1]?.group ?? of.group }));
}

function machine(data: Data, place: number, rival: number, value: number | null): JSX.Element {
  const group = data.groups[place];
  const [first] = group?.sheets ?? [];
  const model = first?.machine.find(([part, label]) => part === "CPU" && label === "model")?.[2];
  const facts = [
    value === null ? "not ranked" : times(value),
    model === undefined ? "" : shown(model, 80),
    group?.cpu_count ? count(group.cpu_count, "CPU") : "",
    first ? `measured ${first.started.slice(0, 10)}` : "",
  ];
  return (
    <li key={place}>
      <a href={`report.html#baseline=${rival}&shown=${place}`}>{shown(group?.label ?? "", 60)}</a>{" "}
      {facts.filter(Boolean).join(", ")}
    </li>
  );
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
        {factor(score.centre)} {isKnown(score) ? width(score) : "± ?"}
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
