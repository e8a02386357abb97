//! Exports of hyperfine: `--export-json` with the time of each execution, or `--export-csv` with their mean.

use super::lines::Line;
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LACKS: [&str; 4] = [
    "checked answers",
    "pinned threads",
    "the machine",
    "whether the shell's start is part of the times",
];

#[derive(Deserialize)]
struct Results {
    results: Vec<Value>,
}

#[derive(Deserialize)]
struct Benchmark {
    command: String,
    mean: Option<f64>,
    #[serde(default)]
    times: Option<Vec<f64>>,
    #[serde(default)]
    exit_codes: Option<Vec<Option<i32>>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

/// Reads an export; an execution is an op, `threads` are those that a command has by itself.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let mut run = ImportedRun::new(label, "hyperfine", &LACKS);
    let benchmarks = if text.trim_start().starts_with('{') {
        let results: Results = serde_json::from_str(text).map_err(|e| {
            format!("is not an export of hyperfine: {e}. Write one with --export-json FILE")
        })?;
        results
            .results
            .into_iter()
            .enumerate()
            .map(|(place, result)| {
                (place + 1, serde_json::from_value(result).map_err(|e| e.to_string()))
            })
            .collect()
    } else {
        of_csv(text)?
    };
    for (number, benchmark) in benchmarks {
        let line = |text: &str| Line { number, text: text.to_owned() };
        let benchmark: Benchmark = match benchmark {
            Ok(benchmark) => benchmark,
            Err(what) => {
                run.leave_out("results that can't be read", number, &what);
                continue;
            }
        };
        let command = &benchmark.command;
        let times = match benchmark.times.as_deref() {
            Some(times) if !times.is_empty() => times.to_vec(),
            _ => {
                run.lack("the time of each execution (only their mean was kept)".to_owned());
                benchmark.mean.into_iter().collect()
            }
        };
        let codes = benchmark.exit_codes.unwrap_or_default();
        let mut per_s = Vec::new();
        for (place, seconds) in times.iter().enumerate() {
            match codes.get(place) {
                Some(code) if *code != Some(0) => {
                    let code = code.map_or_else(
                        || "a signal".to_owned(),
                        |code| format!("exit status {code}"),
                    );
                    run.leave_out("executions that failed", number, &format!("{command}: {code}"));
                }
                _ if *seconds > 0.0 => per_s.push(1.0 / seconds),
                _ => run.leave_out("executions of no time", number, command),
            }
        }
        let settings: String = benchmark
            .parameters
            .iter()
            // hyperfine puts most of them into the command.
            .filter(|(_, value)| !command.contains(value.as_str()))
            .map(|(name, value)| format!("[{name}={value}]"))
            .collect();
        let words: Vec<&str> = command.split_whitespace().collect();
        let name = format!("{}{settings}", words.join("-")).replace('/', ".");
        if per_s.is_empty() {
            run.fail(format!("{name}/hyperfine"));
            continue;
        }
        let row = ImportedRow {
            workload: format!("{name}/hyperfine"),
            family: Family::Script,
            parameters: json!({}),
            threads,
            is_all: false,
            unit: Unit::Ops,
            per_s,
            bytes_per_op: None,
            cpus: None,
        };
        run.take_once(&line(command), row)?;
    }
    Ok(run)
}

type Numbered = (usize, Result<Benchmark, String>);

fn of_csv(text: &str) -> Result<Vec<Numbered>, String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let place = |name: &str| head.iter().position(|heading| heading == name);
    let (Some(command), Some(mean)) = (place("command"), place("mean")) else {
        return Err(
            "is not an export of hyperfine: neither its JSON nor a table with command and mean"
                .to_owned(),
        );
    };
    let mut all = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| e.to_string())?;
        let number = record.position().map_or(0, |at| at.line() as usize);
        let mean = record.get(mean).and_then(|text| text.parse().ok());
        let parameters = head.iter().zip(&record).filter_map(|(name, value)| {
            Some((name.strip_prefix("parameter_")?.to_owned(), value.to_owned()))
        });
        let benchmark = match (record.get(command), mean) {
            (Some(command), Some(mean)) => Ok(Benchmark {
                command: command.to_owned(),
                mean: Some(mean),
                times: None,
                exit_codes: None,
                parameters: parameters.collect(),
            }),
            _ => Err("it has no command or no mean".to_owned()),
        };
        all.push((number, benchmark));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_a_figure_and_failed_executions_are_not() {
        let run = read(
            r#"{"results":[
                {"command":"sort f","mean":0.2,"times":[0.2,0.25,0.1],"exit_codes":[0,0,1]},
                {"command":"sort f","mean":0.5,"times":[0.5]},
                {"command":"./gzip -{level}","mean":0.5,"times":[0.5],"parameters":{"level":"9"}},
                {"command":"false","mean":0.5,"times":[0.5],"exit_codes":[null]},
                {"mean":1}
            ]}"#,
            "here",
            1,
        )
        .unwrap();
        let rows: Vec<(&str, &[f64])> =
            run.rows.iter().map(|row| (row.workload.as_str(), &row.per_s[..])).collect();
        assert_eq!(
            rows,
            [
                ("sort-f/hyperfine", &[5.0, 4.0][..]),
                ("sort-f-2/hyperfine", &[2.0]),
                ("..gzip--{level}[level=9]/hyperfine", &[2.0]),
            ]
        );
        assert_eq!(run.failed, ["false/hyperfine"]);
        let losses: Vec<(&str, usize)> =
            run.left_out.iter().map(|loss| (loss.what.as_str(), loss.count)).collect();
        assert_eq!(losses, [("executions that failed", 2), ("results that can't be read", 1)]);
    }

    #[test]
    fn a_table_has_means_only() {
        let run = read(
            "command,mean,stddev,median,user,system,min,max\nsleep 0.2,0.2,0.01,0.2,0,0,0.2,0.3\n",
            "here",
            1,
        );
        let run = run.unwrap();
        assert_eq!(
            (run.rows[0].workload.as_str(), &run.rows[0].per_s[..]),
            ("sleep-0.2/hyperfine", &[5.0][..])
        );
        assert!(run.lacks.iter().any(|text| text.starts_with("the time of each execution")));
        assert!(read("a,b\n1,2\n", "here", 1).is_err() && read("{}", "here", 1).is_err());
    }
}
