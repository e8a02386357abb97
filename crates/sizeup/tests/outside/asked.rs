//! Requests and their outcome: numbers of threads, suites of suites, too little memory, too little time, and runs laid out by
//! implementation and in the studies' shape.

use crate::support::{Answer, Place, fake_worker};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// A place with a table of workloads of the fake worker that do nothing wrong; each with more lines of its own.
fn place(workloads: &[(&str, &str)]) -> Place {
    let place = Place::new();
    let mut table = format!("worker = {{ run = [{:?}] }}\n", fake_worker());
    for (id, more) in workloads {
        let log = place.path("samples.log");
        let _ = write!(
            table,
            "[[workload]]\nid = \"{id}\"\noperation = \"misbehave\"\nfamily = \"hash\"\nabout = \"nothing\"\n\
             parameters = {{ fault = \"none\", log = {log:?} }}\n{more}\n"
        );
    }
    place.write("own/fake.toml", table);
    place
}

fn suite(name: &str, threads: &str, rest: &str) -> String {
    format!(
        "name = \"{name}\"\nversion = 1\nabout = \"a\"\nstudy = \"none\"\nthreads = [{threads}]\n\
         precision = \"30%\"\nbudget = \"20m\"\n{rest}\n"
    )
}

fn run(place: &Place, ids: &[&str], more: &[&str]) -> Answer {
    place.sizeup(&Place::run_arguments(ids, more))
}

fn header(place: &Place, file: &str) -> Value {
    let text = fs::read_to_string(place.path(file)).expect("a run file");
    serde_json::from_str(text.lines().next().expect("a header")).expect("JSON")
}

fn rows(view: &Value) -> Vec<(String, String)> {
    let text = |row: &Value, field: &str| row[field].as_str().expect("a text").to_owned();
    let rows = view["rows"].as_array().expect("rows").iter();
    rows.map(|row| (text(row, "workload"), text(row, "thread_spec"))).collect()
}

#[test]
fn a_case_that_memory_can_t_hold_is_refused_in_advance_with_both_figures() {
    // 128 threads of 1 TiB; the other of 1 MiB.
    let huge = ("huge/fake", "memory_mib_per_thread = 1048576");
    let place = place(&[huge, ("small/fake", "memory_mib_per_thread = 1")]);
    let more = ["--threads", "128", "--cpus", "0", "--json"];
    let answer = run(&place, &["huge/fake"], &more);
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let outcome = &answer.data()["rows"][0]["outcome"];
    assert_eq!((&outcome["outcome"], &outcome["kind"]), (&"unavailable".into(), &"memory".into()));
    let message = outcome["message"].as_str().expect("a message");
    assert!(message.starts_with("128 threads need 128 TiB, but only "), "{message}");
    assert!(message.ends_with(" is free"), "{message}");
    assert!(!place.path("samples.log").exists(), "nothing of it was started");

    fs::remove_file(place.path("out.jsonl")).expect("the first run");
    let more = ["--threads", "2", "--cpus", "0", "--json"];
    let answer = run(&place, &["huge/fake", "small/fake"], &more);
    let view = answer.data();
    assert_eq!(view["rows"][0]["outcome"]["kind"], "memory");
    assert!(view["rows"][1]["outcome"].is_null() && view["rows"][1]["samples"].as_u64() >= Some(8));
}

#[test]
fn threads_are_asked_for_as_numbers_ranges_all_and_a_sweep() {
    let place = place(&[("a/fake", "")]);
    let more = ["--threads", "2-3,sweep,all", "--cpus", "0", "--json"];
    let view = run(&place, &["a/fake"], &more).data();
    let specs: Vec<String> = rows(&view).into_iter().map(|(_, spec)| spec).collect();
    // One CPU may be used, so that all threads are one: it is measured once.
    assert_eq!(specs, ["2", "3", "all"]);
    for wrong in ["0", "3-2", "many", "1,", "1-9999"] {
        fs::remove_file(place.path("out.jsonl")).ok();
        run(&place, &["a/fake"], &["--threads", wrong]).refuses(2, "is not a thread count");
    }
}

