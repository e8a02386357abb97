//! Resources that a row's work used besides time: page faults, kernel, CPU time, memory.

use super::events::HardwareEvents;
use super::share::{cpu_share, cpus_of};
use record::{Case, Ready, Run, Sample, ThreadSample};
use serde::Serialize;
use stats::{Interval, mean, median, student_quantile};
use std::collections::BTreeMap;

/// Resources that a row's work used, over all its samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Usage {
    /// Share of its CPUs' time that the work used, over samples in which it worked: 1 unless it waits or others take them.
    pub cpu_share: f64,
    /// Page faults without I/O in one op. `None` where threads of a library or other processes do the work.
    pub minor_faults_per_op: Option<f64>,
    /// Page faults with I/O in one op.
    pub major_faults_per_op: Option<f64>,
    /// Share of the CPU time that was spent in the kernel. `None` as above, and from workers that do not report it.
    pub kernel: Option<TimeShare>,
    /// Share of the samples' time for which collections stopped the threads. `None` where workers can't tell.
    pub collections: Option<TimeShare>,
    /// Time of the runtime's compilers as a share of the samples' time, at most 1. `None` as above.
    pub compilation: Option<TimeShare>,
    /// Context switches of all threads, in a second: of a thread that gave up its CPU.
    pub voluntary_switches_per_s: Option<f64>,
    /// As above, of threads whose CPU was taken.
    pub involuntary_switches_per_s: Option<f64>,
    /// Counts per op. `None` as above, and where the CPU or the hypervisor has no counters.
    pub events: Option<HardwareEvents>,
    /// Resident memory of the worker after setup, in bytes: median over launches.
    pub resident_bytes: f64,
}

/// A share of CPU time or of the samples' time, with the margin of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TimeShare {
    /// From 0 to 1.
    pub share: f64,
    /// Absolute.
    pub margin: f64,
    /// Degrees of freedom of that margin.
    pub freedom: f64,
    /// That time in one op, in ns.
    pub ns_per_op: f64,
}

impl Usage {
    /// By case; `None` without samples.
    pub(super) fn of_cases(run: &Run) -> Vec<Option<Self>> {
        let cases = &run.header.plan.cases;
        let mut launches: Vec<Vec<&Ready>> = vec![Vec::new(); cases.len()];
        let mut ready: BTreeMap<u64, &Ready> = BTreeMap::new();
        for launch in &run.launches {
            launches[launch.case].push(&launch.ready);
            ready.insert(launch.launch, &launch.ready);
        }
        let mut samples: Vec<Vec<(&Sample, &Ready)>> = vec![Vec::new(); cases.len()];
        for sample in &run.samples {
            samples[sample.case].push((sample, ready[&sample.launch]));
        }
        let usage = |(number, case): (usize, &Case)| {
            // The waiting thread's counters mean nothing where a library's threads do the work.
            let is_of_threads = !run.header.workloads[&case.workload].starts_threads;
            Self::of(&samples[number], &launches[number], is_of_threads)
        };
        cases.iter().enumerate().map(usage).collect()
    }

    fn of(
        with_ready: &[(&Sample, &Ready)],
        launches: &[&Ready],
        is_of_threads: bool,
    ) -> Option<Self> {
        if with_ready.is_empty() {
            return None;
        }
        let samples: Vec<&Sample> = with_ready.iter().map(|(sample, _)| *sample).collect();
        let share = |sample: &&Sample| share_of_cpus(sample).min(1.0);
        let shares: Vec<f64> = samples.iter().map(share).collect();
        let threads = || samples.iter().flat_map(|sample| &sample.threads);
        let sum = |counter: fn(&ThreadSample) -> Option<u64>| -> Option<f64> {
            let all: Option<Vec<f64>> =
                threads().map(|thread| Some(counter(thread)? as f64)).collect();
            all.filter(|_| is_of_threads).map(|all| all.iter().sum())
        };
        let ops: f64 = threads().map(|thread| thread.ops as f64).sum();
        let seconds: f64 = samples.iter().map(|sample| sample.length_ns() as f64 / 1e9).sum();
        let resident: Vec<f64> = launches.iter().map(|ready| ready.resident_bytes as f64).collect();
        Some(Self {
            cpu_share: mean(&shares),
            minor_faults_per_op: sum(|thread| thread.minor_faults).map(|all| all / ops),
            major_faults_per_op: sum(|thread| thread.major_faults).map(|all| all / ops),
            kernel: TimeShare::of(&samples, |thread| thread.system_ns.zip(thread.cpu_ns))
                .filter(|_| is_of_threads),
            collections: TimeShare::of(&samples, |thread| Some((thread.gc_ns?, thread.elapsed_ns))),
            compilation: TimeShare::of(&samples, |thread| {
                Some((thread.jit_ns?, thread.elapsed_ns))
            }),
            voluntary_switches_per_s: sum(|thread| thread.voluntary_switches)
                .map(|all| all / seconds),
            involuntary_switches_per_s: sum(|thread| thread.involuntary_switches)
                .map(|all| all / seconds),
            events: HardwareEvents::of(with_ready).filter(|_| is_of_threads),
            resident_bytes: median(&resident),
        })
    }
}

/// The share of its CPUs that the measured side of a sample's work used.
fn share_of_cpus(sample: &Sample) -> f64 {
    match sample.parts.first() {
        Some(part) => part.cpu_ns as f64 / (part.elapsed_ns as f64 * part.cpu_count as f64),
        None => cpu_share(sample, cpus_of(sample).len()),
    }
}

/// Bound for shares near 0 or 1, where an interval by factors is meaningless.
const LEAST_OUTSIDE: f64 = 1e-3;

impl TimeShare {
    /// The share of the rest.
    pub fn outside(&self) -> Interval {
        let outside = (1.0 - self.share).max(LEAST_OUTSIDE);
        Interval::around(outside, self.margin / outside, self.freedom)
    }

    /// The share that threads took of a time: sum over sum, with the error of a ratio estimator (W. G. Cochran, Sampling
    /// Techniques, 1977, section 2.11). Kernels that count by their timer's ticks give a sample whole ticks only, which is
    /// in the spread between samples.
    fn of(
        samples: &[&Sample],
        of_thread: impl Fn(&ThreadSample) -> Option<(u64, u64)>,
    ) -> Option<Self> {
        let of_sample = |sample: &&Sample| -> Option<[f64; 3]> {
            sample.threads.iter().try_fold([0.0; 3], |[taken, all, ops], thread| {
                let (taken_ns, all_ns) = of_thread(thread)?;
                Some([taken + taken_ns as f64, all + all_ns as f64, ops + thread.ops as f64])
            })
        };
        // Where no tick met the processes of a sample, it does not say.
        let all: Vec<[f64; 3]> = samples.iter().filter_map(of_sample).collect();
        let count = all.len() as f64;
        let [taken_ns, all_ns, ops] =
            [0, 1, 2].map(|place| all.iter().map(|sums| sums[place]).sum::<f64>());
        if count < 2.0 || all_ns <= 0.0 {
            return None;
        }
        let share = taken_ns / all_ns;
        let ns_per_op = taken_ns / ops;
        let squares: f64 = all.iter().map(|[taken, all, _]| (taken - share * all).powi(2)).sum();
        let error = (squares * count / (count - 1.0)).sqrt() / all_ns;
        let margin = student_quantile(count - 1.0, 0.95) * error;
        Some(Self { share: share.min(1.0), margin, freedom: count - 1.0, ns_per_op })
    }
}

#[cfg(test)]
mod tests;
