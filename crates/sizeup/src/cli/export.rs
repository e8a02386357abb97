//! `sizeup export`.

use super::exit::Exit;
use super::show::read;
use crate::record;
use crate::report::export::{
    Batch, CsvSink, GoogleBenchmark, ParquetSink, Sink, estimates, go_bench, windows,
};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

/// So many files are read at once, so that their tables fit into memory.
const FILES_AT_ONCE: usize = 16;

#[derive(Args)]
#[command(after_help = "Examples: sizeup export csv altra.run.jsonl > altra.csv\n          \
                        sizeup export parquet runs/*.run.jsonl --rows windows -o windows.parquet\n          \
                        sizeup export go-bench altra.run.jsonl > altra.txt      # benchstat xeon.txt altra.txt\n          \
                        sizeup export google-benchmark altra.run.jsonl > altra.json")]
pub(super) struct ExportArgs {
    /// What to make
    format: Format,
    /// Run files; one for the benchmark formats
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What is a row of csv and parquet
    #[arg(long, default_value = "estimates", value_name = "WHAT")]
    rows: Rows,
    /// The file to write, which must not be there  [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Parquet,
    GoBench,
    GoogleBenchmark,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// An estimate: a row of a run in a view
    Estimates,
    /// A window
    Windows,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<Exit> {
    match (args.format, &args.files[..]) {
        (Format::Csv | Format::Parquet, files) => tables(args, files)?,
        (Format::GoBench, [file]) => write_text(args, &go_bench(&read(file)?))?,
        (Format::GoogleBenchmark, [file]) => {
            let json = serde_json::to_string_pretty(&GoogleBenchmark::of(&read(file)?))?;
            write_text(args, &format!("{json}\n"))?;
        }
        _ => bail!("this format holds one run: export one file at a time"),
    }
    Ok(Exit::Fine)
}

fn create(path: &Path) -> anyhow::Result<File> {
    File::create_new(path).with_context(|| format!("{} can't be made", path.display()))
}

fn write_text(args: &ExportArgs, text: &str) -> anyhow::Result<()> {
    match &args.output {
        Some(path) => Ok(create(path)?.write_all(text.as_bytes())?),
        None => super::print(text),
    }
}

fn tables(args: &ExportArgs, files: &[PathBuf]) -> anyhow::Result<()> {
    let to: Box<dyn Write + Send> = match &args.output {
        Some(path) => Box::new(BufWriter::new(create(path)?)),
        None => Box::new(BufWriter::new(stdout())),
    };
    let mut sink: Box<dyn Sink> = match args.format {
        Format::Csv => Box::new(CsvSink::new(to)),
        _ => Box::new(ParquetSink::new(to)),
    };
    for some in files.chunks(FILES_AT_ONCE) {
        let batch = |file: &PathBuf| -> anyhow::Result<Batch> {
            let run = record::read(file)?;
            Ok(match args.rows {
                Rows::Estimates => estimates(&run),
                Rows::Windows => windows(&run),
            })
        };
        let batches: Vec<Batch> = some.par_iter().map(batch).collect::<anyhow::Result<_>>()?;
        for batch in batches {
            sink.add(batch)?;
        }
    }
    Ok(sink.end()?)
}
