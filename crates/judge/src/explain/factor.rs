//! Factors whose product is the ratio of two machines.

use serde::Serialize;
use stats::Interval;
use std::fmt;

/// Degrees of freedom of what is counted and not estimated.
const EXACT: f64 = 1e9;

/// Sorted in the order in which factors are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactorKind {
    /// Cores at work.
    Cores,
    /// Their clock during the work.
    Clock,
    /// The share of CPU time outside the kernel.
    Kernel,
    /// Instructions in an op, turned over: fewer of them are for the other machine. Where counters count them.
    Instructions,
    /// Ops in a cycle of a core outside the kernel, on one thread where that was measured; without what fewer instructions give.
    WorkPerCycle,
    /// Ops in a cycle of a core on these threads over those on one: what SMT gives, and what threads lose to each other.
    Scaling,
    /// The remainder, where clocks are not known.
    Unexplained,
}

impl FactorKind {
    /// All, in their order.
    pub const ALL: [Self; 7] = [
        Self::Cores,
        Self::Clock,
        Self::Kernel,
        Self::Instructions,
        Self::WorkPerCycle,
        Self::Scaling,
        Self::Unexplained,
    ];
}

impl fmt::Display for FactorKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Cores => "cores",
            Self::Clock => "clock",
            Self::Kernel => "kernel",
            Self::Instructions => "instructions",
            Self::WorkPerCycle => "work per cycle",
            Self::Scaling => "scaling",
            Self::Unexplained => "unexplained",
        })
    }
}

/// One factor of a ratio: the other's quantity over the baseline's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Factor {
    /// Named in the table's heading.
    pub kind: FactorKind,
    /// Above 1 it is for the other machine.
    pub ratio: Interval,
}

impl Factor {
    /// The factor of a kind, if it plays a part.
    pub fn find(among: &[Self], kind: FactorKind) -> Option<&Self> {
        among.iter().find(|factor| factor.kind == kind)
    }

    /// The ratio of two counts, which have no error.
    pub(super) fn exact(kind: FactorKind, other: f64, baseline: f64) -> Self {
        Self { kind, ratio: Interval::around(other / baseline, 0.0, EXACT) }
    }

    /// The remainder of `whole` after these factors, with the relative error of `like`.
    pub(super) fn rest(
        kind: FactorKind,
        whole: &Interval,
        behind: &[Self],
        like: Interval,
    ) -> Self {
        let product: f64 = behind.iter().map(|factor| factor.ratio.centre).product();
        Self { kind, ratio: like.scaled(whole.centre / product / like.centre) }
    }
}
