//! JSON of Google Benchmark (`--benchmark_format=json`), which `sizeup export google-benchmark` writes, too.

use super::lines::Line;
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use machine::Fact;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const LACKS: [&str; 3] =
    ["checked answers", "versions of the libraries and the compiler", "pinned threads"];

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    context: Context,
    benchmarks: Vec<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Context {
    num_cpus: Option<u32>,
    cpu_scaling_enabled: bool,
    library_build_type: String,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    run_name: Option<String>,
    #[serde(default)]
    run_type: String,
    aggregate_name: Option<String>,
    family_index: Option<i64>,
    #[serde(default)]
    label: String,
    threads: Option<usize>,
    real_time: Option<f64>,
    #[serde(default = "nanoseconds")]
    time_unit: String,
    #[serde(default)]
    error_occurred: bool,
    #[serde(default)]
    skipped: bool,
    #[serde(default)]
    error_message: String,
}

/// Ends of names of repetitions' aggregates; before version 1.5 nothing else shows that they are none.
const AGGREGATES: [&str; 6] = ["mean", "median", "stddev", "cv", "BigO", "RMS"];

impl Benchmark {
    fn full_name(&self) -> &str {
        self.run_name.as_deref().unwrap_or(&self.name)
    }

    /// Which statistic of which repetitions it is, and none if it is a repetition.
    fn aggregate(&self, names: &BTreeSet<String>) -> Option<(String, String)> {
        let of_name = self.name.rsplit_once('_').filter(|(_, last)| AGGREGATES.contains(last));
        let is_aggregate = self.run_type == "aggregate"
            || self.aggregate_name.is_some()
            || (self.run_type.is_empty() && of_name.is_some_and(|(name, _)| names.contains(name)));
        if !is_aggregate {
            return None;
        }
        let (name, last) = of_name.unwrap_or((&self.name, ""));
        let name = self.run_name.as_deref().unwrap_or(name);
        Some((name.to_owned(), self.aggregate_name.clone().unwrap_or_else(|| last.to_owned())))
    }
}

fn nanoseconds() -> String {
    "ns".to_owned()
}

/// Reads an output; repetitions of a benchmark are its figures, or their mean if the output has no others.
pub(super) fn read(text: &str, label: &str) -> Result<ImportedRun, String> {
    let mut run = ImportedRun::new(label, "Google Benchmark", &LACKS);
    let output: Output = serde_json::from_str(text).map_err(|e| {
        format!("is not Google Benchmark's JSON: {e}. Write it with --benchmark_format=json")
    })?;
    let cpus = output.context.num_cpus.filter(|cpus| *cpus > 0);
    if let Some(cpus) = cpus {
        run.machine.topology.threads = Fact::Known(cpus);
    }
    if output.context.cpu_scaling_enabled {
        run.lack("a constant clock (CPU scaling was enabled)".to_owned());
    }
    if output.context.library_build_type == "debug" {
        run.lack("an optimised benchmark library (it was a debug build)".to_owned());
    }
    // Name and threads → settings that tell benchmarks of one name apart → its number.
    let mut settings: BTreeMap<String, BTreeMap<(Option<i64>, String), usize>> = BTreeMap::new();
    let mut all: Vec<(usize, Benchmark)> = Vec::new();
    for (place, value) in output.benchmarks.into_iter().enumerate() {
        match serde_json::from_value(value) {
            Ok(benchmark) => all.push((place + 1, benchmark)),
            Err(e) => run.leave_out("benchmarks that can't be read", place + 1, &e.to_string()),
        }
    }
    let names: BTreeSet<String> = all.iter().map(|(_, benchmark)| benchmark.name.clone()).collect();
    let repeated: BTreeSet<String> = all
        .iter()
        .filter(|(_, benchmark)| benchmark.aggregate(&names).is_none())
        .map(|(_, benchmark)| benchmark.full_name().to_owned())
        .collect();
    for (number, mut benchmark) in all {
        if let Some((name, aggregate)) = benchmark.aggregate(&names) {
            if repeated.contains(&name) || aggregate != "mean" {
                continue;
            }
            run.lack("the time of each repetition (only their mean was kept)".to_owned());
            benchmark.run_name = Some(name);
        }
        let full = benchmark.full_name();
        let (name, of_name) = name_and_threads(full);
        if benchmark.error_occurred || benchmark.skipped {
            run.leave_out(
                "benchmarks that failed",
                number,
                &format!("{full}: {}", benchmark.error_message),
            );
            run.fail(format!("{name}/google-benchmark"));
            continue;
        }
        let factor = match benchmark.time_unit.as_str() {
            "ns" => 1e9,
            "us" => 1e6,
            "ms" => 1e3,
            "s" => 1.0,
            unit => {
                run.leave_out(
                    "benchmarks in an unknown unit of time",
                    number,
                    &format!("{full}: {unit:?}"),
                );
                continue;
            }
        };
        let Some(time) = benchmark.real_time.filter(|time| *time > 0.0) else {
            run.leave_out("benchmarks without a time above zero", number, full);
            continue;
        };
        let threads = benchmark.threads.unwrap_or(of_name);
        let all = settings.entry(format!("{name} {threads}")).or_default();
        let next = all.len();
        let known = *all.entry((benchmark.family_index, benchmark.label.clone())).or_insert(next);
        let name = match (known, benchmark.label.as_str()) {
            (0, _) => name,
            (_, "") => format!("{name}-{}", known + 1),
            (_, label) => format!("{name}[{}]", label.replace('/', ".")),
        };
        let row = ImportedRow {
            workload: format!("{name}/google-benchmark"),
            family: Family::Unknown,
            parameters: json!({}),
            threads,
            is_all: cpus.is_some_and(|cpus| cpus as usize == threads),
            unit: Unit::Ops,
            per_s: vec![factor / time],
            bytes_per_op: None,
            cpus: cpus.map(|cpus| cpus as usize),
        };
        run.take(&Line { number, text: full.to_owned() }, row)?;
    }
    Ok(run)
}

