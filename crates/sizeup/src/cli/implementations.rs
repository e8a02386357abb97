//! `sizeup implementations`.

use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, named};
use super::notes::{print_judged, qualify};
use super::say;
use crate::briefing::{Extent, Screen};
use crate::tables::implementations_briefing;
use anyhow::bail;
use clap::Args;
use judge::compare::{self, Group};

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
    extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
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
    let mut answer = implementations_briefing(&implementations, args.extent);
    qualify(&mut answer, &groups);
    answer.next(format!("sizeup report {}", named(&args.groups)));
    if args.json {
        print_judged("implementations", &groups, &answer, &implementations)?;
    } else {
        say(&answer, screen, args.extent)?;
    }
    let is_fit = groups.iter().all(Group::is_fit);
    Ok(if is_fit && implementations.is_whole() { Exit::Fine } else { Exit::CheckFailed })
}
