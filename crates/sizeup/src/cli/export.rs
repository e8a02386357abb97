//! `sizeup export`.

use super::diagnostic;
use super::exit::Exit;
use super::output::{not_written, write_one};
use super::show::read;
use super::streams::table_out;
use super::threads;
use anyhow::bail;
use clap::{Args, ValueEnum};
use export::{
    Batch, BencherMetrics, CsvSink, GoogleBenchmark, ParquetSink, Sink, estimates, go_bench,
    samples,
};
use rayon::prelude::*;
use record::{Note, Run};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use terminal::Printable;

/// So many files are read at once, so that their tables fit into memory.
const FILES_AT_ONCE: usize = 16;

#[derive(Args)]
#[command(after_help = "Examples: sizeup export csv altra.run.jsonl > altra.csv\n          \
                        sizeup export parquet runs/*.run.jsonl --rows samples -o samples.parquet\n          \
                        sizeup export go-bench altra.run.jsonl > altra.txt      # benchstat xeon.txt altra.txt\n          \
                        sizeup export google-benchmark altra.run.jsonl > altra.json\n          \
                        sizeup export bencher altra.run.jsonl   # bencher run --adapter json")]
pub(super) struct ExportArgs {
    /// Output format
    format: ExportFormat,
    /// Run files; one for the benchmark formats
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rows: estimates or samples
    ///
    /// estimates: a row of a run in one view.
    #[arg(long, default_value = "estimates", value_name = "WHAT", hide_possible_values = true)]
    rows: Rows,
    /// The file, not there yet  [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    Csv,
    Parquet,
    GoBench,
    GoogleBenchmark,
    /// Bencher Metric Format
    Bencher,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// One estimate: a row of a run in one view
    Estimates,
    /// A sample
    Samples,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<Exit> {
    match (args.format, &args.files[..]) {
        (ExportFormat::Csv | ExportFormat::Parquet, files) => {
            tables(args, files).or_else(|e| if is_enough(&e) { Ok(()) } else { Err(e) })?;
        }
        (ExportFormat::GoBench, [file]) => write_lines(args, go_bench(&whole(file)?))?,
        (ExportFormat::GoogleBenchmark, [file]) => {
            let json = super::json::pretty(&GoogleBenchmark::of(&whole(file)?))?;
            write_lines(args, Printable::lines(&json))?;
        }
        (ExportFormat::Bencher, [file]) => {
            let json = super::json::pretty(&BencherMetrics::of(&whole(file)?))?;
            write_lines(args, Printable::lines(&json))?;
        }
        _ => bail!("this format holds one run: export one file at a time"),
    }
    Ok(Exit::Fine)
}

/// A run for a format that has no place for rows without figures: these are named.
fn whole(file: &Path) -> anyhow::Result<Run> {
    let run = read(file, true)?;
    for (number, case) in run.judged_cases() {
        if let Some(outcome) = run.outcome(number) {
            let (name, outcome, why) = (case.name(), outcome.outcome, &outcome.message);
            diagnostic(format_args!("{}: without {name}, {outcome}: {why}", file.display()));
        }
    }
    Ok(run)
}

fn write_lines(
    args: &ExportArgs,
    lines: impl IntoIterator<Item = Printable>,
) -> anyhow::Result<()> {
    match &args.output {
        Some(path) => {
            let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
            write_one(path, |mut to| {
                written(to.write_all(text.as_bytes()).and_then(|()| to.flush()), args)
            })
        }
        None => super::print(lines),
    }
}

/// Names what can't be written.
fn written(result: io::Result<()>, args: &ExportArgs) -> anyhow::Result<()> {
    result.map_err(|cause| match &args.output {
        Some(path) => not_written(path, cause),
        None => anyhow::Error::from(cause).context("stdout can't be written"),
    })
}

/// Whether one who read stdout has had enough: that is no error.
fn is_enough(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn tables(args: &ExportArgs, files: &[PathBuf]) -> anyhow::Result<()> {
    match &args.output {
        Some(path) => write_one(path, |to| rows(args, files, to)),
        None => rows(args, files, Box::new(BufWriter::new(table_out()))),
    }
}

fn rows(args: &ExportArgs, files: &[PathBuf], to: Box<dyn Write + Send>) -> anyhow::Result<()> {
    let mut sink: Box<dyn Sink> = match args.format {
        ExportFormat::Csv => Box::new(CsvSink::new(to)),
        _ => Box::new(ParquetSink::new(to)),
    };
    threads::start();
    for some in files.chunks(FILES_AT_ONCE) {
        let batch = |file: &PathBuf| -> anyhow::Result<(Vec<Note>, Batch)> {
            let run = record::read(file)?;
            let batch = match args.rows {
                Rows::Estimates => estimates(&run),
                Rows::Samples => samples(&run),
            };
            Ok((run.notes, batch))
        };
        let batches: Vec<_> = some.par_iter().map(batch).collect::<anyhow::Result<_>>()?;
        for (file, (notes, batch)) in some.iter().zip(batches) {
            for note in notes {
                diagnostic(format_args!("{}: {note}", file.display()));
            }
            written(sink.add(batch), args)?;
        }
    }
    written(sink.end(), args)
}
