//! `sizeup implementations`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, named};
use super::notes::qualify;
use crate::briefing::Screen;
use crate::tables::implementations_briefing;
use anyhow::bail;
use clap::Args;
use judge::compare;

#[derive(Args)]
#[command(after_help = "Examples: sizeup implementations runs/altra.run.jsonl\n          \
                        sizeup implementations runs/xeon.run.jsonl runs/altra.run.jsonl --operation sha-256-16KiB\n\
                        For each operation with several implementations: the ops/s of each on each machine, as a share of the \
                        fastest there. Of several files, it also shows which implementations lose more on one machine than on the \
                        others. Exit status 1 if a cell has no figure or can't be compared.")]
pub(super) struct ImplementationsArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Only operations whose name contains this
    #[arg(long, value_name = "TEXT", help_heading = RUNS)]
    operation: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn implementations(args: &ImplementationsArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let groups = args.groups.read()?;
    let mut implementations = compare::implementations(&groups, &args.groups.allow);
    if let Some(text) = &args.operation {
        implementations.operations.retain(|operation| operation.operation.contains(text.as_str()));
        implementations.slowdowns.retain(|slowdown| slowdown.operation.contains(text.as_str()));
    }
    if implementations.operations.is_empty() {
        bail!(
            "no operation has two implementations; `sizeup run --suite implementations` measures many"
        );
    }
    let mut answer = implementations_briefing(&implementations, args.output.extent);
    let caveats = qualify(&mut answer, &groups);
    answer.next(format!("sizeup report {}", named(&args.groups)));
    let exit = caveats.exit(implementations.is_whole());
    Document { command: "implementations", answer, data: implementations, caveats, exit }
        .print(&args.output, screen)
}
