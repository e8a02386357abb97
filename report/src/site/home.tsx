import { type JSX } from "preact";
import { type Data } from "../data";
import { overall } from "../judge/score";
import { threadChoices } from "../view";
import { standing } from "../words/answer";
import { count, factor, shown, threadsInWords, width } from "../words/numbers";
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
      <h2>Machines</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {["machine", "CPU", "CPUs", "runs", "hosts", "suite", "measured", "to be known"].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.groups.map((_, place) => (
              <Machine key={place} data={data} place={place} />
            ))}
          </tbody>
        </table>
      </div>
      <h2>Any two</h2>
      <p>
        Overall scores on {threadsInWords(threads)}: each column over the line that it is held against, with
        half of the 95 % interval. Each leads to the report on these two.
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

function Machine({ data, place }: { data: Data; place: number }): JSX.Element {
  const group = data.groups[place];
  const sheets = group?.sheets ?? [];
  const fact = (of: string, label: string): string =>
    sheets[0]?.machine.find(([known, name]) => known === of && name === label)?.[2] ?? "–";
  const notes = [
    ...new Set(
      sheets.flatMap((sheet) => [
        ...sheet.notes,
        ...sheet.findings.filter((finding) => finding.severity === "unfit").map((finding) => finding.seen),
      ]),
    ),
  ];
  return (
    <tr>
      <th scope="row">
        <a href={`report.html#baseline=${place}`}>{shown(group?.label ?? "", 60)}</a>
      </th>
      <td>{shown(fact("CPU", "model"), 80)}</td>
      <td>{group?.cpu_count ?? "–"}</td>
      <td>{sheets.length}</td>
      <td>{group?.hosts}</td>
      <td>
        {shown([...new Set(sheets.map((sheet) => `${sheet.suite} ${sheet.suite_version}`))].join(", "), 80)}
      </td>
      <td>{sheets[0]?.started.slice(0, 10)}</td>
      <td>{shown(notes.join("; "), 300)}</td>
    </tr>
  );
}

/** A line a baseline, a column a machine. */
function Pairs({ data, threads }: { data: Data; threads: string }): JSX.Element {
  const labels = data.groups.map((group) => shown(group.label, 30));
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">against</th>
            {labels.map((label, other) => (
              <th key={other} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, baseline) => (
            <tr key={baseline}>
              <th scope="row">{label}</th>
              {labels.map((_, other) => {
                const score = other === baseline ? null : overall(data, baseline, other, threads)?.interval;
                const colour = score
                  ? { ahead: "faster", behind: "slower", even: "", unknown: "" }[standing(score)]
                  : "";
                return (
                  <td key={other}>
                    {score ? (
                      <a
                        class={`ratio ${colour}`}
                        href={`report.html#baseline=${baseline}&shown=${other}`}
                        title={width(score)}
                      >
                        {factor(score.centre)}
                      </a>
                    ) : (
                      "–"
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
