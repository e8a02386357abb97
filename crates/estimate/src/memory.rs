//! Finds from the memory pulses which samples had a neighbour on the memory.

use super::look::{Look, undisturbed};
use stats::{States, two_states_within};

/// A sample has the memory to itself if its bandwidth is within 10 % of the uncontended bandwidth: without a neighbour
/// it spreads by some 2 %, a neighbour that streams takes a third or more (`bench/README.md`, Memory).
const QUIET_SHARE: f64 = 0.9;

/// Neighbours leave at least this share of the bandwidth: all the cores of a socket may stream.
const MOST_FACTOR: f64 = 30.0;

/// The two states of the memory's bandwidth, if there are two; of single threads, because several compete with each
/// other for it, each row in its own way.
pub(super) fn memory_states(rows: &[&[Look]]) -> Option<States> {
    let looks = rows.iter().flat_map(|looks| undisturbed(looks));
    let single = looks.filter(|look| look.threads.len() == 1);
    states_of_memory(&single.filter_map(|look| look.memory_gb_s).collect::<Vec<_>>())
}

/// The two states of bandwidths in GB/s.
pub fn states_of_memory(gb_s: &[f64]) -> Option<States> {
    two_states_within(gb_s, MOST_FACTOR)
}

/// Whether a sample had the memory to itself; unknown counts as such.
pub(super) fn is_quiet(look: &Look, states: Option<States>) -> bool {
    let Some((gb_s, states)) = look.memory_gb_s.zip(states) else { return true };
    gb_s > QUIET_SHARE * states.high
}
