//! Finds out which CPUs share a core, whatever the kernel reports: two threads that fill a core's units get half
//! of them each.

use serde::Serialize;
use stats::{Interval, ratio_interval};

/// Threads that keep less of their speed than this are on one core: there they keep about half, and on two cores
/// nearly all.
const SHARED: f64 = 0.75;
/// Fewer ratios than this give no verdict.
const LEAST_RATIOS: usize = 6;
/// A thread that got less of its CPU was disturbed, as for a sample.
const LEAST_CPU_SHARE: f64 = 0.98;

/// Two CPUs to try together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Candidate {
    pub a: u32,
    pub b: u32,
    /// Whether they share a core according to the kernel.
    pub claimed: bool,
}

/// The result of trying two CPUs together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Pair {
    #[serde(flatten)]
    pub candidate: Candidate,
    /// Share of its speed alone that a thread keeps while the other CPU is busy, with a 95 % interval.
    pub kept: Option<Interval>,
    /// Undisturbed trials.
    pub trials: usize,
    /// Further trials, which do not count: something took a CPU from a thread.
    pub spoilt: usize,
    /// Share of the trials in which they shared a core.
    pub shared_share: f64,
    pub verdict: Sharing,
}

/// A thread's part of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Go {
    /// Ops per ns.
    pub rate: f64,
    /// CPU time over elapsed time.
    pub cpu_share: f64,
}

/// The share of its speed alone that a thread keeps while the other runs, the geometric mean over both. `None`
/// if something took a CPU from one of them: another process that stays on a CPU disturbs samples alone as much
/// as samples together, and two threads use up a quota twice as fast.
pub fn kept(alone: [Go; 2], together: [Go; 2]) -> Option<f64> {
    if alone.iter().chain(&together).any(|go| go.cpu_share < LEAST_CPU_SHARE) {
        return None;
    }
    let kept = |i: usize| together[i].rate / alone[i].rate;
    Some((kept(0) * kept(1)).sqrt())
}

/// Whether two CPUs share a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    Siblings,
    NotSiblings,
    /// The interval includes the threshold, or there were too few trials.
    Undetermined,
}

impl Pair {
    /// Judges a pair by the result of [`kept`] in each trial.
    pub fn judge(candidate: Candidate, trials: &[Option<f64>]) -> Self {
        let kept: Vec<f64> = trials.iter().copied().flatten().collect();
        let interval = ratio_interval(&kept).filter(|_| kept.len() >= LEAST_RATIOS);
        let verdict = match interval {
            Some(interval) if interval.high < SHARED => Sharing::Siblings,
            Some(interval) if interval.low > SHARED => Sharing::NotSiblings,
            _ => Sharing::Undetermined,
        };
        let shared = kept.iter().filter(|kept| **kept < SHARED).count();
        let shared_share = shared as f64 / kept.len().max(1) as f64;
        let spoilt = trials.len() - kept.len();
        Self { candidate, kept: interval, trials: kept.len(), spoilt, shared_share, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(kept: &[f64]) -> Sharing {
        let trials: Vec<Option<f64>> = kept.iter().copied().map(Some).collect();
        Pair::judge(Candidate { a: 0, b: 1, claimed: false }, &trials).verdict
    }

    #[test]
    fn a_trial_in_which_a_cpu_was_taken_does_not_count() {
        let go = |rate, cpu_share| Go { rate, cpu_share };
        let [alone, half] = [go(4.0, 1.0), go(2.0, 0.99)];
        let shared = kept([alone, alone], [half, half]).unwrap();
        assert!((shared - 0.5).abs() < 1e-9);
        assert_eq!(kept([alone, go(2.0, 0.5)], [half, half]), None);
        assert_eq!(kept([alone, alone], [half, go(1.0, 0.6)]), None);
        let trials = [Some(0.5), Some(0.5), None, Some(0.5), None, Some(0.5), Some(0.5)];
        let pair = Pair::judge(Candidate { a: 0, b: 1, claimed: false }, &trials);
        assert_eq!((pair.trials, pair.spoilt, pair.verdict), (5, 2, Sharing::Undetermined));
    }

    #[test]
    fn half_the_speed_is_one_core_and_nearly_all_of_it_is_two() {
        assert_eq!(verdict(&[0.5, 0.52, 0.49, 0.5, 0.51, 0.5]), Sharing::Siblings);
        assert_eq!(verdict(&[0.97, 1.0, 0.99, 0.98, 1.01, 0.96]), Sharing::NotSiblings);
        assert_eq!(verdict(&[0.5, 0.52, 0.49]), Sharing::Undetermined);
        assert_eq!(verdict(&[]), Sharing::Undetermined);
    }

    #[test]
    fn intermittent_other_work_leaves_the_verdict_or_makes_it_undetermined() {
        // Other work on a measured core, at times in the trial alone and at times in the one together.
        let mut kept: Vec<f64> = vec![1.0; 40];
        (0..6).for_each(|i| kept[i * 5] = if i % 2 == 0 { 0.7 } else { 1.4 });
        assert_eq!(verdict(&kept), Sharing::NotSiblings);
        // Virtual CPUs that move between cores are siblings at times.
        let wandering: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 0.5 } else { 1.0 }).collect();
        assert_eq!(verdict(&wandering), Sharing::Undetermined);
    }
}
