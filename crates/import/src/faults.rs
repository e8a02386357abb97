//! Versions of tools that are known to print wrong figures.

use std::fmt;
use std::str::FromStr;

/// The version of a tool: 0.18.2 has three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a version, e.g. 0.18.2");
        let mut numbers = [0; 3];
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        for (place, number) in numbers.iter_mut().enumerate() {
            match parts.next() {
                Some(part) => *number = part.parse().map_err(|_| wrong())?,
                None if place > 0 => {}
                None => return Err(wrong()),
            }
        }
        parts.next().map_or(Ok(Self(numbers)), |_| Err(wrong()))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// Figures that some versions of a tool print wrong by a factor.
pub(super) struct Fault {
    /// The operation of its figures.
    pub operation: &'static str,
    /// The first version, the first that is right again, and by what a figure is multiplied to be right.
    pub versions: &'static [(Version, Version, f64)],
    /// The note for figures of an unknown version.
    pub unknown: &'static str,
}

impl Fault {
    pub fn correction(&self, version: Version) -> f64 {
        let known = self.versions.iter().find(|(from, to, _)| (*from..*to).contains(&version));
        known.map_or(1.0, |(_, _, factor)| *factor)
    }
}

/// `kopia benchmark hashing` (kopia/kopia issues 4181 and 4199; the loops of `cli/command_benchmark_hashing.go`): 0.17 hashes 32
/// blocks and counts 100, 0.18 to 0.22 hash 32 and count one.
pub(super) const KOPIA_HASHING: Fault = Fault {
    operation: "hash",
    versions: &[
        (Version([0, 17, 0]), Version([0, 18, 0]), 32.0 / 100.0),
        (Version([0, 18, 0]), Version([0, 23, 0]), 32.0),
    ],
    unknown: "the version of kopia; its hashing figures are 3.1 times too high in 0.17 and 32 times too low in 0.18 to \
              0.22 (--tool-version corrects them)",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_in_order_and_have_their_factors() {
        for (version, factor) in [
            ("0.16.1", 1.0),
            ("0.17", 0.32),
            ("v0.17.0", 0.32),
            ("0.18.0", 32.0),
            ("0.22.3", 32.0),
            ("0.23.0", 1.0),
        ] {
            assert_eq!(KOPIA_HASHING.correction(version.parse().unwrap()), factor, "{version}");
        }
        for wrong in ["", "x", "0.1.2.3", "1.", "-1"] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong}");
        }
    }
}
