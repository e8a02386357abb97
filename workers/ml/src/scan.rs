//! Search for the vectors most similar to a query, by looking at all: exact, and what vector databases do for small or filtered
//! tables. One plain loop, which the compiler makes of the widest instructions that the CPU has for it.

use sizeup_kit::{Draws, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::sync::Arc;

pub const STD: &str = "std";

const DIMENSIONS: usize = 256;
const NEAREST: usize = 10;
const QUERIES: usize = 64;
/// So many of them are checked: a scan that leaves out an eighth of the vectors misses one of their nearest.
const CHECKED: usize = 8;
/// Vectors lie around so many centres, as those of texts lie around subjects.
const CENTRES: usize = 500;
const VECTORS: Parameter = Parameter::integer("vectors", 1 << 8..=1 << 24);
const SEED: u64 = 2026;

type Vector = [i8; DIMENSIONS];

/// Vectors that all threads search, and the queries.
struct Table {
    vectors: Vec<Vector>,
    queries: Vec<Vector>,
}

impl Table {
    fn of(vectors: usize) -> Self {
        let mut draws = Draws::new(SEED);
        let mut centres = vec![[0; DIMENSIONS]; CENTRES];
        draws.fill(centres.as_flattened_mut());
        let mut vector = |_| {
            let centre = &centres[draws.below(CENTRES)];
            let mut vector = [0; DIMENSIONS];
            draws.fill(&mut vector);
            vector.iter_mut().zip(centre).for_each(|(number, at)| *number += at);
            vector
        };
        Self {
            vectors: (0..vectors).map(&mut vector).collect(),
            queries: (0..QUERIES).map(&mut vector).collect(),
        }
    }
}

/// The vectors most similar to a query: the inner product and the number of each, the most similar first, and of equals that of the
/// least number.
type Nearest = [(i32, u32); NEAREST];

pub fn operations() -> Vec<Operation> {
    vec![Operation::new("vector-scan-i8", STD, setup).takes([VECTORS])]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let table = setting.shared(|| Ok(Table::of(setting.integer("vectors"))))?;
    // Threads ask different questions at a time.
    let next = setting.thread * 7 % QUERIES;
    Ok(Box::new(Scan { table, scan: LEVELS[best()].1, next, nearest: [(0, 0); NEAREST] }))
}

struct Scan {
    table: Arc<Table>,
    scan: fn(&Table, usize) -> Nearest,
    /// The next query.
    next: usize,
    nearest: Nearest,
}

impl Work for Scan {
    fn op(&mut self) -> Result<(), OpError> {
        self.nearest = (self.scan)(&self.table, self.next);
        self.next = (self.next + 1) % QUERIES;
        Ok(())
    }

    /// Results of the checked queries. They are always the same ones, so that machines can be compared.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut output = Vec::new();
        for query in 0..CHECKED {
            self.next = query;
            self.op()?;
            output.extend(bytes(&self.nearest));
        }
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let expected: Vec<u8> =
            (0..CHECKED).flat_map(|query| bytes(&by_sorting(&self.table, query))).collect();
        match output == expected {
            true => Ok(()),
            false => Err(format!("not the {NEAREST} vectors most similar to each query")),
        }
    }

    fn verified(&self) -> &'static str {
        "the vectors found are the most similar of all, by sorting all"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.table.vectors.as_flattened().len() as u64)
    }
}

/// Another method: all inner products, sorted.
fn by_sorting(table: &Table, query: usize) -> Nearest {
    let query = &table.queries[query];
    let product = |vector: &Vector| -> i64 {
        vector.iter().zip(query).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
    };
    let mut all: Vec<(i64, u32)> = table.vectors.iter().map(product).zip(0..).collect();
    all.sort_unstable_by_key(|(product, number)| (-product, *number));
    std::array::from_fn(|i| (all[i].0 as i32, all[i].1))
}

fn bytes(nearest: &Nearest) -> Vec<u8> {
    let of_one =
        |(product, number): &(i32, u32)| [product.to_be_bytes(), number.to_be_bytes()].concat();
    nearest.iter().flat_map(of_one).collect()
}

#[inline(always)]
fn scan(table: &Table, query: usize) -> Nearest {
    let query = &table.queries[query];
    let mut nearest = [(i32::MIN, u32::MAX); NEAREST];
    for (vector, number) in table.vectors.iter().zip(0..) {
        let product: i32 =
            vector.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        if product > nearest[NEAREST - 1].0 {
            insert(&mut nearest, product, number);
        }
    }
    nearest
}

#[cold]
fn insert(nearest: &mut Nearest, product: i32, number: u32) {
    let place = nearest.partition_point(|(other, _)| *other >= product);
    nearest[place..].rotate_right(1);
    nearest[place] = (product, number);
}

type Level = (&'static str, fn(&Table, usize) -> Nearest, fn() -> bool);

/// The loop as it is compiled for instruction sets, the best first.
#[cfg(target_arch = "x86_64")]
const LEVELS: [Level; 3] = {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn vnni(table: &Table, query: usize) -> Nearest {
        scan(table, query)
    }
    #[target_feature(enable = "avx2")]
    fn avx2(table: &Table, query: usize) -> Nearest {
        scan(table, query)
    }
    let has_vnni = || {
        is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
    };
    [
        // SAFETY: a level is only used where its condition holds.
        ("avx512vnni", |table, query| unsafe { vnni(table, query) }, has_vnni),
        // SAFETY: as above.
        ("avx2", |t, q| unsafe { avx2(t, q) }, || is_x86_feature_detected!("avx2")),
        ("sse2", |table, query| scan(table, query), || true),
    ]
};

#[cfg(target_arch = "aarch64")]
const LEVELS: [Level; 2] = {
    #[target_feature(enable = "dotprod")]
    fn dotprod(table: &Table, query: usize) -> Nearest {
        scan(table, query)
    }
    let has_dotprod = || std::arch::is_aarch64_feature_detected!("dotprod");
    [
        // SAFETY: a level is only used where its condition holds.
        ("dotprod", |table, query| unsafe { dotprod(table, query) }, has_dotprod),
        ("neon", |table, query| scan(table, query), || true),
    ]
};

/// The place of the first level that this CPU has; all have the last.
fn best() -> usize {
    LEVELS.iter().position(|(.., has)| has()).unwrap_or(LEVELS.len() - 1)
}

/// The instruction set that is used here.
pub fn level() -> &'static str {
    LEVELS[best()].0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_that_this_cpu_has_finds_the_same() {
        let table = Table::of(1000);
        let (_, least, _) = LEVELS[LEVELS.len() - 1];
        for (name, scan, has) in LEVELS {
            for query in (0..QUERIES).filter(|_| has()) {
                assert_eq!(scan(&table, query), least(&table, query), "{name}: {query}");
            }
        }
    }

    #[test]
    fn a_vector_that_is_left_out_is_missed() {
        let table = Table::of(1000);
        let nearest = scan(&table, 0)[0].1 as usize;
        let found = |table| {
            let mut work = Scan { table, scan, next: 0, nearest: [(0, 0); NEAREST] };
            work.output().unwrap()
        };
        let mut fewer = Table { vectors: table.vectors.clone(), queries: table.queries.clone() };
        fewer.vectors[nearest] = [0; DIMENSIONS];
        let (found, of_fewer) = (found(Arc::new(table)), found(Arc::new(fewer)));
        let table = Arc::new(Table::of(1000));
        let mut work = Scan { table, scan, next: 0, nearest: [(0, 0); NEAREST] };
        assert!(work.check(&found).is_ok());
        assert!(work.check(&of_fewer).is_err());
    }
}
