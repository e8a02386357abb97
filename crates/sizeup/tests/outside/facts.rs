//! Users' facts about machines, from the command line to tables of machines side by side.

use crate::support::{Answer, Place};

fn run(place: &Place, output: &str, facts: &[&str]) -> Answer {
    let arguments = Place::run_arguments(&["none/fake"], &[&["--threads", "1"], facts].concat());
    let answer = place.sizeup(&arguments);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    std::fs::rename(place.path("out.jsonl"), place.path(output)).expect("a run file");
    answer
}

#[test]
fn facts_of_users_stand_in_the_run_file_and_beside_those_of_other_machines() {
    let place = Place::new().with_faults(&["none"], &[]);
    place
        .write("old.toml", "tdp_w = 225\n\"process node\" = \"14 nm\"\nprice = 1.50\nsmt = true\n");
    run(
        &place,
        "old.jsonl",
        &["--label", "old", "--facts", "old.toml", "--fact", "memory=DDR4=2666"],
    );
    let new =
        run(&place, "new.jsonl", &["--label", "new", "--fact", "tdp_w=400", "--fact", "vendor=x"]);
    assert!(new.stdout.contains("Said by the user"), "{}", new.stdout);

    let shown = place.sizeup(&["show", "old.jsonl", "--json"]).data();
    let facts = &shown["facts"];
    assert_eq!(facts["memory"], "DDR4=2666");
    assert_eq!(
        (&facts["tdp_w"], &facts["price"], &facts["smt"]),
        (&"225".into(), &"1.5".into(), &"true".into())
    );

    let compared = place.sizeup(&["compare", "old.jsonl", "new.jsonl", "--baseline", "old"]);
    let line = |answer: &Answer, label: &str| {
        let found = answer.stdout.lines().find(|line| line.contains(label));
        let found = found.unwrap_or_else(|| panic!("no {label}: {}", answer.stdout));
        found.split_whitespace().rev().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line(&compared, "tdp_w"), ["400", "225"]);
    assert_eq!(line(&compared, "vendor"), ["x", "–"]);
    assert!(!compared.stdout.contains("sockets"), "{}", compared.stdout);
    // Details have what the machines report, too.
    let details = place.sizeup(&["compare", "old.jsonl", "new.jsonl", "--details", "--all"]);
    for label in ["model", "L1d", "NUMA nodes", "modules", "release", "compiler of ", "tdp_w"] {
        line(&details, label);
    }
    let data =
        place.sizeup(&["compare", "old.jsonl", "new.jsonl", "--baseline", "old", "--json"]).data();
    let lines = data["machines"].as_array().expect("lines");
    let tdp = lines.iter().find(|line| line["label"] == "tdp_w").expect("a line");
    assert_eq!(
        (&tdp["part"], &tdp["values"][0], &tdp["values"][1]),
        (&"Said by the user".into(), &"225".into(), &"400".into())
    );
}

#[test]
fn facts_that_make_no_sense_are_refused_before_anything_is_started() {
    let place = Place::new().with_faults(&["none"], &[]);
    place.write("good.toml", "tdp_w = 1\n");
    place.write("list.toml", "a = 1\nb = [1]\n");
    place.write("broken.toml", "a = 1\nb = \n");
    place.write("control.toml", "a = \"\\u001b[2J\"\n");
    let long = format!("{}=1", "k".repeat(41));
    let many: Vec<String> = (0..65).map(|number| format!("--fact={number}=x")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let refused = |more: &[&str], why: &str| {
        let arguments = Place::run_arguments(&["none/fake"], more);
        place.sizeup(&arguments).refuses(2, why);
    };
    refused(&["--fact", "tdp"], "is not KEY=VALUE");
    refused(&["--fact", "=1"], "its key must have 1 … 40 characters");
    refused(&["--fact", &long], "its key must have 1 … 40 characters");
    refused(&["--fact", "a=\u{1b}[2J"], "no control characters");
    refused(
        &["--fact", "tdp_w=2", "--facts", "good.toml"],
        "\"tdp_w\" is given twice: \"1\" and \"2\"",
    );
    refused(&["--facts", "list.toml"], "list.toml: the fact \"b\" is not a text, a number");
    refused(&["--facts", "broken.toml"], "broken.toml:2: ");
    refused(&["--facts", "control.toml"], "no control characters");
    refused(&["--facts", "nowhere.toml"], "nowhere.toml: can't be read");
    refused(&many, "65 facts are given; a run has at most 64");
    let resumed = place.sizeup(&["run", "--resume", "x.jsonl", "--fact", "a=1"]);
    resumed.refuses(2, "'--resume <FILE>' cannot be used with '--fact <KEY=VALUE>'");
    assert!(!place.path("out.jsonl").exists() && !place.path("none.log").exists());
}
