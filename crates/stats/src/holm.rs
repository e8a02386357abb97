//! Correction for multiple tests.

/// Adjusted p-values (S. Holm, A simple sequentially rejective multiple test procedure, 1979). Results with an
/// adjusted value below 5 % are significant, and the chance that any of them is false stays below 5 %, however the
/// tests depend on each other.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        least = least.max((p_values[i] * left).min(1.0));
        adjusted[i] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_worked_example() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (is, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((is - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }

    proptest! {
        #[test]
        fn adjusting_never_lowers_a_value_and_keeps_the_order(
            p_values in prop::collection::vec(0.0..=1.0_f64, 1..50),
        ) {
            let adjusted = holm(&p_values);
            for (i, p) in p_values.iter().enumerate() {
                prop_assert!(adjusted[i] >= *p && adjusted[i] <= 1.0);
                for (j, q) in p_values.iter().enumerate() {
                    prop_assert!(p > q || adjusted[i] <= adjusted[j]);
                }
            }
        }
    }
}
