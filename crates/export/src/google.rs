//! The JSON of Google Benchmark, a repetition a sample: its compare.py reads it.

use super::benchmark::benchmarks;
use catalog::Unit;
use record::Run;
use serde::Serialize;
use std::time::{Duration, SystemTime};
use terminal::Printable;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoogleBenchmark {
    context: Context,
    benchmarks: Vec<GoogleRepetition>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Context {
    date: String,
    host_name: Printable,
    executable: Printable,
    num_cpus: u32,
    mhz_per_cpu: u64,
    cpu_scaling_enabled: bool,
    caches: [(); 0],
    library_version: &'static str,
    library_build_type: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct GoogleRepetition {
    name: Printable,
    run_name: Printable,
    run_type: &'static str,
    repetitions: usize,
    repetition_index: usize,
    threads: usize,
    iterations: u64,
    real_time: f64,
    cpu_time: f64,
    time_unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_hz: Option<f64>,
}

impl GoogleBenchmark {
    /// A run's samples.
    pub fn of(run: &Run) -> Self {
        let header = &run.header;
        let started = SystemTime::UNIX_EPOCH + Duration::from_nanos(header.started_unix_ns);
        let mut repetitions = Vec::new();
        for benchmark in benchmarks(run) {
            let (operation, implementation) = benchmark.operation_and_implementation();
            let row = &benchmark.row;
            let (variant, spec) = (&row.variant, row.key.threads);
            let variant = variant.as_ref().map_or_else(String::new, |name| format!("/{name}"));
            let name: Printable =
                format!("{operation}/{implementation}{variant}/threads:{spec}").into();
            let count = benchmark.repetitions.len();
            for (number, sample) in benchmark.repetitions.iter().enumerate() {
                // Its tools want a time: of figures in bytes it is that of a byte.
                let real_time = 1e9 / sample.per_s;
                let cpu_time = sample.cpu_ns.map(|ns| ns as f64 / sample.ops as f64);
                repetitions.push(GoogleRepetition {
                    name: name.clone(),
                    run_name: name.clone(),
                    run_type: "iteration",
                    repetitions: count,
                    repetition_index: number,
                    threads: row.threads,
                    iterations: sample.ops,
                    real_time,
                    // Its tools want a number.
                    cpu_time: cpu_time.unwrap_or(real_time * row.threads as f64),
                    time_unit: "ns",
                    items_per_second: (row.unit != Unit::Bytes).then_some(sample.per_s),
                    bytes_per_second: benchmark.bytes_per_s(sample.per_s),
                    clock_hz: sample.clock_hz,
                });
            }
        }
        Self {
            context: Context {
                date: humantime::format_rfc3339_seconds(started).to_string(),
                host_name: header.label.as_str().into(),
                executable: format!("sizeup {} {}", header.sizeup, header.suite).into(),
                num_cpus: header.machine.topology.threads.known().copied().unwrap_or(0),
                mhz_per_cpu: 0,
                cpu_scaling_enabled: false,
                caches: [],
                library_version: env!("CARGO_PKG_VERSION"),
                library_build_type: "release",
            },
            benchmarks: repetitions,
        }
    }
}
