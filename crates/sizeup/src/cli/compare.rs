//! `sizeup compare`.

use super::exit::Exit;
use super::fail_if::{self, FailIf, print_paragraphs, say_gates};
use super::groups::{GroupArgs, RUNS, ReadRun, Said, asked_for, baseline_and_others, named};
use super::notes::{self, print_judged};
use super::runs::last_two;
use super::{diagnostic, json, reference, say};
use crate::briefing::{Briefing, Extent, Screen};
use crate::tables::{many_briefing, pair_briefing, say_machines, variant_briefing};
use anyhow::{Context, bail};
use clap::Args;
use estimate::ViewKind;
use judge::answer::RankedGroups;
use judge::compare::{
    self, Comparison, Group, MustMatch, Pairs, Score, VariantComparison, Weightings,
    machine_differences, variant_lines,
};
use judge::gate::{Gated, GatedFigure};
use record::{Run, Variant};

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
    extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn compare(args: &mut CompareArgs, screen: &Screen) -> anyhow::Result<Exit> {
    if args.groups.files.is_empty() && args.groups.groups.is_empty() {
        args.groups.files = last_two()?;
    }
    if let Some(read) = args.groups.read_alone(args.baseline.as_deref())? {
        if !read.run.header.variants.is_empty() {
            return compare_variants(args, &read, screen);
        }
        against_reference(args, &read.run)?;
    }
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    let (baseline, others) = baseline_and_others(&groups)?;
    let allow = &args.groups.allow;
    let pairs: Vec<Pairs> = others.iter().map(|other| Pairs::of(baseline, other, allow)).collect();
    let comparisons: Vec<Comparison> = pairs.iter().map(Pairs::comparison).collect();
    let rows = groups.iter().map(|group| group.rows.len()).max();
    let weightings = Weightings::of(rows.unwrap_or_default());
    let all: Vec<&Group> = groups.iter().collect();
    let ranked = RankedGroups::of(&all, allow, &weightings);
    let mut answer = answer(args, &ranked, &comparisons);
    notes::qualify(&mut answer, &groups);
    // Each against the baseline alone, by all that both did.
    let scores: Vec<Score> = match args.fail_if.is_asked() {
        true => pairs.iter().map(|pairs| pairs.score(None, &weightings)).collect(),
        false => Vec::new(),
    };
    let gated = gated((&args.fail_if, allow), (baseline, others), &comparisons, &scores)?;
    let gates = gated.iter().flat_map(|(_, gates)| gates);
    say_gates(&mut answer, &gated);
    match &comparisons[..] {
        _ if args.fail_if.markdown => print_paragraphs(&gated, &baseline.label)?,
        _ if !args.json => say(&answer, screen, args.extent)?,
        [comparison] => print_judged("compare", &groups, &answer, comparison)?,
        comparisons => print_judged("compare", &groups, &answer, comparisons)?,
    }
    let is_fit = groups.iter().all(Group::is_fit);
    let is_whole = comparisons.iter().all(Comparison::is_whole);
    Ok(match args.fail_if.is_asked() {
        true => fail_if::exit_of(is_fit, gates),
        false if is_fit && is_whole => Exit::Fine,
        false => Exit::CheckFailed,
    })
}

/// Checks the limits for each of the others against the baseline, by label.
fn gated(
    (fail_if, allow): (&FailIf, &[MustMatch]),
    (baseline, others): (&Group, &[Group]),
    comparisons: &[Comparison],
    scores: &[Score],
) -> anyhow::Result<Vec<(String, Vec<Gated>)>> {
    let all = others.iter().zip(comparisons).zip(scores);
    let gated = |((other, comparison), score): ((&Group, &Comparison), &Score)| {
        let rows = comparison.rows.iter().map(GatedFigure::from);
        let figures: Vec<GatedFigure> =
            rows.chain(score.lines.iter().map(GatedFigure::from)).collect();
        let gates = fail_if.gates(&figures, &baseline.categories())?.into_iter();
        let machines = match allow.contains(&MustMatch::Machine) {
            true => Vec::new(),
            false => machine_differences(baseline, other),
        };
        let gates = gates.map(|gate| gate.across(&machines)).collect();
        Ok((other.label.clone(), gates))
    };
    all.map(gated).collect()
}

