//! A run as tools for benchmarks see it: names, and repetitions of each.

use catalog::Unit;
use estimate::RunEstimate;
use record::{Case, Run, ThreadSpec};
use terminal::Printable;

/// A row of a run.
pub(super) struct Benchmark<'a> {
    /// The part of the workload ID before the slash.
    pub operation: Printable,
    /// The part after it.
    pub implementation: Printable,
    /// The variant; `None` in a run without variants.
    pub variant: Option<Printable>,
    /// The requested thread count.
    pub spec: ThreadSpec,
    /// The actual thread count.
    pub threads: usize,
    /// What its figures count.
    pub unit: &'a Unit,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// Samples, or imported figures.
    pub repetitions: Vec<Repetition>,
}

/// A sample.
pub(super) struct Repetition {
    /// Ops of all threads.
    pub ops: u64,
    /// What all threads did a second, in the row's unit.
    pub per_s: f64,
    /// CPU time of all threads, in ns; `None` if unknown.
    pub cpu_ns: Option<u64>,
    /// The clock in Hz that it had, where that is known.
    pub clock_hz: Option<f64>,
}

impl Benchmark<'_> {
    /// Bytes a second of what was done so often a second; `None` where bytes make no sense.
    pub fn bytes_per_s(&self, per_s: f64) -> Option<f64> {
        Some(per_s * self.unit.bytes_each(self.bytes_per_op)? as f64)
    }
}

/// The rows that have a sample or a figure, in the plan's order. Of a case that failed nothing is given.
pub(super) fn benchmarks<'a>(run: &'a Run) -> Vec<Benchmark<'a>> {
    let estimate = RunEstimate::of(run);
    let cases = run.judged_cases().filter(|(number, _)| run.outcome(*number).is_none());
    let benchmark = |(number, case): (usize, &'a Case)| {
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
        let (operation, implementation) =
            case.workload.split_once('/').unwrap_or((&case.workload, "own"));
        Benchmark {
            operation: operation.into(),
            implementation: implementation.into(),
            variant: case.variant.as_ref().map(Printable::from),
            spec: case.thread_spec,
            threads: case.threads,
            unit: run.unit_of(number),
            bytes_per_op: run.bytes_per_op(number),
            repetitions: samples.chain(figures).collect(),
        }
    };
    cases.map(benchmark).filter(|benchmark| !benchmark.repetitions.is_empty()).collect()
}
