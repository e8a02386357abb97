import { type ComponentChildren, type JSX } from "preact";
import { type Data, type Group, type Sheet } from "../data";
import { isKnown } from "../judge/interval";
import { overall } from "../judge/score";
import { Table } from "../page/table";
import { threadChoices } from "../view";
import { count, factor, shown, threadsInWords, width } from "../words/numbers";
import { standing } from "../words/speed";
import { Frame } from "./frame";

interface Props {
  data: Data;
  style: string;
  /** Workload and its page. */
  workloads: { name: string; path: string }[];
}

/** The first page: all machines, any two of them, all workloads. */
export function Home({ data, style, workloads }: Props): JSX.Element {
  const threads = threadChoices(data)[0] ?? "1";
  return (
    <Frame title={count(data.groups.length, "machine")} style={style} home={null}>
      <p>
        <a href="report.html">The report on all of them</a>; made {data.made.slice(0, 16).replace("T", " ")}{" "}
        UTC by sizeup {data.sizeup}.
      </p>
      {data.contention === null ? null : <p>{shown(data.contention, 600)}</p>}
      <h2>Machines</h2>
      <div class="scroll told" tabIndex={0} role="region" aria-label="Machines">
        <Table
          heads={["machine", "CPU", "CPUs", "runs", "hosts", "suite", "measured", "to be known"]}
          rows={data.groups.map((group, place) => machine(group, place))}
        />
      </div>
      <h2>Any two</h2>
      <p>
        Overall scores on {threadsInWords(threads)}: each column over the line that it is compared with, with
        half of the 95 % interval (± ?: no error estimate). Each leads to the report on these two.
      </p>
      <Pairs data={data} threads={threads} />
      <h2>Workloads</h2>
      <ul class="columns">
        {workloads.map(({ name, path }) => (
          <li key={path}>
            <a href={path}>{shown(name, 100)}</a>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function machine(group: Group, place: number): ComponentChildren[] {
  const [first] = group.sheets;
  const fact = (of: string, label: string): string =>
    first?.machine.find(([known, name]) => known === of && name === label)?.[2] ?? "–";
  const unfit = (sheet: Sheet): string[] =>
    sheet.findings.filter((finding) => finding.severity === "unfit").map((finding) => finding.what);
  const notes = group.sheets.flatMap((sheet) => [...sheet.notes, ...unfit(sheet)]);
  const suites = group.sheets.map((sheet) => `${sheet.suite} ${sheet.suite_version}`);
  return [
    <a href={`report.html#baseline=${place}`}>{shown(group.label, 60)}</a>,
    shown(fact("CPU", "model"), 80),
    group.cpu_count ?? "–",
    group.sheets.length,
    group.hosts,
    shown([...new Set(suites)].join(", "), 80),
    first?.started.slice(0, 10),
    shown([...new Set(notes)].join("; "), 300),
  ];
}

const COLOURS = { ahead: "faster", behind: "slower", tied: "", unknown: "" };

/** A line a baseline, a column a machine. */
function Pairs({ data, threads }: { data: Data; threads: string }): JSX.Element {
  const labels = data.groups.map((group) => shown(group.label, 40));
  const cell = (baseline: number, other: number): ComponentChildren => {
    const score = other === baseline ? null : overall(data, baseline, other, threads)?.interval;
    if (!score) return "–";
    return (
      <a class={`ratio ${COLOURS[standing(score)]}`} href={`report.html#baseline=${baseline}&shown=${other}`}>
        {factor(score.centre)} {isKnown(score) ? width(score) : "± ?"}
        {standing(score) === "tied" ? " (tie within error)" : ""}
      </a>
    );
  };
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Any two">
      <Table
        heads={["against", ...labels]}
        rows={labels.map((label, baseline) => [label, ...labels.map((_, other) => cell(baseline, other))])}
      />
    </div>
  );
}
