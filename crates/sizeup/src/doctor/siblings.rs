//! Which CPUs share a core, whatever the kernel says: two threads that fill a core's units leave each other
//! half of them.

use crate::machine::Topology;
use crate::stats::{Interval, ratio_interval};
use serde::Serialize;
use std::collections::BTreeSet;

/// Threads that leave each other less than this are on one core: there it is about half, and on two cores
/// all but a little of the clock.
const SHARED: f64 = 0.75;
/// Fewer ratios than this decide nothing.
const LEAST_RATIOS: usize = 6;
/// A thread that had less of its CPU was disturbed; as for a window.
const LEAST_CPU_SHARE: f64 = 0.98;

/// Two CPUs to be tried together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    pub verdict: Verdict,
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
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
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
            Some(interval) if interval.high < SHARED => Verdict::Siblings,
            Some(interval) if interval.low > SHARED => Verdict::NotSiblings,
            _ => Verdict::CantBeTold,
        };
        let shared = kept.iter().filter(|kept| **kept < SHARED).count();
        let shared_share = shared as f64 / kept.len().max(1) as f64;
        let spoilt = trials.len() - kept.len();
        Self { candidate, kept: interval, trials: kept.len(), spoilt, shared_share, verdict }
    }
}

/// The pairs to try, at most so many: those that the kernel claims, and of the others those that share a
/// core where siblings are numbered one after the other, or half of the CPUs apart. Taken evenly from the
/// whole machine.
pub fn candidates(topology: &Topology, allowed: &[u32], most: usize) -> Vec<Candidate> {
    let allowed: BTreeSet<u32> = allowed.iter().copied().collect();
    let core_of = |cpu: u32| topology.cpus.iter().find(|c| c.cpu == cpu).map(|c| c.core_key());
    let is_claimed = |a: u32, b: u32| core_of(a).is_some() && core_of(a) == core_of(b);
    let half = topology.cpus.len() as u32 / 2;
    let mut claimed = Vec::new();
    let mut others: [Vec<Candidate>; 2] = [Vec::new(), Vec::new()];
    let mut seen = BTreeSet::new();
    for &a in &allowed {
        let next = topology.cpus.iter().find(|c| c.cpu == a).and_then(|c| {
            let later = c.siblings.iter().copied().filter(|b| *b > a && allowed.contains(b));
            later.min()
        });
        if let Some(b) = next {
            claimed.push(Candidate { a, b, claimed: true });
            seen.insert((a, b));
        }
        let guesses =
            [(a.is_multiple_of(2), a + 1), (half > 0 && a < half, a.saturating_add(half))];
        for (guesses, (is_guess, b)) in others.iter_mut().zip(guesses) {
            if is_guess && allowed.contains(&b) && !is_claimed(a, b) && seen.insert((a, b)) {
                guesses.push(Candidate { a, b, claimed: false });
            }
        }
    }
    let [next_to, half_apart] = others;
    share_out([claimed, next_to, half_apart], most)
}

