//! A plain table: `machine,workload,threads,value,unit`, one figure per line. An optional column `cpus` has the machine's
//! number of CPUs, so that rows on all of them can be compared with machines of another size. Other columns are settings: what
//! differs in one of them is another row. Columns are parted by commas, semicolons or tabs; without commas between columns, a
//! comma may be a decimal point.

use super::lines::Line;
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use csv::StringRecord;
use foreign::given::{decimal, delimiter};
use machine::Fact;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const LACKS: [&str; 2] = ["checked answers", "software and machine details"];

/// The columns that a head must have …
const COLUMNS: [&str; 5] = ["machine", "workload", "threads", "value", "unit"];
/// … and as it is written, with what may be left out.
const HEAD: &str = "machine,workload,threads,value,unit[,cpus]";
const CPUS: &str = "cpus";
/// Columns that tell repetitions of the same from each other.
const OF_REPEATS: [&str; 15] = [
    "run",
    "iteration",
    "repeat",
    "repetition",
    "rep",
    "sample",
    "trial",
    "seed",
    "date",
    "time",
    "timestamp",
    "comment",
    "note",
    "notes",
    "source",
];

struct TableLine {
    number: usize,
    machine: String,
    workload: String,
    threads: usize,
    value: f64,
    unit: String,
    cpus: Option<usize>,
    /// By their columns.
    settings: BTreeMap<String, String>,
}

/// A run for each machine, in the order in which they come. Several lines of the same are its figures.
pub(super) fn read(text: &str) -> Result<Vec<ImportedRun>, String> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let delimiter = delimiter(first);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .delimiter(delimiter as u8)
        .from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    if let Some(column) = COLUMNS.iter().find(|column| !head.iter().any(|has| has == **column)) {
        let has = head.iter().collect::<Vec<_>>().join(&delimiter.to_string());
        return Err(format!("the header has no column {column:?}: expected {HEAD}, found {has:?}"));
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = head.iter().find(|name| !seen.insert(*name)) {
        return Err(format!("the header has two columns {twice:?}"));
    }
    let mut lines = Vec::new();
    let mut wrong = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| e.to_string())?;
        let number = record.position().map_or(0, |at| at.line() as usize);
        match TableLine::of(&record, &head, delimiter, number) {
            Ok(line) => lines.push(line),
            Err(what) => wrong.push((number, what)),
        }
    }
    let varying = varying(&lines);
    let mut runs: Vec<ImportedRun> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        let row = match line.row(&varying).and_then(ImportedRow::checked) {
            Ok(row) => row,
            Err(what) => {
                wrong.push((line.number, what));
                continue;
            }
        };
        let place = *places.entry(line.machine.clone()).or_insert(runs.len());
        if place == runs.len() {
            runs.push(ImportedRun::new(&line.machine, "a table", &LACKS));
        }
        let run = &mut runs[place];
        let known = run.machine.topology.threads.known().copied();
        let cpus = row.cpus.and_then(|cpus| u32::try_from(cpus).ok());
        run.take(&Line { number: line.number, text: String::new() }, row)?;
        match (known, cpus) {
            (Some(known), Some(cpus)) if known != cpus => {
                return Err(format!(
                    "line {}: {} has {cpus} CPUs here, but {known} before",
                    line.number, line.machine
                ));
            }
            (None, Some(cpus)) => run.machine.topology.threads = Fact::Known(cpus),
            _ => {}
        }
    }
    wrong.sort();
    let Some(run) = runs.first_mut() else {
        return Err(match wrong.first() {
            Some((number, what)) => format!("line {number}: {what}"),
            None => "no lines after the header".to_owned(),
        });
    };
    for (number, what) in wrong {
        run.leave_out("lines of the table that can't be read", number, &what);
    }
    Ok(runs)
}

/// The columns that tell figures of a machine, a workload and a number of threads from each other.
fn varying(lines: &[TableLine]) -> BTreeSet<String> {
    let mut first: BTreeMap<(&str, &str, usize), &BTreeMap<String, String>> = BTreeMap::new();
    let mut varying = BTreeSet::new();
    for line in lines {
        let key = (line.machine.as_str(), line.workload.as_str(), line.threads);
        let known = first.entry(key).or_insert(&line.settings);
        let differs = line.settings.iter().filter(|(name, value)| known.get(*name) != Some(value));
        varying.extend(differs.map(|(name, _)| name.clone()));
    }
    varying
}

impl TableLine {
    fn of(
        record: &StringRecord,
        head: &StringRecord,
        delimiter: char,
        number: usize,
    ) -> Result<Self, String> {
        if record.len() != head.len() {
            return Err(format!("{} fields, but the header has {}", record.len(), head.len()));
        }
        let find = |name: &str| {
            head.iter().position(|heading| heading == name).and_then(|at| record.get(at))
        };
        let text = |name: &str| find(name).unwrap_or_default().to_owned();
        let count = |name: &str| {
            let text = text(name);
            text.parse().map_err(|_| format!("{name} is {text:?}: use a whole number"))
        };
        let value = text("value");
        let settings = head.iter().zip(record).filter(|(name, _)| {
            let is_known = COLUMNS.contains(name) || *name == CPUS;
            !is_known && !OF_REPEATS.contains(&name.to_lowercase().as_str())
        });
        let line = Self {
            number,
            machine: text("machine"),
            workload: text("workload"),
            threads: count("threads")?,
            value: decimal(&value, delimiter)
                .ok_or_else(|| format!("value is {value:?}: use a number, e.g. 2.5"))?,
            unit: text("unit"),
            cpus: find(CPUS).filter(|text| !text.is_empty()).map(|_| count(CPUS)).transpose()?,
            settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        };
        match line.workload.is_empty() || line.machine.is_empty() {
            true => Err("a machine or workload has no name".to_owned()),
            false => Ok(line),
        }
    }

