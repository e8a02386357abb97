//! The memory pulse: a probe of some 0.4 ms beside each pulse of the core, which shows who shares the last-level cache
//! and the memory.
//!
//! *Chain*: each load needs the one before, in random order over lines that were flushed from all caches before the
//! sample. So the pulse before it measures the memory's latency, and the pulse after it how much of these lines the work
//! and its neighbours have left in the caches. *Stream*: reads of lines that were flushed after the last pulse, which
//! measure the memory's bandwidth for one core. Neither depends on how large the caches are or what the workload holds
//! in them. The counts are fixed and the time is measured.

use crate::clock;
use crate::memory_loops::{UNROLL, flush_lines, follow, sum_lines};
use serde::Serialize;
use std::ptr::NonNull;

/// Lines of every x86-64 and Neoverse core. On a core with longer ones some lines are read more than once.
const LINE_BYTES: usize = 64;
/// One large page holds everything, where the system has them: a load is one access then, and not a page walk, too.
const LARGE_PAGE_BYTES: usize = 2 << 20;
/// Lines of the chain: 128 KiB, 0.2 to 0.4 ms.
const CHAIN_LINES: usize = 2 << 10;
/// Lines of the stream: 1 MiB, some 0.05 ms.
const STREAM_LINES: usize = 16 << 10;

/// One probe of the last-level cache and the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MemoryPulse {
    /// Dependent loads.
    pub loads: u64,
    /// Time of the dependent loads.
    pub loads_ns: u64,
    /// Lines read from memory.
    pub lines: u64,
    /// Time of reading them.
    pub lines_ns: u64,
}

/// Lines that a thread's memory pulses read.
pub struct Memory {
    chain: Lines,
    stream: Lines,
    /// Holds both.
    _page: Page,
}

impl Memory {
    /// `None` if there is no room for it.
    pub fn new() -> Option<Self> {
        let page = Page::new()?;
        let chain = Lines { start: page.start(), count: CHAIN_LINES };
        let stream = Lines { start: chain.word(CHAIN_LINES).cast(), count: STREAM_LINES };
        chain.link();
        stream.number();
        chain.flush();
        stream.flush();
        Some(Self { chain, stream, _page: page })
    }

    /// Takes the pulse before a sample on the calling thread's CPU.
    pub fn before(&self) -> MemoryPulse {
        let start_ns = clock::now_ns();
        self.chain.follow();
        let middle_ns = clock::now_ns();
        self.stream.sum();
        let end_ns = clock::now_ns();
        self.stream.flush();
        MemoryPulse {
            loads: CHAIN_LINES as u64,
            loads_ns: middle_ns - start_ns,
            lines: STREAM_LINES as u64,
            lines_ns: end_ns - middle_ns,
        }
    }

    /// Takes the pulse after a sample.
    pub fn after(&self) -> MemoryPulse {
        let pulse = self.before();
        self.chain.flush();
        pulse
    }
}

/// A mapping of the process's own, with a large page in it.
struct Page {
    mapped: NonNull<libc::c_void>,
}

impl Page {
    /// Long enough to have an aligned large page somewhere.
    const BYTES: usize = 2 * LARGE_PAGE_BYTES;

    fn new() -> Option<Self> {
        // SAFETY: a new private mapping; the kernel chooses where.
        let mapped = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                Self::BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if mapped == libc::MAP_FAILED {
            return None;
        }
        let page = Self { mapped: NonNull::new(mapped)? };
        // SAFETY: the range lies within the mapping. A system without large pages refuses, and the pulse works without.
        unsafe { libc::madvise(page.start().cast(), LARGE_PAGE_BYTES, libc::MADV_HUGEPAGE) };
        Some(page)
    }

    fn start(&self) -> *mut u8 {
        let mapped = self.mapped.as_ptr().cast::<u8>();
        mapped.wrapping_add(mapped.align_offset(LARGE_PAGE_BYTES))
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: nothing else holds the mapping.
        unsafe { libc::munmap(self.mapped.as_ptr(), Self::BYTES) };
    }
}

