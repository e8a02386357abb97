//! `unmap-shootdown`: one op maps 64 KiB, writes to each page, and unmaps them, while the other threads of the process do the
//! same on other CPUs: these must forget the addresses too, at once.

use crate::helper::unavailable;
use crate::map::{Map, minor_faults, page_bytes};
use sizeup_kit::{OpError, Setting, Work, WorkerError};

const BYTES: usize = 64 << 10;
/// As in `fault`.
const TRIES: usize = 5;

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    if setting.cpus.iter().all(|cpu| *cpu == setting.cpus[0]) {
        return Err(unavailable("no other CPU has to forget an address: this needs two CPUs")
            .hint("use at least 2 threads on 2 CPUs"));
    }
    let page = page_bytes();
    let mut unmap = Unmap { page };
    match unmap.faults()? {
        0 => Err(unavailable("this kernel does not count page faults")),
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
}

impl Unmap {
    fn pages(&self) -> u64 {
        (BYTES / self.page).max(1) as u64
    }

    fn touched(&self) -> Result<Map, OpError> {
        let map = Map::new(BYTES)?;
        for at in (0..BYTES).step_by(self.page) {
            map.mark(at, at as u64);
        }
        Ok(map)
    }

    /// The faults of an op: the least of some, for others may come between.
    fn faults(&mut self) -> Result<u64, OpError> {
        let mut least = u64::MAX;
        for _ in 0..TRIES {
            let before = minor_faults();
            let map = self.touched()?;
            let faults = minor_faults() - before;
            map.unmap()?;
            least = least.min(faults);
        }
        Ok(least)
    }
}

impl Work for Unmap {
    fn op(&mut self) -> Result<(), OpError> {
        self.touched()?.unmap()
    }

    /// The faults of an op.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(self.faults()?.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == self.pages().to_le_bytes() {
            Ok(())
        } else {
            Err(format!("{output:?} faults, and {} pages", self.pages()))
        }
    }

    fn verified(&self) -> &'static str {
        "each page took a fault"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(BYTES as u64)
    }
}
