//! docs/tutorial.md, followed to the letter: what it says a command answers, the command answers.

use crate::support::Place;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A block of commands that can be run anywhere, and the beginning of what its last one prints.
struct Step {
    commands: String,
    answer: Option<String>,
}

fn steps() -> Vec<Step> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let text = fs::read_to_string(page).expect("the tutorial");
    let blocks = text.split("<!-- run -->\n").skip(1);
    blocks
        .map(|block| {
            let mut fenced = block.split("```");
            let commands = fenced.nth(1).and_then(|block| block.strip_prefix("sh\n"));
            let between = fenced.next().unwrap_or_default();
            let answer = fenced.next().filter(|_| between.trim().is_empty());
            let answer =
                answer.map(|answer| answer.split_whitespace().collect::<Vec<_>>().join(" "));
            Step { commands: commands.expect("commands").to_owned(), answer }
        })
        .collect()
}

#[test]
fn every_step_answers_what_the_page_says() {
    let place = Place::new();
    let bin = Path::new(env!("CARGO_BIN_EXE_sizeup")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let steps = steps();
    assert!(steps.len() >= 4, "{} steps", steps.len());
    for Step { commands, answer } in steps {
        let shell = Command::new("sh")
            .args(["-e", "-c", &commands])
            .env("PATH", &path)
            .env("SIZEUP_HOME", place.path("home"))
            .current_dir(place.path(""))
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&shell.stdout);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let errors = String::from_utf8_lossy(&shell.stderr);
        assert!(shell.status.success(), "{commands}{said}{errors}");
        if let Some(answer) = answer {
            assert!(said.starts_with(&answer), "{commands}\nsays {said}\nand not {answer}");
        }
    }
    assert!(place.path("decision.html").exists());
}
