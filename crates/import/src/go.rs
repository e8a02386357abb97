//! Output of `go test -bench`.

use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use machine::Fact;
use serde_json::json;
use std::collections::BTreeSet;

const LACKS: [&str; 3] = [
    "checked answers",
    "versions of the libraries and the compiler",
    "whether a benchmark uses as many threads as its name says",
];

/// Reads an output; several lines of a benchmark (`-count`) are its figures. With several packages, benchmark names include
/// theirs.
pub(super) fn read(text: &str, label: &str) -> Result<ImportedRun, String> {
    let mut run = ImportedRun::new(label, "go test -bench", &LACKS);
    let packages: BTreeSet<&str> = text.lines().filter_map(|of| of.strip_prefix("pkg: ")).collect();
    let mut package = String::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}: {line:?}", number + 1);
        if let Some((key, value)) = line.split_once(": ") {
            match key {
                "cpu" => run.machine.cpu.model = Fact::Known(value.trim().to_owned()),
                "pkg" => package = value.trim().to_owned(),
                "goarch" => {
                    run.machine.cpu.architecture =
                        Fact::Known(architecture(value.trim()).to_owned());
                }
                _ => {}
            }
        }
        let mut words = line.split_whitespace();
        let Some(name) = words.next().and_then(|word| word.strip_prefix("Benchmark")) else {
            continue;
        };
        let words: Vec<&str> = words.collect();
        // A benchmark that printed something has its figures on another line, or failed.
        if words.len() < 3 || words[0].parse::<u64>().is_err() {
            continue;
        }
        let value = |unit: &str| -> Result<Option<f64>, String> {
            let place = words.iter().position(|word| *word == unit);
            let number = place.and_then(|place| words.get(place.checked_sub(1)?));
            number.map(|text| text.parse().map_err(|_| wrong("not a number"))).transpose()
        };
        let Some(ns_per_op) = value("ns/op")? else { continue };
        let (name, threads) = name_and_threads(name);
        let name = if packages.len() > 1 { format!("{package}.{name}") } else { name.to_owned() };
        let mut row = ImportedRow {
            workload: format!("{}/go-bench", name.replace('/', ".")),
            family: Family::Unknown,
            parameters: json!({ "package": package }),
            threads,
            is_all: false,
            unit: Unit::Ops,
            per_s: vec![1e9 / ns_per_op],
            bytes_per_op: None,
            cpus: None,
        };
        if let Some(mb_per_s) = value("MB/s")? {
            let known = run.known(&row).map(|known| known.bytes_per_op.unwrap_or(0));
            row.bytes_per_op = bytes_per_op(mb_per_s, ns_per_op, known);
        }
        run.add(row).map_err(|what| format!("line {}: {what}", number + 1))?;
    }
    Ok(run)
}

/// MB/s have two decimals, so lines of a benchmark may differ by 0.01 MB/s, and by 1 % because of ns/op. Within that
/// tolerance the known value is kept.
fn bytes_per_op(mb_per_s: f64, ns_per_op: f64, known: Option<u64>) -> Option<u64> {
    let bytes_of = |mb_per_s: f64| mb_per_s * ns_per_op / 1e3;
    let bytes = bytes_of(mb_per_s);
    let may_differ = bytes_of(0.01) + bytes * 0.01;
    let is_known = |known: &u64| (*known as f64 - bytes).abs() <= may_differ;
    Some(known.filter(is_known).unwrap_or(bytes.round() as u64)).filter(|bytes| *bytes > 0)
}

/// `Sum/1K-8` is `Sum/1K` on 8; without a number it is 1.
fn name_and_threads(name: &str) -> (&str, usize) {
    name.rsplit_once('-')
        .and_then(|(name, threads)| Some((name, threads.parse().ok()?)))
        .unwrap_or((name, 1))
}

/// In the words of `uname -m`.
fn architecture(goarch: &str) -> &str {
    match goarch {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        other => other,
    }
}
