//! The reference run, which is shipped: what a single run is compared with.

use super::groups::{GroupArgs, group_of_run};
use catalog::{Home, OVERALL};
use estimate::ViewKind;
use judge::answer::{ends, times};
use judge::compare::{Allow, Group, Score, Weightings, score};
use record::{Run, ThreadSpec};

/// A reader's build may have other versions than the reference's: that is said and not refused.
const ALLOWED: [Allow; 3] = [Allow::Library, Allow::Compiler, Allow::Worker];

/// The reference run for a run, if this release has one and it applies: not to figures that something else measured, and not to
/// itself.
pub(super) fn reference_for(run: &Run) -> Option<Run> {
    let folder = Home::find().ok()?.reference();
    let files = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let file = files.filter(|file| file.to_string_lossy().ends_with(".run.jsonl")).min()?;
    let reference = record::read(&file).ok()?;
    let applies = run.header.origin.is_none() && run.digest() != reference.digest();
    applies.then_some(reference)
}

/// The reference run for a single file without variants that is all a command was given.
pub(super) fn reference_for_single(
    groups: &GroupArgs,
    baseline: Option<&str>,
) -> anyhow::Result<Option<Run>> {
    let ([file], [], None) = (&groups.files[..], &groups.groups[..], baseline) else {
        return Ok(None);
    };
    let run = record::read(file)?;
    Ok(reference_for(&run).filter(|_| run.header.variants.is_empty()))
}

/// Has a single run stand against the reference.
pub(super) fn stand_against(groups: &mut GroupArgs, reference: &Run) {
    groups.files.insert(0, reference.path.clone());
    groups.allow.extend(ALLOWED);
}

/// How a run's cores stand to the reference's, in a sentence: `0.92× the throughput of a core of REFERENCE (95 % CI
/// 0.90–0.94; 20 workloads on 1 thread)`. `None` where they have no row in common.
pub(super) fn sentence(run: &Run) -> Option<String> {
    let reference = reference_for(run)?;
    let view = |kind| {
        let [ours, theirs] = [run, &reference].map(|run| group_of_run(run, kind));
        one_thread(&ours?, &theirs?).filter(|(rows, _)| *rows > 0)
    };
    let (rows, score) = view(ViewKind::Uncontended).or_else(|| view(ViewKind::Delivered))?;
    let ratio = score.lines.iter().find(|line| is_overall(line))?.score?;
    Some(format!(
        "One core has about {} the throughput of {} ({}; {} on 1 thread; library versions may differ).",
        times(ratio.centre),
        reference.header.label,
        ends(&ratio),
        judge::numbers::counted(rows, "workload"),
    ))
}

fn is_overall(line: &judge::compare::ScoreLine) -> bool {
    line.category == OVERALL && line.threads == ThreadSpec::Count(1)
}

fn one_thread(run: &Group, reference: &Group) -> Option<(usize, Score)> {
    let weightings = Weightings::of(run.rows.len());
    let score = score(run, reference, &ALLOWED, None, &weightings);
    let rows = score.lines.iter().find(|line| is_overall(line))?.rows;
    Some((rows, score))
}