/// Takes from each list in turn, and from each evenly.
fn share_out<const N: usize>(lists: [Vec<Candidate>; N], most: usize) -> Vec<Candidate> {
    let mut sizes = [0; N];
    let mut left = most;
    while left > 0 && (0..N).any(|i| sizes[i] < lists[i].len()) {
        for (size, list) in sizes.iter_mut().zip(&lists) {
            if left > 0 && *size < list.len() {
                *size += 1;
                left -= 1;
            }
        }
    }
    let evenly = |(list, size): (&Vec<Candidate>, usize)| {
        (0..size).map(|i| list[i * list.len() / size]).collect::<Vec<_>>()
    };
    lists.iter().zip(sizes).flat_map(evenly).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(candidates: &[Candidate]) -> Vec<(u32, u32, bool)> {
        candidates.iter().map(|c| (c.a, c.b, c.claimed)).collect()
    }

    #[test]
    fn two_cpus_without_claims_are_one_pair() {
        let pairs = candidates(&Topology::with_siblings(2, |cpu| vec![cpu]), &[0, 1], 10);
        assert_eq!(told(&pairs), [(0, 1, false)]);
        assert_eq!(candidates(&Topology::with_siblings(2, |cpu| vec![cpu]), &[1], 10), []);
        assert_eq!(candidates(&Topology::default(), &[], 10), []);
    }

    #[test]
    fn claims_and_both_patterns_of_numbering_are_tried() {
        let pairs = candidates(&Topology::with_siblings(4, |cpu| vec![cpu]), &[0, 1, 2, 3], 10);
        assert_eq!(told(&pairs), [(0, 1, false), (2, 3, false), (0, 2, false), (1, 3, false)]);
        let claimed = Topology::with_siblings(4, |cpu| vec![cpu % 2, cpu % 2 + 2]);
        let pairs = candidates(&claimed, &[0, 1, 2, 3], 10);
        assert_eq!(told(&pairs), [(0, 2, true), (1, 3, true), (0, 1, false), (2, 3, false)]);
    }

    #[test]
    fn on_a_large_machine_the_pairs_are_few_and_from_all_over_it() {
        let all: Vec<u32> = (0..256).collect();
        let large = Topology::with_siblings(256, |cpu| vec![cpu % 128, cpu % 128 + 128]);
        let pairs = candidates(&large, &all, 16);
        let claimed: Vec<u32> = pairs.iter().filter(|p| p.claimed).map(|p| p.a).collect();
        assert_eq!(pairs.len(), 16);
        assert_eq!(claimed, [0, 16, 32, 48, 64, 80, 96, 112]);
        assert!(pairs.iter().filter(|p| !p.claimed).all(|p| p.b == p.a + 1));
    }

    fn verdict(kept: &[f64]) -> Verdict {
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
        assert_eq!((pair.trials, pair.spoilt, pair.verdict), (5, 2, Verdict::CantBeTold));
    }

    #[test]
    fn half_the_speed_is_one_core_and_nearly_all_of_it_is_two() {
        assert_eq!(verdict(&[0.5, 0.52, 0.49, 0.5, 0.51, 0.5]), Verdict::Siblings);
        assert_eq!(verdict(&[0.97, 1.0, 0.99, 0.98, 1.01, 0.96]), Verdict::NotSiblings);
        assert_eq!(verdict(&[0.5, 0.52, 0.49]), Verdict::CantBeTold);
        assert_eq!(verdict(&[]), Verdict::CantBeTold);
    }

    #[test]
    fn a_stranger_who_comes_and_goes_leaves_the_verdict_or_makes_it_open() {
        // A stranger on a core of ours, at times in the trial alone and at times in the one together.
        let mut kept: Vec<f64> = vec![1.0; 40];
        (0..6).for_each(|i| kept[i * 5] = if i % 2 == 0 { 0.7 } else { 1.4 });
        assert_eq!(verdict(&kept), Verdict::NotSiblings);
        // Virtual CPUs that wander between cores are siblings at times.
        let wandering: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 0.5 } else { 1.0 }).collect();
        assert_eq!(verdict(&wandering), Verdict::CantBeTold);
    }

    proptest! {
        #[test]
        fn candidates_are_allowed_distinct_and_as_few_as_asked(
            cpus in 1_u32..40, most in 0_usize..20, hole in 0_u32..40,
        ) {
            let topology = Topology::with_siblings(cpus, |cpu| vec![cpu / 2 * 2, cpu / 2 * 2 + 1]);
            let allowed: Vec<u32> = (0..cpus).filter(|cpu| *cpu != hole).collect();
            let pairs = candidates(&topology, &allowed, most);
            prop_assert!(pairs.len() <= most);
            let distinct: BTreeSet<(u32, u32)> = pairs.iter().map(|p| (p.a, p.b)).collect();
            prop_assert_eq!(distinct.len(), pairs.len());
            for pair in pairs {
                prop_assert!(pair.a < pair.b && pair.a != hole && pair.b != hole && pair.b < cpus);
            }
        }
    }
}
