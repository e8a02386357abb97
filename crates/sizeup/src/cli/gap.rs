//! `sizeup gap`.

use super::exit::Exit;
use super::show::read;
use super::talk;
use crate::compare::{self, Allow};
use crate::estimate::ViewKind;
use crate::record::Run;
use crate::report::gap_table;
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples: sizeup gap runs/altra.run.jsonl\n          \
                        sizeup gap runs/xeon.run.jsonl runs/altra.run.jsonl --operation sha-256-16KiB\n\
                        Each operation that has several implementations: how many ops/s each does on each \
                        machine, as a share of the fastest there. With several files also the implementations \
                        that lag more on one machine than the others do. Exit status 1 if a cell has no figure \
                        or can't be compared.")]
pub(super) struct GapArgs {
    /// Run files; the first is the one that others are held against
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only operations whose name contains this
    #[arg(long, value_name = "TEXT")]
    operation: Option<String>,
    /// What may differ: definition, input, library, compiler, output, worker, threads, emulation
    #[arg(long, value_delimiter = ',', value_name = "KINDS")]
    allow: Vec<Allow>,
    /// What is compared: own-core, delivered (all windows) or per-clock
    #[arg(long, default_value = "own-core", value_name = "VIEW")]
    view: ViewKind,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn gap(args: &GapArgs) -> anyhow::Result<Exit> {
    let runs: Vec<Run> = args.files.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let mut gap = compare::gap(&runs, &args.allow, args.view);
    if let Some(text) = &args.operation {
        gap.operations.retain(|operation| operation.operation.contains(text.as_str()));
        gap.lags.retain(|lag| lag.operation.contains(text.as_str()));
    }
    if gap.operations.is_empty() {
        bail!("no operation is there by two implementations; `--suite gap` measures many");
    }
    if args.json {
        super::print_json(&gap)?;
    } else {
        super::print(&gap_table(&gap))?;
    }
    if !gap.is_whole() {
        talk("some cells have no figure, or none that can be compared (--allow lets it differ)");
    }
    let is_fit = !runs.iter().any(Run::is_unfit);
    Ok(if is_fit && gap.is_whole() { Exit::Fine } else { Exit::CheckFailed })
}
