import { useState } from "preact/hooks";
import { type Chart, type Theme } from "../charts/chart";
import { Drawing } from "./drawing";

interface Props {
  id: string;
  charts: Chart[];
  theme: Theme;
}

/** The pictures of a section; of many workloads those of the one that the reader chooses. */
export function Drawings({ id, charts, theme }: Props): preact.JSX.Element {
  const [asked, ask] = useState("");
  const workloads = [...new Set(charts.flatMap((chart) => chart.about ?? []))];
  const chosen = workloads.includes(asked) ? asked : workloads[0];
  return (
    <>
      {workloads.length > 1 ? (
        <label class="choose">
          Show
          <select name={`${id}-workload`} value={chosen} onChange={(event) => ask(event.currentTarget.value)}>
            {workloads.map((workload) => (
              <option key={workload} value={workload}>
                {workload}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {charts
        .filter((chart) => chart.about === chosen)
        .map((chart) => (
          <Drawing key={chart.name} chart={chart} theme={theme} />
        ))}
    </>
  );
}
