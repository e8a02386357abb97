//! Everything needed to launch a case, and its requests.

use super::manifest::PROTOCOL;
use catalog::{Catalog, Program, Workload};
use record::{Case, Timing, Variant};
use serde_json::{Value, json};

/// Everything needed to launch a case.
#[derive(Debug, Clone)]
pub struct Task {
    /// The case's number in the plan.
    pub number: usize,
    pub case: Case,
    pub program: Program,
    pub workload: Workload,
    prepare: Value,
}

impl Task {
    /// `inject_wrong_answer` makes the worker corrupt its own output.
    pub fn new(
        number: usize,
        case: &Case,
        workload: &Workload,
        catalog: &Catalog,
        inject_wrong_answer: bool,
    ) -> Self {
        let inputs: serde_json::Map<String, Value> = workload
            .inputs
            .iter()
            .map(|(role, name)| {
                let input = &catalog.inputs[name];
                let file =
                    json!({ "path": input.path, "bytes": input.bytes, "sha256": input.sha256 });
                (role.clone(), file)
            })
            .collect();
        let mut prepare = json!({
            "request": "prepare",
            "protocol": PROTOCOL,
            "operation": workload.definition.operation,
            "parameters": workload.parameters,
            "threads": case.threads,
            "cpus": case.cpus,
            "seed": 0,
            "inputs": inputs,
        });
        if inject_wrong_answer {
            prepare["inject"] = json!("wrong-answer");
        }
        Self {
            number,
            case: case.clone(),
            program: workload.program.clone(),
            workload: workload.clone(),
            prepare,
        }
    }

    #[cfg(test)]
    pub(crate) fn sample(number: usize, case: Case) -> Self {
        let workload = sample_workload("nobody");
        let program = workload.program.clone();
        Self { number, case, program, workload, prepare: Value::Null }
    }

    /// How its samples are taken in a run with this timing.
    pub fn timing(&self, of_run: Timing) -> Timing {
        of_run.of(&self.workload.definition)
    }

    /// Most memory that the case uses; 0 if its table doesn't state it because it is small.
    pub fn memory_bytes(&self) -> u64 {
        self.workload.memory_bytes(self.case.threads)
    }

    /// The task with a variant's settings.
    #[must_use]
    pub fn in_setting(mut self, variant: &Variant) -> Self {
        let program = &mut self.program;
        let other = variant.replacement(&program.name);
        program.name = variant.name_of(&program.name);
        if let Some(other) = other {
            program.run = vec![other.clone()];
        }
        program.environment.extend(variant.environment.clone());
        if !variant.command.is_empty() && self.workload.is_command() {
            self.workload.run_instead(&variant.command);
            self.prepare["parameters"] = self.workload.parameters.clone();
        }
        self
    }

    /// The work that one of its threads does.
    pub(crate) fn on_thread(&self, thread: usize) -> Self {
        let mut task = self.clone();
        (task.case.threads, task.case.cpus) = (1, vec![self.case.cpus[thread]]);
        task.prepare["threads"] = json!(1);
        task.prepare["cpus"] = json!(task.case.cpus);
        task
    }

    pub(super) fn prepare_line(&self, seed: u64) -> String {
        let mut prepare = self.prepare.clone();
        prepare["seed"] = json!(seed);
        prepare.to_string()
    }
}

/// The operation `zip/zip` of a worker, without parameters.
#[cfg(test)]
pub(super) fn sample_workload(worker: &str) -> Workload {
    let program = Program {
        name: worker.to_owned(),
        run: vec!["true".to_owned()],
        folder: "/".into(),
        environment: std::collections::BTreeMap::new(),
    };
    Workload {
        id: "zip-1/zip".to_owned(),
        about: String::new(),
        program,
        parameters: json!({}),
        inputs: std::collections::BTreeMap::new(),
        needs: catalog::Needs::default(),
        definition: record::fixture::header().workloads["zip/zip"].clone(),
    }
}

/// The requests of a launch with a few samples, for running a worker by hand.
pub fn request_lines(task: &Task, seed: u64, timing: &Timing, samples: usize) -> Vec<String> {
    let mut lines = vec![task.prepare_line(seed)];
    lines.extend(std::iter::repeat_n(measure_line(timing), samples));
    lines.push(FINISH.to_owned());
    lines
}

pub(super) const FINISH: &str = r#"{"request":"finish"}"#;

pub(super) fn measure_line(timing: &Timing) -> String {
    let (warmup_ns, sample_ns) = (timing.warmup_ns, timing.sample_ns);
    json!({ "request": "measure", "warmup_ns": warmup_ns, "sample_ns": sample_ns }).to_string()
}