#[test]
fn a_suite_of_suites_measures_each_workload_on_the_threads_that_its_categories_have() {
    let place = place(&[("a/fake", ""), ("b/fake", "")]);
    let category =
        |name: &str, ids: &str| format!("[[category]]\nname = \"{name}\"\nworkloads = [{ids}]");
    place.write("own/one.toml", suite("one", "\"1\"", &category("c", "\"a/fake\", \"b/fake\"")));
    place.write("own/two.toml", suite("two", "\"1\", \"2\"", &category("d", "\"b/fake\"")));
    place.write("own/both.toml", suite("both", "\"all\"", "include = [\"one\", \"two\"]"));
    let arguments = |more: &[&'static str]| {
        let fixed =
            ["run", "--with", "own", "--suite", "both", "--sample-time", "2ms", "--warmup", "0s"];
        [&fixed[..], &["--cpus", "0", "--json"], more].concat()
    };
    let view = place.sizeup(&arguments(&["-o", "out.jsonl"])).data();
    let pair = |id: &str, spec: &str| (id.to_owned(), spec.to_owned());
    assert_eq!(rows(&view), [pair("a/fake", "1"), pair("b/fake", "1"), pair("b/fake", "2")]);
    let categories = &header(&place, "out.jsonl")["categories"];
    assert_eq!(
        (&categories[0]["name"], &categories[1]["name"]),
        (&"one/c".into(), &"two/d".into())
    );
    assert_eq!(categories[1]["threads"], serde_json::json!(["1", "2"]));

    let score = place.sizeup(&["score", "out.jsonl", "--baseline", "out.jsonl", "--json"]).data();
    let lines: Vec<(String, String, u64)> = score[0]["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| {
            let text = |field: &str| line[field].as_str().expect("a text").to_owned();
            (text("category"), text("threads"), line["rows"].as_u64().expect("rows"))
        })
        .collect();
    let expected = [("one/c", "1", 2), ("two/d", "1", 1), ("overall", "1", 2)];
    let expected = [&expected[..], &[("two/d", "2", 1), ("overall", "2", 1)]].concat();
    let expected: Vec<(String, String, u64)> =
        expected.into_iter().map(|(c, t, n)| (c.to_owned(), t.to_owned(), n)).collect();
    assert_eq!(lines, expected);

    // Options on the command line apply to every category.
    let view = place.sizeup(&arguments(&["-o", "other.jsonl", "--threads", "2"])).data();
    assert_eq!(rows(&view), [pair("a/fake", "2"), pair("b/fake", "2")]);
}

#[test]
fn a_budget_that_is_too_short_for_all_gives_figures_of_some_and_tells_which_it_left_out() {
    let ids: Vec<String> = (0..60).map(|n| format!("w{n}/fake")).collect();
    let workloads: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "")).collect();
    let place = place(&workloads);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let more = ["--threads", "1", "--cpus", "0", "--budget", "10s", "--json"];
    let mut arguments = Place::run_arguments(&ids, &more);
    let sample = arguments.iter().position(|word| *word == "2ms").expect("the sample's length");
    arguments[sample] = "50ms";
    let answer = place.sizeup(&arguments);
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let told = "10s is too short for all 60 rows (they need ≥ ";
    assert!(answer.stderr.contains(told), "{}", answer.stderr);
    // 50 s, or a minute where it took longer to begin.
    let is_proposed =
        |budget: &str| answer.stderr.contains(&format!("To measure all: --budget {budget}"));
    assert!(["50s", "1m"].into_iter().any(is_proposed), "{}", answer.stderr);
    let view = answer.data();
    // 60 rows of 8 samples need 50 s on any machine; how many the 10 s are enough for is the machine's.
    let left = left_out(&view);
    assert!((48..60).contains(&left.len()), "{left:?}");
    assert!(!left.contains(&0), "the first is measured, whatever the machine is like");
    let whole = |row: &Value| row["samples"].as_u64() >= Some(8);
    assert!(view["rows"].as_array().expect("rows").iter().any(whole), "{view}");
    let shown = place.sizeup(&["show", "out.jsonl", "-v"]).prose();
    let note = format!("! {} of 60 rows skipped: {told}", left.len());
    assert!(shown.contains(&note), "{shown}");

    // As if it had been killed before anything was started.
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let is_before = |line: &&str| !line.contains("\"record\":\"launch\"");
    let head: Vec<&str> = text.lines().take_while(is_before).collect();
    place.write("cut.jsonl", head.join("\n") + "\n");
    let resumed = place.sizeup(&["run", "--with", "own", "--resume", "cut.jsonl", "--json"]);
    assert_eq!((resumed.status, left_out(&resumed.data())), (3, left), "{}", resumed.stderr);
}

