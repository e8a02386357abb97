//! Everything about a case's samples that only all of them together show.

use super::look::{Look, find_clocks, mark_frequency_drops};
use super::waiting::mark_waiting;

/// Finds the clocks of a case's samples, which of them wait by themselves, and whose clock dropped. The result of another
/// time, with fewer samples, does not count.
pub fn find_clocks_and_disturbances(looks: &mut [Look]) {
    mark_waiting(looks);
    find_clocks(looks);
    mark_frequency_drops(looks);
}
