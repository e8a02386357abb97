//! `sizeup show`.

use super::exit::Exit;
use super::talk;
use crate::tables::{ShowView, grid_table, show_table};
use anyhow::bail;
use clap::Args;
use estimate::ViewKind;
use record::Run;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup show runs/altra.run.jsonl --json | jq '.rows[].delivered'\n          \
                        sizeup show --grid runs/m6i.run.jsonl runs/m6g.run.jsonl"
)]
pub(super) struct ShowArgs {
    /// A run file; with --grid one or more
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A row a workload, a column for each run and number of threads, as the studies print them
    #[arg(long)]
    grid: bool,
    /// Which figures a grid shows: own-core (uncontended samples), delivered (all samples) or per-clock; imported ones have
    /// one view  [default: own-core, or delivered where most rows on a number of threads lack uncontended figures]
    #[arg(long, requires = "grid", value_name = "VIEW")]
    view: Option<ViewKind>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let views: Vec<ShowView> = args
        .files
        .iter()
        .map(|file| Ok(ShowView::of(&read(file)?)))
        .collect::<anyhow::Result<_>>()?;
    match (&views[..], args.grid, args.json) {
        (views, true, true) => super::print_json(&views)?,
        (views, true, false) => super::print(&grid_table(views, args.view))?,
        ([view], false, true) => super::print_json(view)?,
        ([view], false, false) => super::print(&show_table(view))?,
        _ => bail!("one run file is shown at a time; several stand side by side with --grid"),
    }
    Ok(Exit::Fine)
}

/// Reads a run file and says what must be known about it.
pub(super) fn read(path: &Path) -> anyhow::Result<Run> {
    let run = record::read(path)?;
    for note in &run.notes {
        talk(format_args!("{}: {note}", path.display()));
    }
    Ok(run)
}
