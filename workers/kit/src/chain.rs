//! Chains: clock probes inside a sample. The pulse comes after the work, when a core may already have raised its
//! clock again; a chain runs between two batches, while the core still has the clock that the work causes. It uses
//! registers only, so it leaves the caches alone.

use crate::clock;
use crate::pulse::{CHAIN_OPS, CLOCK_UNROLL, clock_chain};
use serde::Serialize;

/// The most chains in a sample: one at its end, the others before it.
const MOST_CHAINS: usize = 9;
/// The least time between the chains of a sample: 12,000 cycles in 6 ms are 0.1 % at 2 GHz, and less above.
const LEAST_SPACING_NS: u64 = 6_000_000;

/// The parameters of a chain, reported in `ready`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ChainKernel {
    pub ops: u64,
    /// The time of a chain that is shorter by this many ops is the cost of timing one.
    pub cost_ns: u64,
}

impl ChainKernel {
    /// Measures the cost. The cost of a clock reading alone would be too high: the chain begins before the reading is
    /// over.
    pub fn measure() -> Self {
        let cost_ns = clock::cost_ns(|| {
            clock_chain(1);
        });
        Self { ops: CHAIN_OPS, cost_ns }
    }
}

/// The chains of a sample on one thread.
pub(crate) struct Chains {
    spacing_ns: u64,
    due_ns: u64,
    took_ns: Vec<u64>,
}

impl Chains {
    /// For a sample of at least this length.
    pub fn of(sample_ns: u64) -> Self {
        let spacing_ns = sample_ns.div_ceil(MOST_CHAINS as u64).max(LEAST_SPACING_NS);
        // Reserve room for all of them, so that nothing is allocated during a sample.
        Self { spacing_ns, due_ns: spacing_ns, took_ns: Vec::with_capacity(MOST_CHAINS) }
    }

    /// Whether a chain is due this long after the sample began. Where batches take longer than the interval between
    /// chains, one is due after each batch.
    pub fn is_due(&self, elapsed_ns: u64) -> bool {
        elapsed_ns >= self.due_ns
    }

    /// Runs a chain, this long after the sample began.
    pub fn run(&mut self, elapsed_ns: u64) {
        // The work may have evicted the chain's code from the caches: run it once untimed.
        clock_chain(1);
        let start_ns = clock::now_ns();
        clock_chain(CHAIN_OPS / CLOCK_UNROLL + 1);
        self.took_ns.push(clock::now_ns() - start_ns);
        self.due_ns = (elapsed_ns / self.spacing_ns + 1) * self.spacing_ns;
    }

    /// The time of each chain.
    pub fn took_ns(self) -> Vec<u64> {
        self.took_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a sample with batches of this length has chains, except the one at its end.
    fn times_ns(sample_ns: u64, batch_ns: u64) -> Vec<u64> {
        let mut chains = Chains::of(sample_ns);
        let boundaries = (1..).map(|batch| batch * batch_ns);
        boundaries
            .take_while(|elapsed_ns| *elapsed_ns < sample_ns)
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
    fn chains_lie_evenly_over_a_sample_of_short_batches() {
        let expected: Vec<u64> = (1..9).map(|chain| chain * 6_000_000).collect();
        assert_eq!(times_ns(50_000_000, 50_000), expected);
        let expected: Vec<u64> = (1..9).map(|chain| chain * 100_000_000).collect();
        assert_eq!(times_ns(900_000_000, 50_000), expected);
    }

    #[test]
    fn a_sample_of_long_batches_has_a_chain_after_each() {
        assert_eq!(times_ns(50_000_000, 20_000_000), [20_000_000, 40_000_000]);
        // A long batch that skips a due time must not cause two chains in a row.
        assert_eq!(times_ns(50_000_000, 7_000_000).len(), 7);
        assert!(times_ns(50_000_000, 60_000_000).is_empty());
    }

    #[test]
    fn no_sample_has_more_than_nine_chains_or_gives_them_more_than_a_thousandth_at_2_ghz() {
        for sample_ns in [1_000_u64, 5_999_999, 6_000_001, 44_000_000, 50_000_003, 60_000_000_000] {
            for batch_ns in [sample_ns.div_ceil(20_000), sample_ns.div_ceil(11), sample_ns] {
                let inside = times_ns(sample_ns, batch_ns).len();
                assert!(inside < MOST_CHAINS, "{inside} in {sample_ns} ns of {batch_ns}");
                assert!(inside as u64 * 12_000 / 2 * 1000 <= sample_ns, "{inside} in {sample_ns}");
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
