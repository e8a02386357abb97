//! Mixes by name: how they are found, what a score by one says, and what is refused.

use crate::support::Place;
use serde_json::json;

/// Two machines, on four threads.
const TABLE: &str = "machine,workload,threads,value,unit,cpus
a,sum,4,100,MB/s,4\na,sum,4,101,MB/s,4\na,sum,4,99,MB/s,4
a,sort,4,100,MB/s,4\na,sort,4,101,MB/s,4\na,sort,4,99,MB/s,4
b,sum,4,400,MB/s,4\nb,sum,4,404,MB/s,4\nb,sum,4,396,MB/s,4
b,sort,4,100,MB/s,4\nb,sort,4,101,MB/s,4\nb,sort,4,99,MB/s,4
";

/// Half of its weights have a row.
const WEB: &str = "[source]\nabout = \"a web service\"\nby = \"A Vendor, a page\"\ndate = \"2023\"\n\
                   similar = [\"sums are not sites\"]\n\
                   [[demand]]\nworkload = \"sum/table\"\nweight = 3\n\
                   [[demand]]\nworkload = \"sort/table\"\nweight = 3\n\
                   [[lacks]]\nwhat = \"the database\"\nweight = 2\n";

const SCORE: [&str; 5] =
    ["score", "a-imported.run.jsonl", "b-imported.run.jsonl", "--mix", "web-1.0"];

fn place() -> Place {
    let place = Place::new();
    place.write("table.csv", TABLE);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    place.write("home/share/sizeup/mixes/web-1.0.toml", WEB);
    place
}

#[test]
fn a_score_by_a_named_mix_names_its_source_and_what_share_of_its_weights_has_no_row() {
    let place = place();
    let answer = place.sizeup(&SCORE);
    let text = answer.prose();
    for says in [
        "By the mix web-1.0 (75 % of its weights), b is 2.00× faster than a on all 4 threads",
        "web-1.0: weights of A Vendor, a page, 2023; rows are only similar to the original's.",
        "web-1.0 on all threads: 25 % of its weights have no row in both runs: the database.",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    let answer = place.sizeup(&[&SCORE[..], &["--json"]].concat());
    let mix = &answer.data()[0]["mix"];
    assert_eq!((&mix["name"], &mix["source"]["date"]), (&json!("web-1.0"), &json!("2023")));
    assert_eq!(mix["lacks"][0]["share"], json!(0.25), "{mix}");
}

#[test]
fn a_mix_whose_rows_a_run_lacks_is_scored_by_the_others_with_status_1_or_not_at_all() {
    let place = place();
    let with = |text: String| {
        place.write("home/share/sizeup/mixes/web-1.0.toml", text);
        place.sizeup(&SCORE)
    };
    assert_eq!(with(WEB.to_owned()).status, 0, "no run has what no workload stands for");
    let lacking = with(WEB.replace("sort/table\"\nweight = 3", "seek/table\"\nweight = 1"));
    assert_eq!(lacking.status, 1, "{}", lacking.stdout);
    let says = "web-1.0 on all threads: 50 % of its weights have no row in both runs: seek/table, the database.";
    assert!(lacking.prose().contains(says), "{}", lacking.stdout);
    let poor = with(WEB.replace("sort/table", "seek/table")).prose();
    let says = "No score by the mix web-1.0: all threads: both have rows of 38 % of its weights; a score needs 50 %.";
    assert!(poor.contains(says) && !poor.contains("By the mix"), "{poor}");
}

#[test]
fn a_name_is_looked_up_first_and_a_path_is_always_a_file() {
    let place = place();
    place.write("web-1.0", WEB.replace("[source]", "colour = 1\n[source]"));
    assert!(place.sizeup(&SCORE).stdout.contains("By the mix web-1.0"));
    let score_by = |mix| place.sizeup(&[&SCORE[..4], &[mix]].concat());
    score_by("./web-1.0").refuses(2, "unknown field `colour`");
    score_by("web-1.1").refuses(
        2,
        "web-1.1: no mix and no file is named so; did you mean web-1.0?; mixes: web-1.0",
    );
    score_by("web-1.1.toml").refuses(2, "web-1.1.toml: can't be read");
    place.write("mine", WEB);
    assert!(score_by("mine").stdout.contains("By the mix mine"));
}

#[test]
fn a_mix_of_weights_has_no_capacity_and_its_unknown_workloads_are_not_measured() {
    let place = place();
    place
        .sizeup(&["capacity", "web-1.0", "a-imported.run.jsonl"])
        .refuses(2, "web-1.0: capacity needs rates");
    let run = place.sizeup(&["run", "--mix", "web-1.0"]);
    run.refuses(2, "web-1.0: sum/table is demanded");
}

#[test]
fn the_rows_of_a_mix_of_weights_are_measured_one_by_one() {
    let place = Place::new().with_faults(&["none"], &[]);
    place.write("mix.toml", "[[demand]]\nworkload = \"none/fake\"\nweight = 1\n");
    let run = ["run", "--with", "own", "--mix", "mix.toml", "--budget", "3s", "--json"];
    let answer = place.sizeup(&[&run[..], &["-o", "out.jsonl"]].concat());
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let view = answer.data();
    assert_eq!(view["together"], json!(null));
    assert!(!view["notes"].to_string().contains("all at once"), "{view}");
}

#[test]
fn a_worker_that_lies_while_its_mix_rolls_has_no_figure_and_neither_has_the_mix() {
    for (fault, says) in [
        ("lie-rolling-time", "the only thread worked"),
        ("lie-rolling-overlap", "it worked on thread 0 until"),
    ] {
        let place = Place::new().with_faults(&[fault, "none"], &[]);
        let demand = |id: &str| format!("[[demand]]\nworkload = \"{id}/fake\"\nweight = 1\n");
        place.write("mix.toml", demand(fault) + &demand("none"));
        let run = ["run", "--with", "own", "--mix", "mix.toml", "--rolling", "--budget", "12s"];
        // The first pass is honest.
        let more = ["--sample-time", "2ms", "-o", "out.jsonl", "--json"];
        let answer = place.sizeup(&[&run[..], &more].concat());
        assert_eq!(answer.status, 3, "{}", answer.stderr);
        let view = answer.data();
        assert!(view["rows"][0]["outcome"].to_string().contains(says), "{view}");
        assert_eq!(view["rolling"], json!(null));
        assert!(view["notes"].to_string().contains("the mix has no rolling figure"), "{view}");
    }
}

#[test]
fn mixes_are_listed_and_each_with_its_weights_and_what_is_only_similar() {
    let place = place();
    let all = place.sizeup(&["list", "mixes"]).prose();
    assert!(
        all.contains("1 mix with weights that others published") && all.contains("a web service"),
        "{all}"
    );
    place.sizeup(&["list", "mixes", "nothing"]).refuses(2, "no mix has \"nothing\" in its name");
    let one = place.sizeup(&["list", "web-1.0"]).prose();
    for says in ["sums are not sites", "37.5 %", "no workload is like it", "the database"] {
        assert!(one.contains(says), "{says}: {one}");
    }
    let answer = place.sizeup(&["list", "mixes", "--json"]);
    assert_eq!(answer.data()[0]["source"]["by"], json!("A Vendor, a page"));
}
