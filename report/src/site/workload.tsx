import { type JSX } from "preact";
import { type Chart } from "../charts/chart";
import { figureOf, type Data } from "../data";
import { Table } from "../page/table";
import { shown } from "../words/numbers";
import { Frame } from "./frame";
import { Row } from "./row";

/** A picture so wide, as SVG. */
export type Draw = (chart: Chart, width: number) => string;

interface Props {
  data: Data;
  name: string;
  rows: number[];
  style: string;
  charts: Chart[];
  draw: Draw;
}

/** Nothing runs on these pages that could draw for the screen that there is: one of these is shown. */
const WIDTHS = { wide: 960, narrow: 350 };

/** A page about one workload: each number of threads on all machines. */
export function Workload({ data, name, rows, style, charts, draw }: Props): JSX.Element {
  const family = data.rows.find((row) => row.name === name)?.family ?? "";
  const isMeasured = rows.some((row) => data.cells.some((cells) => figureOf(data, cells[row])));
  const text = `text=${encodeURIComponent(name)}`;
  return (
    <Frame title={shown(name, 100)} style={style} isHome={false}>
      <p>
        Family: {shown(family, 60)}. <a href={`../report.html#${text}`}>In the report</a>.
      </p>
      {isMeasured || charts.length > 0 ? null : <p>No machine has a figure of it.</p>}
      {rows.map((row) => (
        <Row key={row} data={data} row={row} />
      ))}
      {charts.map((chart) => (
        <Drawn key={chart.name} chart={chart} draw={draw} />
      ))}
    </Frame>
  );
}

/** A picture for wide screens and for narrow ones, and its values. */
export function Drawn({ chart, draw }: { chart: Chart; draw: Draw }): JSX.Element {
  return (
    <section>
      <h2>{chart.title}</h2>
      <p class="muted">{chart.caption}</p>
      {Object.entries(WIDTHS).map(([screen, width]) => (
        <div
          key={screen}
          class={`picture fixed ${screen}`}
          // eslint-disable-next-line no-restricted-syntax -- a drawing as headless/xml.ts writes it, which escapes all text
          dangerouslySetInnerHTML={{ __html: draw(chart, width) }}
        />
      ))}
      {[...(chart.notes ?? []), ...(chart.details ?? [])].map((note) => (
        <p key={note}>{note}</p>
      ))}
      <div class="scroll values-shown" tabIndex={0} role="region" aria-label={`${chart.title}: values`}>
        <Table {...chart.table()} />
      </div>
    </section>
  );
}
