//! Placeholders of transcripts: the worker's own workload, parameters, inputs and CPUs.

use catalog::{Catalog, Workload};
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SHA256_OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Parts of a request that a workload must have for a transcript to make sense.
#[derive(Debug, Default, Clone, Copy)]
pub struct WorkloadNeeds {
    /// Parameters that are given.
    pub parameters: bool,
    /// Inputs.
    pub inputs: bool,
}

/// Variable → JSON text.
pub struct Variables(BTreeMap<&'static str, String>);

impl Variables {
    /// The variables for the first of a worker's workloads that has what is needed; `None` if none has.
    /// `worker` is the name that the worker gives itself.
    ///
    /// # Errors
    /// When all workloads are of that worker, or the kernel names no CPU.
    pub fn of(
        catalog: &Catalog,
        workloads: &[&Workload],
        worker: &str,
        needs: WorkloadNeeds,
    ) -> Result<Option<Self>, String> {
        let has = |object: &Map<String, Value>| object.values().any(|value| !value.is_null());
        let mut first = None;
        // Each transcript sets it up anew.
        let mut workloads = workloads.to_vec();
        workloads.sort_by_key(|workload| workload.needs.setup_ms);
        for workload in workloads {
            let parameters = workload.parameters.as_object().cloned().unwrap_or_default();
            let inputs = inputs_of(catalog, workload);
            if (has(&parameters) || !needs.parameters) && (has(&inputs) || !needs.inputs) {
                first = Some((workload, parameters, inputs));
                break;
            }
        }
        let Some((workload, parameters, inputs)) = first else {
            return Ok(None);
        };
        let other = catalog
            .workloads
            .values()
            .find(|other| other.program.name != workload.program.name)
            .ok_or("all workloads are of one worker")?;
        let cpus = cpus()?;
        let absent = (999..).find(|cpu| !cpus.contains(cpu));
        let values = [
            ("WORKER", json!(worker)),
            ("OPERATION", json!(workload.definition.operation)),
            ("OTHER", json!(other.definition.operation)),
            ("PARAMETERS", json!(parameters)),
            ("PARAMETERS_ONE_LESS", one_less(&parameters)),
            ("PARAMETERS_ONE_MORE", with(&parameters, "colour", json!(1))),
            ("PARAMETERS_ILL_TYPED", ill_typed(&parameters)),
            ("INPUTS", json!(inputs)),
            ("INPUTS_NOT_THERE", changed(&inputs, "path", json!("/nonexistent/input"))),
            ("INPUTS_NO_FILE", no_file(&inputs)),
            ("INPUTS_WRONG_LENGTH", changed(&inputs, "bytes", json!(1))),
            ("INPUTS_WRONG_DIGEST", changed(&inputs, "sha256", json!("0".repeat(64)))),
            ("INPUTS_ILL_TYPED", changed(&inputs, "bytes", json!("many"))),
            ("INPUTS_UNKNOWN_FIELD", changed(&inputs, "colour", json!(1))),
            ("INPUTS_AS_LISTS", as_lists(&inputs)),
            ("CPU", json!(cpus[0])),
            ("CPU2", json!(cpus.get(1).unwrap_or(&cpus[0]))),
            ("ABSENT_CPU", json!(absent)),
        ];
        let texts = values.map(|(name, value)| (name, value.to_string()));
        Ok(Some(Self(BTreeMap::from(texts))))
    }

    /// No variables at all.
    pub fn of_nothing() -> Self {
        Self(BTreeMap::new())
    }

    /// A text with each `$NAME` replaced by its value.
    pub fn fill(&self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            filled.push_str(before);
            let end = after
                .find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_')
                .unwrap_or(after.len());
            let name = &after[..end];
            match self.0.get(name) {
                Some(value) => filled.push_str(value),
                None if name.is_empty() => filled.push('$'),
                None => return Err(format!("${name} is no variable")),
            }
            rest = &after[end..];
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// An object with one field more, or with another value of it.
fn with(object: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut object = object.clone();
    object.insert(name.to_owned(), value);
    Value::Object(object)
}

/// The first parameter that is given. Optional ones that are not given stand as null.
fn first(parameters: &Map<String, Value>) -> Option<(&String, &Value)> {
    parameters.iter().find(|(_, value)| !value.is_null())
}

fn one_less(parameters: &Map<String, Value>) -> Value {
    let mut less = parameters.clone();
    if let Some((name, _)) = first(parameters) {
        less.remove(name);
    }
    Value::Object(less)
}

fn ill_typed(parameters: &Map<String, Value>) -> Value {
    match first(parameters) {
        Some((name, value)) if value.is_string() => with(parameters, name, json!(7)),
        Some((name, _)) => with(parameters, name, json!("many")),
        None => json!(parameters),
    }
}

/// Inputs that all have this value of one field.
fn changed(inputs: &Map<String, Value>, field: &str, value: Value) -> Value {
    let files = inputs.iter().map(|(name, file)| {
        let file = file.as_object().cloned().unwrap_or_default();
        (name.clone(), with(&file, field, value.clone()))
    });
    Value::Object(files.collect())
}

/// Inputs whose descriptions are lists of the right values instead of objects.
fn as_lists(inputs: &Map<String, Value>) -> Value {
    let files = inputs.iter().map(|(name, file)| {
        let list = json!([file["path"], file["bytes"], file["sha256"]]);
        (name.clone(), list)
    });
    Value::Object(files.collect())
}

/// Inputs that are said to be empty, and are pipes that nobody closes.
fn no_file(inputs: &Map<String, Value>) -> Value {
    let file = json!({ "path": "/dev/stdin", "bytes": 0, "sha256": SHA256_OF_NOTHING });
    Value::Object(inputs.keys().map(|name| (name.clone(), file.clone())).collect())
}

/// The CPUs that this process may use, of which there is at least one.
///
/// # Errors
/// When the kernel names none.
pub fn cpus() -> Result<Vec<usize>, String> {
    let set = sched_getaffinity(Pid::from_raw(0)).map_err(|e| format!("sched_getaffinity: {e}"))?;
    let cpus: Vec<usize> =
        (0..CpuSet::count()).filter(|cpu| set.is_set(*cpu).unwrap_or(false)).collect();
    if cpus.is_empty() {
        return Err("sched_getaffinity names no CPU".to_owned());
    }
    Ok(cpus)
}

/// The `inputs` of a request for a workload.
#[must_use]
pub fn inputs_of(catalog: &Catalog, workload: &Workload) -> Map<String, Value> {
    let inputs = workload.inputs.iter();
    inputs
        .map(|(role, name)| {
            let input = &catalog.inputs[name];
            let file = json!({ "path": input.path, "bytes": input.bytes, "sha256": input.sha256 });
            (role.clone(), file)
        })
        .collect()
}
