//! What kind of operation a workload is.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of operation a workload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // their names say it
pub enum Family {
    Pki,
    KeyExchange,
    Aead,
    Hash,
    Compress,
    Decompress,
    Erasure,
    Split,
    Script,
    Regex,
    Text,
    Pipeline,
    Http,
    Reference,
    /// One of a newer version's; no table may have it.
    #[serde(other)]
    Unknown,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Pki => "pki",
            Self::KeyExchange => "key-exchange",
            Self::Aead => "aead",
            Self::Hash => "hash",
            Self::Compress => "compress",
            Self::Decompress => "decompress",
            Self::Erasure => "erasure",
            Self::Split => "split",
            Self::Script => "script",
            Self::Regex => "regex",
            Self::Text => "text",
            Self::Pipeline => "pipeline",
            Self::Http => "http",
            Self::Reference => "reference",
            Self::Unknown => "other",
        })
    }
}
