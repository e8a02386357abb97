//! Like is compared with like: what differs between two runs of a row is named.

use crate::catalog::OWN_WORKER;
use crate::record::{Case, Run, WorkerBuild};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// Something that must match and doesn't.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What kind of thing.
    pub kind: Allow,
    /// Which one.
    pub what: String,
    /// In the baseline.
    pub baseline: String,
    /// In the other.
    pub other: String,
}

/// Kinds of things that must match, and that can be allowed to differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Allow {
    /// Parameters or worker of a workload, or the setting of a variant.
    Definition,
    /// The bytes that are worked on.
    Input,
    /// The version of a library.
    Library,
    /// Compilers and what they were told.
    Compiler,
    /// What an op makes.
    Output,
    /// The version of the worker.
    Worker,
    /// How threads are placed, and whether they take turns.
    Threads,
    /// Whether a CPU or a translator executed the instructions.
    Emulation,
}

impl Allow {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Definition,
        Self::Input,
        Self::Library,
        Self::Compiler,
        Self::Output,
        Self::Worker,
        Self::Threads,
        Self::Emulation,
    ];
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Definition => "definition",
            Self::Input => "input",
            Self::Library => "library",
            Self::Compiler => "compiler",
            Self::Output => "output",
            Self::Worker => "worker",
            Self::Threads => "threads",
            Self::Emulation => "emulation",
        })
    }
}

impl FromStr for Allow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == text).ok_or_else(|| {
            let all = Self::ALL.map(|kind| kind.to_string()).join(", ");
            format!("{text:?} is none of {all}")
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { kind, what, baseline, other } = self;
        write!(f, "{kind}: {what} is {baseline} in the baseline and {other} here")
    }
}

/// What differs between a case of the baseline and one of another run.
pub fn differences(baseline: &Run, case: usize, other: &Run, other_case: usize) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut add = |kind, what: &str, baseline: String, other: String| {
        if baseline != other {
            found.push(Difference { kind, what: what.to_owned(), baseline, other });
        }
    };
    let executed = |run: &Run| run.header.emulation().unwrap_or_else(|| "a CPU".to_owned());
    add(Allow::Emulation, "what executed it", executed(baseline), executed(other));
    let cases = (&baseline.header.plan.cases[case], &other.header.plan.cases[other_case]);
    add(Allow::Threads, "placement", cases.0.placement.to_string(), cases.1.placement.to_string());
    let turns = |case: &Case| {
        let cpus: BTreeSet<u32> = case.cpus.iter().copied().collect();
        let takes_turns = case.threads > cpus.len();
        if takes_turns { "more threads than CPUs" } else { "a CPU for each thread" }.to_owned()
    };
    add(Allow::Threads, "threads on CPUs", turns(cases.0), turns(cases.1));
    let setting = |run: &Run, case: &Case| {
        let variants = &run.header.variants;
        let setting = variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
        setting.map_or_else(String::new, |setting| {
            format!("{:?} {:?}", setting.environment, setting.workers)
        })
    };
    add(Allow::Definition, "the variant", setting(baseline, cases.0), setting(other, cases.1));
    let definitions =
        (&baseline.header.workloads[&cases.0.workload], &other.header.workloads[&cases.1.workload]);
    add(
        Allow::Definition,
        "parameters",
        definitions.0.parameters.to_string(),
        definitions.1.parameters.to_string(),
    );
    add(Allow::Definition, "worker", definitions.0.worker.clone(), definitions.1.worker.clone());
    let names: BTreeSet<&String> =
        definitions.0.inputs.keys().chain(definitions.1.inputs.keys()).collect();
    for name in names {
        let digest = |inputs: &BTreeMap<String, String>| {
            inputs.get(name).cloned().unwrap_or_else(|| "absent".to_owned())
        };
        add(Allow::Input, name, digest(&definitions.0.inputs), digest(&definitions.1.inputs));
    }
    // A user's own worker may be changed without its version: its program must be the same.
    let is_own = definitions.0.worker.starts_with(OWN_WORKER);
    if is_own {
        let programs = (program(baseline, case), program(other, other_case));
        add(Allow::Worker, "the worker's program", programs.0, programs.1);
    }
    if let (Some(left), Some(right)) = (baseline.ready_of(case), other.ready_of(other_case)) {
        builds(&left.build, &right.build, &mut add);
        // For two architectures it is built twice; for one, another program is another build.
        if left.build.target == right.build.target && !is_own {
            add(
                Allow::Worker,
                "the worker's build",
                program(baseline, case),
                program(other, other_case),
            );
        }
    }
    if let Some((left, right)) = other_output(baseline, case, other, other_case) {
        add(Allow::Output, "what an op makes", left, right);
    }
    found
}

/// The first of the SHA-256 of what an op makes in two cases, where both are known and differ.
pub fn other_output(
    baseline: &Run,
    case: usize,
    other: &Run,
    other_case: usize,
) -> Option<(String, String)> {
    let (left, right) = (baseline.output_of(case)?, other.output_of(other_case)?);
    (left != right).then(|| (short(left), short(right)))
}

/// The first of the SHA-256 of a case's worker in its setting.
fn program(run: &Run, case: usize) -> String {
    let case = &run.header.plan.cases[case];
    let worker = &run.header.workloads[&case.workload].worker;
    let variant =
        run.header.variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
    let name = variant.map_or_else(|| worker.clone(), |variant| variant.name_of(worker));
    run.header.workers.get(&name).map_or_else(String::new, |receipt| short(&receipt.sha256))
}

/// As much of a digest as tells two apart.
fn short(sha256: &str) -> String {
    sha256.chars().take(12).collect()
}

fn builds(
    left: &WorkerBuild,
    right: &WorkerBuild,
    add: &mut impl FnMut(Allow, &str, String, String),
) {
    let names: BTreeSet<&String> = left.libraries.keys().chain(right.libraries.keys()).collect();
    for name in names {
        let version = |build: &WorkerBuild| {
            build.libraries.get(name).cloned().unwrap_or_else(|| "absent".to_owned())
        };
        add(Allow::Library, name, version(left), version(right));
    }
    add(Allow::Compiler, "the compiler", left.compiler.clone(), right.compiler.clone());
    add(Allow::Compiler, "flags", left.flags.clone(), right.flags.clone());
    add(Allow::Worker, "the worker's version", left.version.clone(), right.version.clone());
}
