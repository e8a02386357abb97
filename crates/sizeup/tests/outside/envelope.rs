//! The `--json` envelope of every command, validated against its schema.

use crate::profile::{code, saved};
use crate::schema::validator_of;
use crate::support::Place;
use serde_json::{Value, json};
use std::fmt::Write;

const RUN: &str = "a-imported.run.jsonl";
const OTHER: &str = "b-imported.run.jsonl";

/// A view of what is measured here: which of them depends on who else is at work.
const MEASURED: [&str; 2] = ["uncontended", "delivered"];

/// Each command with `--json`, how it is called in a place with imported runs and the fake worker, and its view there.
fn commands() -> Vec<(Vec<&'static str>, Value)> {
    let fake = &["--with", "own", "--workload", "none/fake", "--threads", "1"];
    let run = [&["run"], &fake[..], &["--budget", "5s", "--precision", "30%"]].concat();
    vec![
        ([&run[..], &["-o", "out.jsonl"]].concat(), json!(MEASURED)),
        ([&run[..], &["--estimate"]].concat(), Value::Null),
        (vec!["bench", "--budget", "5s", "-o", "bench.jsonl", "true", "sleep 0.01"], Value::Null),
        (vec!["list"], Value::Null),
        (vec!["list", "workloads", "--with", "own"], Value::Null),
        // With --measure, which takes ten seconds of CPU time, in measured.rs.
        (vec!["machine"], Value::Null),
        (vec!["doctor", "--seconds", "1"], Value::Null),
        (vec!["runs", "."], Value::Null),
        (vec!["show", RUN], json!("imported")),
        (vec!["show", "--grid", RUN, OTHER], Value::Null),
        (vec!["compare", RUN, OTHER], json!("imported")),
        (vec!["explain", RUN], json!("imported")),
        (vec!["explain", RUN, OTHER], json!("imported")),
        (vec!["profile", "a.json"], Value::Null),
        (vec!["profile", "a.json", "b.json"], Value::Null),
        (vec!["score", RUN, OTHER], json!("imported")),
        (vec!["scaling", RUN, OTHER], json!("imported")),
        (vec!["cost", RUN, "--price", "a=2"], json!("imported")),
        (vec!["cost", RUN, OTHER, "--price", "a=2", "--price", "b=3"], json!("imported")),
        (vec!["prices", "prices.csv"], Value::Null),
        (vec!["capacity", "mix.toml", RUN, OTHER], json!("imported")),
        (vec!["implementations", RUN, OTHER], json!("imported")),
    ]
}

fn place() -> Place {
    let place = Place::new().with_faults(&["none"], &[]).with_command_worker();
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for (machine, factor) in [("a", 10), ("b", 20)] {
        for (workload, threads) in [("sum/one", 1), ("sum/one", 2), ("sum/two", 1), ("sum/two", 2)]
        {
            for noise in [-1, 0, 1] {
                let value = factor * threads * 10 + noise;
                let _ = writeln!(table, "{machine},{workload},{threads},{value},ops/s,2");
            }
        }
    }
    place.write("table.csv", table);
    let imported = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(imported.status, 0, "{}", imported.stderr);
    for label in ["a", "b"] {
        let functions = [("f", 900, code(&["AES"])), ("g", 1, Value::Null)];
        place.write(&format!("{label}.json"), saved(label, &functions));
    }
    place.write("prices.csv", "label,per_hour,date,vcpus\na,2,2026-11-01,2\nb,3,,\n");
    place.write("mix.toml", "[[demand]]\nworkload = \"sum/one\"\nrate = \"100 ops/s\"\n");
    place
}

#[test]
fn every_command_with_json_prints_it_in_one_envelope_and_as_its_schema_says() {
    let place = place();
    let help = place.sizeup(&["--help"]).stdout;
    let is_command = |line: &&str| {
        line.strip_prefix("  ")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let names = help.lines().filter(is_command);
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"compare"), "{help}");
    let commands = commands();
    for name in names.into_iter().filter(|name| *name != "help") {
        let has_json = place.sizeup(&[name, "--help"]).stdout.contains("--json");
        let is_here = commands.iter().any(|(command, _)| command[0] == name);
        assert_eq!(has_json, is_here, "{name}: a command with --json needs a line in this test");
    }
    for (command, view) in commands {
        let answer = place.sizeup(&[&command[..], &["--json"]].concat());
        let printed = answer.json();
        let schema = validator_of(&format!("schemas/{}.schema.json", command[0]));
        if let Err(error) = schema.validate(&printed) {
            panic!(
                "{command:?} is not what its schema says, at {}: {error}",
                error.instance_path()
            );
        }
        let mut keys: Vec<&String> = printed.as_object().expect("an object").keys().collect();
        keys.sort();
        assert_eq!(keys, ["answer", "command", "data", "notes", "program", "version", "view"]);
        assert_eq!(printed["program"], "sizeup");
        assert_eq!(printed["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(printed["command"], command[0]);
        let is_expected = match &view {
            Value::Array(views) => views.contains(&printed["view"]),
            view => printed["view"] == *view,
        };
        assert!(is_expected, "{command:?}: {}", printed["view"]);
        assert!(printed["data"].is_object() || printed["data"].is_array(), "{printed}");
        let notes = printed["notes"].as_array().expect("a list");
        for note in notes {
            let note = note.as_str().expect("a sentence");
            // A line about contention stands above the table; all others are on stderr, too, the same of several files once.
            let text = note.split_once(": ").map_or(note, |(_, text)| text);
            let is_told = answer.stderr.contains(text) || note.contains("lack uncontended figures");
            assert!(is_told, "{note}: {}", answer.stderr);
        }
    }
}
