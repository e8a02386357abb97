/** How the figures were made, and what they do not say. */
export function Method(): preact.JSX.Element {
  return (
    <section id="method" aria-labelledby="method-title">
      <h2 id="method-title" tabIndex={-1}>
        Method
      </h2>
      <h3>How a figure is made</h3>
      <p>
        A worker process performs one operation again and again for samples of at least 50 ms and counts whole
        operations between two looks at the clock. Rows take turns in random order, round by round, over
        several launches of the process, and every launch checks its own work. Around each sample a
        millisecond of known instructions (a pulse) tells the clock of the core and how much of it was the
        workload's own.
      </p>
      <p>
        An uncontended figure is the median of the samples in which nobody else was on the cores, at the clock
        that they had. As delivered, it is the mean over all samples, neighbours and all. Intervals are 95 %
        intervals that know that samples near in time are alike, and that rows of a run share the machine's
        good and bad moments: that uncertainty is common to all rows and part of each interval.
      </p>
      <h3>How machines are judged</h3>
      <p>
        Like is compared with like: definition, input, library, compiler, flags, what an operation makes and
        what measured it must match, or the row has no ratio unless it was allowed, and then it is marked.
        Verdicts are at 5 % over all rows together (Holm's correction): the chance that any row is called
        different though none is stays below 5 %. A score is the geometric mean of the ratios of its rows; its
        interval comes from what the rows have in common. Ratios for money multiply by prices, which are as
        certain as whoever gave them.
      </p>
      <h3>What they do not say</h3>
      <ul>
        <li>
          One run on one host says nothing of how hosts of its kind differ. Measure several, and group them.
        </li>
        <li>
          Microbenchmarks with warm caches are upper ends of what a server does; a mix measured all at once is
          nearer to it.
        </li>
        <li>
          Compilers and libraries are part of what is measured: a row may fall behind for a port that lacks an
          optimised path, not for its chip.
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
