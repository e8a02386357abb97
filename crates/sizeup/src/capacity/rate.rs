//! So much work a second.

use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::str::FromStr;

/// Work a second, in operations or in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rate {
    /// Operations a second.
    OpsPerS(f64),
    /// Input bytes a second.
    BytesPerS(f64),
}

/// Unit → bytes.
const BYTES: [(&str, f64); 7] = [
    ("B/s", 1.0),
    ("kB/s", 1e3),
    ("MB/s", 1e6),
    ("GB/s", 1e9),
    ("KiB/s", 1_024.0),
    ("MiB/s", 1_048_576.0),
    ("GiB/s", 1_073_741_824.0),
];

impl Rate {
    /// In operations a second. `None` if it is in bytes and an op has none.
    pub fn ops_per_s(self, bytes_per_op: Option<u64>) -> Option<f64> {
        match self {
            Self::OpsPerS(ops) => Some(ops),
            Self::BytesPerS(bytes) => Some(bytes / bytes_per_op? as f64),
        }
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let units = BYTES.map(|(unit, _)| unit).join(", ");
            format!(
                "{text:?} is no rate above zero: a number and ops/s, {units}, e.g. \"20,000 ops/s\""
            )
        };
        let (number, unit) = text.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let number: f64 = number.replace(',', "").parse().map_err(|_| wrong())?;
        if !(number.is_normal() && number > 0.0) {
            return Err(wrong());
        }
        if unit.trim() == "ops/s" {
            return Ok(Self::OpsPerS(number));
        }
        let bytes = BYTES.iter().find(|(name, _)| *name == unit.trim()).ok_or_else(wrong)?.1;
        Ok(Self::BytesPerS(number * bytes))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::OpsPerS(ops) => write!(f, "{ops} ops/s"),
            Self::BytesPerS(bytes) => write!(f, "{} MB/s", bytes / 1e6),
        }
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
