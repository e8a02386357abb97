//! `hash-insert`: one op counts keys in a new hash table of the standard library, which grows as it fills, and frees it.

use crate::draw::{Draws, spread};
use crate::sort::ITEMS;
use sizeup_kit::{OpError, Operation, Setting, Work, WorkerError};
use std::collections::HashMap;
use std::hint::black_box;

const SEED: u64 = 2027;

pub fn operations() -> Vec<Operation> {
    vec![Operation::new("hash-insert", "std", setup).takes([ITEMS])]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let items: u64 = setting.integer("items");
    let mut draws = Draws::new(SEED);
    // Each key comes twice on average.
    let keys = (0..items).map(|_| spread(draws.below(items / 2))).collect();
    Ok(Box::new(Count { keys }))
}

struct Count {
    keys: Vec<u64>,
}

impl Count {
    fn counted(&self) -> HashMap<u64, u64> {
        let mut counts = HashMap::new();
        for key in &self.keys {
            *counts.entry(*key).or_insert(0) += 1;
        }
        counts
    }
}

impl Work for Count {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(self.counted());
        Ok(())
    }

    /// All keys in their order, each with its count.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut counts: Vec<_> = self.counted().into_iter().collect();
        counts.sort_unstable();
        Ok(counts
            .into_iter()
            .flat_map(|(key, count)| [key, count])
            .flat_map(u64::to_le_bytes)
            .collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        let runs = keys.chunk_by(|one, other| one == other);
        let expected = runs.flat_map(|run| [run[0], run.len() as u64]).flat_map(u64::to_le_bytes);
        if expected.eq(output.iter().copied()) {
            Ok(())
        } else {
            Err("keys and counts are not those of the sorted keys".to_owned())
        }
    }

    fn verified(&self) -> &'static str {
        "keys and counts are those of the sorted keys"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
