//! A server's folder as the inspector of Spare Cores leaves it (github.com/SpareCores/sc-inspector-data): `lscpu`,
//! `stressngfull`, `openssl` and `compression_text`, each with its `meta.json`.

use super::run::{ImportedRow, ImportedRun};
use super::text;
use catalog::{Family, ONE_STREAM, Unit};
use jiff::civil::DateTime;
use machine::Lscpu;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const LACKS: [&str; 5] = [
    "intervals (each figure was measured once)",
    "checked answers",
    "pinned threads",
    "the compiler and versions of libraries",
    "long enough samples of brotli (0.2 s each)",
];
/// From then on the inspector gave each thread a stream of its own; before, all worked on one.
const OWN_STREAMS: DateTime = DateTime::constant(2024, 9, 1, 0, 0, 0, 0);

/// The folders of a server that have figures.
const TASKS: [&str; 3] = ["stressngfull", "openssl", "compression_text"];

const TASK: &str = "tasks of the inspector";

/// Adds a task's figures, of a machine with so many CPUs.
type Reader = fn(&Path, &Meta, usize, &mut ImportedRun) -> Result<(), String>;

#[derive(Deserialize)]
struct Meta {
    start: DateTime,
    /// None while it runs, and for ever if it was cut off.
    exit_code: Option<i64>,
    version: Option<String>,
}

#[derive(Deserialize)]
struct LscpuOutput {
    lscpu: Vec<LscpuField>,
}

#[derive(Deserialize)]
struct LscpuField {
    field: String,
    data: Option<String>,
}

#[derive(Deserialize)]
struct Openssl {
    algo: String,
    block_size: u64,
    speed: f64,
}

#[derive(Deserialize)]
struct Compression {
    threads: usize,
    extra_args: BTreeMap<String, serde_json::Value>,
    compress: Option<f64>,
    decompress: Option<f64>,
}

/// A folder holds one that is so deep in it: of the inspector's repository, `data/VENDOR/SERVER`.
const MOST_DEPTH: usize = 3;

/// The servers in a folder, or the folder itself if it is one or holds none.
pub(super) fn servers(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    if folder.is_dir() {
        search(folder, MOST_DEPTH, &mut found)?;
    }
    if found.is_empty() {
        found.push(folder.to_owned());
    }
    Ok(found)
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if TASKS.iter().any(|task| folder.join(task).is_dir()) {
        found.push(folder.to_owned());
        return Ok(());
    }
    let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
    let unreadable = |e: std::io::Error| format!("{} can't be read: {e}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut inside = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_hidden && entry.path().is_dir() {
            inside.push(entry.path());
        }
    }
    inside.sort();
    inside.iter().try_for_each(|inside| search(inside, depth, found))
}

/// Reads the available tasks; failed tasks are skipped.
pub(super) fn read(folder: &Path, label: &str) -> Result<ImportedRun, String> {
    if !folder.is_dir() {
        return Err("is not a server's folder".to_owned());
    }
    let mut run = ImportedRun::new(label, "the inspector of Spare Cores", &LACKS);
    if let Err(what) = lscpu(folder, &mut run) {
        run.leave_out(TASK, 0, &what);
    }
    let cpus = run.machine.topology.threads.known().copied();
    let mut tasks = 0;
    let readers: [Reader; 3] = [stress_ng, openssl, compression];
    for (task, read) in TASKS.into_iter().zip(readers) {
        let place = folder.join(task);
        if !place.is_dir() {
            continue;
        }
        tasks += 1;
        let figures =
            json_file::<Meta>(&place.join("meta.json")).and_then(|meta| match meta.exit_code {
                None => Err("it has not finished".to_owned()),
                Some(0) => {
                    let cpus = cpus.ok_or("lscpu does not report the number of CPUs")? as usize;
                    read(&place, &meta, cpus, &mut run).map(|()| meta)
                }
                Some(code) => Err(format!("exit status {code}")),
            });
        let meta = match figures {
            Ok(meta) => meta,
            Err(what) => {
                run.leave_out(TASK, 0, &format!("{task}: {what}"));
                continue;
            }
        };
        let started = meta.start.to_zoned(jiff::tz::TimeZone::UTC).ok();
        let started = started.and_then(|at| u64::try_from(at.timestamp().as_nanosecond()).ok());
        run.started_unix_ns = run.started_unix_ns.into_iter().chain(started).min();
    }
    if tasks == 0 {
        return Err("holds none of stressngfull, openssl and compression_text".to_owned());
    }
    Ok(run)
}

fn json_file<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = text(path).map_err(|what| format!("{name} {what}"))?;
    serde_json::from_str(&text).map_err(|e| format!("{name}: {e}"))
}

fn lscpu(folder: &Path, run: &mut ImportedRun) -> Result<(), String> {
    let place = folder.join("lscpu").join("stdout");
    if !place.exists() {
        return Ok(());
    }
    let output: LscpuOutput = json_file(&place).map_err(|what| format!("lscpu: {what}"))?;
    let fields = output.lscpu.into_iter().filter_map(|field| Some((field.field, field.data?)));
    run.machine = Lscpu::of(fields).machine();
    Ok(())
}

