//! What a round leaves out where time is too short: windows go to cases that can still have a figure.

use super::bench::LEAST_WINDOWS;
use super::execution::Execution;
use stats::median;
use std::time::{Duration, Instant};

impl Execution<'_> {
    /// If there is no time for the windows of a figure for each of these cases, at the pace that turns have here, keeps the
    /// most telling workloads for which there is. The others wait for a better pace, and so do cases that have a figure.
    pub fn concentrate(&self, cases: &mut Vec<usize>) {
        let turns = self.benches.iter().map(|bench| bench.turn_ns as f64).filter(|ns| *ns > 0.0);
        let turns: Vec<f64> = turns.collect();
        if turns.is_empty() || self.has_mix() {
            return;
        }
        let lacks = |i: &usize| cases.contains(i) && !self.benches[*i].has_figure();
        let lacking: Vec<usize> = self.settings.order.iter().copied().filter(lacks).collect();
        let workload = |i: &usize| &self.benches[*i].task.case.workload;
        let workloads: Vec<&[usize]> =
            lacking.chunk_by(|a, b| workload(a) == workload(b)).collect();
        let missing =
            |i: &usize| LEAST_WINDOWS.saturating_sub(self.benches[*i].progress.looks.len());
        let windows: Vec<usize> = workloads.iter().map(|of| of.iter().map(missing).sum()).collect();
        let left = self.settings.deadline.saturating_duration_since(Instant::now());
        let count = affordable(&windows, Duration::from_nanos(median(&turns) as u64), left);
        if count < workloads.len() {
            *cases = workloads[..count].concat();
        }
    }
}

/// For how many workloads there is time, each with the windows that it lacks: for one at least.
fn affordable(windows: &[usize], turn: Duration, left: Duration) -> usize {
    let mut needed = Duration::ZERO;
    let has_time = |windows: &&usize| {
        needed = needed
            .saturating_add(turn.saturating_mul(u32::try_from(**windows).unwrap_or(u32::MAX)));
        needed <= left
    };
    windows.iter().take_while(has_time).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_workloads_as_can_have_their_windows_get_them_and_one_at_least() {
        let of =
            |left: u64| affordable(&[16, 8, 8], Duration::from_secs(1), Duration::from_secs(left));
        assert_eq!([40, 32, 31, 24, 23, 16, 15, 0].map(of), [3, 3, 2, 2, 1, 1, 1, 1]);
        assert_eq!(affordable(&[], Duration::ZERO, Duration::ZERO), 1, "nothing lacks");
    }
}
