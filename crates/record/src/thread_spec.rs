//! Thread counts as users specify them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A thread count as the user specifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, schemars::JsonSchema)]
#[schemars(into = "String", try_from = "String", extend("pattern" = r"^(all|[1-9][0-9]{0,2}|1[0-9]{3}|20[0-3][0-9]|204[0-8])$"))]
pub enum ThreadSpec {
    Count(usize),
    /// As many as can run at once on the machine.
    All,
}

impl ThreadSpec {
    /// `1 thread`, `8 threads`, `all threads`.
    pub fn in_words(self) -> String {
        match self {
            Self::Count(1) => "1 thread".to_owned(),
            _ => format!("{self} threads"),
        }
    }
}

impl fmt::Display for ThreadSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Count(n) => n.fmt(f),
            Self::All => f.write_str("all"),
        }
    }
}

impl std::str::FromStr for ThreadSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => match text.parse() {
                Ok(n @ 1..=2048) => Ok(Self::Count(n)),
                _ => Err(format!("{text:?} is not a thread count: 1 … 2048, or all")),
            },
        }
    }
}

impl Serialize for ThreadSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ThreadSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
