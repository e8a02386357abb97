import { useMemo, useState } from "preact/hooks";
import { figureOf, whyNone, type Data, type Figure } from "../data";
import { compare, type Row } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { answerable, drawn, isWanted, type View } from "../view";
import { ghz, shown, threadsInWords, width } from "../words/numbers";
import { knownColumns } from "../words/columns";
import { figureInWords, workInWords } from "../words/unit";
import { ratioInWords } from "../words/verdict";
import { save } from "./copy";
import { csv } from "./csv";
import { Fold } from "./fold";

/** So many rows are shown at first. */
const FIRST = 200;

interface Props {
  data: Data;
  /** All data, for downloads. */
  whole: Data;
  view: View;
}

/** Every figure, each against the baseline, with its notes. */
export function Rows(props: Props): preact.JSX.Element {
  return (
    <section id="rows" aria-labelledby="rows-title">
      <h2 id="rows-title" tabIndex={-1}>
        All figures
      </h2>
      <Fold summary="Every figure and ratio, and downloads">{() => <Figures {...props} />}</Fold>
    </section>
  );
}

function Figures({ data, whole, view }: Props): preact.JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const comparisons = useMemo(
    () =>
      new Map(
        answerable(view).map((group) => [
          group,
          new Map(compare(data, view.baseline, group).map((row) => [row.row, row])),
        ]),
      ),
    [data, view.baseline, view.shown],
  );
  const wanted = data.rows.map((_, row) => row).filter((row) => isWanted(data, view, row));
  const rows = isWhole ? wanted : wanted.slice(0, FIRST);
  const download = (): void => {
    save(new Blob([JSON.stringify(whole)], { type: "application/json" }), "report.json");
  };
  return (
    <>
      <p>
        {workInWords(data)} on {threadsInWords(view.threads)}, with the margin of error (±, 95 %) and the
        clock where known; below, the ratio to the baseline and its verdict.
      </p>
      <p class="tools">
        <button
          type="button"
          name="csv"
          onClick={() => save(new Blob([csv(whole)], { type: "text/csv" }), "report.csv")}
        >
          Download CSV
        </button>
        <button type="button" name="json" onClick={download}>
          Download JSON
        </button>
      </p>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="All figures">
        <table>
          <thead>
            <tr>
              <th scope="col">workload</th>
              {drawn(view).map((group) => (
                <th key={group} scope="col">
                  {shown(data.groups[group]?.label ?? "", 40)}
                  {group === view.baseline ? " (baseline)" : ""}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">{shown(data.rows[row]?.name ?? "")}</th>
                {drawn(view).map((group) => (
                  <Cell
                    key={group}
                    data={data}
                    row={row}
                    group={group}
                    comparison={comparisons.get(group)?.get(row)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {wanted.length === 0 ? <p>No row matches the filters.</p> : null}
      {rows.length < wanted.length ? (
        <p>
          The first {rows.length} of {wanted.length} rows.{" "}
          <button type="button" onClick={() => setWhole(true)}>
            Show all {wanted.length} rows
          </button>
        </p>
      ) : null}
    </>
  );
}

function Cell({
  data,
  row,
  group,
  comparison,
}: {
  data: Data;
  row: number;
  group: number;
  comparison: Row | undefined;
}): preact.JSX.Element {
  const cell = data.cells[group]?.[row];
  const figure = figureOf(data, cell);
  const notes = [
    ...(comparison?.differences ?? []).map(
      ({ what, baseline, other }) =>
        `${comparison?.verdict === "not comparable" ? "not comparable" : "allowed"}: ${what}: ${baseline} and ${other}`,
    ),
    ...(comparison?.reason ? [comparison.reason] : []),
    ...(figure?.warnings ?? []),
  ];
  return (
    <td>
      {figure ? (
        <>
          {figureInWords(data, figure)}{" "}
          <span class="muted" title={tooltip(data, figure)}>
            {isKnown(figure.interval) ? width(figure.interval) : ""}
            {figure.clockHz === null ? "" : ` at ${ghz(figure.clockHz)}\u00a0GHz`}
          </span>
        </>
      ) : (
        <span class="muted">{cell ? `– ${shown(whyNone(data, cell) ?? "")}` : "not measured"}</span>
      )}
      {comparison?.ratio ? (
        <span class={`ratio ${comparison.verdict.replace(/ /g, "-")}`}>{ratioInWords(comparison)}</span>
      ) : comparison ? (
        <span class="ratio">{comparison.verdict}</span>
      ) : null}
      {notes.length > 0 ? (
        <details class="notes">
          <summary>{notes.length === 1 ? "a note" : `${notes.length} notes`}</summary>
          {notes.map((note, place) => (
            <p key={place}>{shown(note, 1000)}</p>
          ))}
        </details>
      ) : null}
    </td>
  );
}

/** A figure's values in all columns, a line each. */
function tooltip(data: Data, figure: Figure): string {
  const columns = knownColumns(data, [figure]);
  return columns.map(({ heading, inWords }) => `${heading}: ${inWords(figure)}`).join("\n");
}
