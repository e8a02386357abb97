//! `sizeup compare`.

use super::exit::Exit;
use super::show::read;
use super::talk;
use crate::compare::{self, Allow};
use crate::report::compare_table;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sizeup compare runs/xeon.run.jsonl runs/altra.run.jsonl\n\
                        A ratio above 1 means that the other run is faster. Exit status 1 if a row is \
                        missing or not comparable.")]
pub(super) struct CompareArgs {
    /// The run file that the other is compared to
    baseline: PathBuf,
    /// The other run file
    other: PathBuf,
    /// What may differ: definition, input, library, compiler, worker, placement
    #[arg(long, value_delimiter = ',', value_name = "KINDS")]
    allow: Vec<Allow>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<Exit> {
    let (baseline, other) = (read(&args.baseline)?, read(&args.other)?);
    let comparison = compare::compare(&baseline, &other, &args.allow);
    if args.json {
        super::print_json(&comparison)?;
    } else {
        super::print(&compare_table(&comparison))?;
    }
    if baseline.is_unfit() || other.is_unfit() {
        return Ok(Exit::CheckFailed);
    }
    if comparison.is_whole() {
        return Ok(Exit::Fine);
    }
    talk("some rows have no ratio; what differs is named in them (--allow lets it differ)");
    Ok(Exit::CheckFailed)
}
