//! `sizeup man`.

use super::Cli;
use super::exit::Exit;
use super::output::{Piece, write_all};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Args)]
#[command(after_help = "Example: sizeup man ~/.local/share/man/man1 && man sizeup-compare")]
pub(super) struct ManArgs {
    /// The folder to write into, one page a command
    folder: PathBuf,
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    let can_not = || format!("{}: man pages can't be written", folder.display());
    fs::create_dir_all(folder).with_context(can_not)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add(command, folder, &mut pages).with_context(can_not)?;
    write_all(&pages, &[], true)?;
    Ok(Exit::Fine)
}

/// The pages of a command and its subcommands.
fn add(command: clap::Command, folder: &Path, pages: &mut Vec<Piece>) -> io::Result<()> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add(command.clone(), folder, pages)?;
    }
    let (page, mut bytes) = (Man::new(command), Vec::new());
    page.render(&mut bytes)?;
    pages.push(Piece { path: folder.join(page.get_filename()), bytes });
    Ok(())
}
