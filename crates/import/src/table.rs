//! A plain table: `machine,workload,threads,value,unit`, one figure per line. An optional column `cpus` has the machine's
//! number of CPUs, so that rows on all of them can be compared with machines of another size.

use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use machine::Fact;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

const LACKS: [&str; 2] = ["checked answers", "software and machine details"];

#[derive(Deserialize)]
struct CsvLine {
    machine: String,
    workload: String,
    threads: usize,
    value: f64,
    unit: String,
    #[serde(default)]
    cpus: Option<usize>,
}

/// The columns that a head must have …
const COLUMNS: [&str; 5] = ["machine", "workload", "threads", "value", "unit"];
/// … and as it is written, with what may be left out.
const HEAD: &str = "machine,workload,threads,value,unit[,cpus]";

/// A run for each machine, in the order in which they come. Several lines of the same are its figures.
pub(super) fn read(text: &str) -> Result<Vec<ImportedRun>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    if let Some(column) = COLUMNS.iter().find(|column| !head.iter().any(|has| has == **column)) {
        let has = head.iter().collect::<Vec<_>>().join(",");
        return Err(format!("the header has no column {column:?}: expected {HEAD}, found {has:?}"));
    }
    let mut runs: Vec<ImportedRun> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| e.to_string())?;
        let number = record.position().map_or(0, csv::Position::line);
        let line: CsvLine =
            record.deserialize(Some(&head)).map_err(|e| format!("line {number}: {e}"))?;
        let row = row(&line)
            .and_then(|row| row.checked())
            .map_err(|what| format!("line {number}: {what}"))?;
        let place = *places.entry(line.machine.clone()).or_insert(runs.len());
        if place == runs.len() {
            runs.push(ImportedRun::new(&line.machine, "a table", &LACKS));
        }
        let run = &mut runs[place];
        let known = run.machine.topology.threads.known().copied();
        let cpus = row.cpus.and_then(|cpus| u32::try_from(cpus).ok());
        run.add(row).map_err(|what| format!("line {number}: {what}"))?;
        match (known, cpus) {
            (Some(known), Some(cpus)) if known != cpus => {
                return Err(format!(
                    "line {number}: {} has {cpus} CPUs here, but {known} before",
                    line.machine
                ));
            }
            (None, Some(cpus)) => run.machine.topology.threads = Fact::Known(cpus),
            _ => {}
        }
    }
    if runs.is_empty() {
        return Err("no lines after the header".to_owned());
    }
    Ok(runs)
}

fn row(line: &CsvLine) -> Result<ImportedRow, String> {
    let name = &line.workload;
    if name.is_empty() || line.machine.is_empty() {
        return Err("a machine or workload has no name".to_owned());
    }
    let workload = if name.contains('/') { name.clone() } else { format!("{name}/table") };
    let (per_s, unit) = rate(line.value, &line.unit)?;
    Ok(ImportedRow {
        workload,
        family: Family::Unknown,
        parameters: json!({}),
        threads: line.threads,
        is_all: line.cpus == Some(line.threads),
        unit,
        per_s: vec![per_s],
        bytes_per_op: None,
        cpus: line.cpus,
    })
}

/// Unit → by what a value is multiplied to be in another.
const RATES: [(&str, f64, Unit); 15] = [
    ("B/s", 1.0, Unit::Bytes),
    ("kB/s", 1e3, Unit::Bytes),
    ("MB/s", 1e6, Unit::Bytes),
    ("GB/s", 1e9, Unit::Bytes),
    ("TB/s", 1e12, Unit::Bytes),
    ("KiB/s", 1_024.0, Unit::Bytes),
    ("MiB/s", 1_048_576.0, Unit::Bytes),
    ("GiB/s", 1_073_741_824.0, Unit::Bytes),
    ("kbit/s", 125.0, Unit::Bytes),
    ("Mbit/s", 125e3, Unit::Bytes),
    ("Gbit/s", 125e6, Unit::Bytes),
    ("ops/s", 1.0, Unit::Ops),
    ("kops/s", 1e3, Unit::Ops),
    ("Mops/s", 1e6, Unit::Ops),
    ("Gops/s", 1e9, Unit::Ops),
];

