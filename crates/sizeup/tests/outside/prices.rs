//! Price lists from outside: a price is found by an instance type, all commitments are side by side; and how many hosts are
//! enough.

use crate::support::{Place, seal};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

const C6I: &str = "c6i-16xlarge-imported.run.jsonl";
const C7G: &str = "c7g-16xlarge-imported.run.jsonl";
const DATABASE: &str = "sc-data.db";

/// Runs of two instance types, of which c7g is 1.5× faster, and Spare Cores' database.
fn place() -> Place {
    let place = Place::new();
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for (machine, value) in [("c6i.16xlarge", 1000), ("c7g.16xlarge", 1500)] {
        for noise in [-1, 0, 1] {
            let _ = writeln!(table, "{machine},sum,64,{},MB/s,64", value + noise);
        }
    }
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let database = Connection::open(place.path(DATABASE)).expect("a database");
    let tables = include_str!("../../../import/fixtures/prices/sparecores.sql");
    database.execute_batch(tables).expect("Spare Cores' tables");
    place
}

/// Under another label, with an instance type in place of it.
fn relabelled(place: &Place, file: &str, label: &str, instance_type: &str) {
    let text = fs::read_to_string(place.path(file)).expect("a run file");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut records: Vec<Value> = lines.collect();
    records[0]["label"] = json!(label);
    records[0]["machine"]["platform"]["instance_type"] = json!(instance_type);
    seal(place, &format!("{label}.run.jsonl"), &records);
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value / expected - 1.0).abs() < 1e-3, "{value} is not {expected}");
}

