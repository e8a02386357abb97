//! The pages, followed to the letter: what they say a command answers, the command answers.

use crate::support::Place;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A block of commands that can be run anywhere, and what its last one prints; `…` stands for anything.
struct Step {
    commands: String,
    answer: Option<String>,
}

impl Step {
    /// Reads the block behind a mark: commands, with their answer in the next block; or both in one, as a terminal shows them.
    fn of(behind: &str) -> Self {
        let mut fenced = behind.split("```");
        let block = fenced.nth(1).expect("a block");
        if let Some(commands) = block.strip_prefix("sh\n") {
            let between = fenced.next().unwrap_or_default();
            let answer = fenced.next().filter(|_| between.trim().is_empty());
            return Self { commands: commands.to_owned(), answer: answer.map(str::to_owned) };
        }
        let lines = block.trim_start().lines();
        let (typed, answer): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.starts_with("$ "));
        let typed: Vec<&str> = typed.iter().filter_map(|line| line.strip_prefix("$ ")).collect();
        Self { commands: typed.join("\n"), answer: Some(answer.join("\n")) }
    }

    fn answers(&self, said: &str) -> bool {
        let answer = one_line(self.answer.as_deref().unwrap_or_default());
        let (mut parts, said) = (answer.split('…').map(str::trim), one_line(said));
        let begin = parts.next().unwrap_or_default();
        let rest = said.strip_prefix(begin);
        let rest =
            rest.and_then(|rest| parts.try_fold(rest, |rest, part| Some(rest.split_once(part)?.1)));
        rest.is_some()
    }
}

fn steps(page: &str) -> Vec<Step> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    text.split("<!-- run -->\n").skip(1).map(Step::of).collect()
}

/// A folder with the reference run.
fn folder() -> Place {
    let place = Place::new();
    symlink(root().join("reference"), place.path("reference")).expect("a link");
    place
}

fn shell(place: &Place, commands: &str) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_sizeup")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let shell = Command::new("sh")
        .args(["-e", "-c", commands])
        .env("PATH", &path)
        .env("SIZEUP_HOME", place.path("home"))
        .current_dir(place.path(""))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&shell.stdout).into_owned();
    let errors = String::from_utf8_lossy(&shell.stderr);
    assert!(shell.status.success(), "{commands}{said}{errors}");
    said
}

fn follow(place: &Place, page: &str) {
    let steps = steps(page);
    assert!(!steps.is_empty(), "{page} has no step");
    for step in steps {
        let said = shell(place, &step.commands);
        let answer = step.answer.as_deref().unwrap_or_default();
        assert!(step.answers(&said), "{page}: {}\nsays {said}\nand not {answer}", step.commands);
    }
}

#[test]
fn every_step_of_the_tutorial_answers_what_it_says() {
    let place = folder();
    assert!(steps("docs/tutorial.md").len() >= 4);
    follow(&place, "docs/tutorial.md");
    assert!(place.path("decision.html").exists());
}

/// With the runs that the other pages name: those that the tutorial imports; `xeon` and `altra`, which are the same; two hosts of
/// `m6i` and `m7g` each; and a price of each.
fn folder_of_runs() -> Place {
    let place = folder();
    shell(&place, &steps("docs/tutorial.md")[0].commands);
    shell(
        &place,
        r#"
        import() {
            sed "s/^old/$1/; s/^arm/$2/; s/,1,100,/,1,$3,/" candidates.csv > machines.csv
            sizeup import csv machines.csv --folder imported
        }
        import xeon altra 100
        for name in xeon altra; do mv imported/$name-imported.run.jsonl $name.run.jsonl; done
        for host in 1 2; do
            import m6i m7g 10$host
            for name in m6i m7g; do mv imported/$name-imported.run.jsonl runs/$name-$host.jsonl; done
        done
        for name in m6i m7g; do printf '[[price]]\nlabel = "%s"\nper_hour = 2\n' $name; done > prices.toml
        "#,
    );
    place
}

#[test]
fn every_example_of_the_readme_answers_what_it_says() {
    follow(&folder_of_runs(), "README.md");
}

#[test]
fn every_step_of_the_page_on_choosing_answers_what_it_says() {
    follow(&folder_of_runs(), "docs/choose-a-machine.md");
}

#[test]
fn every_step_of_the_page_on_judging_answers_what_it_says() {
    let place = folder_of_runs();
    place.write("mix.toml", tutorials_mix());
    follow(&place, "docs/judging.md");
}

/// The content that the tutorial gives `mix.toml`.
fn tutorials_mix() -> String {
    let steps = steps("docs/tutorial.md");
    let step = steps.iter().find_map(|step| step.commands.split_once("> mix.toml <<'END'\n"));
    let mix = step.and_then(|(_, rest)| rest.split_once("END\n"));
    mix.expect("the tutorial's mix").0.to_owned()
}

#[test]
fn every_step_of_the_page_on_reports_works() {
    let place = folder_of_runs();
    follow(&place, "docs/report.md");
    assert!(place.path("pictures/share-card.png").exists());
    assert!(place.path("site/index.html").exists());
}

#[test]
fn an_answer_is_held_against_what_was_said() {
    let step = Step::of("\n```\n$ true\nA is … faster\n(95 % CI) …\n```\n");
    assert_eq!(step.commands, "true");
    assert!(step.answers("A is 2× faster (95 %\nCI) and more"));
    for other in ["B is 2× faster (95 % CI)", "A is 2× slower (95 % CI)", "A is 2× faster"] {
        assert!(!step.answers(other), "{other}");
    }
}
