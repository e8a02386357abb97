//! Which windows are alike.

use super::level::BLOCKS;
use std::collections::BTreeSet;

/// With fewer launches than this, how they differ can't be told, and stretches of time are what windows are
/// alike in.
pub(super) const LEAST_LAUNCHES: usize = 3;

/// A cluster for each window, given its launch, in order: windows of a launch share its layout and its
/// stretch of time.
pub(super) fn clusters(launches: &[u64]) -> Vec<u64> {
    let different: BTreeSet<u64> = launches.iter().copied().collect();
    if different.len() >= LEAST_LAUNCHES {
        return launches.to_vec();
    }
    (0..launches.len()).map(|place| (place * BLOCKS / launches.len()) as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_clustered_by_launch_or_with_few_launches_by_time() {
        assert_eq!(clusters(&[3, 3, 4, 5]), [3, 3, 4, 5]);
        assert_eq!(clusters(&[3; 20])[..6], [0, 0, 1, 1, 2, 2]);
        assert_eq!(clusters(&[]), Vec::<u64>::new());
    }
}
