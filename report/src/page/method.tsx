import { intervalOf, type Data } from "../data";
import { isKnown } from "../judge/interval";
import { SCORING } from "../words/coverage";

/** How the figures were made, and their limits. */
export function Method({ data }: { data: Data }): preact.JSX.Element {
  const sheets = data.groups.flatMap((group) => group.sheets);
  const isTested = data.scores.flat(2).some((line) => line?.[2] && isKnown(intervalOf(line[2])));
  return (
    <section id="method" aria-labelledby="method-title">
      <h2 id="method-title" tabIndex={-1}>
        Method
      </h2>
      <h3>How a figure is made</h3>
      {sheets.some(({ origin }) => !origin) && <BySizeup />}
      {sheets.some(({ origin }) => origin) && <ByOthers />}
      <h3>How machines are compared</h3>
      <p>
        A row has a ratio where definition, input, library, compiler, flags, output and worker are the same,
        as far as they are known; differences that the author of this report allowed are marked.{" "}
        {isTested ? "Significance level 5 %, Holm-corrected over all rows. " : ""}
        {SCORING} Ratios per unit of money multiply by prices, which have no interval.
      </p>
      {data.rows.some(({ shares_stream }) => shares_stream) ? (
        <p>
          In a row named …-one-stream all threads share one stream, in …-a-stream-a-thread each has its own.
          Servers work on many streams, so on many threads rows of one stream are in no score.
        </p>
      ) : null}
      <h3>Limits</h3>
      <ul>
        <li>
          One run on one host does not show how hosts of its kind differ. Measure several, and group them.
        </li>
        <li>
          Microbenchmarks with warm caches are faster than servers; a mix measured all at once is closer.
        </li>
        <li>
          Compilers and libraries are part of what is measured: a row can be slow because a port lacks an
          optimised path.
        </li>
        <li>Prices change, and differ between regions and commitments.</li>
        <li>
          No single number decides. Weigh the rows as your own work does (sizeup score --mix, sizeup
          capacity).
        </li>
      </ul>
    </section>
  );
}

function BySizeup(): preact.JSX.Element {
  return (
    <>
      <p>
        A worker process repeats one operation in samples of at least 50 ms and counts whole operations
        between two readings of the clock. Rows take turns in random order over several launches of the
        process, and every launch checks its own work. A 1 ms core probe around each sample, the pulse,
        measures the core&apos;s clock and how much of the core the workload had.
      </p>
      <p>
        An uncontended figure is the median of the samples that had their cores to themselves. A delivered
        figure is the mean over all samples. Intervals are 95 % intervals; they allow for samples close in
        time being correlated, and include the uncertainty common to all rows of a run.
      </p>
    </>
  );
}

function ByOthers(): preact.JSX.Element {
  return (
    <p>
      Imported figures were measured by another tool. They have 95 % intervals only where its file holds
      repeated measurements, and whether the machine was busy is unknown.
    </p>
  );
}
