//! Why machines differ: ratios as factors with their evidence, and rows that stand out.

mod evidence;
mod factor;
mod gauge;
mod line;
mod outlier;
mod row;
mod side;
mod standout;

pub use factor::{Factor, FactorKind};
pub use line::ExplainedLine;
pub use outlier::Outlier;
pub use row::ExplainedRow;
pub use standout::{Cause, Standout, standouts};

use crate::compare::{Group, Pairs, kernel_notes};
use machine::IsaSwitch;
use serde::Serialize;

/// Why figures are what they are.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// Why a machine's figures differ from a baseline's; `None` for a machine alone.
    pub pair: Option<ExplainedPair>,
    /// Causes that slow rows, the greatest loss first.
    pub standouts: Vec<Standout>,
}

/// Why a group's figures differ from a baseline's.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedPair {
    /// The baseline's label.
    pub baseline: String,
    /// The other's label.
    pub other: String,
    /// Instruction sets that only the baseline's CPU has.
    pub only_baseline: Vec<String>,
    /// Instruction sets that only the other's CPU has.
    pub only_other: Vec<String>,
    /// Instruction sets that a run did without, in words: what only one has then is switched off and not missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switched_off: Vec<String>,
    /// In what the kernels differ, where both have rows that measure them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
    /// Over all rows and by category, the most threads first.
    pub lines: Vec<ExplainedLine>,
    /// In the baseline's order.
    pub rows: Vec<ExplainedRow>,
    /// Rows whose ratio is far from that of the others.
    pub outliers: Vec<Outlier>,
}

/// Explains why two groups differ.
pub fn explain(pairs: &Pairs) -> ExplainedPair {
    let Pairs { baseline, other, .. } = pairs;
    let rows = row::explained_rows(&pairs.comparison(), baseline, other);
    ExplainedPair {
        baseline: baseline.label.clone(),
        other: other.label.clone(),
        only_baseline: only(baseline, other),
        only_other: only(other, baseline),
        switched_off: [switched_off(baseline, other), switched_off(other, baseline)].concat(),
        kernels: kernel_notes(baseline, other),
        lines: line::lines(&rows, &baseline.categories()),
        outliers: outlier::outliers(baseline, other, &rows),
        rows,
    }
}

/// Instruction sets of a group's CPU that the other group's lacks; nothing between architectures.
fn only(group: &Group, than: &Group) -> Vec<String> {
    let (ours, theirs) = (&group.runs[0].features, &than.runs[0].features);
    let are_alike = theirs.iter().any(|feature| ours.contains(feature));
    ours.iter().filter(|feature| are_alike && !theirs.contains(feature)).cloned().collect()
}

/// Instruction sets that a group's first run did not use though its CPU has them: `aes: switched off on m7g by --isa no-aes`.
fn switched_off(group: &Group, than: &Group) -> Vec<String> {
    let only = only(than, group);
    let off = |switch: &IsaSwitch| {
        let names: Vec<&str> =
            only.iter().map(String::as_str).filter(|name| switch.removes(name)).collect();
        let names = names.join(", ");
        (!names.is_empty())
            .then(|| format!("{names}: switched off on {} by --isa {switch}", group.label))
    };
    group.runs[0].isa.iter().filter_map(off).collect()
}

#[cfg(test)]
mod tests;
