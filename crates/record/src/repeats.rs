//! Finds cases whose samples repeat each other's throughput to the bit, whatever else is written beside it.

use super::sample::Measured;
use std::collections::{BTreeMap, BTreeSet};

/// Clocks count in nanoseconds, and a sample takes millions of them: hardly two of a case agree. Even a clock that counts in
/// microseconds gives more different samples than one in this many. One that is so coarse that they agree hides how much
/// they differ, so that no interval can be given either.
const ONE_IN: usize = 4;
/// Fewer samples cannot give a narrow interval.
const LEAST: usize = 8;

/// Conditions of a sample. Repeats are sought among samples of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SampleKind {
    Alone,
    Sustained,
    Beside,
    Mixed,
    Rolling,
}

/// Each case's samples so far.
#[derive(Debug, Default)]
pub(super) struct Repeats(BTreeMap<(usize, SampleKind), Seen>);

#[derive(Debug, Default)]
struct Seen {
    samples: usize,
    /// The ops and the time of each thread.
    different: BTreeSet<Vec<(u64, u64)>>,
}

impl Repeats {
    pub fn add(&mut self, case: usize, kind: SampleKind, sample: &Measured) {
        let seen = self.0.entry((case, kind)).or_default();
        seen.samples += 1;
        let threads = sample.threads.iter().map(|thread| (thread.ops, thread.elapsed_ns));
        seen.different.insert(threads.collect());
    }

    /// The cases of which no series of samples can have been measured.
    pub fn cases(&self) -> BTreeSet<usize> {
        let is_repeated =
            |seen: &Seen| seen.samples >= LEAST && seen.different.len() * ONE_IN <= seen.samples;
        self.0.iter().filter(|(_, seen)| is_repeated(seen)).map(|((case, _), _)| *case).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::two_threads;

    fn is_repeated(times_ns: impl Iterator<Item = u64>) -> bool {
        let mut repeats = Repeats::default();
        for (place, elapsed_ns) in times_ns.enumerate() {
            let mut sample = two_threads([0, 1]);
            sample.threads[1].elapsed_ns = elapsed_ns;
            // Switches do not enter throughput.
            sample.threads[0].voluntary_switches = Some(place as u64);
            repeats.add(3, SampleKind::Alone, &sample);
        }
        repeats.cases() == [3].into()
    }

    #[test]
    fn samples_that_differ_in_other_figures_only_are_repeated() {
        assert!(is_repeated([50_000_000; 8].into_iter()));
        assert!(is_repeated((0..80).map(|place| 50_000_000 + place % 20)));
        assert!(!is_repeated((0..80).map(|place| 50_000_000 + place % 21)));
        assert!(!is_repeated([50_000_000; 7].into_iter()));
    }

    #[test]
    fn samples_of_a_clock_that_counts_in_microseconds_are_not() {
        // 50 ms, 0.05 % more or less.
        let at = |place: u64| 50_000_000 + place * 7_919 % 51 * 1_000;
        assert!(!is_repeated((0..200).map(at)));
    }

    #[test]
    fn a_series_counts_by_itself() {
        let mut repeats = Repeats::default();
        for place in 0..40 {
            let mut sample = two_threads([0, 1]);
            repeats.add(1, SampleKind::Mixed, &sample);
            sample.threads[0].ops += place;
            repeats.add(1, SampleKind::Alone, &sample);
            repeats.add(2, SampleKind::Alone, &sample);
        }
        assert_eq!(repeats.cases(), [1].into());
    }
}
