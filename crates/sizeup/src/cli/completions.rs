//! `sizeup completions`.

use super::exit::Exit;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use terminal::Printable;

#[derive(Args)]
#[command(
    after_help = "Example: sizeup completions bash > ~/.local/share/bash-completion/completions/sizeup"
)]
pub(super) struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "sizeup", &mut text);
    super::print(Printable::lines(&String::from_utf8(text)?))?;
    Ok(Exit::Fine)
}
