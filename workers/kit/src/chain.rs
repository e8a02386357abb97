//! Chains: looks at the clock inside a window. A pulse is taken when the work is over, and by then a core may have
//! raised its clock again; a chain is run between two batches, while the core still has the clock that the work
//! makes. It uses registers only, so it leaves caches as they are.

use crate::clock;
use crate::pulse::{CHAIN_OPS, CLOCK_UNROLL, clock_chain};
use serde::Serialize;

/// A window has so many chains at most: one at its end, the others before it.
const MOST_CHAINS: usize = 9;
/// Chains in a window lie so far apart at least: 12,000 cycles in 6 ms are 0.1 % at 2 GHz, and less above.
const LEAST_SPACING_NS: u64 = 6_000_000;

/// What a chain is, told in `ready`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ChainKernel {
    pub ops: u64,
    /// How long a chain takes that is shorter by so many: what timing one costs.
    pub cost_ns: u64,
}

impl ChainKernel {
    /// Finds the cost. A look at the clock alone would be too much: the chain begins before the look is over.
    pub fn measure() -> Self {
        let cost_ns = clock::cost_ns(|| {
            clock_chain(1);
        });
        Self { ops: CHAIN_OPS, cost_ns }
    }
}

/// The chains of a window on one thread.
pub(crate) struct Chains {
    spacing_ns: u64,
    due_ns: u64,
    took_ns: Vec<u64>,
}

impl Chains {
    /// For a window of at least this length.
    pub fn of(window_ns: u64) -> Self {
        let spacing_ns = window_ns.div_ceil(MOST_CHAINS as u64).max(LEAST_SPACING_NS);
        // With room for all: nothing is allocated in a window.
        Self { spacing_ns, due_ns: spacing_ns, took_ns: Vec::with_capacity(MOST_CHAINS) }
    }

    /// Whether there is to be one now, so long after the window began. Where batches take longer than chains lie apart,
    /// there is one after each.
    pub fn is_due(&self, elapsed_ns: u64) -> bool {
        elapsed_ns >= self.due_ns
    }

    /// Runs one, so long after the window began.
    pub fn run(&mut self, elapsed_ns: u64) {
        // The work may have driven its code out of the caches: not to be timed.
        clock_chain(1);
        let start_ns = clock::now_ns();
        clock_chain(CHAIN_OPS / CLOCK_UNROLL + 1);
        self.took_ns.push(clock::now_ns() - start_ns);
        self.due_ns = (elapsed_ns / self.spacing_ns + 1) * self.spacing_ns;
    }

    /// How long each took.
    pub fn took_ns(self) -> Vec<u64> {
        self.took_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After which times a window with batches of this length has chains, that at its end left out.
    fn times_ns(window_ns: u64, batch_ns: u64) -> Vec<u64> {
        let mut chains = Chains::of(window_ns);
        let boundaries = (1..).map(|batch| batch * batch_ns);
        boundaries
            .take_while(|elapsed_ns| *elapsed_ns < window_ns)
            .filter(|&elapsed_ns| {
                let is_due = chains.is_due(elapsed_ns);
                if is_due {
                    chains.run(elapsed_ns);
                }
                is_due
            })
            .collect()
    }

    #[test]
    fn chains_lie_evenly_over_a_window_of_short_batches() {
        let expected: Vec<u64> = (1..9).map(|chain| chain * 6_000_000).collect();
        assert_eq!(times_ns(50_000_000, 50_000), expected);
        let expected: Vec<u64> = (1..9).map(|chain| chain * 100_000_000).collect();
        assert_eq!(times_ns(900_000_000, 50_000), expected);
    }

    #[test]
    fn a_window_of_long_batches_has_a_chain_after_each() {
        assert_eq!(times_ns(50_000_000, 20_000_000), [20_000_000, 40_000_000]);
        // Not twice in a row for a point that a long batch went past.
        assert_eq!(times_ns(50_000_000, 7_000_000).len(), 7);
        assert!(times_ns(50_000_000, 60_000_000).is_empty());
    }

    #[test]
    fn no_window_has_more_than_nine_chains_or_gives_them_more_than_a_thousandth_at_2_ghz() {
        for window_ns in [1_000_u64, 5_999_999, 6_000_001, 44_000_000, 50_000_003, 60_000_000_000] {
            for batch_ns in [window_ns.div_ceil(20_000), window_ns.div_ceil(11), window_ns] {
                let inside = times_ns(window_ns, batch_ns).len();
                assert!(inside < MOST_CHAINS, "{inside} in {window_ns} ns of {batch_ns}");
                assert!(inside as u64 * 12_000 / 2 * 1000 <= window_ns, "{inside} in {window_ns}");
            }
        }
    }

    #[test]
    fn a_chain_takes_time_and_is_whole_turns_of_the_loop() {
        let mut chains = Chains::of(1_000);
        chains.run(0);
        let took_ns = chains.took_ns();
        assert!(took_ns.len() == 1 && took_ns[0] > 0, "{took_ns:?}");
        assert_eq!(CHAIN_OPS % CLOCK_UNROLL, 0);
    }
}