fn answer(args: &CompareArgs, ranked: &RankedGroups, comparisons: &[Comparison]) -> Briefing {
    let (groups, scores, all) = (ranked.groups, ranked.scores(), args.extent.all);
    let mut answer = match (groups, comparisons, &scores[..]) {
        ([baseline, other], [comparison], [score]) => {
            pair_briefing((baseline, other), comparison, score, all)
        }
        _ => many_briefing(ranked, comparisons, &scores, all),
    };
    say_machines(&mut answer, groups, args.extent.details);
    answer.next(format!("sizeup report {}", named(&args.groups)));
    answer
}

/// Holds a single run against the reference that is shipped.
fn against_reference(args: &mut CompareArgs, run: &Run) -> anyhow::Result<()> {
    let reference = reference::reference_for(run).with_context(|| {
        let file = run.path.display();
        format!("{file} has no variants and no reference applies to it: name a second run file")
    })?;
    reference::stand_against(&mut args.groups, reference);
    Ok(())
}

fn compare_variants(args: &CompareArgs, read: &ReadRun, screen: &Screen) -> anyhow::Result<Exit> {
    let ReadRun { run, estimate } = read;
    if args.json {
        notes::of_file(&run.path, &run.notes).iter().for_each(diagnostic);
    }
    let (texts, said) = (&args.groups.workloads, Said::of(run));
    let is_wanted = asked_for(texts, &run.header);
    let first = &run.header.variants.first().context("no variants")?.name;
    let comparison =
        compare::compare_with_variant(run, estimate, first, args.groups.view, &is_wanted);
    if comparison.rows.is_empty() {
        return Err(said.nothing_contains(texts));
    }
    if args.groups.view == Some(ViewKind::PerGhz) {
        bail!("variants are compared pair by pair: use --view uncontended or --view delivered");
    }
    if !args.groups.allow.is_empty() || args.baseline.is_some() {
        bail!("--allow and --baseline need two runs or more; variants are compared with the first");
    }
    let gated = gated_variants(&args.fail_if, run, &comparison)?;
    let mut answer = variant_briefing(&comparison);
    say_gates(&mut answer, &gated);
    notes::qualify_run(&mut answer, run);
    let selection = said.selection(texts, comparison.rows.iter().map(|row| &*row.workload));
    selection.iter().for_each(|selection| answer.note_first(selection.as_str()));
    if args.fail_if.markdown {
        print_paragraphs(&gated, first)?;
    } else if args.json {
        let mut notes = notes::of_file(&run.path, &run.notes);
        notes.extend(selection);
        json::print("compare", None, &answer, &comparison, &notes)?;
    } else {
        say(&answer, screen, args.extent)?;
    }
    let is_fit = !run.is_unfit();
    Ok(match args.fail_if.is_asked() {
        true => fail_if::exit_of(is_fit, gated.iter().flat_map(|(_, gates)| gates)),
        false if is_fit && comparison.is_whole() => Exit::Fine,
        false => Exit::CheckFailed,
    })
}

/// Checks the limits for each variant against the first, by name.
pub(super) fn gated_variants(
    fail_if: &FailIf,
    run: &Run,
    comparison: &VariantComparison,
) -> anyhow::Result<Vec<(String, Vec<Gated>)>> {
    let weightings = Weightings::of(comparison.rows.len());
    let gated = |variant: &Variant| {
        let rows = comparison.rows.iter().filter(|row| row.variant == variant.name);
        let lines = variant_lines(comparison, &variant.name, &run.header.categories, &weightings);
        let figures: Vec<GatedFigure> =
            rows.map(GatedFigure::from).chain(lines.iter().map(GatedFigure::from)).collect();
        Ok((variant.name.clone(), fail_if.gates(&figures, &run.header.categories)?))
    };
    run.header.variants.iter().skip(1).map(gated).collect()
}