    fn row(&self, varying: &BTreeSet<String>) -> Result<ImportedRow, String> {
        let settings: String = self
            .settings
            .iter()
            .filter(|(name, value)| varying.contains(*name) && !value.is_empty())
            .map(|(name, value)| format!("[{name}={}]", value.replace('/', ".")))
            .collect();
        let (operation, tool) = self.workload.split_once('/').unwrap_or((&self.workload, "table"));
        let (per_s, unit) = rate(self.value, &self.unit)?;
        Ok(ImportedRow {
            workload: format!("{operation}{settings}/{tool}"),
            family: Family::Unknown,
            parameters: json!({}),
            threads: self.threads,
            is_all: self.cpus == Some(self.threads),
            unit,
            per_s: vec![per_s],
            bytes_per_op: None,
            cpus: self.cpus,
        })
    }
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

/// Scores as they are written, and their names in run files.
const SCORES: [(&str, &str); 12] = [
    ("points", "points"),
    ("point", "points"),
    ("pts", "points"),
    ("mips", "MIPS"),
    ("dmips", "DMIPS"),
    ("mflops", "MFLOPS"),
    ("gflops", "GFLOPS"),
    ("tflops", "TFLOPS"),
    ("score", "score"),
    ("index", "index"),
    ("mark", "marks"),
    ("marks", "marks"),
];

/// A value in a unit of a table, as a run file has it.
fn rate(value: f64, unit: &str) -> Result<(f64, Unit), String> {
    if let Some((_, factor, unit)) = RATES.iter().find(|(known, ..)| *known == unit) {
        return Ok((value * factor, unit.clone()));
    }
    if let Some((_, name)) = SCORES.iter().find(|(other, _)| *other == unit.to_lowercase()) {
        return Ok((value, Unit::Named((*name).to_owned())));
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
             second (requests/s), B/s, kB/s … TB/s, KiB/s, MiB/s, GiB/s, kbit/s, Mbit/s, Gbit/s, a time for each op \
             (ns/op, us/op, ms/op, s/op), or a score (points, MIPS, MFLOPS, GFLOPS, index)"
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
    fn columns_are_parted_as_spreadsheets_do_it_in_any_country() {
        for text in [
            "machine;workload;threads;value;unit\nold;gzip;1;100,5;MB/s\nnew;gzip;1;200,5;MB/s\n",
            "machine\tworkload\tthreads\tvalue\tunit\nold\tgzip\t1\t100.5\tMB/s\nnew\tgzip\t1\t200,5\tMB/s\n",
        ] {
            let runs = read(text).unwrap();
            let per_s: Vec<f64> = runs.iter().map(|run| run.rows[0].per_s[0]).collect();
            assert_eq!(per_s, [100.5e6, 200.5e6]);
        }
    }

    #[test]
    fn a_score_is_a_figure_without_a_count() {
        let run =
            read("machine,workload,threads,value,unit\na,7z,1,1133,MIPS\na,ub,1,807.5,Index\n");
        let run = &run.unwrap()[0];
        assert_eq!(
            (&run.rows[0].unit, run.rows[0].per_s[0]),
            (&Unit::Named("MIPS".to_owned()), 1133.0)
        );
        assert_eq!(run.rows[1].unit, Unit::Named("index".to_owned()));
    }

    #[test]
    fn what_another_column_tells_apart_is_not_put_together() {
        let head = "machine,workload,threads,value,unit,level,run\n";
        let run = read(&format!(
            "{head}a,gzip,1,10,ops/s,1,1\na,gzip,1,11,ops/s,1,2\na,gzip,1,5,ops/s,9,1\n"
        ));
        let run = &run.unwrap()[0];
        let names: Vec<(&str, usize)> =
            run.rows.iter().map(|row| (row.workload.as_str(), row.per_s.len())).collect();
        assert_eq!(names, [("gzip[level=1]/table", 2), ("gzip[level=9]/table", 1)]);
        let alike = read(&format!("{head}a,gzip,1,10,ops/s,1,1\nb,gzip,1,5,ops/s,9,1\n")).unwrap();
        assert_eq!(alike[1].rows[0].workload, "gzip/table");
    }

    #[test]
    fn a_bad_line_is_counted_and_the_others_are_imported() {
        let run =
            read(&format!("{HEAD}a,w,1,1,ops/s,2\na,v,x,1,ops/s,2\na,u,1,1\na,t,1,1,furlongs,2\n"));
        let run = &run.unwrap()[0];
        assert_eq!((run.rows.len(), run.left_out.len(), run.left_out[0].count), (1, 1, 3));
        assert_eq!(run.left_out[0].example, "line 3: threads is \"x\": use a whole number");
    }

    #[test]
    fn impossible_lines_are_refused_with_their_number() {
        for (line, says) in [
            ("a,w,1,0,ops/s,4", "line 2: w/table: throughput 0e0 ops/s"),
            ("a,w,1,inf,ops/s,4", "line 2: value is \"inf\": use a number"),
            ("a,w,1,1e12,ops/s,4", "less than 0.05, which no core does"),
            ("a,w,1,2,TB/s,4", "more than 1e12, which no core does"),
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
