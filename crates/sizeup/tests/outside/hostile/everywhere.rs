//! Every command and every format, over run files whose texts are all hostile.

use super::exits::{
    assert_csv, assert_go, assert_google, assert_harmless, assert_markdown, assert_markup,
    assert_page, assert_visible,
};
use super::fields::renamed;
use super::sources::{Spoilt, imported, measured, mixed, variants};
use crate::support::{Answer, Place, seal};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Two files of a folder of their own, `runs/a.run.jsonl` and `b`, which differ in their labels: as they were, and
/// spoilt.
struct Pair {
    place: Place,
    spoilt: Spoilt,
}

const FILES: [&str; 2] = ["runs/a.run.jsonl", "runs/b.run.jsonl"];
const HARMLESS: [&str; 2] = ["plain/a.run.jsonl", "plain/b.run.jsonl"];

impl Pair {
    fn of(make: fn(&Place) -> Vec<Value>, turn: usize) -> Self {
        let place = Place::new().with_faults(&["none", "served", "die-prepare"], &[]);
        let records = make(&place);
        let spoilt = Spoilt::of(&place, &records, turn);
        for (folder, records) in [("runs", &spoilt.records), ("plain", &records)] {
            fs::create_dir(place.path(folder)).expect("a folder");
            seal(&place, &format!("{folder}/a.run.jsonl"), records);
            let label = records[0]["label"].as_str().expect("a label");
            let other = renamed(records, label, &format!("{label} other"));
            seal(&place, &format!("{folder}/b.run.jsonl"), &other);
        }
        let mut prices = String::new();
        for file in FILES {
            let run = record::read(&place.path(file)).expect("a run");
            // JSON's escapes are TOML's.
            let label = serde_json::to_string(&run.header.label).expect("JSON");
            prices += &format!("[[price]]\nlabel = {label}\nper_hour = 1\n");
        }
        place.write("prices.toml", prices);
        let workload = &spoilt.records[0]["plan"]["cases"][0]["workload"];
        place.write(
            "demand.toml",
            format!("[[demand]]\nworkload = {workload}\nrate = \"1 ops/s\"\n"),
        );
        Self { place, spoilt }
    }

    fn sizeup(&self, arguments: &[&str]) -> Answer {
        let answer = self.place.sizeup(arguments);
        assert_harmless(&answer);
        answer
    }

    /// All output of the commands that read one file, two files and a folder, in every format.
    fn commands(&self) -> String {
        let [a, b] = FILES;
        let mut all = String::new();
        for command in [
            &["show", a][..],
            &["show", "--grid", a, b],
            &["compare", a, b],
            &["compare", a],
            &["explain", a],
            &["explain", a, b],
            &["score", a, b],
            &["scaling", a, b],
            &["implementations", a, b],
            &["cost", a, b, "--prices", "prices.toml"],
            &["capacity", "demand.toml", a, b],
            &["runs", "runs"],
        ] {
            let details: &[&str] =
                if command[0] == "runs" { &["-v"] } else { &["--all", "--details", "-v"] };
            all += &self.sizeup(command).stdout;
            all += &self.sizeup(&[command, details].concat()).stdout;
            let json = self.sizeup(&[command, &["--json"]].concat());
            if !json.stdout.is_empty() {
                all += &json.json().to_string();
            }
        }
        // JSON has the texts as they are.
        let label = &self.spoilt.records[0]["label"];
        assert_eq!(self.sizeup(&["show", a, "--json"]).data()["label"], *label);
        let coloured = self.place.sizeup(&["show", a, "--all", "--color", "always"]).stdout;
        assert_visible(&without_styles(&coloured));
        for command in [
            &["run", "--resume", a, "--with", "own"][..],
            &["import", "meter", "log.csv", "--run", a, "-o", "again.jsonl"],
        ] {
            self.sizeup(command);
        }
        all
    }

    /// Every export format, each checked by its own rules.
    fn exports(&self) -> String {
        let [a, b] = FILES;
        let mut all = String::new();
        for rows in ["estimates", "samples"] {
            let csv = self.sizeup(&["export", "csv", a, b, "--rows", rows]).stdout;
            if !csv.is_empty() {
                assert_csv(&csv);
            }
            all += &csv;
            let parquet = format!("{rows}.parquet");
            self.sizeup(&["export", "parquet", a, b, "--rows", rows, "-o", &parquet]);
        }
        let harmless = |format: &str| self.place.sizeup(&["export", format, HARMLESS[0]]).stdout;
        assert_go(
            &self.sizeup(&["export", "go-bench", a]).stdout,
            harmless("go-bench").lines().count(),
        );
        let count = |json: &str| {
            let json: Value = serde_json::from_str(json).expect("JSON");
            json["benchmarks"].as_array().map_or(0, Vec::len)
        };
        let google = self.sizeup(&["export", "google-benchmark", a]).stdout;
        assert_google(&google, count(&harmless("google-benchmark")));
        all + &google
    }

