//! Rates: work per second.

use super::Unit;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Work per second, in operations or input bytes, as the user wrote it.
#[derive(Debug, Clone, Copy, PartialEq, schemars::JsonSchema)]
#[schemars(into = "String", try_from = "String", extend("minLength" = 1))]
pub struct Rate {
    number: f64,
    unit: &'static str,
    /// `None` if it counts operations.
    bytes_per_unit: Option<f64>,
}

/// Unit → bytes.
const UNITS: [(&str, Option<f64>); 8] = [
    ("ops/s", None),
    ("B/s", Some(1.0)),
    ("kB/s", Some(1e3)),
    ("MB/s", Some(1e6)),
    ("GB/s", Some(1e9)),
    ("KiB/s", Some(1_024.0)),
    ("MiB/s", Some(1_048_576.0)),
    ("GiB/s", Some(1_073_741_824.0)),
];

/// Rates below an op in months are not plausible; the upper limit keeps sums finite.
const LEAST: f64 = 1e-7;
const MOST: f64 = 1e18;

impl Rate {
    /// In operations a second. `None` if it is in bytes and an op has none.
    pub fn ops_per_s(self, bytes_per_op: Option<u64>) -> Option<f64> {
        match self.bytes_per_unit {
            None => Some(self.number),
            Some(bytes) => Some(self.number * bytes / bytes_per_op? as f64),
        }
    }

    /// In what a figure of a unit counts.
    ///
    /// # Errors
    /// If one is of operations and the other of bytes, and how many bytes an op has is unknown: with what to do.
    pub fn per_s(self, unit: &Unit, bytes_per_op: Option<u64>) -> Result<f64, &'static str> {
        match self.bytes_per_unit {
            None if *unit == Unit::Bytes => {
                Err("its figure is in bytes/s: state its rate in bytes, e.g. \"1.5 GiB/s\"")
            }
            _ => self
                .ops_per_s(unit.bytes_each(bytes_per_op))
                .ok_or("its ops have no bytes: state its rate in ops/s"),
        }
    }

    /// How many times another rate it is; `None` if one is of operations and the other of bytes.
    pub fn ratio_to(self, other: Self) -> Option<f64> {
        let is_same_kind = self.bytes_per_unit.is_some() == other.bytes_per_unit.is_some();
        let size = |rate: Self| rate.number * rate.bytes_per_unit.unwrap_or(1.0);
        is_same_kind.then(|| size(self) / size(other))
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let units = UNITS.map(|(unit, _)| unit).join(", ");
            format!(
                "{text:?} is not a rate: use a number from {LEAST} to {MOST:e} and a unit ({units}), e.g. \"20,000 ops/s\" or \
                 \"1.5 GiB/s\""
            )
        };
        let (number, unit) = text.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let number: f64 =
            without_separators(number).ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
        if !(LEAST..=MOST).contains(&number) {
            return Err(wrong());
        }
        let known = UNITS.iter().find(|(name, _)| *name == unit.trim());
        let (unit, bytes_per_unit) = *known.ok_or_else(wrong)?;
        Ok(Self { number, unit, bytes_per_unit })
    }
}

/// A number without the commas between its thousands. `None` where commas stand elsewhere: whoever writes 1,5 means no 15.
fn without_separators(number: &str) -> Option<String> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let groups: Vec<&str> = whole.split(',').collect();
    let are_thousands = groups.len() == 1
        || (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    (are_thousands && !fraction.contains(',')).then(|| number.replace(',', ""))
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.number, self.unit)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_again(number in LEAST..MOST, unit in 0..UNITS.len()) {
            let (unit, bytes_per_unit) = UNITS[unit];
            let rate = Rate { number, unit, bytes_per_unit };
            prop_assert_eq!(rate.to_string().parse(), Ok(rate));
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = text.parse::<Rate>();
        }
    }

    #[test]
    fn commas_stand_between_thousands_only() {
        for text in [
            "1,5 GB/s",
            "10,00 ops/s",
            ",1 ops/s",
            "1,2,3 B/s",
            "1.000,5 B/s",
            "1e300 B/s",
            "0 B/s",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
        let rate: Rate = "1,234,567.5 ops/s".parse().unwrap();
        assert_eq!(rate.ops_per_s(None), Some(1_234_567.5));
    }

    #[test]
    fn bytes_are_ops_of_so_many_bytes() {
        let rate: Rate = "1.5 kB/s".parse().unwrap();
        assert_eq!((rate.ops_per_s(Some(10)), rate.ops_per_s(None)), (Some(150.0), None));
        assert_eq!("20,000 ops/s".parse::<Rate>().unwrap().ops_per_s(None), Some(20_000.0));
    }
}
