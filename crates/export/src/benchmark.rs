//! A run as tools for benchmarks see it: names, and repetitions of each.

use estimate::RunEstimate;
use judge::compare::{RowResult, row_results};
use record::Run;
use terminal::Printable;

/// A row of a run.
pub(super) struct Benchmark {
    pub row: RowResult,
    /// Samples, or imported figures.
    pub repetitions: Vec<Repetition>,
}

/// A sample.
pub(super) struct Repetition {
    /// Ops of all threads.
    pub ops: u64,
    /// Throughput of all threads together, in the row's unit per second.
    pub per_s: f64,
    /// CPU time of all threads, in ns; `None` if unknown.
    pub cpu_ns: Option<u64>,
    /// The clock in Hz that it had, where that is known.
    pub clock_hz: Option<f64>,
}

impl Benchmark {
    /// The parts of the workload's ID before the slash and after it.
    pub fn operation_and_implementation(&self) -> (Printable, Printable) {
        let (operation, implementation) =
            self.row.workload.split_once('/').unwrap_or((&self.row.workload, "own"));
        (operation.into(), implementation.into())
    }

    /// Bytes a second of what was done so often a second; `None` where bytes make no sense.
    pub fn bytes_per_s(&self, per_s: f64) -> Option<f64> {
        Some(per_s * self.row.unit.bytes_each(self.row.bytes_per_op)? as f64)
    }
}

/// The rows that have a sample or a figure, in the plan's order. Of a case that failed nothing is given.
pub(super) fn benchmarks(run: &Run) -> Vec<Benchmark> {
    let estimate = RunEstimate::of(run);
    let (results, _) = row_results(run, &estimate, &[]);
    let results = results.into_iter().enumerate();
    let results = results.filter(|(_, row)| row.is_judged() && row.outcome.is_none());
    let benchmark = |(number, row): (usize, RowResult)| {
        let samples = run.samples_of(number).zip(&estimate.looks[number]).map(|(sample, look)| {
            let threads = &sample.measured.threads;
            Repetition {
                ops: threads.iter().map(|thread| thread.ops).sum(),
                per_s: look.throughput,
                cpu_ns: threads.iter().map(|thread| thread.cpu_ns).sum(),
                clock_hz: look.has_clock().then_some(look.clock_hz),
            }
        });
        let figures = run.imported_of(number).map(|imported| Repetition {
            ops: 1,
            per_s: imported.per_s,
            cpu_ns: None,
            clock_hz: None,
        });
        Benchmark { row, repetitions: samples.chain(figures).collect() }
    };
    results.map(benchmark).filter(|benchmark| !benchmark.repetitions.is_empty()).collect()
}
