//! Workers of users' own: what `sizeup new worker` writes works in every language, docs/write-a-worker.md does what it says
//! when it is followed to the letter, and workers that lie are caught.

use crate::support::{Answer, installed, not_tested};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Whether a tool is here.
fn is_here(tool: &str, argument: &str) -> bool {
    let is_here = Command::new(tool).arg(argument).output().is_ok_and(|said| said.status.success());
    if !is_here {
        not_tested(format_args!("workers that need {tool}"));
    }
    is_here
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The release folder under test.
fn home() -> PathBuf {
    let home = std::env::var_os("SIZEUP_HOME").map_or_else(|| root().join("dist"), PathBuf::from);
    let kits = home.join("share/sizeup/kits");
    assert!(kits.is_dir(), "{} is missing: run `make build`", kits.display());
    home
}

/// Runs shell commands in a folder, with sizeup in the PATH and no network.
fn shell(folder: &TempDir, commands: &str) -> Answer {
    let bin = Path::new(env!("CARGO_BIN_EXE_sizeup")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-e", "-c", commands])
        .env("PATH", path)
        .env("SIZEUP_HOME", home())
        // Modules that are not in the kit would be fetched.
        .env("GOPROXY", "off")
        .env("GOMODCACHE", folder.path().join("no-modules"))
        .env("CARGO_NET_OFFLINE", "true")
        // Builds of the kit's dependencies are shared with the next test.
        .env("CARGO_TARGET_DIR", root().join("target/own-workers"))
        .current_dir(folder.path())
        .output();
    Answer::of(output.expect("a shell"))
}

/// A block of commands of the page, and what is found in what it prints.
struct Step {
    commands: String,
    answer: Option<String>,
}

/// The page's steps for a language.
fn steps(language: &str) -> Vec<Step> {
    let page = fs::read_to_string(root().join("docs/write-a-worker.md")).expect("the page");
    let mark = format!("<!-- run {language} -->\n");
    let blocks = page.split(&mark).skip(1).map(|block| {
        let mut fenced = block.split("```");
        let commands = fenced.nth(1).and_then(|block| block.strip_prefix("sh\n"));
        let between = fenced.next().unwrap_or_default();
        let answer = fenced.next().filter(|_| between.trim().is_empty());
        let answer = answer.map(|answer| answer.trim().to_owned());
        Step { commands: commands.expect("commands").to_owned(), answer }
    });
    blocks.collect()
}

fn follow(folder: &TempDir, language: &str) {
    let steps = steps(language);
    assert!(
        steps.iter().any(|step| step.answer.is_some()),
        "the page has no answer to hold against"
    );
    for Step { commands, answer } in steps {
        let said = shell(folder, &commands);
        assert_eq!(said.status, 0, "{commands}{}{}", said.stdout, said.stderr);
        if let Some(answer) = answer {
            let prose = said.prose();
            assert!(
                prose.contains(&answer),
                "{commands}\nsays {prose}{}\nnot {answer}",
                said.stderr
            );
        }
    }
}

/// The first record of a kind in a run file.
fn record(folder: &TempDir, file: &str, kind: &str) -> Value {
    let text = fs::read_to_string(folder.path().join(file)).expect("a run file");
    let mut records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    records
        .find(|record| record["record"] == kind)
        .unwrap_or_else(|| panic!("{file} has no {kind}"))
}

#[test]
fn python_and_go_workers_written_by_the_tutorial_work_and_one_that_lies_is_caught() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut outputs = Vec::new();
    for (language, tool, argument, run) in [
        ("python", "python3", "--version", "words.run.jsonl"),
        ("go", "go", "version", "gowords.run.jsonl"),
    ] {
        if !is_here(tool, argument) {
            continue;
        }
        follow(&folder, language);
        let figures = installed(&folder, &["show", run, "--json"]);
        let row = figures.data()["rows"][0].clone();
        assert!(row["delivered"]["centre"].as_f64() > Some(0.0), "{row}");
        assert_eq!(
            record(&folder, run, "header")["workloads"].as_object().map(|workloads| {
                workloads.values().map(|workload| workload["family"].clone()).collect::<Vec<_>>()
            }),
            Some(vec!["words".into()])
        );
        outputs.push(record(&folder, run, "launch")["ready"]["output_sha256"].clone());
        if language == "python" {
            let failed = installed(&folder, &["show", "lie.run.jsonl", "--json"]).data();
            let row = &failed["rows"][0];
            assert_eq!(row["outcome"]["kind"], "wrong-answer", "{row}");
            assert!(row["delivered"].is_null(), "a lie has a figure: {row}");
        }
    }
    assert!(outputs.windows(2).all(|two| two[0] == two[1] && two[0].is_string()), "{outputs:?}");
}

#[test]
fn what_sizeup_new_worker_writes_in_c_and_rust_keeps_the_contract_as_it_is() {
    let folder = TempDir::new().expect("a temporary folder");
    for (language, tool) in [("c", "cc"), ("rust", "cargo")] {
        if is_here(tool, "--version") {
            let name = format!("my-{language}");
            let said =
                shell(&folder, &format!("sizeup new worker {name} --{language}\n{name}/test"));
            assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
            let expected = format!("{name} keeps the contract");
            assert!(said.prose().contains(&expected), "{}{}", said.stdout, said.stderr);
        }
    }
}

/// The contract is played to our own worker over the same kit.
#[test]
fn what_sizeup_new_worker_writes_in_java_is_built_and_measured_as_it_is() {
    if !is_here("javac", "--version") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let said = shell(
        &folder,
        "sizeup new worker my-java --java\nmy-java/build\n\
         sizeup request sort-1k/my-java --with my-java --samples 1 |\n\
         sed 's/\"parameters\":{/&\"warm_up_ms\":1,/' | java -jar my-java/worker/my-java.jar",
    );
    let answers = said.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answers: Vec<Value> = answers.collect();
    let kinds: Vec<_> = answers.iter().filter_map(|answer| answer["answer"].as_str()).collect();
    assert_eq!(kinds, ["ready", "sample", "done"], "{}{}", said.stdout, said.stderr);
    assert_eq!(answers[0]["verified"], "the numbers are in order");
    assert!(answers[1]["threads"][0]["ops"].as_u64() > Some(0), "{}", answers[1]);
}

/// Stands between the harness and an honest worker, and changes the samples.
const LIAR: &str = r#"
import json, subprocess, sys
lie, worker = sys.argv[1], [sys.executable, "../sorter/worker/sorter-worker.py"]
if sys.argv[2:] == ["--list"]:
    sys.exit(subprocess.run(worker + ["--list"]).returncode)
honest = subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for request in sys.stdin:
    honest.stdin.write(request)
    honest.stdin.flush()
    answer = json.loads(honest.stdout.readline())
    if answer["answer"] == "sample":
        thread = answer["threads"][0]
        if lie == "half-the-time":
            thread["elapsed_ns"] //= 2
        elif lie == "fast-core":
            thread["pulse_after"]["clock_ns"] //= 20
        elif lie == "later":
            answer["start_ns"] += 10**10
            answer["end_ns"] += 10**10
    if lie == "more-ops-in-the-end" and answer["answer"] == "done":
        answer["ops"] *= 2
    print(json.dumps(answer), flush=True)
honest.stdin.close()
sys.exit(honest.wait())
"#;

#[test]
fn a_python_worker_that_claims_what_can_not_be_is_refused() {
    if !is_here("python3", "--version") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let made = installed(&folder, &["new", "worker", "sorter", "--python"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    fs::write(folder.path().join("liar.py"), LIAR).expect("a file");
    for (lie, told) in [
        ("none", ""),
        ("half-the-time", "worked"),
        ("fast-core", "the pulse implies a clock over 20 GHz"),
        ("more-ops-in-the-end", "the worker reports"),
        ("later", "but was requested at"),
    ] {
        let table = format!(
            "worker = {{ run = [\"python3\", \"../liar.py\", \"{lie}\"] }}\n[[workload]]\nid = \"sort-1k/sorter\"\n\
             operation = \"sort\"\nfamily = \"sort\"\nabout = \"sorts\"\nparameters = {{ numbers = 1000 }}\n"
        );
        let own = folder.path().join("own");
        fs::create_dir_all(&own).expect("a folder");
        fs::write(own.join("liar.toml"), table).expect("a file");
        let answer = installed(
            &folder,
            &[
                "run",
                "--with",
                "own",
                "--workload",
                "sort-1k/sorter",
                "--threads",
                "1",
                "--budget",
                "5m",
                "--precision",
                "30%",
                "--sample-time",
                "20ms",
                "--json",
                "--output",
                &format!("{lie}.jsonl"),
            ],
        );
        let row = &answer.data()["rows"][0];
        let message = row["outcome"]["message"].as_str().unwrap_or_default();
        if lie == "none" {
            assert_eq!(answer.status, 0, "{}{}", answer.stdout, answer.stderr);
        } else {
            assert_eq!(answer.status, 3, "{lie}: {}", answer.stdout);
            assert!(message.contains(told), "{lie}: {row}");
            assert!(row["delivered"].is_null(), "{lie} has a figure: {row}");
        }
    }
}

#[test]
fn a_check_that_looks_at_nothing_and_a_worker_that_breaks_are_told_by_test_worker() {
    if !is_here("python3", "--version") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let made = installed(&folder, &["new", "worker", "blind", "--python"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let source = folder.path().join("blind/worker/blind-worker.py");
    let honest = fs::read_to_string(&source).expect("a worker");
    for (was, is, told) in [
        (
            "raise kit.WrongAnswer(\"the numbers are not in order\")",
            "pass",
            "does not notice an injected wrong answer",
        ),
        ("parameters[\"numbers\"]", "parameters[\"number\"]", "KeyError: 'number'"),
    ] {
        assert!(honest.contains(was), "{honest}");
        fs::write(&source, honest.replace(was, is)).expect("a file");
        let said = installed(&folder, &["test-worker", "blind"]);
        assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
        assert!(
            said.prose().contains("does not keep the contract: 2 workloads of 2"),
            "{}",
            said.stdout
        );
        assert!(said.prose().contains(told), "{}", said.stdout);
    }
}

/// A Python worker as `sizeup new worker` writes it, and its source with a text replaced by another.
fn changed(folder: &TempDir, name: &str, was: &str, is: &str) {
    let made = installed(folder, &["new", "worker", name, "--python"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let source = folder.path().join(format!("{name}/worker/{name}-worker.py"));
    let honest = fs::read_to_string(&source).expect("a worker");
    assert!(honest.contains(was), "{honest}");
    fs::write(&source, honest.replace(was, is)).expect("a file");
}

#[test]
fn a_wrong_answer_whose_reason_can_not_be_told_is_still_one() {
    if !is_here("python3", "--version") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    for (name, reason) in [
        ("surrogate", r#"raise kit.WrongAnswer("\udcff")"#),
        ("mute", r#"raise type("Mute", (Exception,), {"__str__": lambda self: 1 / 0})()"#),
    ] {
        let was = r#"raise kit.WrongAnswer("the numbers are not in order")"#;
        changed(&folder, name, was, reason);
        let answer = shell(
            &folder,
            &format!(
                "sizeup request sort-1k/{name} --with {name} --samples 1 |\n\
                 sed 's/\"seed\"/\"inject\":\"wrong-answer\",&/' | python3 {name}/worker/{name}-worker.py"
            ),
        );
        let answer = answer.stdout.lines().next().unwrap_or_default();
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        assert_eq!((&answer["answer"], &answer["kind"]), (&"error".into(), &"wrong-answer".into()));
    }
}

#[test]
fn transcripts_are_played_with_workloads_that_can_run_here_and_without_one_nothing_is_proven() {
    if !is_here("python3", "--version") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let was = "        self.unsorted =";
    for (name, numbers, status, told) in [
        ("partly", "== 1000", 0, "partly-worker.py keeps the contract"),
        (
            "nowhere",
            "> 0",
            1,
            "nowhere-worker.py was not tested: it has 2 workloads, and none can run here",
        ),
    ] {
        let unavailable = format!(
            "        if parameters[\"numbers\"] {numbers}:\n            raise kit.Unavailable(\"no such device\")\n{was}"
        );
        changed(&folder, name, was, &unavailable);
        let said = installed(&folder, &["test-worker", name]);
        assert!(said.prose().contains(told), "{}{}", said.stdout, said.stderr);
        let left_out = format!("sort-1k/{name} can't run here: sort/{name}: no such device");
        assert!(said.prose().contains(&left_out), "{}", said.stdout);
        assert_eq!(said.prose().contains("transcripts;"), status == 0, "{}", said.stdout);
        assert_eq!(said.status, status, "{}", said.stdout);
    }
}

#[test]
fn a_python_worker_may_have_the_name_of_a_module_that_it_imports() {
    if is_here("python3", "--version") {
        let folder = TempDir::new().expect("a temporary folder");
        let said = shell(&folder, "sizeup new worker heapq --python\nheapq/test");
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        // The printed command can be typed as it is.
        let next = "--with heapq --workload sort-1k/heapq --budget 20s";
        assert!(said.prose().contains(next), "{}", said.stdout);
        let listed = installed(&folder, &["list", "workloads", "--with", "heapq", "sort-1k/heapq"]);
        assert!(listed.stdout.contains("sort 1k numbers"), "{}{}", listed.stdout, listed.stderr);
    }
}

#[test]
fn workers_are_built_with_a_release_folder_whose_path_has_blanks_and_an_apostrophe() {
    let folder = TempDir::new().expect("a temporary folder");
    let made = shell(
        &folder,
        r#"mkdir -p "it's a release/share/sizeup/workloads"
           cp -r "$SIZEUP_HOME/share/sizeup/kits" "it's a release/share/sizeup"
           cp -r "$SIZEUP_HOME/lib" "it's a release"
           export SIZEUP_HOME="$PWD/it's a release"
           sizeup new worker my-c --c
           sizeup new worker my-go --go"#,
    );
    assert_eq!(made.status, 0, "{}{}", made.stdout, made.stderr);
    for (language, tool, argument) in [("c", "cc", "--version"), ("go", "go", "version")] {
        if is_here(tool, argument) {
            let said = shell(&folder, &format!("unset SIZEUP_HOME\nmy-{language}/build"));
            assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        }
    }
}

#[test]
fn a_folder_that_is_there_or_has_no_name_of_a_worker_is_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    home();
    installed(&folder, &["new", "worker", "Sorter", "--go"]).refuses(2, "\"Sorter\" is no name");
    for name in ["src", "target", "deps"] {
        let rust = installed(&folder, &["new", "worker", name, "--rust"]);
        rust.refuses(2, "is no name for a worker in Rust");
        assert!(!folder.path().join(name).exists());
    }
    fs::create_dir(folder.path().join("there")).expect("a folder");
    installed(&folder, &["new", "worker", "there", "--c"]).refuses(2, "there can't be made");
    let both = installed(&folder, &["new", "worker", "both", "--c", "--go"]);
    both.refuses(2, "cannot be used with");
    assert!(!folder.path().join("both").exists());
}
