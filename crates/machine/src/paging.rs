//! Swap space in use, and pages swapped since boot.

use std::path::Path;

use serde::Serialize;

use super::fact::{Fact, Read};
use super::files::Files;
use super::memory::meminfo_bytes;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Swap {
    /// Bytes of swap space in use.
    pub used_bytes: u64,
    /// Pages that were written out or read back since boot.
    pub pages: u64,
}

impl Swap {
    /// Reads it from `/proc/meminfo` and `/proc/vmstat` under a root.
    pub fn read(root: &Path) -> Fact<Swap> {
        let files = Files::new(root);
        Swap::of(&files).into()
    }

    fn of(files: &Files) -> Read<Swap> {
        let total = meminfo_bytes(files, "SwapTotal")?;
        let free = meminfo_bytes(files, "SwapFree")?;
        let vmstat = files.text("/proc/vmstat")?;
        let count = |name: &str| {
            let line = vmstat.lines().find_map(|line| line.strip_prefix(name));
            let count = line.and_then(|count| count.trim().parse::<u64>().ok());
            count.ok_or_else(|| format!("/proc/vmstat has no number in the line '{}'", name.trim()))
        };
        let pages = count("pswpin ")?.saturating_add(count("pswpout ")?);
        Ok(Swap { used_bytes: total.saturating_sub(free), pages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn used_swap_and_swapped_pages_are_read() {
        let tree = "/proc/meminfo <<\nSwapTotal: 100 kB\nSwapFree: 60 kB\n>>\n\
                    /proc/vmstat <<\npgpgin 9\npswpin 3\npswpout 4\n>>\n";
        let swap = Swap::read(Fixture::unpack(tree).root());
        assert_eq!(swap, Fact::Known(Swap { used_bytes: 40 << 10, pages: 7 }));
    }

    #[test]
    fn what_is_missing_is_named() {
        let tree =
            "/proc/meminfo <<\nSwapTotal: 0 kB\nSwapFree: 0 kB\n>>\n/proc/vmstat: pswpin 3\n";
        let swap = Swap::read(Fixture::unpack(tree).root());
        assert_eq!(swap.reason(), Some("/proc/vmstat has no number in the line 'pswpout'"));
    }
}
