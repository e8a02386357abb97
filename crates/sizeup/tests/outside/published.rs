//! Published results judged again: the object-storage study's curves, prices and watts, and Spare Cores' servers. The data lie
//! beside the project, in `../shared/data`; without them these tests say that they were skipped.

use crate::support::{Place, not_tested};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The folder of published data, or a word that it is not there.
fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.is_dir() {
        return Some(folder);
    }
    not_tested("what was published: there is no ../shared/data");
    None
}

/// A place with the curves of a chart of the object-storage study, a run file a machine.
fn with_chart(chart: &str) -> Option<Place> {
    let published =
        std::fs::read_to_string(data()?.join("published/minio-2020-scaling.csv")).unwrap();
    let lines = published.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let lines: Vec<Vec<&str>> = lines.filter(|fields| fields[0] == chart).collect();
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for fields in &lines {
        // A curve ends where all is at work.
        let counts =
            lines.iter().filter(|line| line[1] == fields[1]).map(|line| line[2].parse::<u32>());
        let all = counts.map(Result::unwrap).max().unwrap();
        let (machine, threads, value) = (fields[1], fields[2], fields[3]);
        let _ = writeln!(table, "{machine},reed-solomon,{threads},{value},MB/s,{all}");
    }
    let place = Place::new();
    std::fs::write(place.path("table.csv"), table).unwrap();
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    Some(place)
}

/// Each machine's crossover with a baseline, as `scaling` reports it.
fn crossovers(place: &Place, baseline: &str, files: &[String]) -> BTreeMap<String, Value> {
    let workload = if baseline == "Graviton2" { "reed-solomon" } else { "div16" };
    let mut arguments = vec!["scaling", "--json", "--baseline", baseline, "--workload", workload];
    arguments.extend(files.iter().map(String::as_str));
    let answer = place.sizeup(&arguments);
    let all = answer.data();
    let all = all.as_array().expect(&answer.stderr);
    let crossovers = all.iter().flat_map(|scaling| scaling["crossovers"].as_array().unwrap());
    crossovers
        .map(|crossover| (crossover["other"].as_str().unwrap().to_owned(), crossover.clone()))
        .collect()
}

/// Between which numbers of threads the order changes once.
fn once(crossover: &Value) -> (u64, u64) {
    assert_eq!(crossover["crossover"], "once", "{crossover}");
    let between = &crossover["between"];
    (between[0].as_u64().unwrap(), between[1].as_u64().unwrap())
}

#[test]
fn graviton2_overtakes_where_the_studys_curves_cross() {
    let Some(place) = with_chart("single-socket-performance") else { return };
    let files = ["skylake", "cascade-lake", "amd-epyc", "graviton2"]
        .map(|machine| format!("{machine}-imported.run.jsonl"));
    let found = crossovers(&place, "Graviton2", &files);
    assert_eq!(once(&found["Skylake"]), (19, 20));
    assert_eq!(once(&found["Cascade lake"]), (27, 28));
    assert_eq!(once(&found["AMD Epyc"]), (36, 37));

    let place = with_chart("linear-scalability").unwrap();
    let files = ["skylake", "cascade-lake", "graviton2"]
        .map(|machine| format!("{machine}-imported.run.jsonl"));
    let found = crossovers(&place, "Graviton2", &files);
    assert_eq!(once(&found["Skylake"]), (22, 23));
    // A jagged curve: several crossings, with the range.
    let jagged = &found["Cascade lake"];
    assert_eq!(jagged["crossover"], "several", "{jagged}");
    assert_eq!(jagged["changes"].as_array().unwrap().len(), 7, "{jagged}");
    assert_eq!(jagged["range"], serde_json::json!([25, 36]), "{jagged}");
}

/// A place with all servers of Spare Cores, by name.
fn with_servers() -> Option<Place> {
    let folder = data()?.join("sparecores/data");
    let vendors = std::fs::read_dir(folder).unwrap().map(|vendor| vendor.unwrap().path());
    let servers = vendors.flat_map(|vendor| std::fs::read_dir(vendor).unwrap());
    let servers: Vec<String> =
        servers.map(|server| server.unwrap().path().display().to_string()).collect();
    assert_eq!(servers.len(), 19);
    let place = Place::new();
    let mut arguments = vec!["import", "sparecores", "--folder", "."];
    arguments.extend(servers.iter().map(String::as_str));
    let answer = place.sizeup(&arguments);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    Some(place)
}

