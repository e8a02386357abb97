//! Memory to walk through: one mapping, in large pages where the kernel has them.

use memmap2::{Advice, MmapMut};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::path::Path;

/// Lines of every x86-64 and most aarch64 cores.
pub(super) const LINE_BYTES: u64 = 64;
/// `u64` in a line.
const LINE_WORDS: usize = 8;
/// Limit for `/proc/self/smaps`: a page for each of some thousand mappings.
const MOST_SMAPS_BYTES: u64 = 64 << 20;
/// On x86-64, and on aarch64 with pages of 4 KiB.
const LARGE_PAGE_BYTES: usize = 2 << 20;

/// A buffer whose lines lead from one to the next.
pub(super) struct Buffer {
    mapped: MmapMut,
    /// Bytes before the first large page.
    skipped: usize,
    bytes: usize,
}

impl Buffer {
    /// Maps memory of the calling thread's NUMA node and touches all of it.
    pub fn new(bytes: u64) -> Result<Self, String> {
        let cant = |e: &dyn std::fmt::Display| format!("{bytes} bytes can't be mapped: {e}");
        let bytes = usize::try_from(bytes).map_err(|e| cant(&e))?;
        let mapped = MmapMut::map_anon(bytes + LARGE_PAGE_BYTES).map_err(|e| cant(&e))?;
        let skipped = mapped.as_ptr().align_offset(LARGE_PAGE_BYTES);
        // A kernel without large pages refuses; whether it gave any is read later.
        let _ = mapped.advise(Advice::HugePage);
        let mut buffer = Self { mapped, skipped, bytes };
        buffer.words_mut(bytes as u64).fill(1);
        Ok(buffer)
    }

    fn words_mut(&mut self, bytes: u64) -> &mut [u64] {
        let bytes = self.skipped..self.skipped + (bytes as usize).min(self.bytes);
        bytemuck::cast_slice_mut(&mut self.mapped[bytes])
    }

    fn words(&self, bytes: u64) -> &[u64] {
        let bytes = self.skipped..self.skipped + (bytes as usize).min(self.bytes);
        bytemuck::cast_slice(&self.mapped[bytes])
    }

    /// Makes one cycle through all lines of the first `bytes`, in an order that no prefetcher predicts: Sattolo's shuffle.
    pub fn link(&mut self, bytes: u64) {
        let words = self.words_mut(bytes);
        let lines = words.len() / LINE_WORDS;
        for line in 0..lines {
            words[line * LINE_WORDS] = (line * LINE_WORDS) as u64;
        }
        let mut numbers = ChaCha8Rng::seed_from_u64(bytes);
        for last in (1..lines).rev() {
            words.swap(last * LINE_WORDS, numbers.random_range(0..last) * LINE_WORDS);
        }
    }

    /// Performs dependent loads within the first `bytes`, from a word; returns where the last leads.
    pub fn follow(&self, bytes: u64, from: u64, loads: u64) -> u64 {
        let words = self.words(bytes);
        let mut at = from;
        for _ in 0..loads {
            at = words[at as usize];
        }
        black_box(at)
    }

    /// The share of it that is in large pages; `None` where the kernel does not say.
    pub fn large_page_share(&self) -> Option<f64> {
        let start = self.mapped.as_ptr() as u64;
        let text = foreign::read_text(Path::new("/proc/self/smaps"), MOST_SMAPS_BYTES).ok()?;
        let large = large_page_bytes(&text, start..start + self.mapped.len() as u64)?;
        Some((large as f64 / self.bytes as f64).min(1.0))
    }
}

/// Bytes in large pages, of the mappings that lie in a range of addresses; `None` if none does.
fn large_page_bytes(smaps: &str, range: std::ops::Range<u64>) -> Option<u64> {
    let (mut is_in_range, mut sum_kib) = (false, None);
    for line in smaps.lines() {
        if let Some(addresses) = addresses(line) {
            // The kernel joins neighbours of equal kind into one mapping.
            is_in_range = addresses.start < range.end && range.start < addresses.end;
        } else if let Some(value) = line.strip_prefix("AnonHugePages:").filter(|_| is_in_range) {
            let kib: u64 = value.trim().strip_suffix(" kB")?.trim().parse().ok()?;
            sum_kib = Some(sum_kib.unwrap_or(0) + kib);
        }
    }
    sum_kib.map(|kib: u64| kib << 10)
}

/// Parses the first line of a mapping: `7f12a000-7f34b000 rw-p …`.
fn addresses(line: &str) -> Option<std::ops::Range<u64>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    let hex = |text| u64::from_str_radix(text, 16).ok();
    Some(hex(start)?..hex(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_walk_visits_every_line_once_before_it_is_back() {
        let mut buffer = Buffer::new(1 << 20).unwrap();
        for bytes in [64, 128, 16 << 10, 1 << 20] {
            buffer.link(bytes);
            let lines = bytes / LINE_BYTES;
            let mut seen = BTreeSet::new();
            let mut at = 0;
            for _ in 0..lines {
                assert!(seen.insert(at), "{bytes} bytes: line {at} comes twice");
                at = buffer.follow(bytes, at, 1);
            }
            assert_eq!((at, seen.len() as u64), (0, lines));
            assert_eq!(buffer.follow(bytes, 0, lines), 0);
        }
    }

    #[test]
    fn large_pages_are_counted_in_the_mappings_of_the_buffer_only() {
        let smaps = "1000-3000 rw-p 00000000 00:00 0\nAnonHugePages:      2048 kB\n\
                     3000-9000 rw-p 00000000 00:00 0\nRss: 4 kB\nAnonHugePages:      4096 kB\n\
                     9000-a000 rw-p 00000000 00:00 0\nAnonHugePages:      8192 kB\n";
        assert_eq!(large_page_bytes(smaps, 0x3000..0x9000), Some(4 << 20));
        assert_eq!(large_page_bytes(smaps, 0x2000..0x9001), Some(14 << 20));
        assert_eq!(large_page_bytes(smaps, 0xb000..0xc000), None);
        let share = Buffer::new(4 << 20).unwrap().large_page_share();
        assert!(share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{share:?}");
    }
}
