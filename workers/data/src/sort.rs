//! Sorting: one op copies unsorted values and sorts the copy by the standard library, which need not keep the order of equals.

use crate::draw::{Draws, spread};
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;

/// How many values an op works on.
pub const ITEMS: Parameter = Parameter::integer("items", 1 << 10..=1 << 24);
const SEED: u64 = 2026;
/// The first two parts of each text: many begin alike, as paths and names of metrics do.
const WORDS: [&str; 16] = [
    "api", "assets", "billing", "cart", "catalog", "events", "images", "jobs", "metrics", "orders",
    "payments", "queue", "search", "sessions", "static", "users",
];

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("sort-u64", "std", setup_numbers).takes([ITEMS]),
        Operation::new("sort-strings", "std", setup_texts).takes([ITEMS]),
    ]
}

fn setup_numbers(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let mut draws = Draws::new(SEED);
    let unsorted: Vec<u64> = (0..setting.integer("items")).map(|_| draws.next()).collect();
    Ok(Box::new(Sort { sorted: unsorted.clone(), unsorted }))
}

fn setup_texts(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let mut draws = Draws::new(SEED);
    let mut text = String::new();
    let mut ends = Vec::new();
    for _ in 0..setting.integer("items") {
        let drawn = draws.next();
        let word = |at: u32| WORDS[(drawn >> at) as usize % WORDS.len()];
        text.push_str(&format!("/{}/{}/{:x}", word(0), word(4), drawn >> 40));
        ends.push(text.len());
    }
    // The worker has one operation in its life, so nothing is lost.
    let text: &'static str = String::leak(text);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let unsorted: Vec<&'static str> =
        starts.zip(&ends).map(|(start, end)| &text[start..*end]).collect();
    Ok(Box::new(Sort { sorted: unsorted.clone(), unsorted }))
}

/// A value as bytes, whose order is that of the values.
trait Item: Ord + Copy {
    fn write(&self, output: &mut Vec<u8>);
    /// The values of an output, if it is whole.
    fn records(output: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone>;
}

impl Item for u64 {
    fn write(&self, output: &mut Vec<u8>) {
        output.extend(self.to_be_bytes());
    }

    fn records(output: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone> {
        output.len().is_multiple_of(8).then(|| output.chunks(8))
    }
}

impl Item for &str {
    fn write(&self, output: &mut Vec<u8>) {
        output.extend(self.as_bytes());
        output.push(b'\n');
    }

    fn records(output: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone> {
        Some(output.strip_suffix(b"\n")?.split(|byte| *byte == b'\n'))
    }
}

struct Sort<T> {
    unsorted: Vec<T>,
    sorted: Vec<T>,
}

impl<T: Item> Sort<T> {
    fn bytes_of(values: &[T]) -> Vec<u8> {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.write(&mut bytes));
        bytes
    }
}

impl<T: Item> Work for Sort<T> {
    fn op(&mut self) -> Result<(), OpError> {
        self.sorted.copy_from_slice(&self.unsorted);
        self.sorted.sort_unstable();
        black_box(&mut self.sorted);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(Self::bytes_of(&self.sorted))
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let unsorted = Self::bytes_of(&self.unsorted);
        let expected = T::records(&unsorted).map(count_and_sum);
        let records = T::records(output).ok_or("the output ends within a value")?;
        if !records.clone().is_sorted() {
            return Err("the values are not sorted".to_owned());
        }
        let found = count_and_sum(records);
        if Some(found) == expected {
            Ok(())
        } else {
            Err(format!("other values than were to be sorted: {found:?}, not {expected:?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "the values ascend and are those that were to be sorted"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// How many values there are, and the sum of a number made of each, which another value is not likely to have.
fn count_and_sum<'a>(records: impl Iterator<Item = &'a [u8]>) -> (u64, u64) {
    // FNV-1a.
    let mark = |record: &[u8]| {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        spread(record.iter().fold(0xcbf2_9ce4_8422_2325, step))
    };
    records.fold((0, 0), |(count, sum), record| (count + 1, sum.wrapping_add(mark(record))))
}