#[test]
fn servers_of_spare_cores_cross_where_their_tables_say() {
    let Some(place) = with_servers() else { return };
    let file = |name: &str| format!("{name}-imported.run.jsonl");
    let files =
        ["c7g-16xlarge", "c6i-16xlarge", "c7i-16xlarge", "c6a-16xlarge", "c8g-16xlarge"].map(file);
    let found = crossovers(&place, "c7g.16xlarge", &files);
    assert_eq!(once(&found["c6i.16xlarge"]), (38, 40));
    assert_eq!(once(&found["c7i.16xlarge"]), (36, 38));
    for (name, crossover) in &found {
        assert_ne!(crossover["crossover"], "unknown", "{name}: {crossover}");
    }
    // Some pair never crosses, and says so.
    let never = found.values().filter(|crossover| {
        crossover["crossover"] == "never" || crossover["crossover"] == "always"
    });
    assert!(never.count() > 0, "{found:?}");
}

#[test]
fn rows_of_spare_cores_whose_meaning_changed_are_not_compared() {
    let Some(place) = with_servers() else { return };
    // zstd on several threads: before and after September 2024.
    let files = ["c7g-16xlarge-imported.run.jsonl", "c8g-16xlarge-imported.run.jsonl"];
    let answer = place.sizeup(&["compare", files[0], files[1], "--baseline", files[0], "--json"]);
    assert_eq!(answer.status, 1, "{}", answer.stderr);
    let comparison = answer.data();
    let rows = comparison["rows"].as_array().unwrap();
    let row = |name: &str, threads: &str| {
        let is_it = |row: &&Value| row["workload"] == name && row["threads"] == threads;
        rows.iter().find(is_it).expect(name)
    };
    assert_eq!(row("compress-zstd-7-one-stream/zstd", "all")["verdict"], "missing");
    assert_eq!(row("compress-zstd-7-a-stream-a-thread/zstd", "all")["verdict"], "missing");
    // One thread always did the same.
    let ratio = row("compress-zstd-7/zstd", "1")["ratio"]["centre"].as_f64().unwrap();
    let expected = zstd_on_one_thread("c8g.16xlarge") / zstd_on_one_thread("c7g.16xlarge");
    assert!((ratio / expected - 1.0).abs() < 1e-9, "{ratio} {expected}");
}

/// Bytes a second that a server's own file tells of zstd at level 7 on one thread.
fn zstd_on_one_thread(server: &str) -> f64 {
    let file = format!("sparecores/data/aws/{server}/compression_text/stdout");
    let text = std::fs::read_to_string(data().unwrap().join(file)).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let figures = all["zstd"]["7"].as_array().unwrap();
    let is_it = |figure: &&Value| {
        figure["threads"] == 1 && figure["extra_args"].as_object().unwrap().is_empty()
    };
    figures.iter().find(is_it).unwrap()["compress"].as_f64().unwrap()
}

#[test]
fn the_studys_prices_and_watts_are_turned_into_cost_and_energy() {
    let Some(place) = with_chart("single-socket-performance") else { return };
    std::fs::write(
        place.path("prices.csv"),
        "label,per_hour,currency,date,watts\n\
         Graviton2,2.464,USD,2020-07-01,115\nSkylake,3.06,USD,2020-07-01,240\n",
    )
    .unwrap();
    let files = ["skylake-imported.run.jsonl", "graviton2-imported.run.jsonl"];
    let answer = place.sizeup(&["cost", files[0], files[1], "--prices", "prices.csv", "--json"]);
    let views = answer.data();
    let views = views.as_array().expect(&answer.stderr);
    let row = &views[0]["cost"]["rows"][0];
    let ratio = row["ratio"]["centre"].as_f64().unwrap();
    let adjusted = row["price_adjusted"]["centre"].as_f64().unwrap();
    // One thread costs a 36th of the one machine, and a 64th of the other.
    assert_eq!(row["threads"], "1");
    let factor = (3.06 / 36.0) / (2.464 / 64.0);
    assert!((adjusted / ratio - factor).abs() < 1e-9, "{row}");
    let notes = views[0]["cost"]["notes"].to_string();
    assert!(notes.contains("days old"), "{notes}");
    // The watts are of all threads: 36 of the one and 64 of the other. A byte is an op.
    let energy = views[0]["energy"].as_array().unwrap();
    assert_eq!(energy.len(), 1, "{energy:?}");
    assert_eq!(energy[0]["threads"], "all");
    let is_near = |interval: &Value, expected: f64| {
        let centre = interval["centre"].as_f64().unwrap();
        assert!((centre / expected - 1.0).abs() < 1e-9, "{interval} {expected}");
    };
    let (skylake, graviton2) = (20_224e6 / 240.0, 47_707e6 / 115.0);
    is_near(&energy[0]["baseline"]["per_s_per_watt"], skylake);
    is_near(&energy[0]["other"]["per_s_per_watt"], graviton2);
    is_near(&energy[0]["ratio"], graviton2 / skylake);
}
