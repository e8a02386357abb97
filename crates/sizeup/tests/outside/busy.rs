//! Runs of a busy machine: no command that judges makes an answer of them unless it is told to, and then it says so. The run files
//! have figures that are known.

use crate::support::{Place, fake_worker, seal};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

/// A run of workloads of the fake worker, record by record.
fn measured(ids: &[&str], label: &str, more: &[&str]) -> (Place, Vec<Value>) {
    let place = Place::new();
    let mut table = format!("worker = {{ run = [{:?}] }}\n", fake_worker());
    for id in ids {
        let _ = write!(
            table,
            "[[workload]]\nid = \"{id}\"\noperation = \"misbehave\"\nfamily = \"hash\"\nabout = \"nothing\"\nparameters = {{ fault = \"none\" }}\n"
        );
    }
    place.write("own/fake.toml", table);
    let more: Vec<&str> = ["--label", label].into_iter().chain(more.iter().copied()).collect();
    let answer = place.sizeup(&Place::run_arguments(ids, &more));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (place, records)
}

/// Gives each case's samples a speed in ops a microsecond, of which somebody else takes a half where `contended` says so.
fn write(
    place: &Place,
    (file, label): (&str, &str),
    records: &[Value],
    speed: impl Fn(&Value) -> f64,
    contended: impl Fn(&Value) -> bool,
) {
    let mut records = records.to_vec();
    records[0]["label"] = json!(label);
    records[0]["host"] = json!(label);
    let cases = records[0]["plan"]["cases"].clone();
    let is_busy = cases.as_array().expect("cases").iter().any(&contended);
    let samples = records.iter_mut().filter(|record| record["record"] == "sample");
    for (count, record) in samples.enumerate() {
        let case = &cases[record["case"].as_u64().expect("a case") as usize];
        let share = if contended(case) { 2 } else { 1 };
        // A spread of 1 %.
        let ops_per_us = speed(case) / share as f64 * (0.99 + (count * 7 % 11) as f64 / 500.0);
        let number = |value: &Value| value.as_u64().expect("a number");
        for thread in record["threads"].as_array_mut().expect("threads") {
            let elapsed_us = number(&thread["elapsed_ns"]) as f64 / 1000.0;
            thread["ops"] = json!((elapsed_us * ops_per_us) as u64);
            thread["cpu_ns"] = json!(number(&thread["cpu_ns"]) / share);
        }
        record["process_cpu_ns"] = json!(number(&record["process_cpu_ns"]) / share);
        record["steal_ticks"] = json!(0);
        // Nothing tells that the work waits by its nature.
        let fields = record.as_object_mut().expect("a record");
        ["idle_ticks", "total_ticks"].iter().for_each(|field| drop(fields.remove(*field)));
    }
    for record in records.iter_mut().filter(|record| record["record"] == "activity") {
        let seconds =
            1e-9 * (record["at_ns"].as_f64().unwrap() - record["since_ns"].as_f64().unwrap());
        let per_second = if is_busy { 130.0 } else { 0.0 };
        record["others_ticks"] = json!((seconds * per_second).round() as u64);
        record.as_object_mut().expect("a record").remove("elapsed");
    }
    seal(place, file, &records);
}

fn is_on_all(case: &Value) -> bool {
    case["thread_spec"] == "all"
}

/// A quiet machine's run, and one of a machine that is a fifth faster, whose rows on all threads were contended.
fn quiet_and_busy() -> Place {
    let (place, records) = measured(&["a/fake", "b/fake"], "quiet", &["--threads", "1,all"]);
    write(&place, ("quiet.jsonl", "quiet"), &records, |_| 10.0, |_| false);
    write(&place, ("busy.jsonl", "busy"), &records, |_| 12.0, is_on_all);
    place
}

#[test]
fn no_command_makes_an_answer_of_an_invalid_run_unless_that_is_allowed() {
    let place = quiet_and_busy();
    place.write("mix.toml", "[[demand]]\nworkload = \"a/fake\"\nrate = \"1000000 ops/s\"\n");
    let prices = ["--price", "quiet=1", "--price", "busy=1"];
    let files = ["quiet.jsonl", "busy.jsonl"];
    for (command, more) in [
        ("compare", &[][..]),
        ("score", &["--baseline", "quiet"]),
        ("scaling", &[]),
        ("cost", &prices),
        // The mix comes first.
        ("capacity", &["mix.toml"]),
    ] {
        let arguments = [&[command], more, &files].concat();
        let answer = place.sizeup(&arguments);
        let text = answer.prose();
        let why = "! No answer: busy (busy.jsonl) is invalid: 2 of 4 rows lack uncontended figures, and other processes used 1.3 CPUs";
        // Whatever else this machine did meanwhile.
        assert!(text.starts_with(why), "{command}: {text}{}", answer.stderr);
        assert_eq!((answer.status, text.contains("faster")), (1, false), "{command}: {text}");
        let allowed = ["--allow", "invalid", "--view", "delivered"];
        let answer = place.sizeup(&[&arguments[..], &allowed].concat());
        let text = answer.prose();
        for says in ["Invalid data of busy: ", "As delivered, while other processes ran: "] {
            assert!(text.contains(says), "{command}: {text}{}", answer.stderr);
        }
        assert!(text.contains("not the CPUs"), "{command}: {text}");
        assert_eq!(answer.status, 1, "{command}: {text}");
    }
}