/// The rows that were left out from the start, by number.
fn left_out(view: &Value) -> Vec<usize> {
    let rows = view["rows"].as_array().expect("rows").iter().enumerate();
    let is_it = |row: &Value| row["outcome"]["kind"] == "left-out" && row["samples"].is_null();
    rows.filter(|(_, row)| is_it(row)).map(|(number, _)| number).collect()
}

#[test]
fn implementations_of_an_operation_are_laid_out_for_one_machine_and_for_several() {
    let place = place(&[("sum/one", ""), ("sum/two", ""), ("zip/one", "")]);
    let more = ["--threads", "1", "--cpus", "0", "--label", "left"];
    run(&place, &["sum/one", "sum/two", "zip/one"], &more);
    let answer = place.sizeup(&["implementations", "out.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains("sum") && !answer.stdout.contains("zip"), "{}", answer.stdout);

    fs::copy(place.path("out.jsonl"), place.path("copy.jsonl")).expect("a copy");
    let both = place.sizeup(&["implementations", "out.jsonl", "copy.jsonl", "--json"]).data();
    assert_eq!(both["machines"], serde_json::json!(["left (out)", "left (copy)"]));
    assert_eq!(both["operations"].as_array().map(Vec::len), Some(1));
    assert_eq!(both["slowdowns"], serde_json::json!([]));
    let both = place.sizeup(&["implementations", "out.jsonl", "copy.jsonl"]);
    assert!(both.stdout.contains("No machine-specific slowdown detected"), "{}", both.stdout);

    let none = place.sizeup(&["implementations", "out.jsonl", "--operation", "zip"]);
    none.refuses(2, "no operation has two implementations");
    place.sizeup(&["implementations", "own/fake.toml"]).refuses(2, "is not a run file");
    place.sizeup(&["implementations"]).refuses(2, "name a run file or a --group");
}

#[test]
fn runs_stand_side_by_side_in_a_grid_and_one_alone_without() {
    let place = place(&[("a/fake", "")]);
    let more = ["--threads", "1,2", "--cpus", "0", "--label", "l"];
    run(&place, &["a/fake"], &more);
    let grid = place.sizeup(&["show", "--grid", "out.jsonl", "out.jsonl"]);
    assert_eq!(grid.status, 0, "{}", grid.stderr);
    let head = grid.stdout.lines().nth(2).expect("a head");
    assert_eq!(head.matches(") 1").count(), 2, "{head}");
    assert_eq!(head.matches(") 2").count(), 2, "{head}");
    let views = place.sizeup(&["show", "--grid", "--json", "out.jsonl", "out.jsonl"]).data();
    assert_eq!(views.as_array().map(Vec::len), Some(2));
    place.sizeup(&["show", "out.jsonl", "out.jsonl"]).refuses(2, "--grid");
}
