//! Every way in: workers' answers, tables, prices, other tools' outputs, profiles, names of files.

use super::exits::{assert_csv, assert_harmless};
use super::sources::{HOSTILE, imported, read};
use crate::profile::saved;
use crate::support::{Answer, Place, fake_worker, seal};
use serde_json::Value;
use std::fs;

/// A text as TOML has it: JSON's escapes are among its own.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("JSON")
}

fn harmless(place: &Place, arguments: &[&str]) -> Answer {
    let answer = place.sizeup(arguments);
    assert_harmless(&answer);
    answer
}

/// A table with a row of the fake worker, for which it says what `text` is wherever it can.
fn table(place: &Place, text: &str, fault: &str) {
    let worker = quoted(&fake_worker().to_string_lossy());
    // No argument of a program holds what ends it.
    let library = quoted(&text.replace('\0', ""));
    let about = quoted(text);
    let table = format!(
        "worker = {{ run = [{worker}, \"--library\", {library}] }}\n[[workload]]\nid = \"none/fake\"\n\
         operation = \"misbehave\"\nfamily = \"text\"\nabout = {about}\n\
         parameters = {{ fault = \"{fault}\", client = {about} }}\n"
    );
    place.write("own/fake.toml", table);
}

#[test]
fn what_workers_and_tables_say_is_shown_and_harms_nothing() {
    for text in HOSTILE {
        let place = Place::new();
        table(&place, text, "hostile");
        for list in [&["list", "--with", "own"][..], &["list", "workloads", "--with", "own"]] {
            for more in [&["--all", "--details", "-v"][..], &["--json"]] {
                harmless(&place, &[list, more].concat());
            }
        }
        harmless(&place, &["request", "none/fake", "--with", "own"]);
        let run = Place::run_arguments(&["none/fake"], &["--threads", "1"]);
        let answer = harmless(&place, &run);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        let is_kept = |record: &Value| record["ready"]["verified"] == text;
        assert!(read(&place, "out.jsonl").iter().any(is_kept), "{text:?} is not in the file");
        harmless(&place, &["show", "out.jsonl", "--json"]).json();
        harmless(&place, &["show", "out.jsonl", "--all", "--details", "-v"]);
        assert_csv(&harmless(&place, &["export", "csv", "out.jsonl"]).stdout);
        fs::remove_file(place.path("out.jsonl")).expect("a file");
        table(&place, text, "hostile-error");
        assert_eq!(harmless(&place, &run).status, 3);
        harmless(&place, &["show", "out.jsonl", "--all", "--details", "-v"]);
        assert_csv(&harmless(&place, &["export", "csv", "out.jsonl"]).stdout);
    }
}

#[test]
fn tables_prices_and_mixes_that_are_refused_are_quoted_harmlessly() {
    let place = Place::new();
    let records = imported(&place);
    seal(&place, "a.run.jsonl", &records);
    for text in HOSTILE {
        let text = quoted(text);
        let workload = |id: &str, family: &str, operation: &str| {
            format!(
                "worker = \"x\"\n[[workload]]\nid = {id}\nfamily = {family}\nabout = \"a\"\noperation = {operation}\n"
            )
        };
        let plain = ["\"a/b\"", "\"text\"", "\"c\""];
        for place_of_text in 0..plain.len() {
            let mut parts = plain;
            parts[place_of_text] = &text;
            place.write("own/own.toml", workload(parts[0], parts[1], parts[2]));
            harmless(&place, &["list", "workloads", "--with", "own"]);
        }
        place.write("own/own.toml", format!("{text} = 1\n"));
        harmless(&place, &["list", "--with", "own"]).refuses(2, "own.toml");
        for price in [
            format!("label = {text}\nper_hour = 1"),
            format!("label = \"m\"\nper_hour = 1\ncurrency = {text}"),
            format!("label = \"m\"\nper_hour = {text}"),
            format!("label = \"m\"\nper_hour = 1\n{text} = 1"),
        ] {
            place.write("prices.toml", format!("[[price]]\n{price}\n"));
            harmless(&place, &["cost", "a.run.jsonl", "--prices", "prices.toml"]);
        }
        place.write("prices.csv", format!("label,per_hour,currency\n{text},1,{text}\n"));
        harmless(&place, &["cost", "a.run.jsonl", "--prices", "prices.csv"]);
        for demand in [
            format!("workload = {text}\nrate = \"1 ops/s\""),
            format!("workload = \"sum/one\"\nrate = {text}"),
        ] {
            place.write("mix.toml", format!("[[demand]]\n{demand}\n"));
            harmless(&place, &["capacity", "mix.toml", "a.run.jsonl"]);
        }
        let source =
            format!("[source]\nabout = {text}\nby = {text}\ndate = {text}\nsimilar = [{text}]\n");
        let demand = "[[demand]]\nworkload = \"sum/one\"\nweight = 1\n";
        let mix = format!("{source}{demand}[[lacks]]\nwhat = {text}\nweight = 1\n");
        place.write("mix.toml", &mix);
        place.write("home/share/sizeup/mixes/one.toml", &mix);
        let scored = ["score", "a.run.jsonl", "--baseline", "a.run.jsonl", "--mix"];
        for command in [
            [&scored[..], &["mix.toml"]].concat(),
            vec!["list", "mixes"],
            vec!["list", "one"],
            vec!["list", "mixes", "--json"],
        ] {
            harmless(&place, &command);
        }
        place.write("facts.toml", format!("{text} = {text}\n"));
        harmless(&place, &["run", "--facts", "facts.toml", "--estimate"]);
    }
}

