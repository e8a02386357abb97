//! Wrong input: one clear message, the right exit status, no panic. And what commands print.

use crate::support::{self, Answer, NEVER, Place, installed, send, wait_until};
use nix::sys::signal::Signal;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use tempfile::TempDir;

/// A place with a finished run of the honest fake worker in `out.jsonl`.
fn with_run() -> Place {
    let place = Place::new().with_faults(&["none"], &[]);
    let more = ["--threads", "1,all", "--label", "here"];
    let answer = place.sizeup(&Place::run_arguments(&["none/fake"], &more));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    place
}

fn run(place: &Place, more: &[&str]) -> Answer {
    let mut arguments = vec!["run", "--with", "own", "--output", "x.jsonl"];
    arguments.extend(more);
    place.sizeup(&arguments)
}

#[test]
fn what_is_not_known_is_told_with_what_is() {
    let place = Place::new().with_faults(&["none"], &[]);
    run(&place, &["--suite", "nope"]).refuses(2, "no suite is named \"nope\"");
    run(&place, &["--workload", "no/pe"]).refuses(2, "`sizeup list workloads` shows all");
    run(&place, &["none/fake"]).refuses(2, "`sizeup run --workload none/fake`");
    let turns = run(
        &place,
        &["--workload", "none/fake", "--threads", "3", "--cpus", "0", "--budget", "1s"],
    );
    assert!(turns.stderr.contains("3 threads on 1 CPU take turns"), "{}", turns.stderr);
    let one = [
        "run",
        "--with",
        "own",
        "--output",
        "y.jsonl",
        "--workload",
        "none/fake",
        "--threads",
        "1",
        "--budget",
        "1s",
    ];
    let one = place.sizeup(&one);
    assert!(!one.stderr.contains("take turns"), "{}", one.stderr);
    place.sizeup(&["request", "no/pe"]).refuses(2, "no workload is named \"no/pe\"");
    let named = |name: &str| installed(&TempDir::new().unwrap(), &["run", name]);
    named("quick").refuses(2, "`sizeup run --suite quick`");
    named("qiuck").refuses(2, "none is named \"qiuck\"; did you mean quick?");
    let list = |what: &[&str]| installed(&TempDir::new().unwrap(), &[&["list"], what].concat());
    let count = |what: &[&str]| {
        let answer = list(what);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        answer.prose().split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(count(&["gzip"]), count(&["workloads", "GZIP"]));
    // By name only a fraction of them would be found.
    assert!(count(&["workloads", "compress"]) >= 250 && count(&["workloads", "tls"]) > 100);
    list(&["workloads", "gzp"]).refuses(2, "; did you mean gzip?");
    for word in ["haskell", "cobol", "mongodb", "erlang", "cassandra"] {
        list(&[word]).refuses(2, "For a service of your own, use `sizeup new worker NAME`");
    }
    // Only the description of its rows has that name.
    let listed = list(&["redis"]).stdout;
    let is_mentioned = listed.contains("Only descriptions mention it.");
    assert!(is_mentioned && listed.contains("/valkey"), "{listed}");
    list(&["edge", "zzzzz"]).refuses(2, "no workload has \"zzzzz\" in its name");
    list(&["egde", "aes"]).refuses(2, "no suite is named \"egde\"; did you mean edge?");
    place.sizeup(&["list", "--with", "nowhere"]).refuses(2, "nowhere: can't be read");
}

#[test]
fn numbers_that_make_no_sense_are_refused_by_name() {
    let place = Place::new().with_faults(&["none"], &[]);
    let w = ["--workload", "none/fake"];
    for (flag, value, message) in [
        ("--threads", "0", "\"0\" is not a thread count"),
        ("--threads", "1,,2", "\"\" is not a thread count"),
        ("--threads", "99999999999999999999", "is not a thread count"),
        ("--cpus", "999", "CPU 999 is unavailable"),
        ("--cpus", "0-", "--cpus"),
        ("--precision", "1", "is not a precision"),
        ("--budget", "0s", "is not between"),
        ("--budget", "-5m", "--budget"),
        ("--placement", "sideways", "[possible values: cores, threads, socket]"),
        ("--sample-time", "0s", "is not between"),
        ("--label", "", "a label has"),
        ("--label", "a\u{1b}[2J", "a label has"),
        ("--seed", "-1", "--seed"),
        ("--rounds-per-launch", "0", "--rounds-per-launch"),
    ] {
        let flag_and_value = format!("{flag}={value}");
        run(&place, &[w[0], w[1], &flag_and_value]).refuses(2, message);
    }
    assert!(!place.path("x.jsonl").exists(), "nothing was started");
}

#[test]
fn a_client_that_could_inject_is_refused_before_anything_is_started() {
    let place = Place::new().with_faults(&["none"], &[]);
    for client in ["-oProxyCommand=id", "h;id", "$(id)", "h id", "a@-h", "h:folder", "h:/a;id", ""]
    {
        let client = format!("--client={client}");
        let answer = run(&place, &[&client]);
        answer.refuses(2, "not [USER@]HOST[:/FOLDER]");
        assert!(!place.path("none.log").exists(), "{client}: the worker was started");
    }
    // A good one is of no use to work that has no client.
    let far = run(&place, &["--workload", "none/fake", "--client", "driver"]);
    far.refuses(2, "no workload of this run has a client");
}

#[test]
fn a_client_is_handed_to_the_worker_and_no_run_file_names_it() {
    let place = Place::new();
    let table = format!(
        "worker = {{ run = [{:?}] }}\n[[workload]]\nid = \"served/fake\"\noperation = \"misbehave\"\nfamily = \"http\"\n\
         about = \"nothing\"\nparameters = {{ fault = \"served\", client = \"loopback\" }}\n",
        support::fake_worker()
    );
    place.write("own/fake.toml", table);
    let arguments = Place::run_arguments(
        &["served/fake"],
        &["--threads", "1", "--client", "me@driver.example.org:/opt/x"],
    );
    assert_eq!(place.sizeup(&arguments).status, 0);
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    assert!(text.contains(r#""client":"another machine""#), "{text}");
    assert!(!text.contains("driver.example") && !text.contains("/opt/x"), "{text}");

    // Runs with and without a remote client are not comparable.
    std::fs::rename(place.path("out.jsonl"), place.path("far.jsonl")).expect("a rename");
    let arguments = Place::run_arguments(&["served/fake"], &["--threads", "1"]);
    assert_eq!(place.sizeup(&arguments).status, 0);
    let compared = place.sizeup(&["compare", "far.jsonl", "out.jsonl", "--json"]);
    let view = compared.data();
    assert_eq!(view["rows"][0]["verdict"], "not-comparable", "{view}");
    assert_eq!(view["rows"][0]["differences"][0]["kind"], "definition", "{view}");
}

#[test]
fn what_a_resumed_run_has_already_can_not_be_asked_for_anew() {
    let place = Place::new();
    for (flag, value) in [
        ("--suite", "edge"),
        ("--seed", "1"),
        ("--isa", "no-aes"),
        ("--inject-wrong-answer", "none/fake"),
    ] {
        let message = format!("'--resume <FILE>' cannot be used with '{flag} <");
        place.sizeup(&["run", "--resume", "x.jsonl", flag, value]).refuses(2, &message);
    }
}

#[test]
fn a_broken_table_is_told_with_file_and_line() {
    let place = Place::new();
    place.write("own/broken.toml", "worker = \"native\"\n[[workload]\n");
    run(&place, &[]).refuses(2, "own/broken.toml:2: ");
}

#[test]
fn without_its_release_folder_sizeup_says_where_it_looked() {
    let place = Place::new();
    let output = place.command(&["list"]).env("SIZEUP_HOME", "/nowhere").output();
    Answer::of(output.expect("sizeup starts")).refuses(2, "/nowhere/share/sizeup/workloads");
}

#[test]
fn what_is_no_run_file_or_a_newer_one_is_refused_by_every_command_that_reads() {
    let place = with_run();
    let good = fs::read_to_string(place.path("out.jsonl")).expect("a file");
    let (major, minor) = record::FORMAT;
    let ours = format!("\"format\":\"{major}.{minor}\"");
    place.write("newer.jsonl", good.replacen(&ours, "\"format\":\"3.0\"", 1));
    place.write("binary.jsonl", [0x7f, b'E', b'L', b'F', 0, 1, 2, 255, b'\n', 0]);
    place.write("empty.jsonl", "");
    place.write("liar.jsonl", good.replacen("\"ops\":", "\"ops\":-", 1));
    for (file, message) in [
        ("newer.jsonl", "Use a newer sizeup"),
        ("binary.jsonl", "is not a run file"),
        ("empty.jsonl", "it is empty"),
        ("liar.jsonl", "liar.jsonl: line "),
        ("nowhere.jsonl", "nowhere.jsonl: can't be read"),
        (".", "can't be read"),
    ] {
        for arguments in [
            vec!["show", file],
            vec!["compare", "out.jsonl", file],
            vec!["score", file],
            vec!["score", "--baseline", file, "out.jsonl"],
            vec!["run", "--resume", file],
        ] {
            place.sizeup(&arguments).refuses(2, message);
        }
    }
}

#[test]
fn a_truncated_file_is_shown_with_a_word_about_it() {
    let place = with_run();
    let good = fs::read(place.path("out.jsonl")).expect("a file");
    place.write("cut.jsonl", &good[..good.len() * 2 / 3]);
    let answer = place.sizeup(&["show", "cut.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.prose().contains("! the run is incomplete"), "{}", answer.stdout);
    assert!(answer.prose().contains("none fake"), "{}", answer.stdout);
}

#[test]
fn unlike_libraries_are_not_compared_unless_asked_for() {
    let place = with_run();
    fs::rename(place.path("out.jsonl"), place.path("old.jsonl")).expect("a file");
    let place = place.with_faults(&["none"], &["--library", "2.0"]);
    let arguments = Place::run_arguments(&["none/fake"], &["--threads", "1,all"]);
    assert_eq!(place.sizeup(&arguments).status, 0);

    let answer = place.sizeup(&["compare", "old.jsonl", "out.jsonl"]);
    assert_eq!(answer.status, 1, "{}", answer.stderr);
    let told = "2 rows not compared: library: fake is 1.0 on one, 2.0 on the other";
    assert!(answer.prose().contains(told), "{}", answer.stdout);

    let answer =
        place.sizeup(&["compare", "old.jsonl", "out.jsonl", "--allow", "library", "--json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let row = &answer.data()["rows"][0];
    assert!(row["ratio"]["centre"].as_f64() > Some(0.0), "{row}");
    assert_eq!(row["differences"][0]["kind"], "library");

    let answer = place.sizeup(&["score", "--baseline", "old.jsonl", "out.jsonl"]);
    assert_eq!(answer.status, 1);
    assert!(answer.stdout.contains("not comparable"), "{}", answer.stdout);
    place
        .sizeup(&["compare", "old.jsonl", "out.jsonl", "--allow", "all"])
        .refuses(2, "[possible values: definition, input,");
}

#[test]
fn a_run_compared_with_itself_has_the_ratio_one() {
    let place = with_run();
    fs::copy(place.path("out.jsonl"), place.path("copy.jsonl")).expect("a copy");
    let answer = place.sizeup(&["compare", "out.jsonl", "copy.jsonl", "--json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    for row in answer.data()["rows"].as_array().expect("rows") {
        let centre = row["ratio"]["centre"].as_f64().expect("a ratio");
        assert!((centre - 1.0).abs() < 1e-12, "{row}");
        assert!(
            row["ratio"]["low"].as_f64() <= Some(1.0) && row["ratio"]["high"].as_f64() >= Some(1.0)
        );
    }
    let answer = place.sizeup(&["score", "--baseline", "out.jsonl", "out.jsonl", "--json"]);
    let lines = answer.data()[0]["lines"].as_array().expect("lines").clone();
    assert_eq!(lines.len(), 4, "a category and overall, on 1 thread and on all");
    for line in lines {
        assert!((line["score"]["centre"].as_f64().expect("a score") - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_run_that_was_changed_does_not_pass_for_one_that_was_not() {
    let place = with_run();
    let good = fs::read_to_string(place.path("out.jsonl")).expect("a file");
    place.write("changed.jsonl", good.replacen("\"ops\":1", "\"ops\":2", 1));
    let compare = ["compare", "out.jsonl", "changed.jsonl", "--json"];
    let answer = place.sizeup(&compare);
    assert_eq!((answer.status, answer.data()), (1, Value::Null), "{}", answer.stderr);
    let answer = place.sizeup(&[&compare[..], &["--allow", "invalid"]].concat());
    assert_eq!(answer.status, 1, "{}", answer.stderr);
    let notes = answer.data()["notes"].to_string();
    assert!(notes.contains("here (changed): the file was modified"), "{notes}");
    assert_eq!(place.sizeup(&["score", "out.jsonl", "changed.jsonl"]).status, 1);
}

#[test]
fn nobody_reading_stdout_or_stderr_changes_neither_run_nor_exit_status() {
    let place = with_run();
    let full = || fs::File::create("/dev/full").expect("/dev/full");
    let status = |command: &mut std::process::Command| command.status().expect("it starts").code();
    // A refusal that nobody hears is a refusal.
    assert_eq!(status(place.command(&["show", "nowhere"]).stderr(full())), Some(2));
    assert_eq!(status(place.command(&["show", "out.jsonl"]).stdout(full())), Some(2));
    let more = ["--threads", "1"];
    let mut arguments = Place::run_arguments(&["none/fake"], &more);
    arguments.retain(|argument| *argument != "--output" && *argument != "out.jsonl");
    assert_eq!(status(place.command(&arguments).stderr(full())), Some(0));
}

#[test]
fn two_runs_never_write_the_same_file() {
    let place = Place::new().with_faults(&["none"], &[]);
    let arguments = Place::run_arguments(&["none/fake"], &["--threads", "1", "--precision", NEVER]);
    let first = place.command(&arguments).spawn().expect("sizeup can be started");
    wait_until("a sample", || {
        fs::read_to_string(place.path("out.jsonl")).unwrap_or_default().contains("sample\"")
    });
    let resume = ["run", "--with", "own", "--resume", "out.jsonl"];
    place.sizeup(&resume).refuses(3, "another sizeup process is writing it");
    send(Signal::SIGINT, &first);
    let first = Answer::of(first.wait_with_output().expect("the run ended"));
    assert_eq!(first.status, 3, "{}", first.stderr);
    let answer = place.sizeup(&["show", "out.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(!answer.stderr.contains("changed"), "{}", answer.stderr);
}

#[test]
fn a_run_file_is_never_overwritten() {
    let place = with_run();
    let arguments = Place::run_arguments(&["none/fake"], &[]);
    place.sizeup(&arguments).refuses(2, "exists and will not be overwritten");
}

#[test]
fn a_hostile_name_does_no_harm_on_the_terminal() {
    let place = with_run();
    let good = fs::read_to_string(place.path("out.jsonl")).expect("a file");
    let hostile = good.replacen("\"label\":\"here\"", "\"label\":\"\\u001b[2J\\u202eevil\"", 1);
    // Without its end, or the digest would give it away.
    let open: Vec<&str> = hostile.lines().filter(|line| !line.contains("\"close\"")).collect();
    place.write("hostile.jsonl", open.join("\n") + "\n");
    for arguments in [
        vec!["show", "hostile.jsonl"],
        vec!["compare", "out.jsonl", "hostile.jsonl"],
        vec!["score", "out.jsonl", "hostile.jsonl"],
    ] {
        let answer = place.sizeup(&arguments);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        assert!(answer.stdout.contains("evil"), "{}", answer.stdout);
        assert!(!answer.stdout.contains('\u{1b}') && !answer.stdout.contains('\u{202e}'));
    }
}

#[test]
fn arguments_that_are_wrong_are_quoted_without_what_a_terminal_obeys() {
    let place = Place::new();
    for arguments in [vec!["\u{1b}]0;x\u{7}"], vec!["run", "--label", "a\u{9b}31mb\u{1b}[31m"]] {
        let answer = place.sizeup(&arguments);
        assert_eq!(answer.status, 2, "{}", answer.stderr);
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(!answer.stderr.contains(obeyed), "{:?}", answer.stderr);
    }
}

#[test]
fn a_plain_command_is_measured_by_its_executions() {
    let place = Place::new().with_command_worker();
    let arguments =
        Place::run_arguments(&["true/shell"], &["--budget", "2s", "--threads", "1", "--json"]);
    place.write(
        "own/command.toml",
        "[[workload]]\nid = \"true/shell\"\nfamily = \"script\"\nabout = \"does nothing\"\n\
         command = { run = [\"true\"] }\n",
    );
    let answer = place.sizeup(&arguments);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let row = &answer.data()["rows"][0];
    assert!(row["mean"].as_f64().expect("a figure") > 10.0, "{row}");
}

#[test]
fn help_begins_with_examples_and_says_more_by_its_long_name() {
    let place = Place::new();
    let [short, long] = ["-h", "--help"].map(|flag| place.sizeup(&["bench", flag]));
    for help in [&short, &long] {
        assert_eq!(help.status, 0);
        let places = ["Example", "Usage", "--budget"].map(|text| help.stdout.find(text));
        assert!(places[1] < places[0] && places[0] < places[2], "{}", help.stdout);
    }
    assert!(!short.stdout.contains("Exit status 3"), "{}", short.stdout);
    assert!(long.stdout.contains("Exit status 3"), "{}", long.stdout);
    for shell in ["bash", "zsh", "fish"] {
        let answer = place.sizeup(&["completions", shell]);
        assert!(answer.stdout.contains("sizeup"), "{}", answer.stdout);
    }
}

#[test]
fn every_command_has_a_man_page() {
    let place = Place::new();
    let answer = place.sizeup(&["man", "man1"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    for name in ["sizeup", "sizeup-compare", "sizeup-run", "sizeup-show"] {
        let page = fs::read_to_string(place.path(&format!("man1/{name}.1"))).expect("a page");
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
    fs::write(place.path("file"), "").expect("a file");
    place.sizeup(&["man", "file"]).refuses(2, "man pages can't be written");
}

#[test]
fn the_machine_is_described_and_what_is_not_known_has_a_reason() {
    let place = Place::new();
    let answer = place.sizeup(&["machine", "--json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let machine = answer.data();
    assert!(machine["limits"]["allowed_cpus"].is_string(), "{machine}");
    let table = place.sizeup(&["machine", "--all"]).stdout;
    assert!(table.contains("usable threads"), "{table}");
    assert!(!table.lines().any(|line| line.ends_with("not available: ")), "{table}");
}

#[test]
fn the_docs_name_every_suite_with_as_many_workloads_as_it_has() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let page = std::fs::read_to_string(path).unwrap();
    let listed = installed(&TempDir::new().unwrap(), &["list", "--json"]);
    for suite in listed.data().as_array().expect("suites") {
        let name = suite["name"].as_str().unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/reference.md has no row for {name}"));
        let categories = suite["category"].as_array().unwrap().iter();
        let workloads = categories.flat_map(|category| category["workloads"].as_array().unwrap());
        let count = workloads.map(Value::to_string).collect::<HashSet<_>>().len();
        let about = row.split('|').nth(2).unwrap();
        let mut numbers =
            about.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
        let says = numbers.next().map_or(count, |number| number.parse().unwrap());
        assert_eq!(says, count, "docs/reference.md: {row}");
    }
}
