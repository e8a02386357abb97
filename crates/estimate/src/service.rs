//! Further results of a server row: CPU use of both sides, and latencies of requests.

use super::warning::Warning;
use record::{Part, Run, Sample};
use serde::Serialize;
use stats::{Counts, Interval, quantile_intervals};

/// A client that used this share of its CPUs was saturated …
const CLIENT_BUSY: f64 = 0.9;
/// … and a server that used less than this was not.
const SERVER_BUSY: f64 = 0.95;
/// Where the client was not saturated either, a server below this waited for the network between them.
const SERVER_IDLE: f64 = 0.9;
/// A rate is kept if this share of due requests was answered in time.
const KEPT: f64 = 0.98;
/// Quantiles of the reported latencies.
const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

/// Both sides of a row whose work other processes do, such as a server and its client.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Service {
    /// In the order in which the worker named them; the first is measured.
    pub parts: Vec<PartUse>,
    /// Mean throughput per CPU of the first part.
    pub ops_per_s_and_cpu: f64,
    /// Share of due requests that were answered in time; `None` without a fixed rate.
    pub kept: Option<f64>,
    /// Latencies from when requests were due; empty without a fixed rate.
    pub latency: Vec<Latency>,
}

#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PartUse {
    pub name: String,
    pub cpu_count: u64,
    /// Numbers of its CPUs; empty if they are on another machine.
    pub cpus: Vec<u32>,
    /// Its CPU time over the elapsed time of its CPUs.
    pub share: f64,
}

/// A quantile of latencies.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Latency {
    /// The share of requests that took no longer.
    pub share: f64,
    /// In ns, as the lower end of a bucket that is at most 1 % wide; `None` if there are too few requests.
    pub ns: Option<Interval>,
}

impl Service {
    /// `None` if the worker itself does the work, and without samples.
    pub fn of(run: &Run, case: usize) -> Option<Self> {
        let named = &run.ready_of(case)?.parts;
        if named.is_empty() {
            return None;
        }
        let samples: Vec<&Sample> = run.samples_of(case).filter(|w| w.has_parts()).collect();
        let cpu_count = samples.first()?.parts.first()?.cpu_count;
        let throughput: f64 = samples.iter().map(|sample| ops_per_s(sample)).sum();
        let due: u64 = samples.iter().filter_map(|sample| sample.due_ops).sum();
        let in_time: u64 = samples
            .iter()
            .filter(|sample| sample.due_ops.is_some())
            .flat_map(|sample| &sample.threads)
            .map(|thread| thread.ops)
            .sum();
        let latencies: Vec<&Counts> =
            samples.iter().map(|w| w.latency.as_slice()).filter(|l| !l.is_empty()).collect();
        let quantiles = quantile_intervals(&latencies, &SHARES);
        let latency = |(share, ns): (f64, _)| Latency { share, ns };
        Some(Self {
            parts: named.iter().enumerate().map(|(i, part)| part_use(part, i, &samples)).collect(),
            ops_per_s_and_cpu: throughput / samples.len() as f64 / cpu_count as f64,
            // The search for a rate misses it about every other time.
            kept: (due > 0 && run.has_fixed_rate(case)).then(|| in_time as f64 / due as f64),
            latency: if latencies.is_empty() {
                Vec::new()
            } else {
                SHARES.into_iter().zip(quantiles).map(latency).collect()
            },
        })
    }

    /// Whether the client sends the next request after each answer.
    fn is_closed_loop(&self) -> bool {
        self.latency.is_empty()
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if let [server, client, ..] = &self.parts[..] {
            if client.share >= CLIENT_BUSY && server.share < SERVER_BUSY {
                let (client, server) = (client.share, server.share);
                warnings.push(Warning::ClientBound { client, server });
            }
            if server.cpus.iter().any(|cpu| client.cpus.contains(cpu)) {
                warnings.push(Warning::SharedWithClient);
            }
            if self.is_closed_loop() && client.share < CLIENT_BUSY && server.share < SERVER_IDLE {
                let (client, server) = (client.share, server.share);
                warnings.push(Warning::NeitherBusy { client, server });
            }
        }
        if let Some(kept) = self.kept.filter(|kept| *kept < KEPT) {
            warnings.push(Warning::RateNotKept { kept });
        }
        warnings
    }
}

