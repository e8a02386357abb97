//! Clusters of correlated samples.

use super::run_effect::BLOCKS;
use std::collections::BTreeSet;

/// With fewer launches than this, their variation is unknown, and samples are clustered by stretches of time.
pub(super) const LEAST_LAUNCHES: usize = 3;

/// A cluster for each sample, given its launch, in order: samples of a launch share its memory layout and
/// its stretch of time.
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
    fn samples_are_clustered_by_launch_or_with_few_launches_by_time() {
        assert_eq!(clusters(&[3, 3, 4, 5]), [3, 3, 4, 5]);
        assert_eq!(clusters(&[3; 20])[..6], [0, 0, 1, 1, 2, 2]);
        assert_eq!(clusters(&[]), Vec::<u64>::new());
    }
}
