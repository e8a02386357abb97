//! How far a run's figures are to be believed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How far a run's figures are to be believed, from best to worst.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Nothing is known against them.
    Valid,
    /// They may be wrong, or are noisier than they need be.
    Suspect,
    /// They don't describe the machine.
    Invalid,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Valid => "valid",
            Self::Suspect => "suspect",
            Self::Invalid => "invalid",
        })
    }
}

/// How far a run's figures are to be believed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Validity {
    /// That of the worst reason.
    pub grade: Grade,
    /// The worst first; empty if it is valid.
    pub reasons: Vec<Reason>,
}

/// Something against a run's figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reason {
    /// The rule of `docs/doctor.md`, or `file`, `contended`, `unverified`, `not-measured`, `not-converged`, `not-finished`, `clock-falls`.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The worst grade that it allows.
    pub grade: Grade,
    /// The observation, with numbers.
    pub seen: String,
}