#[test]
fn what_other_tools_say_is_imported_and_shown_harmlessly() {
    for text in HOSTILE {
        let place = Place::new();
        let cell = format!("\"{}\"", text.replace('"', "\"\""));
        let go = format!(
            "goos: linux\npkg: {text}\ncpu: {text}\nBenchmark{text}-8 100 500 ns/op\nBenchmarkX 100 500 ns/op\n"
        );
        let kopia = format!(
            "     Hash                 Throughput\n  0. {text}  2.9 GB / second\n  1. BLAKE3-256  2.9 GB / second\n{text}\n"
        );
        let openssl = format!(
            "version: {text}\n+H:16:64\n+F:2:{text}:1.0:2.0\ntype  16 bytes\n{text} 100.0k\nmd5 100.0k\n"
        );
        let csv = format!("machine,workload,threads,value,unit\n{cell},{cell},1,10,ops/s\n");
        let unit = format!("machine,workload,threads,value,unit\nm,a/b,1,10,{cell}\n");
        let mut imports = 0;
        for (source, output) in [
            ("go-bench", go),
            ("kopia", kopia),
            ("openssl-speed", openssl),
            ("csv", csv),
            ("csv", unit),
        ] {
            place.write("output.txt", output);
            let _ = fs::remove_file(place.path("run.jsonl"));
            if harmless(&place, &["import", source, "output.txt", "-o", "run.jsonl"]).status > 0 {
                continue;
            }
            imports += 1;
            harmless(&place, &["show", "run.jsonl", "--all", "--details", "-v"]);
            assert_csv(&harmless(&place, &["export", "csv", "run.jsonl"]).stdout);
            harmless(&place, &["export", "go-bench", "run.jsonl"]);
        }
        assert!(imports >= 2, "{imports} of the outputs with {text:?} were imported");
        place.write("meter.csv", format!("time,{cell}\n1,2\n"));
        seal(&place, "m.jsonl", &imported(&place));
        harmless(&place, &["import", "meter", "meter.csv", "--run", "m.jsonl", "-o", "n.jsonl"]);
    }
}

#[test]
fn names_of_functions_and_of_files_are_shown_harmlessly() {
    let place = Place::new();
    for text in HOSTILE {
        for file in ["a.json", "b.json"] {
            place.write(file, saved(text, &[(text, 900, Value::Null), ("g", 1, Value::Null)]));
        }
        for files in [&["a.json"][..], &["a.json", "b.json"]] {
            for more in [&["--all", "--details"][..], &["--json"]] {
                let answer = harmless(&place, &[&["profile"], files, more].concat());
                assert_eq!(answer.status, 0, "{}", answer.stderr);
            }
        }
        // Neither is a part of a name.
        let name = text.replace(['/', '\0'], "");
        harmless(&place, &["show", "--", &name]).refuses(2, "can't be read");
        seal(&place, &name, &imported(&place));
        for command in [&["show", "-v"][..], &["runs"], &["compare", "imported.jsonl"]] {
            harmless(&place, &[command, &["--", &name]].concat());
        }
        fs::remove_file(place.path("imported.jsonl")).expect("a file");
    }
}
