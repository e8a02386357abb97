//! Commands for build servers: pairs of plain commands, limits on losses, and the action that combines both.

use crate::support::{Answer, NEVER, installed, installed_command, send, wait_until};
use nix::sys::signal::Signal;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Nobody needs a CPU to sleep: the second takes ten times as long on any machine.
const SLEEPS: [&str; 2] = ["sleep 0.01", "sleep 0.1"];

fn bench(folder: &TempDir, more: &[&str]) -> Answer {
    let _ = fs::remove_file(folder.path().join("b.run.jsonl"));
    let ends = ["--precision", "30%", "--budget", "30s"];
    installed(folder, &[&["bench", "-o", "b.run.jsonl"], &ends[..], more].concat())
}

#[test]
fn between_two_cpu_models_no_limit_is_decided_unless_that_is_allowed() {
    let folder = TempDir::new().unwrap();
    for (name, cpu, ns) in [("old", "EPYC 7763", 1700), ("new", "Xeon 8370C", 2000)] {
        let lines: Vec<String> =
            (0..6).map(|n| format!("BenchmarkEncode-4 \t 690848 \t {} ns/op", ns + n)).collect();
        let text = format!(
            "goos: linux\ngoarch: amd64\npkg: example.com/x\ncpu: {cpu}\n{}\n",
            lines.join("\n")
        );
        fs::write(folder.path().join(format!("{name}.txt")), text).unwrap();
        let output = format!("{name}.run.jsonl");
        let import = ["import", "go-bench", &format!("{name}.txt"), "-o", &output, "--label", name];
        let answer = installed(&folder, &import);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
    }
    let gate = ["compare", "--fail-if", "slower:5%", "old.run.jsonl", "new.run.jsonl"];
    let undecided = installed(&folder, &gate);
    let says = "Can't judge slower:5%: the CPU is EPYC 7763 on one, Xeon 8370C on the other";
    assert_eq!(undecided.status, 3, "{}", undecided.stdout);
    assert!(undecided.prose().starts_with(says), "{}", undecided.stdout);
    let markdown = installed(&folder, &[&gate[..], &["--markdown"]].concat());
    assert_eq!(markdown.status, 3, "{}", markdown.stdout);
    assert!(markdown.stdout.starts_with("**sizeup: undecided.**"), "{}", markdown.stdout);
    assert!(markdown.stdout.contains("`EPYC 7763` on one, `Xeon 8370C`"), "{}", markdown.stdout);
    let allowed = installed(&folder, &[&gate[..], &["--allow", "machine"]].concat());
    assert_eq!(allowed.status, 1, "{}", allowed.stdout);
    assert!(allowed.prose().starts_with("Fails slower:5% in 1 of"), "{}", allowed.stdout);
}

#[test]
fn two_commands_are_compared_in_pairs_and_a_loss_beyond_its_limit_fails() {
    let folder = TempDir::new().unwrap();
    let answer = bench(&folder, &[&SLEEPS[..], &["--fail-if", "slower:50%,score:50%"]].concat());
    assert_eq!(answer.status, 1, "{}{}", answer.stdout, answer.stderr);
    let said = answer.prose();
    assert!(
        said.starts_with("Fails slower:50% in 1 of 1 figure: execution/command on 1 thread is"),
        "{said}"
    );
    assert!(said.contains("sleep-0.1 ") && said.contains("sleep 0.1"), "{said}");
    // Compare the same file again: as a paragraph, and against a limit that selects no row.
    let compare =
        |more: &[&str]| installed(&folder, &[&["compare", "b.run.jsonl"][..], more].concat());
    let paragraph = compare(&["--fail-if", "slower:50%", "--markdown"]);
    assert_eq!(
        (paragraph.status, paragraph.stdout.matches('\n').count()),
        (1, 1),
        "{}",
        paragraph.stdout
    );
    assert!(
        paragraph.stdout.starts_with("**sizeup: slower.** `sleep-0.1` against `sleep-0.01`."),
        "{}",
        paragraph.stdout
    );
    compare(&["--fail-if", "slower=gzip:3%"]).refuses(2, "no row that both have contains \"gzip\"");
    compare(&["--fail-if", "slower:much"]).refuses(2, "is no limit");
    compare(&["--markdown"]).refuses(2, "--fail-if");
    // The other way round nothing is lost.
    let faster = bench(&folder, &["sleep 0.1", "sleep 0.01", "--fail-if", "slower:50%"]);
    assert_eq!(faster.status, 0, "{}{}", faster.stdout, faster.stderr);
    assert!(
        faster.prose().starts_with("Passes slower:50%: execution/command on 1 thread is "),
        "{}",
        faster.prose()
    );
}

