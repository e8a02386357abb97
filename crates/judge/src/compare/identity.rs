//! Like is compared with like: what a row is made of, and what differs between two.

use super::must_match::{Difference, MustMatch};
use catalog::OWN_WORKER;
use record::{Case, Run};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for a property that one of two rows lacks.
const ABSENT: &str = "absent";

/// Kind and name of what must match → what it is.
type Facts = BTreeMap<(MustMatch, String), String>;

/// Everything about a row that must match to compare it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// Must match; what one row lacks differs.
    defined: Facts,
    /// Like `defined`, for the worker that was launched; `None` if none was.
    built: Option<Facts>,
    /// Must match where both rows have it.
    recorded: Facts,
    /// Library → the instruction-set path that it chose. Need not match: it explains what differs.
    paths: BTreeMap<String, String>,
    /// Need not match either, for a worker of the release: operation and libraries must.
    worker: String,
}

impl Identity {
    /// Collects the facts about a case of a run.
    pub fn of(run: &Run, case: usize) -> Self {
        let planned = &run.header.plan.cases[case];
        let definition = &run.header.workloads[&planned.workload];
        let worker = definition.worker.clone();
        let mut identity = Self { defined: defined(run, planned), worker, ..Self::default() };
        let suite = format!("the version of suite {}", run.header.suite);
        identity.recorded.insert((MustMatch::Suite, suite), run.header.suite_version.to_string());
        let program = program(run, planned);
        // A user's own worker may be changed without its version: its program must be the same.
        let is_own = definition.worker.starts_with(OWN_WORKER);
        if is_own {
            let key = (MustMatch::Worker, "the worker's program".to_owned());
            identity.defined.insert(key, program.clone());
        }
        if let Some(ready) = run.ready_of(case) {
            let mut built = Facts::new();
            let mut add = |kind, what: &str, is: &str| {
                built.insert((kind, what.to_owned()), is.to_owned());
            };
            let build = &ready.build;
            add(MustMatch::Compiler, "the compiler", &build.compiler);
            add(MustMatch::Compiler, "flags", &build.flags);
            add(MustMatch::Worker, "the worker's version", &build.version);
            for (name, version) in &build.libraries {
                add(MustMatch::Library, name, version);
            }
            identity.built = Some(built);
            identity.paths.clone_from(&build.paths);
            // For two architectures it is built twice; for one, another program is another build.
            if !is_own {
                let what = format!("the worker's build for {:?}", build.target);
                identity.recorded.insert((MustMatch::Worker, what), program);
            }
        }
        if let Some(bytes) = run.bytes_per_op(case) {
            let what = "bytes per op".to_owned();
            identity.recorded.insert((MustMatch::Input, what), bytes.to_string());
        }
        if let Some(output) = run.output_of(case) {
            let what = "what an op makes".to_owned();
            identity.recorded.insert((MustMatch::Output, what), short(output));
        }
        identity
    }

    /// Library → the instruction-set path that it chose, as far as the worker reports them.
    pub fn paths(&self) -> &BTreeMap<String, String> {
        &self.paths
    }

    /// The worker that does it.
    pub fn worker(&self) -> &str {
        &self.worker
    }

    /// Ignores facts that depend on the number of threads.
    #[must_use]
    pub fn on_any_threads(&self) -> Self {
        let mut identity = self.clone();
        identity.defined.retain(|(kind, _), _| *kind != MustMatch::Threads);
        identity
    }

    /// Properties that differ in another row.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        // Runs of the same work share their identities.
        if std::ptr::eq(self, other) {
            return found;
        }
        compare(&self.defined, &other.defined, &mut found);
        if let (Some(ours), Some(theirs)) = (&self.built, &other.built) {
            compare(ours, theirs, &mut found);
        }
        for (key, ours) in &self.recorded {
            if let Some(theirs) = other.recorded.get(key).filter(|theirs| *theirs != ours) {
                found.push(difference(key, ours, theirs));
            }
        }
        found
    }
}

fn compare(ours: &Facts, theirs: &Facts, found: &mut Vec<Difference>) {
    // Most rows differ in nothing, and a page looks at each two machines.
    if ours == theirs {
        return;
    }
    let keys: BTreeSet<&(MustMatch, String)> = ours.keys().chain(theirs.keys()).collect();
    for key in keys {
        let [ours, theirs] =
            [ours, theirs].map(|facts| facts.get(key).map_or(ABSENT, String::as_str));
        if ours != theirs {
            found.push(difference(key, ours, theirs));
        }
    }
}

fn difference((kind, what): &(MustMatch, String), baseline: &str, other: &str) -> Difference {
    Difference {
        kind: *kind,
        what: what.clone(),
        baseline: baseline.to_owned(),
        other: other.to_owned(),
    }
}

/// Facts known before anything is launched.
fn defined(run: &Run, case: &Case) -> Facts {
    let header = &run.header;
    let definition = &header.workloads[&case.workload];
    let setting =
        header.variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
    let setting = setting.map_or_else(String::new, |setting| {
        format!("{:?} {:?}", setting.environment, setting.workers)
    });
    let cpus: BTreeSet<u32> = case.cpus.iter().copied().collect();
    let takes_turns = case.threads > cpus.len();
    let turns = if takes_turns { "more threads than CPUs" } else { "a CPU for each thread" };
    let executed = header.emulation().unwrap_or_else(|| "a CPU".to_owned());
    let measured_by = header.origin.as_ref().map_or("sizeup", |origin| &origin.tool);
    // Libraries can move from one of the release's to another.
    let is_own = definition.worker.starts_with(OWN_WORKER);
    let own = if is_own { definition.worker.as_str() } else { "sizeup's" };
    let facts = [
        (MustMatch::Unit, "the figure's unit", definition.unit.to_string()),
        (MustMatch::Origin, "what measured it", measured_by.to_owned()),
        (MustMatch::Emulation, "what executed it", executed),
        (MustMatch::Threads, "placement", case.placement.to_string()),
        (MustMatch::Threads, "threads on CPUs", turns.to_owned()),
        (MustMatch::Definition, "the variant", setting),
        (MustMatch::Definition, "operation", definition.operation.clone()),
        (MustMatch::Definition, "parameters", definition.parameters.to_string()),
        (MustMatch::Definition, "worker", own.to_owned()),
    ];
    let inputs = definition
        .inputs
        .iter()
        .map(|(name, sha256)| (MustMatch::Input, name.as_str(), sha256.clone()));
    facts.into_iter().chain(inputs).map(|(kind, what, is)| ((kind, what.to_owned()), is)).collect()
}

/// The first of the SHA-256 of a case's worker in its setting.
fn program(run: &Run, case: &Case) -> String {
    let worker = &run.header.workloads[&case.workload].worker;
    let variant =
        run.header.variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
    let name = variant.map_or_else(|| worker.clone(), |variant| variant.name_of(worker));
    run.header.workers.get(&name).map_or_else(String::new, |manifest| short(&manifest.sha256))
}

/// The first of the SHA-256 of what an op makes in two cases of a run, where both are known and differ.
pub fn other_output(run: &Run, case: usize, other_case: usize) -> Option<(String, String)> {
    let (left, right) = (run.output_of(case)?, run.output_of(other_case)?);
    (left != right).then(|| (short(left), short(right)))
}

/// As much of a digest as tells two apart.
fn short(sha256: &str) -> String {
    sha256.chars().take(12).collect()
}