/// A value in a unit of a table, as a run file has it.
fn rate(value: f64, unit: &str) -> Result<(f64, Unit), String> {
    if let Some((_, factor, of)) = RATES.iter().find(|(known, ..)| *known == unit) {
        return Ok((value * factor, of.clone()));
    }
    let per_op = |factor: f64| Ok((factor / value, Unit::Ops));
    match unit {
        "s/op" | "s" => per_op(1.0),
        "ms/op" | "ms" => per_op(1e3),
        "us/op" | "us" => per_op(1e6),
        "ns/op" | "ns" => per_op(1e9),
        _ => match unit.parse() {
            Ok(Unit::Named(name)) => Ok((value, Unit::Named(name))),
            _ => Err(format!(
                "the unit {unit:?} is none that is known: ops/s, kops/s, Mops/s, Gops/s, a whole word of small letters a \
             second (requests/s), B/s, kB/s … TB/s, KiB/s, MiB/s, GiB/s, kbit/s, Mbit/s, Gbit/s, or a time for each op \
             (ns/op, us/op, ms/op, s/op)"
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "machine,workload,threads,value,unit,cpus\n";

    fn refusal(lines: &str) -> String {
        read(&format!("{HEAD}{lines}")).unwrap_err()
    }

    #[test]
    fn a_workload_is_in_one_kind_of_unit() {
        let said = refusal("a,w,1,100,ops/s,4\na,w,4,100,MB/s,4\n");
        let in_one = "use one unit for all figures of a workload";
        assert_eq!(
            said,
            format!("line 3: w/table is in bytes/s here and in ops/s before: {in_one}")
        );
        let said = refusal("a,w,1,100,requests/s,4\na,w,4,100,ops/s,4\n");
        assert!(
            said.starts_with("line 3: w/table is in ops/s here and in requests/s before"),
            "{said}"
        );
        let same = read(&format!("{HEAD}a,w,1,100,kB/s,4\na,w,4,1,GiB/s,4\nb,w,1,1,ops/s,4\n"));
        assert_eq!(same.unwrap().len(), 2);
    }

    #[test]
    fn a_head_that_lacks_a_column_is_told_what_it_must_be() {
        let error = read("host,workload,threads,value,unit\nm,a/x,1,1,op/s\n").unwrap_err();
        assert_eq!(
            error,
            "the header has no column \"machine\": expected machine,workload,threads,value,unit[,cpus], found \
             \"host,workload,threads,value,unit\""
        );
        let error = read("m,a/x,1,1,op/s\n").unwrap_err();
        assert!(error.contains("expected machine,workload,threads"), "{error}");
    }

    #[test]
    fn more_threads_than_cpus_take_turns_on_them() {
        let runs = read(&format!("{HEAD}a,w,5,1,ops/s,2\na,v,2,1,ops/s,2\na,u,3,1,ops/s,\n"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.run.jsonl");
        runs.unwrap()[0].write(&path, 1).unwrap();
        let cases = record::read(&path).unwrap().header.plan.cases;
        let cpus: Vec<&[u32]> = cases.iter().map(|case| &case.cpus[..]).collect();
        assert_eq!(cpus, [&[0, 1, 0, 1, 0][..], &[0, 1], &[0, 1, 2]]);
        assert!(refusal("a,w,1,1,ops/s,0\n").contains("line 2: w/table: the machine has 0 CPUs"));
        let said = refusal("a,w,1,1,ops/s,2\na,w,1,1,ops/s,4\n");
        assert!(said.starts_with("line 3: w/table on 1 threads is "), "{said}");
    }

    #[test]
    fn a_machine_has_one_number_of_cpus_and_is_known_by_it() {
        let said = refusal("a,w,1,1,ops/s,2\na,v,1,1,ops/s,\na,u,1,1,ops/s,4\n");
        assert_eq!(said, "line 4: a has 4 CPUs here, but 2 before");
        let runs =
            read(&format!("{HEAD}a,w,1,1,ops/s,\na,v,1,1,ops/s,2\nb,w,1,1,ops/s,8\n")).unwrap();
        let known = |run: &ImportedRun| run.machine.topology.threads.known().copied();
        assert_eq!((known(&runs[0]), known(&runs[1])), (Some(2), Some(8)));
    }

    #[test]
    fn a_unit_is_known_or_refused() {
        for (value, unit, ops_per_s) in [
            (2.0, "kops/s", 2e3),
            (8.0, "Mbit/s", 1e6),
            (2.0, "KiB/s", 2048.0),
            (50.0, "requests/s", 50.0),
            (4.0, "ns/op", 2.5e8),
        ] {
            assert!((rate(value, unit).unwrap().0 / ops_per_s - 1.0).abs() < 1e-12, "{unit}");
        }
        for unit in
            ["/s", "%/s", "Kops/s", "kreq/s", "Mb/s", "bits/s", "bytes/s", "megabytes/s", "fps", ""]
        {
            assert!(rate(1.0, unit).is_err(), "{unit}");
        }
    }

    #[test]
    fn impossible_lines_are_refused_with_their_number() {
        for (line, says) in [
            ("a,w,1,0,ops/s,4", "line 2: w/table: throughput 0e0 ops/s"),
            ("a,w,1,inf,ops/s,4", "throughput inf ops/s"),
            ("a,w,1,1e-300,ops/s,4", "is not between 1e-10"),
            ("a,w,0,1,ops/s,4", "line 2: w/table: 0 threads"),
            (",w,1,1,ops/s,4", "has no name"),
            ("a,,1,1,ops/s,4", "has no name"),
        ] {
            let said = refusal(line);
            assert!(said.contains(says), "{said}");
        }
    }
}
