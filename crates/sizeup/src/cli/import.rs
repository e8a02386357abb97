//! `sizeup import`.

use super::diagnostic;
use super::exit::Exit;
use super::meter::{self, MeterArgs};
use super::names::one_of;
use super::run_args::FILE;
use anyhow::{anyhow, bail};
use clap::Args;
use import::{ImportedRun, Source, UserFacts, Version};
use judge::numbers::counted;
use measure::session::file_name;
use std::fmt;
use std::path::PathBuf;

/// More are in the run file only.
const MOST_LACKS: usize = 5;
/// A heading of the help.
const NOT_SAID: &str = "What the source does not say";

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup import openssl-speed speed.txt --label altra --threads 64 -o altra.run.jsonl\n          \
                        sizeup import sparecores data/aws --folder runs\n          \
                        sizeup import csv table.csv --folder runs\n          \
                        sizeup import meter pdu.csv --run altra.run.jsonl -o altra-watts.run.jsonl\n\
                        Sources: sparecores (a server's folder, or one with many), openssl-speed (also -mr), go-bench, kopia (what \
                        `kopia benchmark` prints), hyperfine (its JSON or CSV), google-benchmark (its JSON), criterion (what it \
                        prints), csv (its first line: machine,workload,threads,value,unit[,cpus]; also with ; or tabs). Files may be \
                        packed by gzip. Lines that are left out are counted. Imported rows are compared only with rows of the same \
                        origin, unless --allow origin accepts others.\n\
                        meter joins a power meter's log (CSV with times in Unix or RFC 3339 form, and watts) to a run, and writes \
                        the run with these readings as a new file."
)]
pub(super) struct ImportArgs {
    #[arg(value_parser = one_of(Importing::all()), hide_possible_values = true, help = sources())]
    source: Importing,
    /// Files, or - for standard input; for sparecores, folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The machine's label  [default: the file's name]
    ///
    /// For csv, the column machine.
    #[arg(long, value_name = "TEXT", help_heading = NOT_SAID)]
    label: Option<String>,
    /// Threads, if the source names none
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = NOT_SAID)]
    threads: usize,
    /// The tool's version, which kopia does not print
    ///
    /// Hashing figures of some versions are wrong; with the version they are corrected.
    #[arg(long, value_name = "VERSION", help_heading = NOT_SAID)]
    tool_version: Option<Version>,
    /// The run file to write, if there is only one run
    #[arg(short, long, value_name = "FILE", conflicts_with = "folder", help_heading = FILE)]
    output: Option<PathBuf>,
    /// Where to write run files
    #[arg(long, value_name = "FOLDER", default_value = "runs", help_heading = FILE)]
    folder: PathBuf,
    #[command(flatten)]
    meter: MeterArgs,
}

/// The kind of import.
#[derive(Debug, Clone, Copy)]
enum Importing {
    /// Figures of another tool.
    Figures(Source),
    /// A power meter's log.
    Meter,
}

impl Importing {
    fn all() -> impl Iterator<Item = Self> {
        Source::ALL.into_iter().map(Self::Figures).chain([Self::Meter])
    }
}

/// Their names, as the help lists them.
fn sources() -> String {
    Importing::all().map(|source| source.to_string()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Importing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Figures(source) => source.fmt(f),
            Self::Meter => f.pad("meter"),
        }
    }
}

pub(super) fn import(args: &ImportArgs) -> anyhow::Result<Exit> {
    match args.source {
        Importing::Figures(_) if args.meter.run.is_some() => {
            bail!("--run is for a meter: sizeup import meter LOG.csv --run FILE")
        }
        Importing::Figures(source) => figures(source, args),
        Importing::Meter if args.label.is_some() => {
            bail!(
                "--label can't be used with a meter: the run keeps its label; --meter names the meter"
            )
        }
        Importing::Meter => {
            meter::import(&args.meter, &args.files, args.output.as_deref(), &args.folder)
        }
    }
}

fn figures(source: Source, args: &ImportArgs) -> anyhow::Result<Exit> {
    let places: Vec<Vec<PathBuf>> =
        args.files.iter().map(|file| source.places(file)).collect::<Result<_, _>>()?;
    let count: usize = places.iter().map(Vec::len).sum();
    if args.label.is_some() && (count > 1 || source == Source::Csv) {
        bail!("--label names a single machine: import one file at a time, and csv without it");
    }
    let mut runs: Vec<ImportedRun> = Vec::new();
    for places in &places {
        for place in places {
            let facts = UserFacts {
                label: args.label.as_deref(),
                threads: args.threads,
                version: args.tool_version,
            };
            match source.read(place, &facts) {
                Ok(more) => runs.extend(more),
                // Nobody named it: of a folder of servers the others are imported.
                Err(error) if places.len() > 1 => diagnostic(format_args!("left out: {error}")),
                Err(error) => return Err(error.into()),
            }
        }
    }
    if runs.is_empty() {
        bail!("nothing could be imported");
    }
    let paths: Vec<PathBuf> = match (&args.output, &runs[..]) {
        (Some(path), [_]) => vec![path.clone()],
        (Some(_), _) => bail!("the file holds {} runs. Choose a --folder for them", runs.len()),
        (None, _) => {
            runs.iter().map(|run| args.folder.join(file_name(&run.label, "imported"))).collect()
        }
    };
    if let Some(path) = paths.iter().find(|path| path.exists()) {
        bail!("{} already exists and is never overwritten", path.display());
    }
    let mut sorted = paths.clone();
    sorted.sort();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        bail!("two machines would write the same file. Import them one at a time with --output");
    }
    let now_ns = record::wall_clock_ns()?;
    for (run, path) in runs.iter().zip(&paths) {
        // No run is incomplete for it: the folder or the name can't be taken.
        run.write(path, now_ns).map_err(|e| anyhow!("{}: {e}", run.label))?;
        diagnostic(format_args!(
            "{}: wrote {} from {} to {}",
            run.label,
            counted(run.rows.len(), "row"),
            run.tool,
            path.display()
        ));
        for left_out in &run.left_out {
            diagnostic(format_args!("{}: left out {left_out}", run.label));
        }
        let lacks = run.own_lacks();
        for what in lacks.iter().take(MOST_LACKS) {
            diagnostic(format_args!("{}: missing: {what}", run.label));
        }
        if lacks.len() > MOST_LACKS {
            let more = lacks.len() - MOST_LACKS;
            diagnostic(format_args!(
                "{}: missing: {more} more, which are in the run file",
                run.label
            ));
        }
    }
    Ok(Exit::Fine)
}
