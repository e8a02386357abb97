//! What stands against measuring a machine, or doesn't.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How much a finding matters, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It can't be known here.
    NotAvailable,
    /// Nothing is wrong.
    Fine,
    /// Good to know; it does not make figures wrong.
    Note,
    /// Figures are worse than they could be, or bear more luck.
    Warning,
    /// Figures would be of something else than this machine.
    Unfit,
}

impl Severity {
    /// Whether a check of it fails.
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

/// What one rule says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The rule; `docs/doctor.md` describes each.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// What was seen, with numbers; or why it can't be known.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub seen: String,
    /// What that means for measuring; empty where nothing is wrong.
    #[serde(default)]
    pub meaning: String,
    /// What can be done about it, with the command where there is one; may be empty.
    #[serde(default)]
    pub remedy: String,
}

impl Finding {
    /// The rule that looks for translators of instructions.
    pub const EMULATION: &str = "emulation";

    /// Whether it says that instructions are translated.
    pub fn tells_emulation(&self) -> bool {
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