#[test]
fn spare_cores_database_prices_runs_by_their_label_with_all_commitments_side_by_side() {
    let place = place();
    let answer = place.sizeup(&["cost", C6I, C7G, "--prices", DATABASE, "--json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let view = &answer.data()[0];
    // 1.5 times the work: as much for the money at 4.5 where c6i costs 3.
    let score = &view["cost"]["scores"][0];
    near(&score["break_even_per_hour"]["centre"], 4.5);
    near(&score["price_adjusted"]["centre"], 1.5 * 3.0 / 2.5);
    let commitments = view["commitments"].as_array().expect("commitments");
    let said: Vec<(&Value, &Value)> = commitments
        .iter()
        .map(|commitment| (&commitment["price"]["label"], &commitment["price"]["commitment"]))
        .collect();
    let (c6i, c7g) = (json!("c6i.16xlarge"), json!("c7g.16xlarge"));
    let [on_demand, spot, reserved] = ["on demand", "spot", "reserved"].map(Value::from);
    let expected =
        [(&c6i, &on_demand), (&c6i, &spot), (&c7g, &on_demand), (&c7g, &spot), (&c7g, &reserved)];
    assert_eq!(said, expected);
    let of_spot = &commitments[3];
    near(&of_spot["price_adjusted"]["centre"], 1.5 * 3.0 / 1.0);
    near(&of_spot["break_even_per_hour"]["centre"], 1.5 * 1.2);
    near(&of_spot["per_core"], 1.0 / 64.0);
    near(&commitments[0]["per_core"], 3.0 / 32.0);
    near(&commitments[0]["per_vcpu"], 3.0 / 64.0);
    near(&commitments[0]["per_gib"], 3.0 / 128.0);
    // Nobody knows what c6i costs reserved.
    assert_eq!(commitments[4]["break_even_per_hour"], Value::Null);
    let text = place.sizeup(&["cost", C6I, C7G, "--prices", DATABASE]).prose();
    assert!(text.contains("break-even price of c7g.16xlarge: 4.500 USD/h"), "{text}");
    assert!(text.contains("By commitment"), "{text}");
    let by_spot = ["cost", C6I, C7G, "--prices", DATABASE, "--commitment", "spot", "--json"];
    near(
        &place.sizeup(&by_spot).data()[0]["cost"]["scores"][0]["break_even_per_hour"]["centre"],
        1.8,
    );
    let alone = place.sizeup(&["cost", C7G, "--prices", DATABASE, "--json"]).data();
    assert_eq!(alone[0]["commitments"].as_array().map(Vec::len), Some(3), "{alone}");
}

#[test]
fn the_instance_type_that_a_run_records_finds_its_price() {
    let place = place();
    relabelled(&place, C6I, "old", "c6i.16xlarge");
    relabelled(&place, C7G, "new", "c7g.16xlarge");
    let answer =
        place.sizeup(&["cost", "old.run.jsonl", "new.run.jsonl", "-v", "--prices", DATABASE]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let text = answer.prose();
    assert!(text.contains("break-even price of new: 4.500 USD/h"), "{text}");
    assert!(text.contains("new: priced as c7g.16xlarge, which its runs record"), "{text}");
    let unknown = ["cost", "old.run.jsonl", "--prices", DATABASE, "--region", "eu-west-1"];
    place.sizeup(&unknown).refuses(
        2,
        "no price for \"old\": no price of sc-data.db is of --region eu-west-1: its regions are us-central1, us-east-1",
    );
    let elsewhere = ["cost", "old.run.jsonl", "--prices", DATABASE, "--region", "us-central1"];
    place.sizeup(&elsewhere).refuses(2, "no price for old. Add --price");
    let commitment = ["cost", "old.run.jsonl", "--prices", DATABASE, "--commitment", "3 years"];
    place.sizeup(&commitment).refuses(2, "Its commitments: on demand, spot");
}

#[test]
fn a_price_file_made_of_a_list_prices_runs_that_are_named_by_instance_type() {
    let place = place();
    let list = ["prices", DATABASE, "--region", "us-east-1", "-o", "prices.toml"];
    let answer = place.sizeup(&list);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let text = answer.prose();
    let least = "2 instance types in 1 region, prices of 2026-11-02. Least per vCPU: c7g.16xlarge in us-east-1";
    assert!(text.contains(least), "{text}");
    place.sizeup(&list).refuses(2, "prices.toml already exists");
    let named =
        [&format!("--instance=c6i.16xlarge={C6I}"), &format!("--instance=c7g.16xlarge={C7G}")];
    let cost = ["cost", named[0], named[1], "--prices", "prices.toml", "--json"];
    let view = place.sizeup(&cost).data();
    near(&view[0]["cost"]["scores"][0]["break_even_per_hour"]["centre"], 4.5);
    assert_eq!(view[0]["commitments"][0]["price"]["source"], "Spare Cores, aws (sc-data.db)");
    place
        .sizeup(&["prices", DATABASE, "--instance", "m8g"])
        .refuses(2, "no price of sc-data.db is of --instance m8g: its instance types are c4-standard-4, c6i.16xlarge");
    place.sizeup(&["prices", DATABASE, "--region", "us"]).refuses(
        2,
        "no price of sc-data.db is of --region us: its regions are us-central1, us-east-1",
    );
}

#[test]
fn prices_of_several_regions_need_one() {
    let place = place();
    let csv = "label,per_hour,region\nc6i.16xlarge,3,us-east-1\nc6i.16xlarge,4,eu-west-1\n";
    place.write("prices.csv", csv);
    let cost = ["cost", C6I, "--prices", "prices.csv"];
    place
        .sizeup(&cost)
        .refuses(2, "several regions: eu-west-1, us-east-1. Choose one with --region");
    let answer = place.sizeup(&[&cost[..], &["--region", "eu-west-1", "--json"]].concat());
    assert_eq!(answer.data()[0]["price"]["per_hour"], 4.0, "{}", answer.stderr);
}

const TWO_CURRENCIES: &str = "label,per_hour,currency,commitment,vcpus\nc6i.16xlarge,3,USD,on demand,64\n\
                              c6i.16xlarge,1,EUR,spot,64\nc7g.16xlarge,2,USD,on demand,64\n";

#[test]
fn prices_of_two_currencies_are_never_compared_not_even_those_of_two_commitments() {
    let place = place();
    place.write("prices.csv", TWO_CURRENCIES);
    let says = "c6i.16xlarge (on demand) is priced in USD, c6i.16xlarge (spot) in EUR. Use one currency: leave one out";
    for command in [&["cost", C6I, C7G][..], &["cost", C6I], &["report", C6I, C7G]] {
        place.sizeup(&[command, &["--prices", "prices.csv"]].concat()).refuses(2, says);
    }
    place.sizeup(&["prices", "prices.csv", "-o", "prices.toml"]).refuses(2, says);
    assert!(!place.path("prices.toml").exists());
    for given in [["--price", "c6i.16xlarge=3"], ["--price", "c6i.16xlarge=3USD"]] {
        let cost = ["cost", C6I, C7G, "--prices", "prices.csv"];
        let answer = place.sizeup(&[&cost, &given[..]].concat());
        assert_eq!(answer.status, 0, "{}", answer.stderr);
    }
}

#[test]
fn a_capacity_in_two_currencies_is_refused() {
    let place = place();
    place.write("mix.toml", "[[demand]]\nworkload = \"sum\"\nrate = \"1 GB/s\"\n");
    let priced = ["--price", "c6i.16xlarge=3USD", "--price", "c7g.16xlarge=2EUR"];
    place
        .sizeup(&[&["capacity", "mix.toml", C6I, C7G], &priced[..]].concat())
        .refuses(2, "c6i.16xlarge is priced in USD, c7g.16xlarge in EUR. Use one currency");
}

#[test]
fn the_least_price_of_a_list_is_told_in_each_of_its_currencies() {
    let place = place();
    let csv = "label,per_hour,currency,vcpus\na,64,USD,64\nb,32,USD,64\nc,16,EUR,64\nd,8,USD,4\n";
    place.write("prices.csv", csv);
    let text = place.sizeup(&["prices", "prices.csv"]).prose();
    let least = "Least per vCPU: c, 0.2500 EUR/h; b, 0.5000 USD/h.";
    assert!(text.contains(least), "{text}");
}

#[test]
fn a_price_without_a_commitment_is_one_on_demand() {
    let place = place();
    place.write("prices.csv", "label,per_hour\nc6i.16xlarge,3\nc7g.16xlarge,2.5\n");
    let answer = place.sizeup(&["prices", "prices.csv", "--json"]);
    assert_eq!(answer.data()[0]["on_demand"], 3.0, "{}", answer.stderr);
    let text = place.sizeup(&["prices", "prices.csv"]).prose();
    let note = "2 prices have no commitment: they are shown as on demand";
    assert!(text.contains(note) && !text.contains("not shown"), "{text}");
    let on_demand = ["cost", C6I, C7G, "--prices", "prices.csv", "--commitment", "on demand"];
    let view = place.sizeup(&[&on_demand[..], &["--json"]].concat()).data();
    near(&view[0]["cost"]["scores"][0]["break_even_per_hour"]["centre"], 4.5);
    let spot = ["cost", C6I, C7G, "--prices", "prices.csv", "--commitment", "spot"];
    place.sizeup(&spot).refuses(2, "has no price with the commitment \"spot\"");
    // One that says so comes first.
    let both = "label,per_hour,commitment\nc6i.16xlarge,4,\nc6i.16xlarge,3,on demand\nc7g.16xlarge,1,spot\nc7g.16xlarge,2,\n";
    place.write("prices.csv", both);
    let answer = place.sizeup(&["prices", "prices.csv", "--json"]);
    assert_eq!(answer.data()[0]["on_demand"], 3.0, "{}", answer.stderr);
    let text = place.sizeup(&["prices", "prices.csv"]).prose();
    for note in [
        "1 price has no commitment: it is shown as on demand",
        "1 price with other commitments not shown",
    ] {
        assert!(text.contains(note), "{text}");
    }
    let view = place.sizeup(&["cost", C6I, C7G, "--prices", "prices.csv", "--json"]).data();
    near(&view[0]["cost"]["scores"][0]["price_adjusted"]["centre"], 1.5 * 3.0 / 2.0);
}

#[test]
fn prices_in_several_currencies_are_shown_with_them_however_narrow_the_screen() {
    let place = place();
    let list = |other: &str| {
        let csv = format!(
            "label,per_hour,currency,region,vcpus,commitment\na,1.5,USD,us-east-1,2,on demand\nb,2.5,{other},eu-west-1,2,on demand\n"
        );
        place.write("prices.csv", csv);
        place.sizeup(&["prices", "prices.csv"]).stdout
    };
    let text = list("EUR");
    let row = |label: &str| {
        let is_it = |line: &&str| line.starts_with(label);
        text.lines().find(is_it).unwrap_or_else(|| panic!("no {label}: {text}"))
    };
    assert!(row("instance").contains("per hour"), "{text}");
    assert!(row("a ").contains("USD") && row("b ").contains("EUR"), "{text}");
    assert!(!list("USD").contains("per hour"), "of one currency it has less weight");
}

#[test]
fn where_and_for_how_long_are_said_of_a_price_file_only() {
    let place = place();
    place.write("mix.toml", "[[demand]]\nworkload = \"sum\"\nrate = \"1 GB/s\"\n");
    let priced = ["--price", "c6i.16xlarge=3", "--price", "c7g.16xlarge=2"];
    for command in [&["cost"][..], &["capacity", "mix.toml"], &["report", "-o", "report.html"]] {
        for given in [["--region", "us-east-1"], ["--commitment", "spot"]] {
            let all = [command, &[C6I, C7G], &priced, &given].concat();
            place.sizeup(&all).refuses(2, "--prices <FILE>");
        }
    }
}

#[test]
fn groups_are_told_how_many_more_hosts_would_settle_which_is_faster() {
    let place = Place::new();
    let import = |label: &str, number: usize, value: u32| {
        let table = format!("machine,workload,threads,value,unit\n{label},sum,1,{value},MB/s\n");
        place.write("table.csv", table);
        let file = format!("{label}-{number}.run.jsonl");
        assert_eq!(place.sizeup(&["import", "csv", "table.csv", "-o", &file]).status, 0);
        file
    };
    let mut files = Vec::new();
    for (number, value) in [970, 1030, 1000].into_iter().enumerate() {
        files.push(import("old", number, value));
        files.push(import("new", number, value + 40));
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let answer = place.sizeup(&[&["compare", "--by-label"], &files[..]].concat());
    let text = answer.prose();
    assert!(
        text.contains("more hosts of old and") && text.contains("of each) would settle it"),
        "{text}"
    );
    let json = place.sizeup(&[&["compare", "--by-label", "--json"], &files[..]].concat()).data();
    let enough = &json["common"][0]["enough"];
    assert_eq!(enough["answer"], "hosts", "{json}");
    let each = enough["hosts_each"].as_u64().expect("a number");
    assert_eq!(enough["baseline_more"].as_u64(), Some(each - 3));
    // Two single runs are compared as ever.
    let single = place.sizeup(&["compare", files[0], files[1]]);
    assert!(!single.prose().contains("settle"), "{}", single.stdout);
    let one =
        place.sizeup(&["compare", "--group", "a=old-*.run.jsonl", "--group", "b=new-0.run.jsonl"]);
    let says = "Measure at least two hosts of each type first";
    assert!(one.prose().contains(says), "{}", one.stdout);
}