#[test]
fn a_single_command_is_timed_and_what_can_not_run_is_refused_before() {
    let folder = TempDir::new().unwrap();
    let answer = bench(&folder, &["--", "sleep", "0.02"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.prose().contains("`sleep 0.02` takes"), "{}", answer.prose());
    bench(&folder, &["no-program-has-this-name"]).refuses(2, "is not in PATH");
    bench(&folder, &["true", "no-program-has-this-name"]).refuses(2, "is not in PATH");
    bench(&folder, &["true | true"]).refuses(2, "add --shell");
    bench(&folder, &["true", "--fail-if", "slower:3%"]).refuses(2, "two commands or more");
    // A limit that selects no row fails before anything runs.
    bench(&folder, &["true", "true", "--fail-if", "slower=gzip:3%"])
        .refuses(2, "no row that both have contains");
    bench(&folder, &["true", "false"]).refuses(2, "`false` failed (exit status: 1)");
    // Succeeds once.
    let failing = bench(&folder, &["--shell", "mkdir once", "true"]);
    assert_eq!(failing.status, 3, "{}{}", failing.stdout, failing.stderr);
    bench(&folder, &["cd /"]).refuses(2, "cd is a shell builtin, not a program");
    bench(&folder, &["export A=1"]).refuses(2, "export is a shell builtin, not a program");
    bench(&folder, &["--shell", "ll_is_an_alias /"]).refuses(2, "to your interactive shell only");
    bench(&folder, &["--shell", "cd / && a_function"]).refuses(2, "to your interactive shell only");
    bench(&folder, &["ls /no-such-folder"]).refuses(2, "No such file or directory\"");
    bench(&folder, &["--prepare", "cp no-such-file f", "true"])
        .refuses(2, "--prepare `cp no-such-file f` failed");
    let long = ["bench", "sleep 1", "-o", "long.run.jsonl", "--budget", "1900ms"];
    installed(&folder, &long).refuses(2, "and a figure needs 2: 3 s. Raise --budget");
    let endless = ["bench", "sleep 99", "-o", "long.run.jsonl", "--budget", "2s"];
    installed(&folder, &endless).refuses(2, "`sleep 99` takes longer than the whole --budget");
    fs::write(folder.path().join("long.run.jsonl"), "").unwrap();
    installed(&folder, &long).refuses(2, "long.run.jsonl exists and will not be overwritten");
    let shell = bench(&folder, &["--shell", "true | sleep 0.01", "true && sleep 0.1"]);
    assert!(shell.prose().contains("slower"), "{}", shell.prose());
}

#[test]
fn a_long_command_gets_a_figure_from_a_few_executions_and_may_be_prepared() {
    let folder = TempDir::new().unwrap();
    let twice = ["bench", "sleep 0.5", "sleep 1", "--runs", "2", "-o", "a.run.jsonl"];
    let answer = installed(&folder, &twice);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(
        answer.prose().contains("`sleep 0.5` takes") && answer.prose().contains("2 executions")
    );
    let shown = installed(&folder, &["show", "a.run.jsonl"]);
    assert!(shown.stdout.contains("sleep-0.5"), "{}{}", shown.stdout, shown.stderr);
    // Short commands are executed more often.
    let unlike = ["bench", "sleep 0.01", "sleep 1", "--budget", "3500ms", "-o", "d.run.jsonl"];
    let prose = installed(&folder, &unlike).prose();
    let counts =
        prose.split(" executions").filter_map(|before| before.rsplit(' ').next()?.parse().ok());
    let counts: Vec<u32> = counts.collect();
    assert!(counts[0] > counts[1] && counts[1] >= 2, "{prose}");
    // Without its file it would fail.
    let prepared = ["bench", "rm f", "--prepare", "touch f", "--runs", "3", "-o", "b.run.jsonl"];
    let answer = installed(&folder, &prepared);
    assert!(answer.status == 0 && answer.prose().contains("3 executions"), "{}", answer.stderr);
    let failing = ["bench", "false", "--ignore-failure", "--runs", "2", "-o", "c.run.jsonl"];
    assert_eq!(installed(&folder, &failing).status, 0);
    let limited = ["bench", "true", "true", "--runs", "2", "--fail-if", "slower:3%"];
    installed(&folder, &limited).refuses(2, "--fail-if needs samples");
}

#[test]
fn a_bench_that_is_stopped_passes_no_limit() {
    let folder = TempDir::new().unwrap();
    let limited = ["bench", "sleep 0.01", "sleep 0.1", "--fail-if", "slower:99%", "--markdown"];
    let lasting = ["--precision", NEVER, "--budget", "5m", "-o", "b.run.jsonl"];
    let mut bench = installed_command(&folder, &[&limited[..], &lasting].concat());
    let child = bench.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a sample", || {
        let text = fs::read_to_string(folder.path().join("b.run.jsonl")).unwrap_or_default();
        text.contains("\"record\":\"sample\"")
    });
    send(Signal::SIGINT, &child);
    let answer = Answer::of(child.wait_with_output().unwrap());
    assert_eq!((answer.status, answer.stdout.as_str()), (3, ""), "{}", answer.stderr);
    assert!(answer.stderr.contains("the limits were not checked"), "{}", answer.stderr);
    // Already the first execution.
    let mut bench = installed_command(&folder, &["bench", "--shell", "touch begun; sleep 99"]);
    let child = bench.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("an execution", || folder.path().join("begun").exists());
    send(Signal::SIGINT, &child);
    let answer = Answer::of(child.wait_with_output().unwrap());
    assert_eq!((answer.status, answer.stdout.as_str()), (3, ""), "{}", answer.stderr);
}