/// `BM_Encode/64/real_time/threads:4` is `BM_Encode.64` on 4.
fn name_and_threads(name: &str) -> (String, usize) {
    let mut threads = 1;
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| match part.strip_prefix("threads:").map(str::parse) {
            Some(Ok(count)) => {
                threads = count;
                false
            }
            _ => {
                !["real_time", "manual_time", "process_time"].contains(part)
                    && !part.starts_with("repeats:")
            }
        })
        .collect();
    (parts.join("."), threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_figures_and_aggregates_are_none() {
        let run = read(
            r#"{"context":{"num_cpus":8,"cpu_scaling_enabled":true},"benchmarks":[
                {"name":"BM_E/64/real_time/threads:4","run_type":"iteration","threads":4,"iterations":9,"real_time":1726.0,"time_unit":"ns"},
                {"name":"BM_E/64/real_time/threads:4","run_type":"iteration","threads":4,"iterations":9,"real_time":2.0,"time_unit":"us"},
                {"name":"BM_E/64/real_time/threads:4_mean","run_type":"aggregate","threads":4,"real_time":1.0,"time_unit":"ns"},
                {"name":"BM_A","real_time":5,"family_index":0},{"name":"BM_A","real_time":10,"family_index":1},
                {"name":"BM_A","real_time":20,"family_index":0,"label":"avx"},
                {"name":"BM_X","error_occurred":true,"error_message":"no file"},
                {"name":"BM_0","real_time":0},{"name":"BM_F","real_time":1,"time_unit":"h"},{}
            ]}"#,
            "here",
        )
        .unwrap();
        let rows: Vec<(&str, usize, &[f64])> = run
            .rows
            .iter()
            .map(|row| (row.workload.as_str(), row.threads, &row.per_s[..]))
            .collect();
        assert_eq!(
            rows,
            [
                ("BM_E.64/google-benchmark", 4, &[1e9 / 1726.0, 5e5][..]),
                ("BM_A/google-benchmark", 1, &[2e8]),
                ("BM_A-2/google-benchmark", 1, &[1e8]),
                ("BM_A[avx]/google-benchmark", 1, &[5e7]),
            ]
        );
        assert_eq!(run.left_out.iter().map(|loss| loss.count).sum::<usize>(), 4);
        assert!(run.lacks.iter().any(|text| text.contains("constant clock")));
        assert!(read("[]", "here").is_err());
    }

    fn figures(text: &str) -> Vec<(String, Vec<f64>)> {
        let rows = read(text, "here").unwrap().rows;
        rows.into_iter().map(|row| (row.workload, row.per_s)).collect()
    }

    #[test]
    fn aggregates_of_old_versions_are_known_by_their_names() {
        let found = figures(
            r#"{"benchmarks":[{"name":"BM_A","real_time":5},{"name":"BM_A","real_time":5},
                {"name":"BM_A_mean","real_time":5},{"name":"BM_A_stddev","real_time":0.1},
                {"name":"BM_geometric_mean","real_time":10}]}"#,
        );
        let own = ("BM_geometric_mean/google-benchmark".to_owned(), vec![1e8]);
        assert_eq!(found, [("BM_A/google-benchmark".to_owned(), vec![2e8, 2e8]), own]);
    }

    #[test]
    fn the_mean_stands_for_repetitions_that_were_not_kept() {
        let text = r#"{"benchmarks":[
            {"name":"BM_A/8_mean","run_name":"BM_A/8","run_type":"aggregate","aggregate_name":"mean","real_time":5},
            {"name":"BM_A/8_cv","run_name":"BM_A/8","run_type":"aggregate","aggregate_name":"cv","real_time":0.1}]}"#;
        assert_eq!(figures(text), [("BM_A.8/google-benchmark".to_owned(), vec![2e8])]);
        let run = read(text, "here").unwrap();
        assert!(run.own_lacks()[0].contains("only their mean was kept"));
    }
}
