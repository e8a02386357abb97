//! Which functions the code that a process made at run time belongs to, as its runtime wrote it down.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// No runtime writes as much; the rest of a larger file is left out.
const MOST_BYTES: u64 = 16 << 20;
/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 200;

/// Functions by address, of a file in the form of `perf`'s maps: `START SIZE NAME` a line, numbers in hex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JitMap(BTreeMap<u64, JitFunction>);

#[derive(Debug, Clone, PartialEq)]
struct JitFunction {
    end: u64,
    name: String,
}

impl JitMap {
    /// Reads a worker's map; empty if it wrote none. Lines of another form are ignored.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        foreign::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(Self::of(&String::from_utf8_lossy(&bytes)))
    }

    fn of(text: &str) -> Self {
        let mut map = BTreeMap::new();
        for (start, function) in text.lines().filter_map(line) {
            // Later code may overlap earlier code: the earlier is gone.
            let before = map.range(..start).next_back();
            if let Some((&older, _)) =
                before.filter(|(_, function): &(_, &JitFunction)| function.end > start)
            {
                map.remove(&older);
            }
            let later: Vec<u64> = map.range(start..function.end).map(|(older, _)| *older).collect();
            later.iter().for_each(|older| drop(map.remove(older)));
            map.insert(start, function);
        }
        Self(map)
    }

    /// The name and the code of the function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let (&start, function) = self.0.range(..=address).next_back()?;
        (address < function.end).then_some((function.name.as_str(), start..function.end))
    }
}

fn line(line: &str) -> Option<(u64, JitFunction)> {
    let mut words = line.splitn(3, ' ');
    let mut number = || u64::from_str_radix(words.next()?, 16).ok();
    let (start, bytes) = (number()?, number()?);
    let name: String = words.next()?.chars().take(LONGEST_NAME).collect();
    let end = start.checked_add(bytes).filter(|end| *end > start)?;
    Some((start, JitFunction { end, name }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn code_is_found_by_its_address_and_newer_code_replaces_older() {
        let map = JitMap::of(
            "1000 20 trace of sum at a.lua:1\n1020 10 trace of b at a.lua:9\n1018 4 c\nnonsense\n9 0 d\n",
        );
        let at = |address| map.function_at(address).map(|(name, _)| name);
        assert_eq!((at(0x1000), at(0x101c), at(0x1019)), (None, None, Some("c")));
        assert_eq!(map.function_at(0x102f), Some(("trace of b at a.lua:9", 0x1020..0x1030)));
        assert_eq!((at(0x1030), at(9)), (None, None));
    }

    proptest! {
        #[test]
        fn functions_never_overlap(lines in prop::collection::vec((0_u64..200, 0_u64..40), 0..40)) {
            let text: String = lines.iter().map(|(start, bytes)| format!("{start:x} {bytes:x} f\n")).collect();
            let map = JitMap::of(&text);
            let all: Vec<(u64, u64)> = map.0.iter().map(|(start, function)| (*start, function.end)).collect();
            prop_assert!(all.windows(2).all(|two| two[0].1 <= two[1].0), "{all:?}");
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-fx \n-]{0,200}") {
            JitMap::of(&text);
        }
    }
}
