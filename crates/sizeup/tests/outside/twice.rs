//! Run files, prices and watts that are named twice count once.

use crate::support::Place;
use std::fs;
use std::os::unix::fs::symlink;

const TABLE: &str = "machine,workload,threads,value,unit
a,sum/c,1,100,MB/s\na,sum/c,2,200,MB/s\na,sum/go,1,90,MB/s\na,sum/go,2,180,MB/s
b,sum/c,1,80,MB/s\nb,sum/c,2,160,MB/s\nb,sum/go,1,85,MB/s\nb,sum/go,2,170,MB/s
";
const A: &str = "a-imported.run.jsonl";
const B: &str = "b-imported.run.jsonl";

fn place() -> Place {
    let place = Place::new();
    place.write("table.csv", TABLE);
    place.write("mix.toml", "[[demand]]\nworkload = \"sum/c\"\nrate = \"1 MB/s\"\n");
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    symlink(A, place.path("link.run.jsonl")).expect("a link");
    place
}

#[test]
fn a_run_file_is_judged_once_whatever_leads_to_it() {
    let place = place();
    let (group, dotted) = (format!("x={A}"), format!("./{A}"));
    for command in [
        &["compare"][..],
        &["score"],
        &["implementations"],
        &["scaling"],
        &["cost", "--price", "a (1)=1", "--price", "a (2)=1"],
        &["capacity", "mix.toml"],
        &["report", "-o", "-"],
    ] {
        let refuses = |files: &[&str], told: &str| {
            place.sizeup(&[command, files].concat()).refuses(2, told);
        };
        refuses(&[A, B, A], &format!("{A} is named twice"));
        refuses(&[A, &dotted], "are the same file");
        refuses(&["--group", &group, "link.run.jsonl"], "are the same file");
        refuses(&[A, "link.run.jsonl", "--by-label"], "are the same file");
    }
    fs::create_dir(place.path("runs")).expect("a folder");
    for name in ["runs/a.run.jsonl", "runs/latest.run.jsonl"] {
        symlink(place.path(A), place.path(name)).expect("a link");
    }
    place.sizeup(&["site", "runs"]).refuses(2, "are the same file");
}

#[test]
fn a_baseline_that_is_named_among_the_files_by_another_path_is_that_file() {
    let place = place();
    let answer = place.sizeup(&["score", A, B, "--baseline", "link.run.jsonl", "--json"]);
    assert_eq!(answer.status, 1, "single figures have no error bars: {}", answer.stderr);
    let scores = answer.data();
    let labels = scores.as_array().expect("scores").iter().map(|score| score["label"].clone());
    assert_eq!(labels.collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_group_has_one_price_and_one_number_of_watts_on_the_command_line() {
    let place = place();
    let refuses = |more: &[&str], told: &str| {
        for command in [&["cost", A, B][..], &["report", A, B, "-o", "-"]] {
            place.sizeup(&[command, more].concat()).refuses(2, told);
        }
    };
    let price = "--price gives \"a\" two values. Leave one out";
    refuses(&["--price", "a=1", "--price", "b=1", "--price", "a=2"], price);
    let watts = "--watts gives \"b\" two values. Leave one out";
    refuses(&["--watts", "b=100", "--watts", "b=100"], watts);
}

#[test]
fn runs_of_one_label_are_priced_by_the_names_of_their_files() {
    let place = place();
    place.write("again.csv", "machine,workload,threads,value,unit\na,sum/c,1,110,MB/s\n");
    place.sizeup(&["import", "csv", "again.csv", "--folder", "again"]);
    fs::rename(place.path("again").join(A), place.path("again.run.jsonl")).expect("a run");
    let answer = place.sizeup(&[
        "cost",
        A,
        "again.run.jsonl",
        "--price",
        "a-imported=1",
        "--price",
        "again=2",
        "--json",
    ]);
    let costs = answer.data();
    let price = |side: &str| costs[0]["cost"][side]["per_hour"].clone();
    assert_eq!([price("baseline"), price("other")], [1.0, 2.0], "{costs}");
    let twice = ["cost", A, B, "--price", "a=1", "--price", "a-imported=2", "--price", "b=1"];
    place.sizeup(&twice).refuses(2, "--price gives \"a\" two values. Leave one out");
}

#[test]
fn a_copy_of_a_run_is_no_second_machine() {
    let place = place();
    fs::copy(place.path(A), place.path("copy.run.jsonl")).expect("a copy");
    let answer = place.sizeup(&["compare", A, "copy.run.jsonl"]);
    assert!(answer.prose().contains("are copies of the same run"), "{}", answer.stdout);
}
