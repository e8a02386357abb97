//! Fuzz target: run files that tell what can't be, through every command that reads run files. Each either says what is
//! wrong or answers, and no answer commands a terminal, is endless, or has a figure that is none.

use super::exit::Exit;
use super::{Cli, perform};
use crate::briefing::Screen;
use clap::Parser;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use testkit::{Choices, RUNS, assert_figures, assert_harmless, changed_run};

thread_local! {
    /// Output of commands on this thread; `None` outside of this target.
    static KEPT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what a command prints, if it runs here.
pub(super) fn keep(text: &str) -> bool {
    KEPT.with_borrow_mut(|kept| kept.as_mut().map(|kept| kept.push_str(text)).is_some())
}

/// With `F` for the changed file, `G` for the run as it was measured, `M` for a mix, `O` for a file to write.
const COMMANDS: [&str; 25] = [
    "show F",
    "show F --all --details",
    "show F --json",
    "show --grid F G",
    "compare F G --verbose",
    "compare G F --all --details",
    "compare F G --json",
    "compare F",
    "compare --group x=F --group y=G --view delivered --allow origin,library",
    "explain F G",
    "explain F",
    "score F G",
    "score F G --json",
    "scaling F G",
    "scaling F --json",
    "implementations F",
    "cost --group x=F --group y=G --price x=1 --price y=2",
    "capacity M --group x=F --group y=G --price x=1 --price y=2",
    "export csv F -o O",
    "export csv --rows samples F -o O",
    "export parquet --rows samples F -o O",
    "export go-bench F",
    "export google-benchmark F",
    "export bencher F",
    "compare F G --fail-if slower:3%,score:1% --markdown",
];

/// Formats that a terminal shows as they are, if they are printed.
const TEXT_FORMATS: [&str; 4] = ["csv", "go-bench", "google-benchmark", "md"];

const MIX: &str = "[[demand]]\nworkload = \"lz4/lz4\"\nrate = \"100 MiB/s\"\n";

/// Every answer at this width, by turns.
const WIDTHS: [usize; 3] = [40, 80, 200];

/// Runs a command of the target: how it ended, and its output.
fn answer(command: &str, folder: &Path, screen: &Screen) -> (anyhow::Result<Exit>, String) {
    let path = |name: &str| folder.join(name).display().to_string();
    let arguments =
        command.split(' ').map(|word| match word.rsplit_once('=').unwrap_or(("", word)) {
            (name, "F") if !name.is_empty() => format!("{name}={}", path("changed.jsonl")),
            (name, "G") if !name.is_empty() => format!("{name}={}", path("run.jsonl")),
            (_, "F") => path("changed.jsonl"),
            (_, "G") => path("run.jsonl"),
            (_, "M") => path("mix.toml"),
            (_, "O") => path("output"),
            _ => word.to_owned(),
        });
    let arguments = ["sizeup".to_owned()].into_iter().chain(arguments);
    let cli = Cli::try_parse_from(arguments).unwrap_or_else(|e| panic!("{command}: {e}"));
    KEPT.set(Some(String::new()));
    let result = perform(cli.command, screen);
    (result, KEPT.take().unwrap_or_default())
}

/// Runs a command over the files in a folder and holds what it says against what no answer may hold.
fn run(command: &str, folder: &Path, width: usize) {
    let screen = Screen { verbose: command.ends_with("--verbose"), ..Screen::of_width(width) };
    let output = folder.join("output");
    let _ = fs::remove_file(&output);
    let (result, mut text) = answer(command, folder, &screen);
    if let Err(error) = &result {
        text.push_str(&terminal::Printable::of(format_args!("{error:#}")));
    }
    if TEXT_FORMATS.iter().any(|format| command.contains(format)) {
        text.push_str(&fs::read_to_string(&output).unwrap_or_default());
    }
    assert_harmless(&text);
    assert_figures(&text);
}

#[test]
fn a_changed_run_ends_in_a_message_or_in_a_harmless_answer() {
    testkit::check("runs", 40, |input| {
        let folder = testkit::folder();
        let choices = &mut Choices::new(input);
        let write =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        let width = choices.of(&WIDTHS);
        // Mostly of one run, so that rows are comparable.
        let one = [choices.of(&RUNS)];
        let from: &[&str] = if choices.is_one_of(8) { &RUNS } else { &one };
        write("run.jsonl", one[0]);
        write("changed.jsonl", &changed_run(from, choices));
        write("mix.toml", MIX);
        for command in COMMANDS {
            run(command, folder.path(), width);
        }
    });
}

#[test]
fn what_the_target_looks_for_is_seen() {
    let folder = testkit::folder();
    fs::write(folder.path().join("changed.jsonl"), RUNS[0]).expect("a file");
    let screen = Screen::of_width(100);
    let (result, text) = answer("show F", folder.path(), &screen);
    assert_eq!(result.expect("an honest run is shown"), Exit::Fine);
    assert!(text.contains("lz4"), "{text}");
}
