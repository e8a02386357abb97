//! Findings about whether a machine is fit to be measured.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How much a finding matters, from least to most.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The rule can't be checked here.
    NotAvailable,
    /// Nothing is wrong.
    Fine,
    /// Worth knowing; figures stay valid.
    Note,
    /// Figures are slower or noisier than necessary.
    Warning,
    /// Figures do not describe this machine.
    Unfit,
}

impl Severity {
    /// Whether a check with this severity fails.
    pub fn is_bad(self) -> bool {
        self >= Self::Warning
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::NotAvailable => "not available",
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Unfit => "unfit",
        })
    }
}

/// The result of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Finding {
    /// The rule's ID; see `docs/doctor.md`.
    #[schemars(length(min = 1))]
    pub id: String,
    pub severity: Severity,
    /// The observation, with numbers; or why it is unknown.
    #[schemars(length(min = 1))]
    pub seen: String,
    /// The consequence for measurements; empty if nothing is wrong.
    #[serde(default)]
    pub meaning: String,
    /// The remedy, with its command if there is one; may be empty.
    #[serde(default)]
    pub remedy: String,
}

impl Finding {
    /// The ID of the rule that detects emulation.
    pub const EMULATION: &str = "emulation";

    pub fn is_emulation(&self) -> bool {
        self.id == Self::EMULATION && self.severity == Severity::Unfit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_ordered_and_the_two_worst_are_bad() {
        use Severity::{Fine, NotAvailable, Note, Unfit, Warning};
        let all = [NotAvailable, Fine, Note, Warning, Unfit];
        assert!(all.is_sorted());
        assert_eq!(all.map(Severity::is_bad), [false, false, false, true, true]);
    }
}
