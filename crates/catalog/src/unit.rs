//! Units of figures.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Bytes in a MiB.
pub const MIB: f64 = 1_048_576.0;

/// The unit of a workload's figures. Figures in different units are never compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, schemars::JsonSchema)]
#[schemars(into = "String", try_from = "String", extend("pattern" = r"^((ops|bytes|[a-z]{4,40})/s|points|D?MIPS|[MGT]FLOPS|score|index|marks)$"))]
pub enum Unit {
    /// Operations per second; sizeup itself measures nothing else.
    #[default]
    Ops,
    /// Bytes per second, for operations whose size the source does not report.
    Bytes,
    /// Something else, as the source names it: `requests/s`, or a score: `MIPS`.
    Named(String),
}

/// Scores, which count nothing that could be named, and of which higher is better.
const SCORES: [&str; 9] =
    ["points", "MIPS", "DMIPS", "MFLOPS", "GFLOPS", "TFLOPS", "score", "index", "marks"];

/// Words with one of these parts may mean thousands of what they name, or eighths of a byte.
const NO_EVENTS: [&str; 11] =
    ["bit", "byte", "kilo", "mega", "giga", "tera", "kops", "mops", "gops", "kreq", "mreq"];
const LONGEST_WORD: usize = 40;

impl Unit {
    /// Whether it is operations.
    pub fn is_ops(&self) -> bool {
        *self == Self::Ops
    }

    /// The bytes in one of what is counted, if an op has `bytes_per_op`.
    pub fn bytes_each(&self, bytes_per_op: Option<u64>) -> Option<u64> {
        match self {
            Self::Bytes => Some(1),
            Self::Ops | Self::Named(_) => bytes_per_op,
        }
    }

    /// MiB/s of a figure of this unit; `None` where bytes make no sense.
    pub fn mib_per_s(&self, per_s: f64, bytes_per_op: Option<u64>) -> Option<f64> {
        Some(per_s * self.bytes_each(bytes_per_op)? as f64 / MIB)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Ops => "ops/s",
            Self::Bytes => "bytes/s",
            Self::Named(name) => name,
        })
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ops/s" => Ok(Self::Ops),
            "bytes/s" => Ok(Self::Bytes),
            _ if is_events(text) || SCORES.contains(&text) => Ok(Self::Named(text.to_owned())),
            _ => Err(format!(
                "the unit {text:?} is unknown: use ops/s, bytes/s, one lower-case word per second, e.g. requests/s, or a \
                 score: {}",
                SCORES.join(", ")
            )),
        }
    }
}

/// `requests/s`, but not `kreq/s` or `bits/s`, which may be a thousand times or an eighth of what they seem.
fn is_events(unit: &str) -> bool {
    let Some(word) = unit.strip_suffix("/s") else { return false };
    (4..=LONGEST_WORD).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && !NO_EVENTS.iter().any(|size| word.contains(size))
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_nothing_that_may_mean_two_things() {
        let named = ["requests/s", "MIPS", "points"].map(|name| Unit::Named(name.to_owned()));
        for unit in [Unit::Ops, Unit::Bytes].into_iter().chain(named) {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        let long = format!("{}/s", "a".repeat(LONGEST_WORD + 1));
        for text in ["", "/s", "ops", "kreq/s", "bits/s", "Requests/s", "two words/s", "fps", &long]
        {
            assert!(text.parse::<Unit>().is_err(), "{text}");
        }
    }
}
