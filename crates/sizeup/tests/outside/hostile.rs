//! Texts that would command a terminal, a spreadsheet or a page, wherever texts come in, and wherever they leave.

mod entries;
mod everywhere;
mod exits;
mod fields;
mod sources;

use crate::support::Place;
use exits::assert_harmless;
use std::fmt::Write;

/// A machine whose name would command a terminal and a page, and one whose name has ends of lines.
const HOSTILE: [&str; 2] =
    ["\u{1b}[2J<script>alert(1)</script>\u{7}\u{202e}", "two\nlines\u{2028}of\u{2029}text"];

/// Run files of these two machines, on 1 and 2 threads of 2 CPUs, of an operation by two implementations.
fn hostile_files(place: &Place) -> Vec<String> {
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for (machine, factor) in HOSTILE.iter().zip([1, 2]) {
        for (implementation, threads) in [("c", 1), ("c", 2), ("go", 1), ("go", 2)] {
            for value in [990, 1000, 1010].map(|value| value * factor * threads) {
                let row = format!("sum/{implementation},{threads},{value},MB/s,2");
                let _ = writeln!(table, "\"{machine}\",{row}");
            }
        }
    }
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "runs"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert_harmless(&answer);
    let mut files: Vec<String> = std::fs::read_dir(place.path("runs"))
        .expect("a folder")
        .map(|file| file.expect("a file").path().display().to_string())
        .collect();
    files.sort();
    assert_eq!(files.len(), 2);
    files
}

#[test]
fn labels_that_would_command_a_terminal_are_shown_harmlessly() {
    let place = Place::new();
    let files = hostile_files(&place);
    let prices = HOSTILE.map(|label| format!("{label}=1"));
    place.write("mix.toml", "[[demand]]\nworkload = \"sum/c\"\nrate = \"1 MB/s\"\n");
    for command in [
        vec!["compare"],
        vec!["score"],
        vec!["scaling"],
        vec!["implementations"],
        vec!["cost", "--price", &prices[0], "--price", &prices[1]],
        vec!["capacity", "mix.toml"],
        vec!["show", "--grid"],
    ] {
        let arguments: Vec<&str> =
            command.iter().copied().chain(files.iter().map(String::as_str)).collect();
        let answer = place.sizeup(&arguments);
        assert!([0, 1].contains(&answer.status), "{command:?}: {}", answer.stderr);
        assert_harmless(&answer);
        // Fragments of them that fit.
        for plain in ["<script>", "lines"] {
            assert!(answer.stdout.contains(plain), "{command:?}: {}", answer.stdout);
        }
    }
    let answer = place.sizeup(&["export", "go-bench", &files[0]]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert_harmless(&answer);
}

#[test]
fn a_currency_that_would_command_a_terminal_is_refused() {
    let place = Place::new();
    let files = hostile_files(&place);
    let cost = |prices: &[&str]| {
        let arguments: Vec<&str> =
            ["cost", &files[0], &files[1]].into_iter().chain(prices.iter().copied()).collect();
        let answer = place.sizeup(&arguments);
        answer.refuses(2, "");
        assert_harmless(&answer);
        assert_eq!(answer.stdout, "");
        answer.stderr
    };
    let price = |number: usize| format!("{}=1\u{1b}[2J\u{202e}EUR", HOSTILE[number]);
    assert!(cost(&["--price", &price(0), "--price", &price(1)]).contains("is not LABEL=PRICE"));
    let of_file = "[[price]]\nlabel = \"x\"\nper_hour = 1\ncurrency = \"\\u001b[2J\\u202eEUR\"\n";
    place.write("prices.toml", of_file);
    assert!(cost(&["--prices", "prices.toml"]).contains("the currency has"));
}
