//! A worker may lie, hang, flood, die or fork: its case has an outcome with a reason, the other cases
//! go on, and no process is left behind.

use crate::support::{Answer, FINE, Place, processes_in};
use serde_json::Value;

/// Fault, the outcome's kind, and what its message must say.
const EXPECTED: [(&str, &str, &str); 45] = [
    ("die-prepare", "died", "ended with exit status: 7 before the answer to prepare"),
    ("die-measure", "died", "was killed by SIGABRT before a sample"),
    ("die-end", "died", "reported success but ended with exit status: 7"),
    ("flood", "flood", "a sample is longer than 2097152 bytes: \"xxx"),
    ("flood-lines", "not-the-protocol", "wrote unrequested output"),
    ("protocol", "protocol", "the worker uses protocol 2, this sizeup uses 1"),
    ("utf8", "not-the-protocol", "a sample is not UTF-8"),
    ("json", "not-the-protocol", "a sample: EOF while parsing"),
    ("wrong-kind", "not-the-protocol", "does not match the request \"measure\""),
    ("lie-no-ops", "impossible", "thread 0: 0 ops"),
    ("lie-long", "impossible", "but was requested at"),
    ("lie-early", "impossible", "the only thread worked"),
    ("lie-threads", "impossible", "the sample has 0 threads, not 1"),
    ("lie-cpu", "impossible", "a thread ran on CPU 4000, not 0"),
    ("lie-cycles", "not-the-protocol", "instructions of 18446744073709551615 cycles"),
    ("lie-clock", "impossible", "the pulse implies a clock over 20 GHz"),
    ("lie-memory", "impossible", "a memory pulse of 16384 lines in 800 ns"),
    ("lie-chain", "impossible", "a chain of 400 ns implies a clock over 20 GHz"),
    ("lie-chains", "impossible", "chains took 4000004040 ns, more than the "),
    ("lie-short", "impossible", "a thread worked 100000 ns; at least 2000000"),
    ("lie-copies", "impossible", "5 of 6 samples of case "),
    ("lie-many-ops", "impossible", "thread 0: 18446744073709551615 ops"),
    ("lie-cpu-time", "impossible", "of CPU time, but only"),
    ("lie-thread-time", "impossible", "thread 0 used 10000000000 ns of CPU time, but only"),
    ("lie-collections", "impossible", "thread 0 used 10000000000 ns for collections, but only"),
    ("lie-compilation", "impossible", "thread 0 used 18446744073709551615 ns for compilation"),
    ("negative-collections", "not-the-protocol", "a sample: invalid value: integer `-1`"),
    ("endless-compilation", "not-the-protocol", "a sample: invalid type: floating point `1e"),
    ("foreign-collections", "impossible", "the time of a runtime where other processes do the"),
    ("lie-reading", "impossible", "thread 0: its CPU time covers 1 ns, less than its sample of"),
    ("lie-long-reading", "impossible", "a thread's CPU time covers 1000000000000 ns, but was"),
    ("no-reading", "impossible", "a thread reports CPU time without cpu_elapsed_ns"),
    ("stray", "impossible", "the process used 700000000 ns of CPU time, but only"),
    ("lie-part", "impossible", "part 1 used 10000000000 ns of CPU time, but only"),
    ("lie-latency", "impossible", "latencies of Some(1000) ops, but Some(999) were due"),
    ("lie-client-ops", "impossible", "ops on CPU 4001, which does not belong to the first part"),
    ("no-parts", "impossible", "thread 0: a counter is missing"),
    ("foreign-part", "not-the-protocol", "a part has CPU 4002, which does not belong to the case"),
    ("empty-part", "not-the-protocol", "the first part has no CPU"),
    ("lie-totals", "impossible", "the worker reports"),
    ("no-version", "not-the-protocol", "reports no library versions"),
    (
        "other-version",
        "not-the-protocol",
        "fake is now \"0.9\", but the manifest lists Some(\"1.0\")",
    ),
    (
        "no-digest",
        "not-the-protocol",
        "\"\\u{1b}[31m\" is not a SHA-256 (64 lower-case hex digits)",
    ),
    ("operation-failed", "operation-failed", "the library said no"),
    ("unavailable", "unavailable", "there is no such instruction here"),
];

