//! Which CPUs share a core, whatever the kernel says: two threads that fill a core's units leave each other
//! half of them.

use serde::Serialize;
use stats::{Interval, ratio_interval};

/// Threads that leave each other less than this are on one core: there it is about half, and on two cores
/// all but a little of the clock.
const SHARED: f64 = 0.75;
/// Fewer ratios than this decide nothing.
const LEAST_RATIOS: usize = 6;
/// A thread that had less of its CPU was disturbed; as for a window.
const LEAST_CPU_SHARE: f64 = 0.98;

/// Two CPUs to be tried together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Candidate {
    /// The one.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// Whether the kernel says that they share a core.
    pub claimed: bool,
}

/// Two CPUs that were tried together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// Which.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// How much of its speed alone a thread keeps beside the other.
    pub kept: Option<Interval>,
    /// How often they were tried.
    pub trials: usize,
    /// Further trials in which something took a CPU from a thread: they say nothing.
    pub spoilt: usize,
    /// Share of the trials in which they shared a core.
    pub shared_share: f64,
    /// What that makes them.
    pub verdict: Sharing,
}

/// A thread's share of a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Go {
    /// Ops per ns.
    pub rate: f64,
    /// CPU time over elapsed time.
    pub cpu_share: f64,
}

/// The share of its speed alone that a thread keeps beside the other, the geometric mean over both; `None`
/// if something took a CPU from one of them: a stranger who stays on a CPU disturbs the windows alone as
/// much as those together, and two threads use a quota up twice as fast.
pub fn kept(alone: [Go; 2], together: [Go; 2]) -> Option<f64> {
    if alone.iter().chain(&together).any(|go| go.cpu_share < LEAST_CPU_SHARE) {
        return None;
    }
    let of = |i: usize| together[i].rate / alone[i].rate;
    Some((of(0) * of(1)).sqrt())
}

/// Whether two CPUs share a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// They do.
    Siblings,
    /// They don't.
    NotSiblings,
    /// The interval holds both, or there were too few trials.
    CantBeTold,
}

impl Pair {
    /// Judges the trials of a pair, what [`kept`] says of each.
    pub fn judge(candidate: Candidate, trials: &[Option<f64>]) -> Self {
        let kept: Vec<f64> = trials.iter().copied().flatten().collect();
        let interval = ratio_interval(&kept).filter(|_| kept.len() >= LEAST_RATIOS);
        let verdict = match interval {
            Some(interval) if interval.high < SHARED => Sharing::Siblings,
            Some(interval) if interval.low > SHARED => Sharing::NotSiblings,
            _ => Sharing::CantBeTold,
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
        assert_eq!((pair.trials, pair.spoilt, pair.verdict), (5, 2, Sharing::CantBeTold));
    }

    #[test]
    fn half_the_speed_is_one_core_and_nearly_all_of_it_is_two() {
        assert_eq!(verdict(&[0.5, 0.52, 0.49, 0.5, 0.51, 0.5]), Sharing::Siblings);
        assert_eq!(verdict(&[0.97, 1.0, 0.99, 0.98, 1.01, 0.96]), Sharing::NotSiblings);
        assert_eq!(verdict(&[0.5, 0.52, 0.49]), Sharing::CantBeTold);
        assert_eq!(verdict(&[]), Sharing::CantBeTold);
    }

    #[test]
    fn a_stranger_who_comes_and_goes_leaves_the_verdict_or_makes_it_open() {
        // A stranger on a core of ours, at times in the trial alone and at times in the one together.
        let mut kept: Vec<f64> = vec![1.0; 40];
        (0..6).for_each(|i| kept[i * 5] = if i % 2 == 0 { 0.7 } else { 1.4 });
        assert_eq!(verdict(&kept), Sharing::NotSiblings);
        // Virtual CPUs that wander between cores are siblings at times.
        let wandering: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 0.5 } else { 1.0 }).collect();
        assert_eq!(verdict(&wandering), Sharing::CantBeTold);
    }
}
