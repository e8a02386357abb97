//! `sizeup compare`.

use super::document::{Document, OneOrMore, Output};
use super::exit::Exit;
use super::fail_if::FailIf;
use super::groups::{GroupArgs, RUNS, ReadRun, Said, asked_for, baseline_and_others, named};
use super::notes::{qualify, qualify_run};
use super::reference;
use super::runs::last_two;
use crate::briefing::Screen;
use crate::tables::{many_briefing, pair_briefing, say_machines, variant_briefing};
use anyhow::{Context, bail};
use clap::Args;
use estimate::ViewKind;
use judge::answer::RankedGroups;
use judge::compare::{
    Comparison, Group, Pairs, VariantComparison, Weightings, compare_with_variant,
};
use judge::gate::GatedOthers;
use serde::Serialize;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup compare runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup compare --group m6i=runs/m6i-*.jsonl --group m7g=runs/m7g-*.jsonl --baseline m6i\n          \
                        sizeup compare --group xeon='xeon/*.run.jsonl' --group altra='altra/*.run.jsonl'\n          \
                        sizeup compare runs/with-variants.run.jsonl\n          \
                        sizeup compare base.run.jsonl new.run.jsonl --fail-if slower:3% --markdown\n\
                        Each file is compared with the first, or with the --baseline that you name. A single file is compared with the reference \
                        run that sizeup ships or, if it has variants, each variant with the first, pair by pair. Without files: the last two that \
                        `sizeup runs` lists. Exit status 1 if a row is missing, not comparable, or has no error bar (verdict unknown), or a run is invalid."
)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Group or file to compare with  [default: the first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    fail_if: FailIf,
    #[command(flatten)]
    output: Output,
}

/// Each group against the baseline, or the variants of one run against the first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Compared {
    Groups(OneOrMore<Comparison>),
    Variants(VariantComparison),
}

pub(super) fn compare(args: &mut CompareArgs, screen: &Screen) -> anyhow::Result<Exit> {
    if args.groups.files.is_empty() && args.groups.groups.is_empty() {
        args.groups.files = last_two()?;
    }
    let alone = args.groups.read_alone(args.baseline.as_deref())?;
    let alone = alone.filter(|_| !reference::add_reference(&mut args.groups));
    let (document, compared) = match alone {
        Some(read) => judge_variants(args, &read)?,
        None => judge_groups(args)?,
    };
    args.fail_if.print_comparison(document, compared.as_ref(), &args.output, screen)
}

fn judge_variants(
    args: &CompareArgs,
    read: &ReadRun,
) -> anyhow::Result<(Document<Compared>, Option<GatedOthers>)> {
    let ReadRun { run, estimate } = read;
    let (texts, said) = (&args.groups.workloads, Said::of(run));
    let is_wanted = asked_for(texts, &run.header);
    let first = run.header.variants.first().with_context(|| reference::cannot_compare(run))?;
    let comparison = compare_with_variant(run, estimate, &first.name, args.groups.view, &is_wanted);
    if comparison.rows.is_empty() {
        return Err(said.nothing_contains(texts));
    }
    if args.groups.view == Some(ViewKind::PerGhz) {
        bail!("variants are compared pair by pair: use --view uncontended or --view delivered");
    }
    if !args.groups.allow.is_empty() || args.baseline.is_some() {
        bail!("--allow and --baseline need two runs or more; variants are compared with the first");
    }
    let selection = said.selection(texts, comparison.rows.iter().map(|row| &*row.workload));
    let mut answer = variant_briefing(&comparison);
    let caveats = qualify_run(&mut answer, run, selection);
    let exit = caveats.exit(comparison.is_whole());
    let gated = args.fail_if.is_asked().then(|| GatedOthers::of_variants(run, &comparison));
    let data = Compared::Variants(comparison);
    Ok((Document { command: "compare", answer, data, caveats, exit }, gated))
}

fn judge_groups(args: &CompareArgs) -> anyhow::Result<(Document<Compared>, Option<GatedOthers>)> {
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    let (baseline, others) = baseline_and_others(&groups)?;
    let (allow, extent) = (&args.groups.allow, args.output.extent);
    let pairs: Vec<Pairs> = others.iter().map(|other| Pairs::of(baseline, other, allow)).collect();
    let mut comparisons: Vec<Comparison> = pairs.iter().map(Pairs::comparison).collect();
    let rows = groups.iter().map(|group| group.rows.len()).max();
    let weightings = Weightings::of(rows.unwrap_or_default());
    let all: Vec<&Group> = groups.iter().collect();
    let ranked = RankedGroups::of(&all, allow, &weightings);
    let mut answer = match (others, &comparisons[..], &ranked.scores()[..]) {
        ([other], [comparison], [score]) => {
            pair_briefing((baseline, other), comparison, score, extent.all)
        }
        (_, comparisons, scores) => many_briefing(&ranked, comparisons, scores, extent.all),
    };
    say_machines(&mut answer, &all, extent.details);
    answer.next(format!("sizeup report {}", named(&args.groups)));
    let caveats = qualify(&mut answer, &groups);
    let exit = caveats.exit(comparisons.iter().all(Comparison::is_whole));
    let gated = || GatedOthers::of_groups(baseline, &pairs, &comparisons, allow, &weightings);
    let gated = args.fail_if.is_asked().then(gated);
    let data = Compared::Groups(match comparisons.len() {
        1 => OneOrMore::One(comparisons.remove(0)),
        _ => OneOrMore::More(comparisons),
    });
    Ok((Document { command: "compare", answer, data, caveats, exit }, gated))
}
