//! Memory of the kernel's, mapped and unmapped, and how many faults that took.

use crate::helper::checked;
use sizeup_kit::OpError;
use std::io;
use std::ops::Range;
use std::ptr::null_mut;

/// Anonymous memory of this process, unmapped when it is dropped.
pub struct Map {
    start: *mut u8,
    bytes: usize,
}

impl Map {
    pub fn new(bytes: usize) -> Result<Self, OpError> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping, where the kernel has room for it.
        let start = unsafe { libc::mmap(null_mut(), bytes, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            checked("mmap", -1)?;
        }
        Ok(Self { start: start.cast(), bytes })
    }

    /// Tells the kernel how this part is used.
    pub fn advise(&self, part: Range<usize>, advice: i32) -> Result<(), OpError> {
        assert!(part.start <= part.end && part.end <= self.bytes);
        // SAFETY: the part lies inside the mapping.
        let answer = unsafe {
            libc::madvise(self.start.add(part.start).cast(), part.end - part.start, advice)
        };
        checked("madvise", answer).map(|_| ())
    }

    pub fn address(&self) -> usize {
        self.start as usize
    }

    /// The addresses of all of it.
    pub fn range(&self) -> Range<usize> {
        self.address()..self.address() + self.bytes
    }

    /// Writes a word at a place of the mapping, as a program does: the compiler must not leave it out.
    pub fn mark(&self, at: usize, mark: u64) {
        assert!(at.is_multiple_of(8) && at + 8 <= self.bytes);
        // SAFETY: the place lies inside the mapping, which is aligned to pages.
        unsafe { self.start.add(at).cast::<u64>().write_volatile(mark) }
    }

    /// The word at a place.
    pub fn read(&self, at: usize) -> u64 {
        assert!(at.is_multiple_of(8) && at + 8 <= self.bytes);
        // SAFETY: as in `mark`.
        unsafe { self.start.add(at).cast::<u64>().read_volatile() }
    }

    pub fn unmap(self) -> Result<(), OpError> {
        // SAFETY: it is ours, and nothing of it is in use any more.
        let answer = unsafe { libc::munmap(self.start.cast(), self.bytes) };
        std::mem::forget(self);
        checked("munmap", answer).map(|_| ())
    }
}

/// Whether nothing at all is mapped in a range: only then the kernel maps there what must replace nothing. A kernel before 4.17
/// takes the place for a wish, and maps elsewhere if it is not free. Another thread may be quicker and map there when it has just
/// been unmapped: ask several times.
pub fn is_free(range: &Range<usize>) -> Result<bool, OpError> {
    let (start, bytes) = (range.start as *mut libc::c_void, range.len());
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: a new mapping, which replaces none.
    let found = unsafe { libc::mmap(start, bytes, libc::PROT_NONE, flags, -1, 0) };
    if found == libc::MAP_FAILED {
        let error = io::Error::last_os_error();
        return match error.raw_os_error() {
            Some(libc::EEXIST) => Ok(false),
            _ => Err(OpError::new(format!("mmap: {error}"))),
        };
    }
    // SAFETY: it was just mapped, and nobody else knows of it.
    checked("munmap", unsafe { libc::munmap(found, bytes) })?;
    Ok(found == start)
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: as in `unmap`; this is the way of an error that is reported already.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

/// Bytes of a page.
pub fn page_bytes() -> usize {
    // SAFETY: the call takes a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(4096)
}

/// Faults of the calling thread that needed no disk, since it started.
pub fn minor_faults() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for one rusage, all zeros is one, and the call only fills it in.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
        usage.assume_init()
    };
    usage.ru_minflt as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_free_when_all_of_it_is_unmapped() {
        // Other tests map memory, too, but not each time in between.
        let mut is_free_at_last = false;
        for _ in 0..100 {
            let map = Map::new(1 << 20).unwrap();
            let all = map.range();
            let half = all.len() / 2;
            assert!(!is_free(&all).unwrap(), "all of it is mapped");
            let second = all.start + half..all.end + half;
            assert!(!is_free(&second).unwrap(), "its first half is mapped");
            map.unmap().unwrap();
            is_free_at_last |= is_free(&all).unwrap();
        }
        assert!(is_free_at_last, "of 100 ranges none was free");
    }
}
