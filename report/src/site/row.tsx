// One row on all machines that have it, the greatest throughput first.

import { type JSX } from "preact";
import { groupNames } from "../charts/plot";
import { figureOf, type Data, type Figure } from "../data";
import { unlike } from "../judge/comparison";
import { isKnown } from "../judge/interval";
import { inWords } from "../words/differences";
import { fourDigits, shown, threadsInWords, width } from "../words/numbers";
import { withErrorBars } from "../words/speed";
import { knownColumns } from "../words/columns";
import { inOneUnit, unitInWords } from "../words/unit";
import { Bars } from "./bars";

/** None where no machine has a figure. */
export function Row({ data, row }: { data: Data; row: number }): JSX.Element | null {
  const head = data.rows[row];
  const names = groupNames(data);
  const figures = data.groups.flatMap((_, group) => {
    const figure = figureOf(data, data.cells[group]?.[row]);
    return figure ? [{ group, figure }] : [];
  });
  const inUnits = inOneUnit(
    data,
    figures.map(({ figure }) => figure),
  );
  const first = figures[0]?.group;
  if (!head || first === undefined) return null;
  const unit = inUnits.unit ?? "throughput";
  const own = unitInWords(data, figures[0]?.figure.unit ?? "");
  // In bytes an operation's own number is beside them.
  const isInBytes = inUnits.isOfInput;
  const found = figures.map(({ group, figure }) => ({
    name: names[group] ?? "",
    figure,
    interval: inUnits.interval(figure),
    valueText: inUnits.inWords(figure),
    unlike: inWords(unlike(data, row, first, group)),
  }));
  // Lengths of several units say nothing beside each other: only those of the first have bars.
  const isDrawn = (figure: Figure): boolean =>
    inUnits.unit !== null || figure.unit === figures[0]?.figure.unit;
  const columns = knownColumns(
    data,
    found.map(({ figure }) => figure),
  );
  const hasErrorBars = found.some((entry) => isKnown(entry.interval));
  const isMarked = found.some((entry) => entry.unlike);
  const hasNotes = isMarked || found.some((entry) => entry.figure.warnings.length > 0);
  const title = `${shown(head.name, 80)} on ${threadsInWords(head.threads)}`;
  return (
    <section>
      <h2>{title}</h2>
      <p class="muted">
        {inUnits.unit ?? own}, {withErrorBars(found.map((entry) => isKnown(entry.interval)))}.
        {isMarked ? ` Pale bars are not comparable to ${names[first] ?? ""}'s; the notes say why.` : ""}
      </p>
      <Bars
        label={title}
        heads={[
          "machine",
          unit,
          ...(hasErrorBars ? ["95 %"] : []),
          ...(isInBytes ? [own] : []),
          "threads",
          ...columns.map(({ heading }) => heading),
          "samples",
          ...(hasNotes ? ["note"] : []),
        ]}
        lines={found
          .sort((a, b) => b.interval.centre - a.interval.centre)
          .map(({ name, figure, interval, valueText, unlike }) => ({
            about: name,
            length: isDrawn(figure) ? interval : null,
            isPale: unlike !== "",
            cells: [
              valueText,
              ...(hasErrorBars ? [width(interval)] : []),
              ...(isInBytes ? [fourDigits(figure.interval.centre)] : []),
              String(figure.threads),
              ...columns.map(({ inWords }) => inWords(figure)),
              String(figure.samples),
              ...(hasNotes ? [note(figure, unlike)] : []),
            ],
          }))}
      />
    </section>
  );
}

function note(figure: Figure, unlike: string): string {
  const warnings = figure.warnings.map((warning) => shown(warning, 300));
  return [...(unlike ? [`not comparable: ${unlike}`] : []), ...warnings].join("; ");
}