/// Adds a row. A figure of 0 means that the benchmark failed, so it gets no row.
fn add_above_zero(run: &mut ImportedRun, row: ImportedRow) -> Result<(), String> {
    if row.per_s.iter().any(|figure| *figure <= 0.0) {
        run.fail(row.workload);
        return Ok(());
    }
    match row.clone().checked() {
        Ok(row) => run.add(row),
        Err(what) => {
            run.leave_out("impossible figures", 0, &what);
            Ok(())
        }
    }
}

/// The elements of a list that are what they should be; the others are counted.
fn good<T: DeserializeOwned>(all: Vec<Value>, place: &str, run: &mut ImportedRun) -> Vec<T> {
    let mut good = Vec::new();
    for value in all {
        match serde_json::from_value(value) {
            Ok(entry) => good.push(entry),
            Err(e) => run.leave_out("entries that can't be read", 0, &format!("{place}: {e}")),
        }
    }
    good
}

/// `workers,bogo-ops/s` of its method div16.
fn stress_ng(place: &Path, meta: &Meta, cpus: usize, run: &mut ImportedRun) -> Result<(), String> {
    let table = text(&place.join("stdout")).map_err(|what| format!("stdout {what}"))?;
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let parsed = line.split_once(',').and_then(|(workers, ops)| {
            Some((workers.trim().parse::<usize>().ok()?, ops.trim().parse::<f64>().ok()?))
        });
        let Some((threads, ops_per_s)) = parsed else {
            run.leave_out(
                "lines that are not WORKERS,OPS",
                0,
                &format!("stressngfull: stdout: {line:?}"),
            );
            continue;
        };
        add_above_zero(
            run,
            ImportedRow {
                workload: "div16/stress-ng".to_owned(),
                family: Family::Unknown,
                parameters: json!({ "stress-ng": meta.version }),
                threads,
                is_all: threads == cpus,
                unit: Unit::Ops,
                per_s: vec![ops_per_s],
                bytes_per_op: None,
                cpus: Some(cpus),
            },
        )
        .map_err(|what| format!("stdout: {what}"))?;
    }
    Ok(())
}

/// All CPUs at once, bytes a second.
fn openssl(place: &Path, meta: &Meta, cpus: usize, run: &mut ImportedRun) -> Result<(), String> {
    let rows: Vec<Openssl> =
        good(json_file(&place.join("parsed.json"))?, "openssl: parsed.json", run);
    for row in rows.iter().filter(|row| row.block_size > 0) {
        let is_cipher = row.algo.ends_with("CBC");
        add_above_zero(
            run,
            ImportedRow {
                workload: format!("{}-{}B/openssl", row.algo.to_lowercase(), row.block_size),
                family: if is_cipher { Family::Cipher } else { Family::Hash },
                parameters: json!({ "openssl": meta.version }),
                threads: cpus,
                is_all: true,
                unit: Unit::Ops,
                per_s: vec![row.speed / row.block_size as f64],
                bytes_per_op: Some(row.block_size),
                cpus: Some(cpus),
            },
        )
        .map_err(|what| format!("parsed.json: {what}"))?;
    }
    Ok(())
}

/// Algorithm → level → figures, bytes a second.
fn compression(
    place: &Path,
    meta: &Meta,
    cpus: usize,
    run: &mut ImportedRun,
) -> Result<(), String> {
    let all: BTreeMap<String, BTreeMap<String, Vec<Value>>> = json_file(&place.join("stdout"))?;
    let own_streams = meta.start >= OWN_STREAMS;
    let mut figures: Vec<(&str, String, Compression)> = Vec::new();
    for (algorithm, levels) in &all {
        for (level, entries) in levels {
            let entries: Vec<Compression> = good(entries.clone(), "compression_text: stdout", run);
            let of_level = entries.into_iter();
            figures.extend(of_level.map(|figure| (algorithm.as_str(), level.clone(), figure)));
        }
    }
    for (algorithm, level, figure) in figures {
        let level = if level == "null" { String::new() } else { format!("-{level}") };
        let extra: String =
            figure.extra_args.iter().map(|(name, value)| format!("-{name}-{value}")).collect();
        for (operation, family, bytes_per_s) in [
            ("compress", Family::Compress, figure.compress),
            ("decompress", Family::Decompress, figure.decompress),
        ] {
            let bytes_per_s = bytes_per_s.unwrap_or(0.0);
            // Several threads had two meanings, which have two names.
            let streams = match (figure.threads, own_streams) {
                (1, _) => "",
                (_, false) => ONE_STREAM,
                (_, true) => "-a-stream-a-thread",
            };
            add_above_zero(
                run,
                ImportedRow {
                    // Levels of two formats are not one operation: other output, of another size.
                    workload: format!("{operation}-{algorithm}{level}{extra}{streams}/{algorithm}"),
                    family,
                    parameters: json!({}),
                    threads: figure.threads,
                    is_all: figure.threads == cpus,
                    unit: Unit::Bytes,
                    per_s: vec![bytes_per_s],
                    bytes_per_op: None,
                    cpus: Some(cpus),
                },
            )
            .map_err(|what| format!("stdout: {what}"))?;
        }
    }
    Ok(())
}
