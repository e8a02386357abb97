//! SplitMix64, the generator behind the page.
//!
//! It is written out here, and not taken from a crate, because the page must be the same bytes for
//! as long as its version stands, whatever a crate's next release does.
//! Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

/// The state of a SplitMix64 generator.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that gives the same numbers for the same `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound` − 1: the upper 32 bits of a draw, scaled.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// A rank from 0 to `ranks` − 1 with a weight of 1/(rank + 2): like Zipf's law, a few words do most
    /// of the work. Integers only, so that no machine's floating point has a say.
    pub fn rank(&mut self, ranks: usize) -> usize {
        let weight = |rank: usize| (1 << 20) / (rank as u32 + 2);
        let mut left = self.below((0..ranks).map(weight).sum());
        for rank in 0..ranks {
            if left < weight(rank) {
                return rank;
            }
            left -= weight(rank);
        }
        unreachable!("a draw is below the sum of all weights")
    }

    /// Puts `items` in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_first_numbers_are_the_published_ones() {
        // Vigna's splitmix64.c with the seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn low_ranks_come_more_often_than_high_ones() {
        let mut rng = SplitMix64::new(1);
        let mut seen = [0u32; 10];
        for _ in 0..10_000 {
            seen[rng.rank(10)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
        assert!(seen[0] > 2 * seen[4] && seen[0] > 3 * seen[9], "{seen:?}");
    }
}