/// Lines of a page, whole iterations of the loops.
#[derive(Clone, Copy)]
struct Lines {
    start: *mut u8,
    count: usize,
}

impl Lines {
    /// The first word of a line.
    fn word(self, line: usize) -> *mut u64 {
        self.start.wrapping_add(line * LINE_BYTES).cast()
    }

    /// Makes all lines one circle of pointers in random order.
    fn link(self) {
        let mut order: Vec<usize> = (0..self.count).collect();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        // Sattolo's shuffle, with random numbers by Marsaglia's xorshift.
        for last in (1..self.count).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            order.swap(last, (random % last as u64) as usize);
        }
        let next = order.iter().cycle().skip(1);
        for (from, to) in order.iter().zip(next) {
            // SAFETY: both lines lie within the page.
            unsafe { self.word(*from).write(self.word(*to) as u64) };
        }
    }

    /// Writes each line's number, so that a sum over all shows that each was read once.
    fn number(self) {
        for line in 0..self.count {
            // SAFETY: the line lies within the page.
            unsafe { self.word(line).write(line as u64) };
        }
    }

    /// Follows as many pointers as there are lines; returns where that ends.
    fn follow(self) -> *const u8 {
        // SAFETY: `link` made every line point to a line.
        unsafe { follow(self.start, self.count / UNROLL) }
    }

    /// The sum over the lines' first words.
    fn sum(self) -> u64 {
        // SAFETY: so many lines lie within the page.
        unsafe { sum_lines(self.start, self.count / UNROLL) }
    }

    /// Removes them from all caches.
    fn flush(self) {
        // SAFETY: so many lines lie within the page; a flush changes none.
        unsafe { flush_lines(self.start, self.count) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::memory_loops::flush_strongly;
    use std::collections::BTreeSet;

    #[test]
    fn the_chain_visits_every_line_once_and_ends_where_it_began() {
        let page = Page::new().unwrap();
        let lines = Lines { start: page.start(), count: 1024 };
        lines.link();
        assert_eq!(lines.follow(), lines.start);
        // SAFETY: the lines are linked.
        let follow = |turns| unsafe { follow(lines.start, turns) } as usize;
        let places: BTreeSet<usize> = (1..=1024 / UNROLL).map(follow).collect();
        assert_eq!(places.len(), 1024 / UNROLL);
        let range = lines.start as usize..lines.word(1024) as usize;
        assert!(places.iter().all(|place| range.contains(place) && place % LINE_BYTES == 0));
    }

    #[test]
    fn the_stream_reads_every_line_once_also_after_a_flush() {
        let page = Page::new().unwrap();
        for count in [UNROLL, 1024, STREAM_LINES] {
            let lines = Lines { start: page.start(), count };
            lines.number();
            let sum = (count * (count - 1) / 2) as u64;
            assert_eq!(lines.sum(), sum);
            lines.flush();
            assert_eq!(lines.sum(), sum);
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_older_cpus_have_instead_flushes_lines_and_leaves_them_as_they_are() {
        let page = Page::new().unwrap();
        let lines = Lines { start: page.start(), count: STREAM_LINES };
        lines.number();
        // SAFETY: so many lines lie within the page.
        unsafe { flush_strongly(lines.start, lines.count) };
        assert_eq!(lines.sum(), 16_383 * 16_384 / 2);
    }

    #[test]
    fn chain_and_stream_lie_side_by_side_in_one_large_page() {
        const { assert!((CHAIN_LINES + STREAM_LINES) * LINE_BYTES <= LARGE_PAGE_BYTES) };
        const { assert!(CHAIN_LINES.is_multiple_of(UNROLL) && STREAM_LINES.is_multiple_of(UNROLL)) };
        let memory = Memory::new().unwrap();
        for pulse in [memory.before(), memory.after(), memory.before()] {
            assert_eq!((pulse.loads, pulse.lines), (2048, 16_384));
            assert!(pulse.loads_ns > 0 && pulse.lines_ns > 0, "{pulse:?}");
        }
        assert_eq!(memory.stream.sum(), 16_383 * 16_384 / 2);
    }
}
