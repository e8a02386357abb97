//! A command's findings about runs: printed in one place, for people or for programs.

use super::exit::Exit;
use super::notes::Caveats;
use super::{diagnostic, json, say};
use crate::briefing::{Briefing, Extent, Screen};
use clap::Args;
use serde::Serialize;

/// How findings are printed.
#[derive(Args)]
pub(super) struct Output {
    #[command(flatten)]
    pub extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// One thing, or several of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

/// The answer of a command, its data, and how it ends.
pub(super) struct Document<T> {
    pub command: &'static str,
    pub answer: Briefing,
    pub data: T,
    pub caveats: Caveats,
    pub exit: Exit,
}

impl<T: Serialize> Document<T> {
    /// Prints it, and gives the exit status.
    pub fn print(self, output: &Output, screen: &Screen) -> anyhow::Result<Exit> {
        let Caveats { view, notes, diagnostics, .. } = &self.caveats;
        if output.json {
            diagnostics.iter().for_each(diagnostic);
            json::print(self.command, *view, &self.answer, &self.data, notes)?;
        } else {
            say(&self.answer, screen, output.extent)?;
        }
        Ok(self.exit)
    }
}
