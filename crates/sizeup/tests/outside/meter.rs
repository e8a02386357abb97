//! A power meter's log, joined to a run.

use crate::schema::validator;
use crate::support::Place;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// A run of two rows, `out.jsonl`, and a meter's log of it with a reading in so many ns: `fast.csv` or `slow.csv`.
fn measured() -> Place {
    let place = Place::new().with_faults(&["none", "served"], &[]);
    let ids = ["none/fake", "served/fake"];
    assert_eq!(place.sizeup(&Place::run_arguments(&ids, &["--threads", "all"])).status, 0);
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let line = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
    let (header, close) =
        (line(text.lines().next().expect("a header")), line(text.lines().last().expect("an end")));
    let ns = |time: &Value| time.as_u64().expect("a time");
    let (unix_ns, started_ns) = (ns(&header["started_unix_ns"]), ns(&header["started_ns"]));
    let run_ns = ns(&close["at_ns"]) - started_ns;
    for (name, every_ns) in [("fast.csv", 200_000), ("slow.csv", run_ns / 40)] {
        let mut log = "time_ns,power (W)\n".to_owned();
        for number in 0..=run_ns / every_ns {
            let _ = writeln!(log, "{},{}", unix_ns + number * every_ns, 100 + number % 3);
        }
        place.write(name, log);
    }
    place
}

fn import<'a>(log: &'a str, output: &'a str) -> [&'a str; 7] {
    ["import", "meter", log, "--run", "out.jsonl", "-o", output]
}

#[test]
fn a_meters_log_gives_rows_their_watts_and_show_and_cost_understand_them() {
    let place = measured();
    let answer = place.sizeup(&import("fast.csv", "watts.jsonl"));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("rows have their own watts"), "{}", answer.stderr);
    let written = fs::read_to_string(place.path("watts.jsonl")).expect("a run file");
    let validator = validator();
    for line in written.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert!(validator.is_valid(&record), "{line}");
    }
    let shown = place.sizeup(&["show", "watts.jsonl", "-v"]);
    assert!(shown.prose().contains("Power: wall: 101.0 W on average"), "{}", shown.stdout);
    assert!(!shown.stderr.contains("modified after it was closed"), "{}", shown.stderr);
    let cost = place.sizeup(&["cost", "watts.jsonl", "--view", "delivered", "--json"]).data();
    let energy = &cost[0]["rows"][0]["energy"];
    assert_eq!(energy["source"]["measured"], "wall", "{cost}");
    let watts = energy["watts"]["centre"].as_f64().expect("watts");
    assert!((watts - 101.0).abs() < 0.2, "{energy}");
}

#[test]
fn of_a_meter_slower_than_samples_only_the_runs_mean_is_shown_and_why() {
    let place = measured();
    let answer = place.sizeup(&import("slow.csv", "watts.jsonl"));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let why =
        "rows have no watts of their own, because other rows or pauses lie between two readings";
    assert!(answer.stderr.contains(why), "{}", answer.stderr);
    place.sizeup(&["cost", "watts.jsonl", "--view", "delivered"]).refuses(2, why);
    // Rated watts are given.
    let rated = ["cost", "watts.jsonl", "--view", "delivered", "--watts", "m=50"];
    let label = place.sizeup(&["show", "watts.jsonl", "--json"]).data()["label"].clone();
    let watts = format!("{}=50", label.as_str().expect("a label"));
    let rated = place.sizeup(&[&rated[..5], &[&watts, "-v"]].concat());
    assert!(
        rated.prose().contains("rated") && rated.prose().contains(why),
        "{}{}",
        rated.stdout,
        rated.stderr
    );
}

#[test]
fn a_run_with_a_meter_is_the_same_run_and_nothing_is_written_over() {
    let place = measured();
    assert_eq!(place.sizeup(&import("fast.csv", "watts.jsonl")).status, 0);
    let both = ["score", "--group", "x=*.jsonl"];
    place.sizeup(&both).refuses(2, "are the same run");
    place.sizeup(&import("fast.csv", "watts.jsonl")).refuses(2, "is never overwritten");
    let text = fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    place.write("out.jsonl", text.replacen("\"label\":\"", "\"label\":\"not ", 1));
    place.sizeup(&import("fast.csv", "more.jsonl")).refuses(2, "was modified after it was closed");
    assert!(!place.path("more.jsonl").exists());
}