/// Faults that only end with the patience that a run has.
const HANGING: [(&str, &str, &str); 6] = [
    ("hang-prepare", "timeout", "the answer to prepare did not arrive within 12.0 s"),
    ("hang-measure", "timeout", "a sample did not arrive within 12.0 s"),
    ("hang-finish", "timeout", "the answer to finish did not arrive within 12.0 s"),
    ("hang-end", "timeout", "did not exit within 12.0 s of finishing"),
    ("fork", "timeout", "a sample did not arrive"),
    ("leave-group", "timeout", "a sample did not arrive"),
];

fn row<'a>(view: &'a Value, fault: &str) -> &'a Value {
    let id = format!("{fault}/fake");
    let rows = view["rows"].as_array().expect("rows");
    rows.iter().find(|row| row["workload"] == id).unwrap_or_else(|| panic!("no row {id}"))
}

/// Measures workloads with these faults and some without, and gives the answer if the former had the outcomes expected.
fn outcomes_of(expected: &[(&str, &str, &str)], good: &[&str], more: &[&str]) -> Answer {
    let mut faults: Vec<&str> = expected.iter().map(|(fault, _, _)| *fault).collect();
    faults.extend(good);
    let place = Place::new().with_faults(&faults, &[]);
    let ids: Vec<String> = faults.iter().map(|fault| format!("{fault}/fake")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let more = [&["--threads", "1", "--cpus", "0", "--json"], more].concat();
    let answer = place.sizeup(&Place::run_arguments(&ids, &more));

    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let view = answer.data();
    for (fault, kind, message) in expected {
        let outcome = &row(&view, fault)["outcome"];
        assert_eq!(outcome["kind"], *kind, "{fault}: {outcome}");
        let told = outcome["message"].as_str().unwrap_or_default();
        assert!(told.contains(message), "{fault}: {told}");
        assert!(row(&view, fault)["delivered"].is_null(), "{fault} has a figure");
    }
    for good in good {
        assert!(row(&view, good)["outcome"].is_null(), "{}", row(&view, good));
    }
    assert_eq!(processes_in(&place.path("own")), Vec::<String>::new());
    answer
}

#[test]
fn every_fault_gives_its_case_an_outcome_and_leaves_the_others_and_no_process() {
    let answer = outcomes_of(&EXPECTED, &["none", "flood-stderr", "served"], &[]);
    let view = answer.data();
    for good in ["none", "flood-stderr"] {
        assert!(row(&view, good)["delivered"]["centre"].as_f64().expect("a figure") > 0.0);
    }
    assert_eq!(row(&view, "unavailable")["outcome"]["outcome"], "unavailable");
    assert!(answer.stderr.contains("the last words of a worker"), "{}", answer.stderr);
}

#[test]
fn a_worker_that_hangs_is_waited_for_as_long_as_asked_and_leaves_no_process() {
    outcomes_of(&HANGING, &["none"], &["--answer-timeout", "12s"]);
}

#[test]
fn a_worker_without_a_manifest_is_not_measured() {
    for (fault, message) in [
        ("die", "ended with exit status: 7 before its manifest"),
        ("protocol", "the worker uses protocol 9"),
        ("garbage", "its manifest: expected value"),
    ] {
        let place = Place::new().with_faults(&["none"], &["--manifest", fault]);
        let arguments = Place::run_arguments(&["none/fake"], &["--json"]);
        let answer = place.sizeup(&arguments);
        assert_eq!(answer.status, 3, "{}", answer.stderr);
        let outcome = &answer.data()["rows"][0]["outcome"];
        assert_eq!(outcome["outcome"], "unavailable");
        let told = outcome["message"].as_str().unwrap_or_default();
        assert!(told.contains(message), "{fault}: {told}");
    }
}

#[test]
fn a_worker_that_is_not_built_is_an_outcome_with_a_remedy() {
    let place = Place::new();
    place.write(
        "own/t.toml",
        "worker = \"openssl\"\n[[workload]]\nid = \"a/b\"\nfamily = \"text\"\nabout = \"\"\n",
    );
    let answer = place.sizeup(&Place::run_arguments(&["a/b"], &[]));
    assert_eq!(answer.status, 3);
    assert!(answer.stdout.contains("unavailable: "), "{}", answer.stdout);
    let says = "the worker openssl is not built; `make build` builds all";
    assert!(answer.stderr.contains(says), "{}", answer.stderr);
    let listed = place.sizeup(&["list", "a/b", "--with", "own"]).prose();
    assert!(listed.contains(says), "{listed}");
}

#[test]
fn figures_that_can_t_be_are_shown_with_a_warning() {
    for (fault, threads, bound, message) in [
        ("lie-speed-up", 2, "speed-up", "× one thread (at most 2×)"),
        ("lie-bytes", 1, "bytes-per-cycle", "bytes/cycle (cores read at most 128)"),
        ("lie-batch", 1, "clock-reading", ", more than 0.1 %"),
    ] {
        let place = Place::new().with_faults(&[fault], &[]);
        let id = format!("{fault}/fake");
        let more = ["--threads", "1,2"];
        let answer = place.sizeup(&Place::run_arguments(&[&id], &more));
        assert_eq!(answer.status, 0, "{}{}", answer.stdout, answer.stderr);
        let details = place.sizeup(&["show", "out.jsonl", "--details"]).stdout;
        assert!(details.contains(message), "{fault}: {details}");

        let shown = place.sizeup(&["show", "out.jsonl", "--json"]).data();
        let rows = shown["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["threads"] == threads).expect("its row");
        let warnings = row["warnings"].as_array().expect("warnings");
        let found = warnings.iter().find(|warning| warning["bound"] == bound);
        assert_eq!(found.expect("the warning")["warning"], "out-of-bounds", "{row}");
    }
}

#[test]
fn a_worker_that_does_not_lie_is_within_all_bounds() {
    let place = Place::new().with_faults(&["none"], &[]);
    let arguments = Place::run_arguments(&["none/fake"], &["--threads", "1,2", "--json"]);
    let view = place.sizeup(&arguments).data();
    for row in view["rows"].as_array().expect("rows") {
        let warnings = row["warnings"].as_array().expect("warnings");
        assert!(warnings.iter().all(|warning| warning["warning"] != "out-of-bounds"), "{row}");
    }
}

#[test]
fn a_sample_that_a_machine_in_trouble_may_give_is_left_out_and_said_and_its_row_goes_on() {
    let place = Place::new().with_faults(&["stray-once"], &[]);
    let more = ["--threads", "1", "--precision", FINE, "--json"];
    let answer = place.sizeup(&Place::run_arguments(&["stray-once/fake"], &more));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let row = &answer.data()["rows"][0];
    assert!(row["outcome"].is_null(), "{row}");
    let warnings = row["warnings"].as_array().expect("warnings").iter();
    let left_out: Vec<u64> = warnings
        .filter(|warning| warning["warning"] == "left-out")
        .filter_map(|warning| warning["samples"].as_u64())
        .collect();
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let stray = text.matches("\"process_cpu_ns\":700000000,").count() as u64;
    assert!(stray > 0);
    assert_eq!(left_out, [stray], "{row}");
    let samples = text.lines().filter(|line| line.starts_with("{\"record\":\"sample\"")).count();
    assert_eq!(row["samples"].as_u64(), Some(samples as u64 - stray), "{row}");
}
