//! The random order of the rows in a pass.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The source of all orders.
pub struct Orders(ChaCha8Rng);

impl Orders {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The rows of a pass.
    pub fn shuffle<T>(&mut self, rows: &mut [T]) {
        rows.shuffle(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_determines_the_order_of_rows_which_differs_between_passes() {
        let passes = |seed| {
            let mut orders = Orders::new(seed);
            [(); 2].map(|()| {
                let mut rows: Vec<u32> = (0..49).collect();
                orders.shuffle(&mut rows);
                rows
            })
        };
        assert_eq!(passes(7), passes(7));
        assert_ne!(passes(7), passes(8));
        assert_ne!(passes(7)[0], passes(7)[1]);
    }
}
