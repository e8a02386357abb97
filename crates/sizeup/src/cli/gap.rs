//! `sizeup gap`.

use super::exit::Exit;
use super::groups::GroupArgs;
use super::notes::{print_contention, print_judged, tell_notes};
use super::talk;
use crate::tables::gap_table;
use anyhow::bail;
use clap::Args;
use judge::compare::{self, Group, Needs};

#[derive(Args)]
#[command(after_help = "Examples: sizeup gap runs/altra.run.jsonl\n          \
                        sizeup gap runs/xeon.run.jsonl runs/altra.run.jsonl --operation sha-256-16KiB\n\
                        Each operation that has several implementations: how many ops/s each does on each \
                        machine, as a share of the fastest there. With several files also the implementations \
                        that lag more on one machine than the others do. Exit status 1 if a cell has no figure \
                        or can't be compared.")]
pub(super) struct GapArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Only operations whose name contains this
    #[arg(long, value_name = "TEXT")]
    operation: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn gap(args: &GapArgs) -> anyhow::Result<Exit> {
    let groups = args.groups.read(Needs::Most)?;
    tell_notes(&groups);
    let mut gap = compare::gap(&groups, &args.groups.allow);
    if let Some(text) = &args.operation {
        gap.operations.retain(|operation| operation.operation.contains(text.as_str()));
        gap.lags.retain(|lag| lag.operation.contains(text.as_str()));
    }
    if gap.operations.is_empty() {
        bail!("no operation is there by two implementations; `--suite gap` measures many");
    }
    if args.json {
        print_judged("gap", &groups, &gap)?;
    } else {
        print_contention(&groups)?;
        super::print(&gap_table(&gap))?;
    }
    if !gap.is_whole() {
        talk(
            "some cells have no figure, none that can be compared (--allow lets it differ), or no error bar",
        );
    }
    let is_fit = !groups.iter().any(Group::is_unfit);
    Ok(if is_fit && gap.is_whole() { Exit::Fine } else { Exit::CheckFailed })
}
