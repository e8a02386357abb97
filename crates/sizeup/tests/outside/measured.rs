//! `sizeup machine --measure`: what no file tells.

use crate::schema::validator_of;
use crate::support::{Place, installed};
use serde_json::Value;
use tempfile::TempDir;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn latencies_and_clocks_are_those_of_a_machine_that_can_be() {
    let folder = TempDir::new().expect("a temporary folder");
    let answer = installed(&folder, &["machine", "--measure", "--json"]);
    assert_eq!(answer.status, if one_cpu(&answer.data()) { 3 } else { 0 }, "{}", answer.stderr);
    if let Err(error) = validator_of("schemas/machine.schema.json").validate(&answer.json()) {
        panic!("{error} at {} of {}", error.instance_path(), answer.stdout);
    }
    let measured = &answer.data()["measured"];
    let steps = measured["ladder"]["steps"].as_array().expect("steps");
    let bytes: Vec<f64> = steps.iter().map(|step| number(&step["bytes"])).collect();
    assert!(bytes.windows(2).all(|two| two[0] < two[1]), "{bytes:?}");
    let ns = |step: &Value| number(&step["load"]["ns"]);
    let [first, last] = [&steps[0], &steps[steps.len() - 1]].map(ns);
    // No load takes less than a cycle of 10 GHz, and no memory is as near as a cache.
    assert!(first > 0.1 && last > 2.0 * first, "{first} ns, {last} ns");
    let clocks = measured["clocks"].as_array().expect("clocks");
    assert_eq!(clocks[0]["cores"], 1);
    for step in clocks {
        let hz = number(&step["clock_hz"]);
        assert!((0.2e9..10e9).contains(&hz), "{step}");
    }
    if !one_cpu(&answer.data()) {
        let pairs = measured["core_to_core"]["pairs"].as_array().expect("pairs");
        let ns = pairs.iter().filter_map(|pair| pair["one_way"]["ns"].as_f64());
        assert!(ns.clone().count() > 0 && ns.clone().all(|ns| ns > 0.5), "{pairs:?}");
    }
}

fn one_cpu(machine: &Value) -> bool {
    machine["limits"]["allowed_cpus"].as_str().is_some_and(|cpus| cpus.parse::<u32>().is_ok())
}

#[test]
fn a_part_that_can_not_be_measured_is_said_and_ends_with_status_3() {
    // A place without the worker that keeps cores busy.
    let place = Place::new().with_faults(&["none"], &[]);
    let answer = place.sizeup(&["machine", "--measure"]);
    assert_eq!(answer.status, 3, "{}", answer.stdout);
    assert!(answer.stdout.contains("The clock was not measured: "), "{}", answer.stdout);
    assert!(answer.stdout.contains("Loads: "), "{}", answer.stdout);
}

#[test]
fn a_run_file_has_what_was_measured_of_the_machine_and_whether_the_run_is_valid() {
    let place = Place::new().with_faults(&["none"], &[]);
    let arguments = Place::run_arguments(&["none/fake"], &["--measure-machine"]);
    let run = place.sizeup(&arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("load from memory"), "{}", run.stdout);
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records[1]["record"], "measured_machine");
    assert!(records[1]["ladder"]["steps"].as_array().is_some_and(|steps| steps.len() > 4));
    // Behind its last sample, and what this program says of the file, too.
    let [.., validity, close] = &records[..] else { panic!("{text}") };
    assert_eq!((&validity["record"], &close["record"]), (&"validity".into(), &"close".into()));
    let shown = place.sizeup(&["show", "out.jsonl", "--json"]).data();
    for key in ["grade", "reasons"] {
        assert_eq!(validity[key], shown["validity"][key]);
    }
}
