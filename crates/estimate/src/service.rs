//! What a row of a server tells beside its throughput: what both sides used of their CPUs, and how long requests took.

use super::warning::Warning;
use record::{Part, Run, Window};
use serde::Serialize;
use stats::{Counts, Interval, quantile_intervals};

/// A client that used this share of its CPUs had nothing left …
const CLIENT_BUSY: f64 = 0.9;
/// … and a server that used less than this had.
const SERVER_BUSY: f64 = 0.95;
/// Where the client had something left, too, a server below this waited for the way between them.
const SERVER_IDLE: f64 = 0.9;
/// A rate is kept if so much of what was due was answered in the same time.
const KEPT: f64 = 0.98;
/// Shares of requests that latencies are told for.
const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

/// Both sides of a row whose work other processes do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Service {
    /// In the order in which the worker named them: the first is what is measured.
    pub parts: Vec<PartUse>,
    /// Mean throughput by the number of CPUs of the first part.
    pub ops_per_s_and_cpu: f64,
    /// What was answered in time of what was due; `None` where no rate is fixed.
    pub kept: Option<f64>,
    /// Latencies from when requests were due; empty where nothing is.
    pub latency: Vec<Latency>,
}

/// What a part used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartUse {
    /// Its name.
    pub name: String,
    /// How many CPUs it has.
    pub cpu_count: u64,
    /// Which; none if they are another machine's.
    pub cpus: Vec<u32>,
    /// Its CPU time over what they gave.
    pub share: f64,
}

/// A quantile of latencies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Latency {
    /// The share of requests that took no longer.
    pub share: f64,
    /// In ns, as the lower end of a bucket that is at most 1 % wide; `None` where there are too few requests.
    pub ns: Option<Interval>,
}

impl Service {
    /// Of a case. `None` where the worker itself does the work, and without windows.
    pub fn of(run: &Run, case: usize) -> Option<Self> {
        let named = &run.ready_of(case)?.parts;
        if named.is_empty() {
            return None;
        }
        let windows: Vec<&Window> = run.windows_of(case).filter(|w| w.has_parts()).collect();
        let cpu_count = windows.first()?.parts.first()?.cpu_count;
        let throughput: f64 = windows.iter().map(|window| ops_per_s(window)).sum();
        let due: u64 = windows.iter().filter_map(|window| window.due_ops).sum();
        let in_time: u64 = windows
            .iter()
            .filter(|window| window.due_ops.is_some())
            .flat_map(|window| &window.threads)
            .map(|thread| thread.ops)
            .sum();
        let latencies: Vec<&Counts> =
            windows.iter().map(|w| w.latency.as_slice()).filter(|l| !l.is_empty()).collect();
        let quantiles = quantile_intervals(&latencies, &SHARES);
        let latency = |(share, ns): (f64, _)| Latency { share, ns };
        Some(Self {
            parts: named.iter().enumerate().map(|(i, part)| part_use(part, i, &windows)).collect(),
            ops_per_s_and_cpu: throughput / windows.len() as f64 / cpu_count as f64,
            // A rate that is searched for is not kept every other time.
            kept: (due > 0 && run.has_fixed_rate(case)).then(|| in_time as f64 / due as f64),
            latency: if latencies.is_empty() {
                Vec::new()
            } else {
                SHARES.into_iter().zip(quantiles).map(latency).collect()
            },
        })
    }

    /// Whether each answer is followed by the next request.
    fn is_closed_loop(&self) -> bool {
        self.latency.is_empty()
    }

    /// What must be said of it.
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

fn ops_per_s(window: &Window) -> f64 {
    window.threads.iter().map(|t| t.ops as f64 * 1e9 / t.elapsed_ns as f64).sum()
}

fn part_use(part: &Part, place: usize, windows: &[&Window]) -> PartUse {
    let of_windows = || windows.iter().filter_map(|window| window.parts.get(place));
    let used_ns: f64 = of_windows().map(|part| part.cpu_ns as f64).sum();
    let given_ns: f64 = of_windows().map(|p| p.elapsed_ns as f64 * p.cpu_count as f64).sum();
    PartUse {
        name: part.name.clone(),
        cpu_count: of_windows().next().map_or(0, |part| part.cpu_count),
        cpus: part.cpus.clone(),
        share: used_ns / given_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{PartWindow, samples};

    /// Windows of 100 ns on two CPUs; server and client used so much of theirs.
    fn run(server_ns: u64, client_ns: u64, due_ops: Option<u64>) -> Run {
        let mut run = samples::run(&[("a/x", &[100; 20])]);
        let part = |name: &str, cpu| Part { name: name.to_owned(), cpus: vec![cpu] };
        run.launches[0].ready.parts = vec![part("server", 0), part("client", 1)];
        run.launches[0].ready.fixed_rate_per_s = due_ops;
        for window in &mut run.windows {
            let part = |cpu_ns| PartWindow { cpu_count: 1, cpu_ns, elapsed_ns: 100 };
            window.measured.parts = vec![part(server_ns), part(client_ns)];
            window.measured.due_ops = due_ops;
            window.measured.latency =
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
    fn sides_that_both_wait_are_told_unless_requests_become_due() {
        let neither = Warning::NeitherBusy { client: 0.5, server: 0.7 };
        assert_eq!(warnings(&run(70, 50, None)), [neither]);
        assert_eq!(warnings(&run(70, 50, Some(100))), []);
    }

    #[test]
    fn a_client_on_the_servers_cpu_is_told() {
        let mut run = run(95, 50, None);
        run.launches[0].ready.parts[1].cpus = vec![0];
        assert_eq!(warnings(&run), [Warning::SharedWithClient]);
        // One on another machine has none of this one's.
        run.launches[0].ready.parts[1].cpus.clear();
        assert_eq!(warnings(&run), []);
    }

    #[test]
    fn a_rate_that_was_not_kept_is_told() {
        assert_eq!(warnings(&run(50, 50, Some(101))), []);
        let kept = Warning::RateNotKept { kept: 0.8 };
        assert_eq!(warnings(&run(50, 50, Some(125))), [kept]);
        // One that is searched for goes to and fro.
        let mut searched = run(50, 50, Some(125));
        searched.launches[0].ready.fixed_rate_per_s = None;
        assert_eq!(warnings(&searched), []);
    }

    #[test]
    fn latencies_are_of_all_windows_together() {
        let service = Service::of(&run(50, 50, Some(100)), 0).unwrap();
        let ns: Vec<_> = service.latency.iter().map(|l| l.ns.map(|ns| ns.centre)).collect();
        // 2,000 requests: 20 beyond 99 %, and 2 beyond 99.9 %.
        assert_eq!(ns, [Some(1_000.0), Some(1_000.0), Some(1_000.0), None]);
        assert_eq!(service.ops_per_s_and_cpu, 1e9);
        assert!(Service::of(&run(50, 50, None), 0).unwrap().latency.is_empty());
    }

    #[test]
    fn a_row_whose_worker_does_the_work_itself_has_no_sides() {
        assert_eq!(Service::of(&samples::run(&[("a/x", &[100; 20])]), 0), None);
    }
}
