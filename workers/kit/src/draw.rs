//! Numbers that are the same on every machine.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub struct Draws(u64);

impl Draws {
    /// Equal seeds give equal numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 64 bits, each as likely set as not.
    pub fn bits(&mut self) -> u64 {
        self.next()
    }

    /// Fills a slice with numbers from -63 to 63, all as likely, but for 0, which is twice as likely.
    pub fn fill(&mut self, numbers: &mut [i8]) {
        for of_draw in numbers.chunks_mut(8) {
            for (number, byte) in of_draw.iter_mut().zip(self.next().to_le_bytes()) {
                *number = (byte & 127).cast_signed() - 64;
                *number += i8::from(*number == -64) * 64;
            }
        }
    }

    /// A number below a bound, which is at most 2^32.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// An entry of a list, all as likely.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
