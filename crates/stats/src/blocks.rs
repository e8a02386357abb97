//! Blocks: values near in time are correlated, values far apart less so.

use super::mean;

/// Splits a series in time order into `count` blocks of sizes that differ by at most one, and gives
/// each block's mean. `None` if there are fewer values than blocks.
pub fn block_means(series: &[f64], count: usize) -> Option<Vec<f64>> {
    if count == 0 || series.len() < count {
        return None;
    }
    let edge = |i: usize| i * series.len() / count;
    Some((0..count).map(|i| mean(&series[edge(i)..edge(i + 1)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_are_runs_of_neighbours() {
        let series = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0];
        assert_eq!(block_means(&series, 3).unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(block_means(&series, 7), None);
        assert_eq!(block_means(&series, 0), None);
    }

    proptest! {
        #[test]
        fn every_value_is_in_one_block(
            series in prop::collection::vec(-1e3..1e3_f64, 1..80),
            count in 1_usize..20,
        ) {
            prop_assume!(count <= series.len());
            let means = block_means(&series, count).unwrap();
            prop_assert_eq!(means.len(), count);
            let edge = |i: usize| i * series.len() / count;
            let total: f64 =
                means.iter().enumerate().map(|(i, m)| m * (edge(i + 1) - edge(i)) as f64).sum();
            prop_assert!((total - series.iter().sum::<f64>()).abs() < 1e-6);
        }
    }
}
