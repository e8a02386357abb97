//! How a worker was built.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a worker was built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerBuild {
    /// The worker's own version.
    pub version: String,
    pub compiler: String,
    /// Compiler flags.
    pub flags: String,
    /// The target triple or platform.
    #[serde(default)]
    pub target: String,
    /// Library → version as the library reports it.
    #[schemars(extend("minProperties" = 1))]
    pub libraries: BTreeMap<String, String>,
    /// In a manifest: libraries whose version is only known once the worker is ready.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub late_libraries: Vec<String>,
    /// Library → the instruction-set path it chose.
    #[serde(default)]
    pub paths: BTreeMap<String, String>,
}

impl WorkerBuild {
    /// The target's architecture, named as `uname -m` does.
    pub fn architecture(&self) -> Option<&'static str> {
        self.target.split(['-', '/']).find_map(|word| match word {
            "x86_64" | "amd64" => Some("x86_64"),
            "aarch64" | "arm64" => Some("aarch64"),
            _ => None,
        })
    }
}
