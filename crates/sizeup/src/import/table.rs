//! A plain table: `machine,workload,threads,value,unit`, a line a figure; a column `cpus` may tell how many the machine
//! has, so that rows on all of them can be compared with machines of another size.

use super::run::{ImportedRow, ImportedRun};
use crate::catalog::Family;
use serde::Deserialize;
use serde_json::json;

const LACKS: [&str; 2] = ["checked answers", "what software it was, and on what"];

#[derive(Deserialize)]
struct Line {
    machine: String,
    workload: String,
    threads: usize,
    value: f64,
    unit: String,
    #[serde(default)]
    cpus: Option<usize>,
}

/// A run for each machine, in the order in which they come. Several lines of the same are its figures.
pub(super) fn read(text: &str) -> Result<Vec<ImportedRun>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let mut runs: Vec<ImportedRun> = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| e.to_string())?;
        let number = record.position().map_or(0, csv::Position::line);
        let line: Line =
            record.deserialize(Some(&head)).map_err(|e| format!("line {number}: {e}"))?;
        let row = row(&line).map_err(|what| format!("line {number}: {what}"))?;
        let run = match runs.iter().position(|run| run.label == line.machine) {
            Some(place) => &mut runs[place],
            None => {
                runs.push(ImportedRun::new(&line.machine, "a table", &LACKS));
                let last = runs.len() - 1;
                &mut runs[last]
            }
        };
        run.add(row);
    }
    if runs.is_empty() {
        return Err("there is no line below its head".to_owned());
    }
    Ok(runs)
}

fn row(line: &Line) -> Result<ImportedRow, String> {
    let name = &line.workload;
    let workload = if name.contains('/') { name.clone() } else { format!("{name}/table") };
    let (ops_per_s, bytes_per_op) = rate(line.value, &line.unit)?;
    Ok(ImportedRow {
        workload,
        family: Family::Unknown,
        // Of another unit it is another thing.
        parameters: json!({ "unit": if bytes_per_op.is_some() { "bytes/s" } else { line.unit.as_str() } }),
        threads: line.threads,
        is_all: line.cpus == Some(line.threads),
        ops_per_s: vec![ops_per_s],
        bytes_per_op,
    })
}

/// Ops a second of a value in a unit. Of bytes, a byte is an op.
fn rate(value: f64, unit: &str) -> Result<(f64, Option<u64>), String> {
    if !(value.is_normal() && value > 0.0) {
        return Err(format!("a value of {value}: it must be above zero"));
    }
    let bytes = |factor: f64| Ok((value * factor, Some(1)));
    match unit {
        "B/s" => bytes(1.0),
        "kB/s" => bytes(1e3),
        "MB/s" => bytes(1e6),
        "GB/s" => bytes(1e9),
        "KiB/s" => bytes(f64::from(1 << 10)),
        "MiB/s" => bytes(f64::from(1 << 20)),
        "GiB/s" => bytes(f64::from(1 << 30)),
        "s/op" | "s" => Ok((1.0 / value, None)),
        "ms/op" | "ms" => Ok((1e3 / value, None)),
        "us/op" | "us" => Ok((1e6 / value, None)),
        "ns/op" | "ns" => Ok((1e9 / value, None)),
        _ if unit.ends_with("/s") => Ok((value, None)),
        _ => Err(format!(
            "the unit {unit:?} is none that is known: anything a second (ops/s, requests/s), B/s, kB/s, MB/s, GB/s, \
             KiB/s, MiB/s, GiB/s, or a time for each op (ns/op, us/op, ms/op, s/op)"
        )),
    }
}
