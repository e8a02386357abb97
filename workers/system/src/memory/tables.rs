//! `hash-get` and `btree-get`: one op looks 64 random keys up in a table that no cache holds.

use super::{Numbers, spread};
use hashbrown::HashMap;
use sizeup_kit::{Kind, OpError, Setting, Work, WorkerError};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

const LOOKUPS: u64 = 64;
/// Keys of the tree lie apart.
const KEY_STEP: u64 = 1_000_003;

/// The version that Cargo.toml pins: the library does not report one.
pub const HASHBROWN: &str = "0.17.1";

/// A table with entries for the numbers below `entries`.
pub trait Table: Send + Sync + Sized + 'static {
    const VERIFIED: &str;
    /// How many times as many numbers a lookup draws from as there are entries: those that are too large are absent.
    const DRAWN: u64;

    fn build(entries: u64) -> Result<Self, WorkerError>;
    /// The value of a number, if it is there.
    fn get(&self, number: u64) -> Option<u64>;
    /// The value that a number must have.
    fn value(number: u64) -> u64;
}

struct Hash(HashMap<u64, u64>);

impl Table for Hash {
    const VERIFIED: &str = "as many keys are found as are there, with their values";
    /// Half of the keys are absent.
    const DRAWN: u64 = 2;

    fn build(entries: u64) -> Result<Self, WorkerError> {
        let mut map = HashMap::new();
        let entries_ = usize::try_from(entries).map_err(WorkerError::parameters)?;
        map.try_reserve(entries_).map_err(|e| no_memory(format!("{e:?}")))?;
        for number in 0..entries {
            map.insert(spread(number), Self::value(number));
        }
        Ok(Self(map))
    }

    fn get(&self, number: u64) -> Option<u64> {
        self.0.get(&spread(number)).copied()
    }

    fn value(number: u64) -> u64 {
        number ^ 0x5555
    }
}

struct Tree(BTreeMap<u64, u64>);

impl Table for Tree {
    const VERIFIED: &str = "all keys are found, with their values";
    const DRAWN: u64 = 1;

    fn build(entries: u64) -> Result<Self, WorkerError> {
        Ok(Self((0..entries).map(|number| (number * KEY_STEP, Self::value(number))).collect()))
    }

    fn get(&self, number: u64) -> Option<u64> {
        self.0.get(&(number * KEY_STEP)).copied()
    }

    fn value(number: u64) -> u64 {
        spread(number)
    }
}

fn no_memory(what: impl ToString) -> WorkerError {
    let message = format!("there is no memory for the table: {}", what.to_string());
    WorkerError::new(Kind::Resources, message)
}

/// Sets up `hash-get`.
pub fn setup_hash(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<Hash>(setting)
}

/// Sets up `btree-get`.
pub fn setup_tree(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<Tree>(setting)
}

fn setup<T: Table>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let entries = setting.integer("entries");
    let table = setting.shared(|| T::build(entries))?;
    // Threads look other keys up.
    let numbers = Numbers(setting.seed ^ spread(setting.thread as u64));
    Ok(Box::new(Get { table, drawn: entries * T::DRAWN, entries, numbers, found: [0; 3] }))
}

struct Get<T> {
    table: Arc<T>,
    /// Lookups draw numbers below this.
    drawn: u64,
    entries: u64,
    numbers: Numbers,
    /// How many keys of the last op were found and how many were not, and the sum of the values.
    found: [u64; 3],
}

impl<T: Table> Work for Get<T> {
    fn op(&mut self) -> Result<(), OpError> {
        let (mut found, mut absent, mut sum) = (0, 0, 0_u64);
        for _ in 0..LOOKUPS {
            match self.table.get(self.numbers.below(self.drawn)) {
                Some(value) => {
                    found += 1;
                    sum = sum.wrapping_add(value);
                }
                None => absent += 1,
            }
        }
        self.found = black_box([found, absent, sum]);
        Ok(())
    }

    /// By how much all three differ from what is there.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut again = Numbers(self.numbers.0);
        self.found = [u64::MAX; 3];
        self.op()?;
        let drawn = (0..LOOKUPS).map(|_| again.below(self.drawn));
        let there: Vec<u64> = drawn.filter(|number| *number < self.entries).collect();
        let sum = there.iter().fold(0_u64, |sum, number| sum.wrapping_add(T::value(*number)));
        let expected = [there.len() as u64, LOOKUPS - there.len() as u64, sum];
        let differences =
            self.found.iter().zip(expected).map(|(is, expected)| is.wrapping_sub(expected));
        Ok(differences.flat_map(u64::to_le_bytes).collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == [0; 24] {
            Ok(())
        } else {
            Err(format!("other keys or values were found than are there: {output:02x?}"))
        }
    }

    fn verified(&self) -> &'static str {
        T::VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_that_is_pinned() {
        let pin = format!("hashbrown = {{ version = \"={HASHBROWN}\"");
        assert!(include_str!("../../Cargo.toml").contains(&pin));
    }
}