#[test]
fn a_command_has_the_variables_of_the_shell_and_the_run_file_has_none() {
    let folder = TempDir::new().unwrap();
    let command = r#"test "$OF_A_USER" = not-for-others"#;
    let asked = ["bench", "--shell", command, "-o", "b.run.jsonl", "--precision", "30%"];
    let mut bench = installed_command(&folder, &asked);
    let answer = Answer::of(bench.env("OF_A_USER", "not-for-others").output().unwrap());
    assert_eq!(answer.status, 0, "{}{}", answer.stdout, answer.stderr);
    let run = fs::read_to_string(folder.path().join("b.run.jsonl")).unwrap();
    assert_eq!(run.matches("not-for-others").count(), run.matches(r"= not-for-others").count());
    installed(&folder, &["bench", "--shell", command]).refuses(2, "failed (exit status: 1)");
}

/// The `run` of the action's only step, and the variables that it gets.
pub fn step(inputs: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action/action.yml");
    let text = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let runs: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("run: ")).collect();
    let [run] = runs[..] else { panic!("{runs:?}") };
    // Else YAML would take the shell's quotes for its own.
    let run = run.strip_prefix('\'').and_then(|run| run.strip_suffix('\''));
    let run = run.expect("in YAML's single quotes");
    let variables = lines.iter().filter_map(|line| line.split_once(": ${{ inputs."));
    let variables = variables.map(|(name, input)| {
        let input = input.trim_end_matches(" }}");
        let value = inputs.iter().find(|(name, _)| *name == input);
        (name.to_owned(), value.unwrap_or_else(|| panic!("no input {input}")).1.to_owned())
    });
    (run.to_owned(), variables.collect())
}

#[test]
fn the_action_measures_says_what_it_found_and_fails_where_it_shall() {
    let folder = TempDir::new().unwrap();
    let inputs = [
        ("base", SLEEPS[0]),
        ("new", SLEEPS[1]),
        ("fail-if", "slower:50%"),
        ("precision", "30%"),
        ("budget", "30s"),
        ("sizeup", env!("CARGO_BIN_EXE_sizeup")),
    ];
    let (run, variables) = step(&inputs);
    let path = |name: &str| folder.path().join(name);
    let asked = installed_command(&folder, &[]);
    let home =
        asked.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action");
    let done = Command::new("bash")
        .args(["-e", "-c", &run])
        .envs(home)
        .envs(variables)
        .envs([
            ("GITHUB_ACTION_PATH", action),
            ("RUNNER_TEMP", folder.path().to_owned()),
            ("GITHUB_STEP_SUMMARY", path("summary.md")),
            ("GITHUB_OUTPUT", path("output")),
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stderr));
    let summary = fs::read_to_string(path("summary.md")).unwrap();
    assert!(summary.starts_with("**sizeup: slower.**"), "{summary}");
    let output = fs::read_to_string(path("output")).unwrap();
    let run_file = output.lines().find_map(|line| line.strip_prefix("run-file=")).unwrap();
    assert!(Path::new(run_file).is_file(), "{output}");
}
