//! Kinds of things that must match for rows to be compared.

use serde::Serialize;
use std::fmt;

/// Something that must match and doesn't.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Difference {
    /// Decides which `--allow` permits it.
    pub kind: MustMatch,
    /// Which one.
    pub what: String,
    /// In the baseline, or in a group's first run.
    pub baseline: String,
    /// In the other.
    pub other: String,
}

/// Kinds of things that must match, and that can be allowed to differ, but for the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MustMatch {
    /// Unit of a figure. Ratios of different units mean nothing, so this cannot be allowed.
    Unit,
    /// Parameters or worker of a workload, or the setting of a variant.
    Definition,
    /// The bytes that are worked on.
    Input,
    /// The version of a library.
    Library,
    /// Compilers and their flags.
    Compiler,
    /// Output of an op.
    Output,
    /// The version of the worker.
    Worker,
    /// How threads are placed, and whether they take turns.
    Threads,
    /// Whether a CPU or a translator executed the instructions.
    Emulation,
    /// The program that measured.
    Origin,
    /// The version of the suite that it is of.
    Suite,
    /// The CPU model, its microcode, and the kernel: a slowdown from one machine to another says nothing about the code.
    Machine,
    /// Whether figures are to be believed at all: an invalid run is not judged.
    Invalid,
}

impl MustMatch {
    /// All kinds that can be allowed.
    pub const ALLOWABLE: [Self; 12] = [
        Self::Definition,
        Self::Input,
        Self::Library,
        Self::Compiler,
        Self::Output,
        Self::Worker,
        Self::Threads,
        Self::Emulation,
        Self::Origin,
        Self::Suite,
        Self::Machine,
        Self::Invalid,
    ];
}

impl fmt::Display for MustMatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { kind, what, baseline, other } = self;
        write!(f, "{kind}: {what} is {baseline} on one, {other} on the other")
    }
}
