//! `sizeup show`.

use super::exit::Exit;
use super::talk;
use crate::record::{self, Run};
use crate::report::{ShowView, show_table};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: sizeup show runs/altra.run.jsonl --json | jq '.rows[].delivered'")]
pub(super) struct ShowArgs {
    /// A run file
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let view = ShowView::of(&read(&args.file)?);
    if args.json {
        super::print_json(&view)?;
    } else {
        super::print(&show_table(&view))?;
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