#[test]
fn ratios_are_of_uncontended_figures_and_of_delivered_ones_where_that_is_asked_for() {
    let place = quiet_and_busy();
    let compare = |more: &[&str]| -> (i32, Value) {
        let files = ["compare", "quiet.jsonl", "busy.jsonl", "--json"];
        let answer = place.sizeup(&[&files, more].concat());
        (answer.status, answer.json())
    };
    let ratios = |answer: &Value| -> Vec<Option<f64>> {
        let rows = answer["data"]["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["ratio"]["centre"].as_f64().map(|ratio| (ratio * 100.0).round() / 100.0))
            .collect()
    };
    let (status, none) = compare(&[]);
    assert_eq!((status, &none["data"]), (1, &Value::Null), "{none}");
    let (status, allowed) = compare(&["--allow", "invalid"]);
    assert_eq!((status, ratios(&allowed)), (1, vec![Some(1.2), None, Some(1.2), None]));
    let note = allowed["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("2 of 4 rows lack uncontended figures"), "{note}");
    let (status, delivered) = compare(&["--allow", "invalid", "--view", "delivered"]);
    assert_eq!((status, &delivered["view"]), (1, &json!("delivered")));
    assert_eq!(ratios(&delivered), [Some(1.2), Some(0.6), Some(1.2), Some(0.6)]);

    let text = place.sizeup(&["compare", "quiet.jsonl", "busy.jsonl", "--allow", "invalid", "-v"]);
    let text = text.prose();
    for (says, times) in [
        (
            "! 2 of 4 rows lack uncontended figures (busy: other processes used 1.3 CPUs): they have no result; --view delivered gives",
            1,
        ),
        ("not compared: busy: too few of its", 2),
    ] {
        assert_eq!(text.matches(says).count(), times, "{says}: {text}");
    }
}

#[test]
fn of_several_runs_the_invalid_one_is_left_out_and_named() {
    let place = quiet_and_busy();
    let text = fs::read_to_string(place.path("quiet.jsonl")).expect("a run");
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    write(&place, ("calm.jsonl", "calm"), &records, |_| 11.0, |_| false);
    let answer = place.sizeup(&["compare", "quiet.jsonl", "busy.jsonl", "calm.jsonl"]);
    let text = answer.prose();
    assert_eq!(answer.status, 1, "{text}");
    assert!(text.starts_with("! Left out: busy (busy.jsonl) is invalid"), "{text}");
    assert!(text.contains("calm is 10 % faster than quiet on all"), "{text}");
}

#[test]
fn where_few_rows_lack_uncontended_figures_the_others_are_compared_by_them() {
    let ids = ["a/fake", "b/fake", "c/fake"];
    let (place, records) = measured(&ids, "quiet", &["--threads", "all"]);
    write(&place, ("quiet.jsonl", "quiet"), &records, |_| 10.0, |_| false);
    write(&place, ("busy.jsonl", "busy"), &records, |_| 12.0, |case| case["workload"] == "c/fake");
    let answer = place.sizeup(&["compare", "quiet.jsonl", "busy.jsonl"]);
    assert_eq!(answer.status, 1, "{}", answer.stdout);
    let text = answer.prose();
    assert!(text.starts_with("Suspect data of "), "{text}");
    assert!(text.contains("busy: busy is 20 % faster than quiet on all"), "{text}");
    assert!(text.contains("! 1 of 3 rows lack uncontended figures"), "{text}");
    // A mix can't do without any of its rows.
    for (workload, is_known) in [("a/fake", true), ("c/fake", false)] {
        place.write(
            "mix.toml",
            format!("[[demand]]\nworkload = \"{workload}\"\nrate = \"1000000 ops/s\"\n"),
        );
        let answer = place.sizeup(&["capacity", "mix.toml", "quiet.jsonl", "busy.jsonl"]);
        assert_eq!(answer.status, if is_known { 0 } else { 2 }, "{}", answer.stdout);
        let why = "busy: c/fake: too few of its ";
        assert_eq!(answer.stderr.contains(why), !is_known, "{}", answer.stderr);
    }
}

#[test]
fn quiet_runs_are_compared_by_uncontended_figures_without_a_word_on_others() {
    let (place, records) = measured(&["a/fake"], "quiet", &["--threads", "1"]);
    write(&place, ("quiet.jsonl", "quiet"), &records, |_| 10.0, |_| false);
    write(&place, ("calm.jsonl", "calm"), &records, |_| 12.0, |_| false);
    let answer = place.sizeup(&["compare", "quiet.jsonl", "calm.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let text = answer.prose();
    assert!(text.contains("calm is 20 % faster than quiet on 1 thread"), "{text}");
    assert!(!text.contains("other processes"), "{text}");
}

#[test]
fn a_run_that_is_shown_says_which_figures_it_lacks() {
    let place = quiet_and_busy();
    let says = "! 2 of 4 rows lack uncontended figures (busy: other processes used 1.3 CPUs): this table shows delivered throughput instead.";
    let answer = place.sizeup(&["show", "busy.jsonl"]).prose();
    assert!(answer.contains(says), "{answer}");
    let view = place.sizeup(&["show", "busy.jsonl", "--json"]).data();
    assert_eq!(view["contention"]["lacking"], 2);
    let quiet = place.sizeup(&["show", "quiet.jsonl"]).stdout;
    assert!(!quiet.contains("lack uncontended"), "{quiet}");
}

#[test]
fn variants_on_a_busy_machine_are_judged_by_delivered_pairs_and_say_so() {
    let more = ["--threads", "1", "--variant", "base", "--variant", "slow=FAKE_OPS_PERCENT=100"];
    // Neither has a fault, whatever its name: the table sets `fault = "none"`.
    let (place, records) = measured(&["none/fake", "stray/fake"], "busy", &more);
    let speed = |case: &Value| if case["variant"] == "slow" { 9.0 } else { 10.0 };
    let is_first = |case: &Value| case["workload"] == "none/fake";
    write(&place, ("busy.jsonl", "busy"), &records, speed, is_first);
    let answer = place.sizeup(&["compare", "busy.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stdout);
    let says = "1 of 2 rows lack uncontended figures (busy: other processes used 1.3 CPUs): these are judged by pairs of delivered samples";
    assert!(answer.prose().contains(says), "{}", answer.stdout);
    let view = place.sizeup(&["compare", "busy.jsonl", "--json"]).data();
    for (row, kind) in [(0, "delivered"), (1, "uncontended")] {
        let row = &view["rows"][row];
        assert_eq!((&row["view"], &row["verdict"]), (&json!(kind), &json!("slower")), "{view}");
        let ratio = row["ratio"]["centre"].as_f64().expect("a ratio");
        assert!((ratio - 0.9).abs() < 0.01, "{view}");
    }
    let asked = place.sizeup(&["compare", "busy.jsonl", "--view", "uncontended"]);
    assert_eq!(asked.status, 1, "{}", asked.stdout);
    assert!(asked.prose().contains("slow: too few pairs"), "{}", asked.stdout);
    place
        .sizeup(&["compare", "busy.jsonl", "--view", "per-ghz"])
        .refuses(2, "--view uncontended or");
}

/// A run of which most rows on all threads were contended, but not most of all rows.
fn mostly_busy_on_all_threads() -> Place {
    let (place, records) = measured(&["a/fake", "b/fake", "c/fake"], "m", &["--threads", "1,all"]);
    let is_busy = |case: &Value| is_on_all(case) && case["workload"] != "c/fake";
    fs::create_dir(place.path("runs")).expect("a folder");
    write(&place, ("runs/m.run.jsonl", "m"), &records, |_| 10.0, is_busy);
    write(&place, ("runs/n.run.jsonl", "n"), &records, |_| 12.0, |_| false);
    place
}

#[test]
fn tables_show_what_was_delivered_and_nothing_else_takes_it_for_a_figure() {
    let place = mostly_busy_on_all_threads();
    let json = |arguments: &[&str]| place.sizeup(&[arguments, &["--json"]].concat()).json();
    let file = "runs/m.run.jsonl";
    let compared = json(&["compare", file, "runs/n.run.jsonl"]);
    let shown = json(&["show", file]);
    assert_eq!((&compared["view"], &shown["view"]), (&json!("uncontended"), &json!("delivered")));
    let grid = place.sizeup(&["show", "--grid", file, "-v"]).prose();
    assert!(grid.contains("Figures are as delivered"), "{grid}");
    let rows = shown["data"]["rows"].as_array().expect("rows").iter();
    let uncontended = rows.filter_map(|row| row["uncontended"]["centre"].as_f64());
    let uncontended: Vec<f64> = uncontended.collect();
    assert_eq!(uncontended.len(), 4);
    let exported = place.sizeup(&["export", "bencher", file]).json();
    let exported = exported.as_object().expect("rows").values();
    let exported: Vec<f64> =
        exported.map(|row| row["throughput"]["value"].as_f64().expect("a value")).collect();
    assert_eq!(exported.len(), uncontended.len());
    assert!(exported.iter().all(|value| uncontended.contains(value)), "{exported:?}");
}
