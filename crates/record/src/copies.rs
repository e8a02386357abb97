//! Detects copied samples. Two real samples practically never agree in all figures to the nanosecond, so several that do
//! were never measured.

use super::sample::Measured;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};

/// Coarse clocks can produce equal samples by chance; this many copies of a case …
const MANY: u64 = 5;
/// … and more than one sample in this many are not chance.
const ONE_IN: u64 = 4;

/// The samples so far.
#[derive(Debug, Default)]
pub struct Copies {
    /// A digest of each sample's figures, without its time.
    seen: HashSet<u64>,
    /// Case → number of samples, and how many of them are copies.
    cases: BTreeMap<usize, (u64, u64)>,
}

impl Copies {
    ///
    /// # Errors
    /// When the case has too many copies.
    pub fn add(&mut self, case: usize, sample: &Measured) -> Result<(), String> {
        let is_new = self.seen.insert(digest(sample));
        let (samples, copies) = self.cases.entry(case).or_default();
        *samples += 1;
        *copies += u64::from(!is_new);
        if is_new || *copies < MANY || *copies * ONE_IN <= *samples {
            return Ok(());
        }
        Err(format!(
            "{copies} of {samples} samples of case {case} have the same figures as others to the nanosecond"
        ))
    }
}

/// A digest of all figures except the times at which the sample started and ended.
fn digest(sample: &Measured) -> u64 {
    let Measured { process_cpu_ns, process_elapsed_ns, threads, parts, due_ops, latency, .. } =
        sample;
    let mut digest = Digest(0);
    (process_cpu_ns, process_elapsed_ns, threads, parts, due_ops, latency).hash(&mut digest);
    digest.finish()
}

/// A fast hash, because files are mostly samples. Whoever crafts a collision only gets their own file refused.
struct Digest(u64);

impl Digest {
    fn mix(&mut self, number: u64) {
        // As FxHash of Firefox and rustc: the golden ratio's fraction spreads the bits.
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.mix(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests;
