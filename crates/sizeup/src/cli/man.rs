//! `sizeup man`.

use super::Cli;
use super::exit::Exit;
use anyhow::Context;
use clap::{Args, CommandFactory};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sizeup man ~/.local/share/man/man1 && man sizeup-compare")]
pub(super) struct ManArgs {
    /// The folder to write into, one page a command
    folder: PathBuf,
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    let can_not = || format!("{}: man pages can't be written", folder.display());
    std::fs::create_dir_all(folder).with_context(can_not)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(can_not)?;
    Ok(Exit::Fine)
}
