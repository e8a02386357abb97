//! `page-fault` and `page-fault-thp`: one op maps 16 MiB, writes a word to each 4 KiB of them, and unmaps them; the kernel
//! is advised to use small pages, or huge ones. All threads are of one process, so that they share its map of memory.

use crate::helper::unavailable;
use crate::map::{Map, is_free, minor_faults, page_bytes};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::fs;
use std::ops::Range;

const BYTES: usize = 16 << 20;
/// A word is written every …
const STEP: usize = 4096;
const HUGE: usize = 2 << 20;
/// Other faults of the thread (its stack, a page that the kernel moved) may come between; not in each of these tries.
const TRIES: usize = 5;
/// Another thread may map memory where an op has just unmapped it; not in each of these tries.
pub const UNMAPPINGS: usize = 100;

/// Sets up `page-fault`.
pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    prepared(Touch { faults: BYTES / page_bytes().max(STEP), huge: false, last: 0..0 })
}

/// Sets up `page-fault-thp`.
pub fn setup_huge(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let folder = "/sys/kernel/mm/transparent_hugepage";
    let read = |file| fs::read_to_string(format!("{folder}/{file}")).map_err(unavailable);
    let enabled = read("enabled")?;
    if enabled.contains("[never]") {
        return Err(unavailable(format!("{folder}/enabled is never: there are no huge pages")));
    }
    let size = read("hpage_pmd_size")?;
    if size.trim() != HUGE.to_string() {
        return Err(unavailable(format!("huge pages have {} bytes, not {HUGE}", size.trim())));
    }
    prepared(Touch { faults: BYTES / HUGE, huge: true, last: 0..0 })
}

fn prepared(mut touch: Touch) -> Result<Box<dyn Work>, WorkerError> {
    let seen = touch.look()?;
    if minor_faults() == 0 {
        return Err(unavailable("this kernel does not count page faults"));
    }
    // Not by chance, in each of the tries.
    if seen.faults > touch.faults as u64 && !touch.huge {
        return Err(unavailable(format!(
            "an op takes {} faults, and {} of them are its own: others come between",
            seen.faults, touch.faults
        ))
        .hint("under an emulator of programs its own faults are counted, too"));
    }
    if touch.huge && seen.huge_bytes < BYTES as u64 {
        return Err(unavailable(format!(
            "of 16 MiB the kernel gave {} bytes in huge pages",
            seen.huge_bytes
        ))
        .hint("memory may be too fragmented: try again, or after a reboot"));
    }
    Ok(Box::new(touch))
}

struct Touch {
    /// How many faults an op takes.
    faults: usize,
    huge: bool,
    /// Where the memory of the last op was.
    last: Range<usize>,
}

/// Observations of an op.
struct Seen {
    /// How many were taken while the memory was written: it was not there before.
    faults: u64,
    /// `AnonHugePages` of the memory in `/proc/self/smaps`.
    huge_bytes: u64,
    /// The sum of the words that were written, read again.
    sum: u64,
    /// Whether the memory was there no more after an op.
    is_gone: bool,
}

impl Touch {
    /// Maps the memory; it begins at the second value.
    fn mapped(&self) -> Result<(Map, usize), OpError> {
        // Huge pages are aligned.
        let map = Map::new(if self.huge { BYTES + HUGE } else { BYTES })?;
        let start =
            if self.huge { map.address().next_multiple_of(HUGE) - map.address() } else { 0 };
        let advice = if self.huge { libc::MADV_HUGEPAGE } else { libc::MADV_NOHUGEPAGE };
        map.advise(start..start + BYTES, advice)?;
        Ok((map, start))
    }

    fn touch(map: &Map, start: usize) {
        for (mark, at) in (start..start + BYTES).step_by(STEP).enumerate() {
            map.mark(at, mark as u64);
        }
    }

    /// As an op leaves it before it unmaps it.
    fn touched(&self) -> Result<Map, OpError> {
        let (map, start) = self.mapped()?;
        Self::touch(&map, start);
        Ok(map)
    }

    /// Does what an op does and looks at what came of it, then performs one.
    fn look(&mut self) -> Result<Seen, OpError> {
        let mut seen = self.look_once()?;
        for _ in 1..TRIES {
            if seen.faults == self.faults as u64 {
                break;
            }
            seen = self.look_once()?;
        }
        for _ in 0..UNMAPPINGS {
            self.op()?;
            seen.is_gone = is_free(&self.last)?;
            if seen.is_gone {
                break;
            }
        }
        Ok(seen)
    }

    fn look_once(&mut self) -> Result<Seen, OpError> {
        let (map, start) = self.mapped()?;
        let before = minor_faults();
        Self::touch(&map, start);
        let faults = minor_faults() - before;
        let sum = (start..start + BYTES).step_by(STEP).map(|at| map.read(at)).sum();
        let huge_bytes = if self.huge { huge_bytes(map.address() + start) } else { 0 };
        Ok(Seen { faults, huge_bytes, sum, is_gone: false })
    }
}

/// Bytes in huge pages of the mapping that holds an address; 0 where the kernel does not tell.
fn huge_bytes(address: usize) -> u64 {
    let smaps = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let is_of = |line: &str| {
        let range = line.split(' ').next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        Some((number(range.0)?..number(range.1)?).contains(&address))
    };
    let mapping = smaps.lines().skip_while(|line| is_of(line) != Some(true));
    let kib = mapping.skip(1).take_while(|line| is_of(line).is_none()).find_map(|line| {
        line.strip_prefix("AnonHugePages:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    });
    kib.unwrap_or(0) << 10
}

impl Work for Touch {
    fn op(&mut self) -> Result<(), OpError> {
        let map = self.touched()?;
        self.last = map.range();
        map.unmap()
    }

    /// Faults, bytes in huge pages, the sum of the words, and whether the memory was gone at the end. Where pages have another
    /// size, the number of faults makes it other work.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let Seen { faults, huge_bytes, sum, is_gone } = self.look()?;
        Ok([faults, huge_bytes, sum, is_gone.into()].map(u64::to_le_bytes).concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let words = (BYTES / STEP) as u64;
        let huge = if self.huge { BYTES as u64 } else { 0 };
        let expected = [self.faults as u64, huge, words * (words - 1) / 2, 1];
        if output == expected.map(u64::to_le_bytes).concat() {
            return Ok(());
        }
        let number = |i: usize| {
            output
                .get(8 * i..8 * i + 8)
                .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8])))
        };
        let seen = [0, 1, 2, 3].map(number);
        Err(format!(
            "faults, bytes in huge pages, sum of words and whether unmapped memory was gone are {seen:?}, not {expected:?}"
        ))
    }

    fn verified(&self) -> &'static str {
        if self.huge {
            "all memory is in huge pages, holds what was written, and is gone when it is unmapped"
        } else {
            "each page took a fault, holds what was written, and is gone when it is unmapped"
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(BYTES as u64)
    }
}
