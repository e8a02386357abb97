//! `sizeup compare`.

use super::exit::Exit;
use super::groups::{GroupArgs, baseline_and_others};
use super::notes::{self, print_contention, print_judged, tell_notes};
use super::show::read;
use super::{diagnostic, json};
use crate::tables::{compare_table, comparisons_table, variant_table};
use anyhow::{Context, bail};
use clap::Args;
use estimate::ViewKind;
use judge::compare::{self, Comparison, Group};
use std::path::Path;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup compare runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup compare --group m6i=runs/m6i-*.jsonl --group m7g=runs/m7g-*.jsonl --baseline m6i\n          \
                        sizeup compare --group xeon='xeon/*.run.jsonl' --group altra='altra/*.run.jsonl'\n          \
                        sizeup compare runs/with-variants.run.jsonl\n\
                        A ratio above 1 means that the other is faster. With one run file its variants \
                        are compared to the first of them, pair by pair. Exit status 1 if a row is missing, \
                        not comparable, or has no error bar (verdict unknown)."
)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// The group or file that the others are compared to  [default: the first]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<Exit> {
    if let ([file], []) = (&args.groups.files[..], &args.groups.groups[..]) {
        return compare_variants(args, file);
    }
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    tell_notes(&groups);
    let (baseline, others) = baseline_and_others(&groups)?;
    let comparisons: Vec<Comparison> =
        others.iter().map(|other| compare::compare(baseline, other, &args.groups.allow)).collect();
    if !args.json {
        print_contention(&groups)?;
    }
    match (&comparisons[..], args.json) {
        ([comparison], true) => print_judged("compare", &groups, comparison)?,
        ([comparison], false) => super::print(&compare_table(comparison))?,
        (comparisons, true) => print_judged("compare", &groups, comparisons)?,
        (comparisons, false) => super::print(&comparisons_table(comparisons))?,
    }
    let is_whole = comparisons.iter().all(Comparison::is_whole);
    if !is_whole {
        diagnostic(
            "some rows have no verdict; their notes say why (--allow compares rows that differ)",
        );
    }
    let is_fit = !groups.iter().any(Group::is_unfit);
    Ok(if is_fit && is_whole { Exit::Fine } else { Exit::CheckFailed })
}

fn compare_variants(args: &CompareArgs, file: &Path) -> anyhow::Result<Exit> {
    let run = read(file)?;
    let comparison = compare::compare_variants(&run, args.groups.view).with_context(|| {
        format!(
            "{} has no variants: name a second run file, or measure with --variant",
            file.display()
        )
    })?;
    if args.groups.view == Some(ViewKind::PerGhz) {
        bail!("variants are compared pair by pair: use --view uncontended or --view delivered");
    }
    if !args.groups.allow.is_empty() || args.baseline.is_some() {
        bail!("--allow and --baseline need two runs or more; variants are compared with the first");
    }
    if args.json {
        let notes = notes::of_file(file, &run.notes);
        json::print("compare", None, &comparison, &notes)?;
    } else {
        super::print(&variant_table(&comparison))?;
    }
    let is_fine = !run.is_unfit() && comparison.is_whole();
    Ok(if is_fine { Exit::Fine } else { Exit::CheckFailed })
}