    /// Reports, their charts, and a site.
    fn pages(&self) -> String {
        let [a, b] = FILES;
        let page = |files: [&str; 2]| {
            let arguments = ["report", files[0], files[1], "-o", "-"];
            let answer = self.sizeup(&[&arguments[..], &["--prices", "prices.toml"]].concat());
            if answer.stdout.is_empty() { self.sizeup(&arguments).stdout } else { answer.stdout }
        };
        assert_page(&page(FILES), &page(HARMLESS));
        let charts = ["--charts", "charts", "-o", "report.md", "--force"];
        let answer = self.sizeup(&[&["report", a, b, "--format", "md"], &charts[..]].concat());
        assert!(answer.status < 2, "{}", answer.stderr);
        let markdown = fs::read_to_string(self.place.path("report.md")).expect("a file");
        assert_markdown(&markdown);
        let site = self.sizeup(&["site", "runs", "-o", "site"]);
        assert!(site.status < 2, "{}", site.stderr);
        let mut all = markdown;
        for folder in ["charts", "site", "site/workload"] {
            all += &self.markup_in(folder);
        }
        all
    }

    fn markup_in(&self, folder: &str) -> String {
        let mut all = String::new();
        for file in fs::read_dir(self.place.path(folder)).expect("a folder").flatten() {
            let path = file.path();
            let is_markup = path.extension().is_some_and(|end| end == "svg" || end == "html");
            if is_markup && path.file_name() != Path::new("report.html").file_name() {
                let text = fs::read_to_string(&path).expect("a file");
                assert_markup(&text);
                all += &text;
            }
        }
        all
    }
}

/// A text without what colours it.
fn without_styles(text: &str) -> String {
    let styles = regex::Regex::new("\u{1b}\\[[0-9;]*m").expect("a pattern");
    styles.replace_all(text, "").into_owned()
}

/// Many texts are seen by no one: then nothing is shown by that nothing is hidden.
#[track_caller]
fn assert_many_are_shown(pair: &Pair, all: &str, least: usize) {
    let (shown, count) = (pair.spoilt.seen_in(all), pair.spoilt.hostile.len());
    println!("{shown} of {count} hostile texts are shown; kept: {:?}", pair.spoilt.kept);
    assert!(shown >= least, "{shown} of {count}");
}

#[test]
fn no_text_of_a_measured_run_harms_a_terminal_or_a_reader() {
    let pair = Pair::of(measured, 0);
    let all = pair.commands() + &pair.exports();
    assert_many_are_shown(&pair, &all, 20);
}

#[test]
fn no_text_of_an_imported_run_harms_a_terminal_or_a_reader() {
    for turn in [0, 2, 4] {
        let pair = Pair::of(imported, turn);
        let all = pair.commands() + &pair.exports();
        assert_many_are_shown(&pair, &all, 5);
    }
}

#[test]
fn no_text_of_variants_or_of_a_mix_harms_a_terminal_or_a_reader() {
    for make in [variants, mixed] {
        let pair = Pair::of(make, 3);
        let all = pair.commands() + &pair.exports();
        assert_many_are_shown(&pair, &all, 5);
    }
}

#[test]
fn no_text_of_a_run_is_more_than_text_in_reports_charts_and_sites() {
    for (make, turn) in [(measured as fn(&Place) -> _, 0), (imported, 1), (imported, 4)] {
        let pair = Pair::of(make, turn);
        assert_many_are_shown(&pair, &pair.pages(), 3);
    }
}

#[test]
fn a_half_of_a_character_is_refused_and_a_very_long_text_harms_nothing() {
    let place = Place::new();
    let records = imported(&place);
    seal(
        &place,
        "long.jsonl",
        &renamed(&records, "sum/one", &format!("={}/x", "n".repeat(100_000))),
    );
    for command in [&["show"][..], &["show", "--json"], &["export", "csv"], &["export", "go-bench"]]
    {
        let answer = place.sizeup(&[command, &["long.jsonl"]].concat());
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        assert_harmless(&answer);
    }
    let harmless = place.sizeup(&["show", "imported.jsonl", "--all"]).stdout;
    let longest = harmless.lines().map(|line| line.chars().count()).max();
    let long = place.sizeup(&["show", "long.jsonl", "--all"]).stdout;
    assert!(
        long.lines().map(|line| line.chars().count()).max() <= longest.max(Some(110)),
        "{long}"
    );
    for half in ["\\ud800", "\\udc00x", "\\ud800\\ud800"] {
        let text = fs::read_to_string(place.path("imported.jsonl")).expect("a run file");
        place
            .write("half.jsonl", text.replace("\"label\":\"m\"", &format!("\"label\":\"{half}\"")));
        let answer = place.sizeup(&["show", "half.jsonl"]);
        answer.refuses(2, "half.jsonl: line 1: the header: ");
        assert_harmless(&answer);
    }
}
