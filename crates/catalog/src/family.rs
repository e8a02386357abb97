//! What kind of operation a workload is.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of operation a workload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    Pki,
    KeyExchange,
    Aead,
    /// Encryption without authentication, e.g. AES-CBC.
    Cipher,
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
    Control,
    /// A family of a newer version; tables must not use it.
    #[serde(other, rename = "other")]
    Unknown,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}
