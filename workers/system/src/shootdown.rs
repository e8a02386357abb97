//! `unmap-shootdown`: one op maps 64 KiB, writes to each page, and unmaps them, while the other threads of the process do the
//! same on other CPUs: these must forget the addresses too, at once.

use crate::fault::UNMAPPINGS;
use crate::helper::unavailable;
use crate::map::{Map, is_free, minor_faults, page_bytes};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::ops::Range;

const BYTES: usize = 64 << 10;
/// As in `fault`.
const TRIES: usize = 5;

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    if setting.cpus.iter().all(|cpu| *cpu == setting.cpus[0]) {
        return Err(unavailable("no other CPU has to forget an address: this needs two CPUs")
            .hint("use at least 2 threads on 2 CPUs"));
    }
    let page = page_bytes();
    let unmap = Unmap { page, last: 0..0 };
    match unmap.faults()? {
        _ if minor_faults() == 0 => Err(unavailable("this kernel does not count page faults")),
        // A part of them, each of some pages. Any other number is wrong, and the check says so.
        faults if faults < unmap.pages() && unmap.pages().is_multiple_of(faults) => {
            Err(unavailable(format!(
                "this kernel maps {} pages with {faults} faults: it uses larger pages by itself",
                unmap.pages()
            )))
        }
        _ => Ok(Box::new(unmap)),
    }
}

struct Unmap {
    page: usize,
    /// Where the memory of the last op was.
    last: Range<usize>,
}

impl Unmap {
    fn pages(&self) -> u64 {
        (BYTES / self.page).max(1) as u64
    }

    fn touch(&self, map: &Map) {
        for at in (0..BYTES).step_by(self.page) {
            map.mark(at, at as u64);
        }
    }

    /// The faults that writing takes: the least of some, for others may come between.
    fn faults(&self) -> Result<u64, OpError> {
        let mut least = u64::MAX;
        for _ in 0..TRIES {
            let map = Map::new(BYTES)?;
            let before = minor_faults();
            self.touch(&map);
            let faults = minor_faults() - before;
            map.unmap()?;
            least = least.min(faults);
        }
        Ok(least)
    }

    /// Whether an op leaves nothing mapped.
    fn is_gone(&mut self) -> Result<bool, OpError> {
        for _ in 0..UNMAPPINGS {
            self.op()?;
            if is_free(&self.last)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Work for Unmap {
    fn op(&mut self) -> Result<(), OpError> {
        let map = Map::new(BYTES)?;
        self.touch(&map);
        self.last = map.range();
        map.unmap()
    }

    /// The faults of an op, and whether its memory is gone.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok([self.faults()?, self.is_gone()?.into()].map(u64::to_le_bytes).concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let pages = self.pages();
        if output == [pages, 1].map(u64::to_le_bytes).concat() {
            return Ok(());
        }
        let (faults, is_gone) = output.split_at(output.len().min(8));
        Err(format!(
            "{faults:?} faults and {pages} pages; {is_gone:?} must say that unmapped memory is gone"
        ))
    }

    fn verified(&self) -> &'static str {
        "each page took a fault and is gone when it is unmapped"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(BYTES as u64)
    }
}
