//! Families of workloads: the kinds of operation that they perform.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of operation that a workload performs: a built-in family, or a word of a table's own.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(
    rename_all = "kebab-case",
    expecting = "a family is a word of lower-case letters, digits and -, such as \"database\""
)]
pub enum Family {
    Pki,
    KeyExchange,
    Tls,
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
    /// JSON, protocol buffers, sorting, hash tables.
    Data,
    Pipeline,
    Http,
    /// Servers that keep data: caches and databases.
    Database,
    /// System calls, context switches, page faults, processes.
    Kernel,
    /// Models, and search for what they make.
    Inference,
    /// Programs that agents and builds start: of version control, search, packing, interpreters, compilers.
    Agents,
    /// Bandwidth, latency and copies, tables that no cache holds.
    Memory,
    Control,
    /// For rows imported from other tools that do not say; tables must not use it.
    #[serde(rename = "other")]
    Unknown,
    /// A family of a user's own workloads.
    #[serde(untagged)]
    Named(FamilyName),
}

/// Ends the name of an operation whose threads all work on one stream; on one thread it has the name without.
pub const ONE_STREAM: &str = "-one-stream";

/// A word of lower-case letters, digits and `-`, which can stand in a table, a file name and a terminal.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(try_from = "String")]
pub struct FamilyName(#[schemars(regex(pattern = "^[a-z][a-z0-9-]{0,39}$"))] String);

impl TryFrom<String> for FamilyName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_word = name.starts_with(|c: char| c.is_ascii_lowercase());
        if is_word && name.len() <= 40 && name.chars().all(is_plain) {
            Ok(Self(name))
        } else {
            Err(format!("{name:?} is no family"))
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}