fn ops_per_s(sample: &Sample) -> f64 {
    sample.threads.iter().map(|t| t.ops as f64 * 1e9 / t.elapsed_ns as f64).sum()
}

fn part_use(part: &Part, place: usize, samples: &[&Sample]) -> PartUse {
    let of_samples = || samples.iter().filter_map(|sample| sample.parts.get(place));
    let used_ns: f64 = of_samples().map(|part| part.cpu_ns as f64).sum();
    let given_ns: f64 = of_samples().map(|p| p.elapsed_ns as f64 * p.cpu_count as f64).sum();
    PartUse {
        name: part.name.clone(),
        cpu_count: of_samples().next().map_or(0, |part| part.cpu_count),
        cpus: part.cpus.clone(),
        share: used_ns / given_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{PartSample, fixture};

    /// Samples of 100 ns on two CPUs; server and client used this much of theirs.
    fn run(server_ns: u64, client_ns: u64, due_ops: Option<u64>) -> Run {
        let mut run = fixture::run(&[("a/x", &[100; 20])]);
        let part = |name: &str, cpu| Part { name: name.to_owned(), cpus: vec![cpu] };
        run.launches[0].ready.parts = vec![part("server", 0), part("client", 1)];
        run.launches[0].ready.fixed_rate_per_s = due_ops;
        for sample in &mut run.samples {
            let part = |cpu_ns| PartSample { cpu_count: 1, cpu_ns, elapsed_ns: 100 };
            sample.measured.parts = vec![part(server_ns), part(client_ns)];
            sample.measured.due_ops = due_ops;
            sample.measured.latency =
                due_ops.map_or_else(Vec::new, |due| vec![(1_000, due - 1), (2_000, 1)]);
        }
        run
    }

    fn warnings(run: &Run) -> Vec<Warning> {
        Service::of(run, 0).unwrap().warnings()
    }

    #[test]
    fn a_row_is_client_bound_if_the_client_was_busy_and_the_server_was_not() {
        assert_eq!(warnings(&run(99, 97, None)), []);
        assert_eq!(warnings(&run(95, 50, None)), []);
        let bound = Warning::ClientBound { client: 0.97, server: 0.8 };
        assert_eq!(warnings(&run(80, 97, None)), [bound]);
    }

    #[test]
    fn two_idle_sides_are_reported_unless_the_rate_is_fixed() {
        let neither = Warning::NeitherBusy { client: 0.5, server: 0.7 };
        assert_eq!(warnings(&run(70, 50, None)), [neither]);
        assert_eq!(warnings(&run(70, 50, Some(100))), []);
    }

    #[test]
    fn a_client_on_the_servers_cpu_is_reported() {
        let mut run = run(95, 50, None);
        run.launches[0].ready.parts[1].cpus = vec![0];
        assert_eq!(warnings(&run), [Warning::SharedWithClient]);
        // A client on another machine has none of this one's CPUs.
        run.launches[0].ready.parts[1].cpus.clear();
        assert_eq!(warnings(&run), []);
    }

    #[test]
    fn a_rate_that_was_not_kept_is_reported() {
        assert_eq!(warnings(&run(50, 50, Some(101))), []);
        let kept = Warning::RateNotKept { kept: 0.8 };
        assert_eq!(warnings(&run(50, 50, Some(125))), [kept]);
        // A search for the rate goes up and down.
        let mut searched = run(50, 50, Some(125));
        searched.launches[0].ready.fixed_rate_per_s = None;
        assert_eq!(warnings(&searched), []);
    }

    #[test]
    fn latencies_are_of_all_samples_together() {
        let service = Service::of(&run(50, 50, Some(100)), 0).unwrap();
        let ns: Vec<_> = service.latency.iter().map(|l| l.ns.map(|ns| ns.centre)).collect();
        // 2,000 requests: 20 beyond 99 %, and 2 beyond 99.9 %.
        assert_eq!(ns, [Some(1_000.0), Some(1_000.0), Some(1_000.0), None]);
        assert_eq!(service.ops_per_s_and_cpu, 1e9);
        assert!(Service::of(&run(50, 50, None), 0).unwrap().latency.is_empty());
    }

    #[test]
    fn a_row_whose_worker_does_the_work_has_no_sides() {
        assert_eq!(Service::of(&fixture::run(&[("a/x", &[100; 20])]), 0), None);
    }
}
