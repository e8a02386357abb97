//! Finds from the memory pulses which samples had a neighbour on the memory.

use super::look::Look;
use stats::{States, two_states};

/// A sample has the memory to itself if its bandwidth is within 10 % of the uncontended bandwidth: without a neighbour
/// it spreads by some 2 %, a neighbour that streams takes a third or more (`bench/README.md`, Memory).
const QUIET_SHARE: f64 = 0.9;

/// The two states of the memory's bandwidth in samples with one number of threads, if there are two.
pub(super) fn memory_states(rows: &[&[Look]]) -> Option<States> {
    let looks = rows.iter().flat_map(|looks| looks.iter());
    two_states(&looks.filter_map(|look| look.memory_gb_s).collect::<Vec<_>>())
}

/// Whether a sample had the memory to itself; unknown counts as such.
pub(super) fn is_quiet(look: &Look, states: Option<States>) -> bool {
    let Some((gb_s, states)) = look.memory_gb_s.zip(states) else { return true };
    gb_s > QUIET_SHARE * states.high
}
