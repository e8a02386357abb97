//! `sizeup show`.

use super::exit::Exit;
use super::names::one_of;
use super::{diagnostic, json, notes};
use crate::tables::{ShowView, grid_table, show_table};
use anyhow::bail;
use clap::Args;
use estimate::ViewKind;
use record::Run;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup show runs/altra.run.jsonl --json | jq '.data.rows[].delivered'\n          \
                        sizeup show --grid runs/m6i.run.jsonl runs/m6g.run.jsonl"
)]
pub(super) struct ShowArgs {
    /// A run file; with --grid one or more
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A row a workload, a column for each run and number of threads, as the studies print them
    #[arg(long)]
    grid: bool,
    /// Which samples a grid shows: uncontended ones, all (delivered), or uncontended ones per GHz; imported figures have one
    /// view  [default: uncontended, or delivered where most rows on a number of threads lack uncontended figures]
    #[arg(long, requires = "grid", value_name = "VIEW", value_parser = one_of(ViewKind::ALL))]
    view: Option<ViewKind>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let (mut views, mut notes) = (Vec::new(), Vec::new());
    for file in &args.files {
        let run = read(file)?;
        notes.extend(notes::of_file(file, &run.notes));
        views.push(ShowView::of(&run));
    }
    match (&views[..], args.grid, args.json) {
        (views, true, true) => json::print("show", None, views, &notes)?,
        (views, true, false) => super::print(&grid_table(views, args.view))?,
        ([view], false, true) => json::print("show", None, view, &notes)?,
        ([view], false, false) => super::print(&show_table(view))?,
        _ => bail!("`show` prints one run; use --grid for several"),
    }
    Ok(Exit::Fine)
}

/// Reads a run file and says what must be known about it.
pub(super) fn read(path: &Path) -> anyhow::Result<Run> {
    let run = record::read(path)?;
    notes::of_file(path, &run.notes).iter().for_each(diagnostic);
    Ok(run)
}
