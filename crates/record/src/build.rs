//! What a worker is made of.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a worker is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerBuild {
    /// The worker's own version.
    pub version: String,
    /// The compilers.
    pub compiler: String,
    /// What they were told.
    pub flags: String,
    /// What for.
    #[serde(default)]
    pub target: String,
    /// Library → version as it reports it.
    #[cfg_attr(feature = "schema", schemars(extend("minProperties" = 1)))]
    pub libraries: BTreeMap<String, String>,
    /// In a manifest: libraries whose version only a worker that is ready tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(inner(length(min = 1))))]
    pub late_libraries: Vec<String>,
    /// Library → instruction-set path that it chose.
    #[serde(default)]
    pub paths: BTreeMap<String, String>,
}

impl WorkerBuild {
    /// The architecture that its target names, in the words of `uname -m`.
    pub fn architecture(&self) -> Option<&'static str> {
        self.target.split(['-', '/']).find_map(|word| match word {
            "x86_64" | "amd64" => Some("x86_64"),
            "aarch64" | "arm64" => Some("aarch64"),
            _ => None,
        })
    }
}
