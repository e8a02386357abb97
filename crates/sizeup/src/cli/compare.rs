//! `sizeup compare`.

use super::exit::Exit;
use super::show::read;
use super::talk;
use crate::compare::{self, Allow};
use crate::estimate::ViewKind;
use crate::record::Run;
use crate::report::{compare_table, variant_table};
use anyhow::{Context, bail};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup compare runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup compare runs/with-variants.run.jsonl\n\
                        A ratio above 1 means that the other is faster. With one run file its variants \
                        are compared to the first of them, pair by pair. Exit status 1 if a row is missing \
                        or not comparable."
)]
pub(super) struct CompareArgs {
    /// The run file that the other is compared to
    baseline: PathBuf,
    /// The other run file
    other: Option<PathBuf>,
    /// What may differ: definition, input, library, compiler, output, worker, threads, emulation
    #[arg(long, value_delimiter = ',', value_name = "KINDS", requires = "other")]
    allow: Vec<Allow>,
    /// What is compared: own-core, delivered (all windows) or per-clock
    #[arg(long, default_value = "own-core", value_name = "VIEW")]
    view: ViewKind,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<Exit> {
    let baseline = read(&args.baseline)?;
    let Some(other) = &args.other else {
        return compare_variants(args, &baseline);
    };
    let other = read(other)?;
    let comparison = compare::compare(&baseline, &other, &args.allow, args.view);
    if args.json {
        super::print_json(&comparison)?;
    } else {
        super::print(&compare_table(&comparison))?;
    }
    if !comparison.is_whole() {
        talk("some rows have no ratio; what differs is named in them (--allow lets it differ)");
    }
    let is_fit = !baseline.is_unfit() && !other.is_unfit();
    Ok(if is_fit && comparison.is_whole() { Exit::Fine } else { Exit::CheckFailed })
}

fn compare_variants(args: &CompareArgs, run: &Run) -> anyhow::Result<Exit> {
    let comparison = compare::compare_variants(run).with_context(|| {
        format!(
            "{} has no variants: name a second run file, or measure with --variant",
            args.baseline.display()
        )
    })?;
    if args.view != ViewKind::OwnCore {
        bail!("variants are compared on own cores, pair by pair: --view has no other choice");
    }
    if args.json {
        super::print_json(&comparison)?;
    } else {
        super::print(&variant_table(&comparison))?;
    }
    let is_fine = !run.is_unfit() && comparison.is_whole();
    Ok(if is_fine { Exit::Fine } else { Exit::CheckFailed })
}
