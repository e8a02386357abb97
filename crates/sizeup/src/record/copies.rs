//! Samples that are copies of others. Two that agree in all figures to the nanosecond are as good as impossible, so that
//! several of them were never measured.

use super::window::Measured;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Chance has its way with clocks that tick slowly: so many copies of a case …
const MANY: u64 = 5;
/// … and more than one sample in so many are no chance.
const ONE_IN: u64 = 4;

/// Which samples there were.
#[derive(Debug, Default)]
pub struct Copies {
    /// Of each sample a digest of its figures, whenever it was.
    seen: HashSet<u64>,
    /// Of each case its samples, and how many of these are copies.
    cases: BTreeMap<usize, (u64, u64)>,
}

impl Copies {
    /// Adds a sample of a case.
    ///
    /// # Errors
    /// When it is one copy too many.
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

/// Of all figures but when it was.
fn digest(sample: &Measured) -> u64 {
    let Measured { process_cpu_ns, process_elapsed_ns, threads, parts, due_ops, latency, .. } =
        sample;
    let mut hasher = DefaultHasher::new();
    (process_cpu_ns, process_elapsed_ns, threads, parts, due_ops, latency).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
