//! The known builds of workers.

use super::failure::Failure;
use super::manifest::Manifests;
use super::ready::learn;
use super::task::Task;
use record::WorkerBuild;
use std::collections::BTreeMap;

/// Each worker's build, from its manifest and its launches since.
#[derive(Debug)]
pub(super) struct Builds<'a> {
    manifests: &'a Manifests,
    known: BTreeMap<String, WorkerBuild>,
}

impl<'a> Builds<'a> {
    pub fn of(manifests: &'a Manifests) -> Self {
        let listed =
            manifests.iter().filter_map(|(name, answer)| Some((name, answer.as_ref().ok()?)));
        let known = listed.map(|(name, listed)| (name.clone(), listed.manifest.build.clone()));
        Self { manifests, known: known.collect() }
    }

    /// The build of a task's worker. Without a manifest that lists the workload, nothing is measured.
    pub fn find(&self, task: &Task) -> Result<&WorkerBuild, Failure> {
        let worker = &task.program.name;
        match (self.known.get(worker), self.manifests.get(worker)) {
            (Some(build), Some(Ok(listed))) => match listed.why_not(&task.workload) {
                None => Ok(build),
                Some(why) => Err(Failure::new("unavailable", why, "")),
            },
            // The user interrupted it: no outcome either.
            (_, Some(Err(failure))) if failure.kind == "interrupted" => Err(failure.clone()),
            (_, Some(Err(failure))) => {
                Err(Failure { kind: "unavailable".to_owned(), ..failure.clone() })
            }
            _ => Err(Failure::new("unavailable", "the worker has no manifest", "")),
        }
    }

    /// Adds what a launch reported.
    pub fn learn(&mut self, worker: &str, reported: &WorkerBuild) {
        if let Some(build) = self.known.get_mut(worker) {
            learn(build, reported);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::manifest::Listed;
    use serde_json::json;

    fn task_of(worker: &str) -> Task {
        let mut task = Task::sample(0, record::fixture::header().plan.cases[0].clone());
        worker.clone_into(&mut task.program.name);
        task
    }

    #[test]
    fn an_operation_missing_from_the_manifest_is_not_launched() {
        let listed = |operation: &str| {
            let operation = json!({ "operation": operation, "parameters": {}, "inputs": [] });
            Ok(Listed {
                manifest: record::Manifest { sha256: String::new(), build: WorkerBuild::default() },
                operations: vec![serde_json::from_value(operation).unwrap()],
                stderr: String::new(),
            })
        };
        let manifests: Manifests = [("zips", listed("zip/zip")), ("other", listed("zip/zap"))]
            .map(|(name, answer)| (name.to_owned(), answer))
            .into();
        let builds = Builds::of(&manifests);
        assert!(builds.find(&task_of("zips")).is_ok());
        let refusal = builds.find(&task_of("other")).unwrap_err();
        assert_eq!(refusal.kind, "unavailable");
        assert!(refusal.message.contains("has no operation zip/zip"), "{refusal}");
    }

    #[test]
    fn a_worker_without_a_manifest_is_unavailable_but_an_interrupted_one_is_not() {
        let failed = |kind: &str| Err(Failure::new(kind, "why", ""));
        let manifests: Manifests = [("dead", failed("died")), ("left", failed("interrupted"))]
            .map(|(name, answer)| (name.to_owned(), answer))
            .into();
        let builds = Builds::of(&manifests);
        let kind = |worker: &str| {
            builds.find(&task_of(worker)).map_err(|failure| failure.kind).unwrap_err()
        };
        assert_eq!(
            ["dead", "left", "unknown"].map(kind),
            ["unavailable", "interrupted", "unavailable"]
        );
    }
}
