//! The Allan deviation: the variation between adjacent averages.

use super::mean;

/// The Allan deviation of `series` averaged over `length` neighbours (D. W. Allan, Statistics of
/// atomic frequency standards, 1966): the root of half the mean square of the differences of adjacent averages.
/// White noise falls with the root of `length`; flicker noise does not fall, and then measuring
/// for longer does not help. `None` with fewer than three averages.
pub fn allan_deviation(series: &[f64], length: usize) -> Option<f64> {
    let averages: Vec<f64> = series.chunks_exact(length.max(1)).map(mean).collect();
    if averages.len() < 3 {
        return None;
    }
    let squares: f64 = averages.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    Some((squares / (averages.len() - 1) as f64 / 2.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_constant_series_does_not_deviate() {
        assert_eq!(allan_deviation(&[5.0; 32], 4), Some(0.0));
    }

    #[test]
    fn alternation_shows_at_length_one_and_not_at_length_two() {
        let series: Vec<f64> = (0..32).map(|i| f64::from(i % 2)).collect();
        assert!((allan_deviation(&series, 1).unwrap() - 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(allan_deviation(&series, 2), Some(0.0));
    }

    #[test]
    fn white_noise_falls_with_the_root_of_the_length() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let series: Vec<f64> = (0..40_000).map(|_| rng.random::<f64>()).collect();
        let ratio = allan_deviation(&series, 1).unwrap() / allan_deviation(&series, 16).unwrap();
        assert!((ratio - 4.0).abs() < 0.3, "{ratio}");
    }

    #[test]
    fn a_series_that_is_too_short_has_none() {
        assert_eq!(allan_deviation(&[1.0, 2.0, 3.0], 2), None);
        assert_eq!(allan_deviation(&[], 1), None);
    }
}
