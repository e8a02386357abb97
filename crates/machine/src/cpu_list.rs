//! Lists of CPUs as the kernel writes them and as users give them: `0-3,8,10-11`.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The highest CPU number that is accepted. Linux stops at 8,191 on x86-64 (`NR_CPUS`); the bound
/// keeps `0-4294967295` from filling the memory.
pub const HIGHEST_CPU: u32 = 65_535;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CpuListError {
    /// There is nothing in it, or nothing between two commas.
    #[error("a CPU number is missing; expected a list such as 0-3,8")]
    Missing,
    /// A part is neither a number nor a range.
    #[error("'{0}' is not a CPU number or a range such as 0-3")]
    NotANumber(String),
    /// A range that runs downwards.
    #[error("the range {0}-{1} runs backwards")]
    Backwards(u32, u32),
    /// A number beyond [`HIGHEST_CPU`].
    #[error("CPU {0} is beyond the highest number, {HIGHEST_CPU}")]
    TooHigh(String),
    /// A CPU that is named twice, which is more likely a mistake.
    #[error("CPU {0} is named twice")]
    Twice(u32),
}

/// Parses `0-3,8,10-11` into the CPU numbers in rising order.
///
/// Strict: no blanks, no empty parts, no repetition, nothing above [`HIGHEST_CPU`].
pub fn parse_cpu_list(text: &str) -> Result<Vec<u32>, CpuListError> {
    let mut cpus = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (cpu_number(first)?, cpu_number(last)?),
            None => (cpu_number(part)?, cpu_number(part)?),
        };
        if first > last {
            return Err(CpuListError::Backwards(first, last));
        }
        for cpu in first..=last {
            if !cpus.insert(cpu) {
                return Err(CpuListError::Twice(cpu));
            }
        }
    }
    Ok(cpus.into_iter().collect())
}

fn cpu_number(digits: &str) -> Result<u32, CpuListError> {
    if digits.is_empty() {
        return Err(CpuListError::Missing);
    }
    // Keep messages short for any input.
    let quoted = || digits.chars().take(20).collect::<String>();
    // `parse` alone would take "+1".
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(CpuListError::NotANumber(quoted()));
    }
    match digits.parse() {
        Ok(cpu) if cpu <= HIGHEST_CPU => Ok(cpu),
        _ => Err(CpuListError::TooHigh(quoted())),
    }
}

/// CPU numbers in rising order without repetition, written as the kernel does: `0-3,8`.
///
/// In JSON it is that text too, as lists of 384 numbers per cache are unreadable.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, schemars::JsonSchema)]
#[schemars(into = "String", try_from = "String", extend("pattern" = r"^([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?$"))]
pub struct CpuList(Vec<u32>);

impl CpuList {
    /// The CPUs that are in both lists.
    pub fn intersection(&self, other: &CpuList) -> CpuList {
        let both = self.0.iter().copied();
        CpuList(both.filter(|&cpu| other.holds(cpu)).collect())
    }

    /// Whether the CPU is in the list.
    pub fn holds(&self, cpu: u32) -> bool {
        self.0.binary_search(&cpu).is_ok()
    }
}

impl Deref for CpuList {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl From<Vec<u32>> for CpuList {
    fn from(mut cpus: Vec<u32>) -> Self {
        cpus.sort_unstable();
        cpus.dedup();
        CpuList(cpus)
    }
}

impl FromStr for CpuList {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<Self, CpuListError> {
        parse_cpu_list(text).map(CpuList)
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|a, b| b - a == 1).map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            _ => run[0].to_string(),
        });
        f.pad(&runs.collect::<Vec<_>>().join(","))
    }
}

impl Serialize for CpuList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CpuList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() {
            return Ok(CpuList::default());
        }
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_and_single_numbers_are_joined_in_order() {
        assert_eq!(parse_cpu_list("8,0-3,10-11").unwrap(), [0, 1, 2, 3, 8, 10, 11]);
    }

    #[test]
    fn what_is_not_a_list_is_refused_with_the_culprit() {
        let error = |text| parse_cpu_list(text).unwrap_err();
        assert_eq!(error(""), CpuListError::Missing);
        assert_eq!(error("0,,1"), CpuListError::Missing);
        assert_eq!(error("1-"), CpuListError::Missing);
        assert_eq!(error("a"), CpuListError::NotANumber("a".into()));
        assert_eq!(error("+1"), CpuListError::NotANumber("+1".into()));
        assert_eq!(error("0 -1"), CpuListError::NotANumber("0 ".into()));
        assert_eq!(error("0-3-5"), CpuListError::NotANumber("3-5".into()));
        assert_eq!(error("3-0"), CpuListError::Backwards(3, 0));
        assert_eq!(error("0-3,2"), CpuListError::Twice(2));
    }

    #[test]
    fn a_number_beyond_the_bound_is_refused_before_any_memory_is_taken() {
        let error = parse_cpu_list("0-4294967295").unwrap_err();
        assert_eq!(error, CpuListError::TooHigh("4294967295".into()));
        assert_eq!(error.to_string(), "CPU 4294967295 is beyond the highest number, 65535");
        assert!(parse_cpu_list("99999999999999999999999").is_err());
        assert_eq!(parse_cpu_list("0-65535").unwrap().len(), 65_536);
        assert!(parse_cpu_list("65536").is_err());
    }

    #[test]
    fn a_list_prints_as_the_kernel_writes_it() {
        let list = CpuList::from(vec![11, 10, 0, 1, 2, 3, 8, 8]);
        assert_eq!(list.to_string(), "0-3,8,10-11");
        assert_eq!(serde_json::to_string(&list).unwrap(), "\"0-3,8,10-11\"");
    }

    #[test]
    fn an_empty_list_survives_json() {
        let list: CpuList = serde_json::from_str("\"\"").unwrap();
        assert_eq!(list, CpuList::default());
        assert_eq!(serde_json::to_string(&list).unwrap(), "\"\"");
    }

    proptest! {
        #[test]
        fn every_list_reads_back_as_it_was_printed(
            cpus in proptest::collection::vec(0..=HIGHEST_CPU, 1..200)
        ) {
            let list = CpuList::from(cpus);
            prop_assert_eq!(list.to_string().parse::<CpuList>().unwrap(), list);
        }

        #[test]
        fn any_text_is_either_a_rising_list_or_an_error(text in "[0-9,\\- a-z]{0,12}|\\PC*") {
            if let Ok(cpus) = parse_cpu_list(&text) {
                prop_assert!(cpus.is_sorted_by(|a, b| a < b));
                prop_assert!(!cpus.is_empty());
            }
        }
    }
}
