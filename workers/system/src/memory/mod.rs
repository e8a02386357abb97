//! Memory that no cache holds: its bandwidth, its latency, tables in it, copies and allocation of the sizes that servers have.

mod blocks;
mod copies;
mod random_read;
mod tables;
mod triad;

pub use blocks::mimalloc_version;
pub use copies::glibc_version;
pub use tables::HASHBROWN;

use sizeup_kit::{Operation, Parameter};

pub fn operations() -> Vec<Operation> {
    const BYTES: Parameter = Parameter::integer("bytes", 1 << 20..=1 << 40);
    const ENTRIES: Parameter = Parameter::integer("entries", 1 << 10..=1 << 31);
    let sharing = Parameter::sharing;
    vec![
        Operation::new("memory-triad", "stream", triad::setup).takes([BYTES]),
        Operation::new("memory-random-read", "loads", random_read::setup).takes([BYTES]),
        Operation::new("hash-get", "hashbrown", tables::setup_hash).takes([ENTRIES, sharing()]),
        Operation::new("btree-get", "std", tables::setup_tree).takes([ENTRIES, sharing()]),
        Operation::new("memcpy-fleet", "glibc", copies::setup),
        Operation::new("alloc-server", "glibc", blocks::setup::<blocks::Glibc>),
        Operation::new("alloc-server", "mimalloc", blocks::setup::<blocks::Mimalloc>),
    ]
}

/// Spreads numbers over 64 bits, each to another one (the last step of Vigna's SplitMix64).
pub fn spread(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Numbers of SplitMix64: the same everywhere, and unpredictable enough.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        let number = spread(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number
    }

    /// A number below a bound, which is at most 2^32.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }
}
