//! The reference run, which is shipped: what a single run is compared with.

use super::groups::{GroupArgs, NoAnswer, ReadRun};
use catalog::{Home, OVERALL};
use estimate::ViewKind;
use judge::answer::{ends, qualified, times};
use judge::compare::{Group, MustMatch, Pairs, ScoreLine, Weightings};
use judge::numbers::counted;
use record::{Grade, Run, ThreadSpec};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A reader's build may have other versions than the reference's: that is said and not refused.
const ALLOWED: [MustMatch; 3] = [MustMatch::Library, MustMatch::Compiler, MustMatch::Worker];

/// The reference run for a run, if this release has one and it applies: not to figures that something else measured, not to
/// itself, and not to a run of other rows.
fn reference_for(run: &Run) -> Option<ReadRun> {
    let reference = shipped()?;
    let applies = run.header.origin.is_none()
        && run.digest() != reference.digest()
        && share_a_row(run, &reference);
    applies.then(|| ReadRun::of(reference))
}

fn shipped() -> Option<Run> {
    let folder = Home::find().ok()?.reference();
    let files = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let file = files.filter(|file| file.to_string_lossy().ends_with(".run.jsonl")).min()?;
    record::read(&file).ok()
}

/// Why a single run can be compared with nothing, and what to do.
pub(super) fn cannot_compare(run: &Run) -> String {
    let suite = shipped().map(|reference| reference.header.suite);
    let or = suite.map(|suite| format!(", or measure with --suite {suite} as the reference was"));
    format!(
        "{} has no variants and no reference applies to it: name a second run file{}",
        run.path.display(),
        or.unwrap_or_default()
    )
}

/// Whether a workload was measured by both on as many threads.
fn share_a_row(one: &Run, other: &Run) -> bool {
    let rows = |run: &Run| -> BTreeSet<(String, ThreadSpec)> {
        let cases = run.header.plan.cases.iter().filter(|case| !case.control && !case.co_runner);
        cases.map(|case| (case.name(), case.thread_spec)).collect()
    };
    !rows(one).is_disjoint(&rows(other))
}

/// Makes the reference the baseline of a single run, and says whether it applies. It does not to a run with variants, which are
/// compared with each other.
pub(super) fn add_reference(groups: &mut GroupArgs) -> bool {
    let [read] = &groups.known[..] else { return false };
    let reference = reference_for(&read.run).filter(|_| read.run.header.variants.is_empty());
    let Some(reference) = reference else { return false };
    groups.files.insert(0, reference.run.path.clone());
    groups.allow.extend(ALLOWED);
    groups.known.push(Arc::new(reference));
    true
}

/// How a run's cores stand to the reference's, in a sentence: `0.92× the throughput of a core of REFERENCE (95 % CI
/// 0.90–0.94; 20 workloads on 1 thread)`. `None` where they have no row in common.
pub(super) fn sentence(read: &ReadRun) -> Option<String> {
    let reference = reference_for(&read.run)?;
    let view = ViewKind::Uncontended;
    let sheets = [read, &reference].map(|read| read.sheet(Some(view)));
    let [ours, theirs] = sheets.map(|sheet| Group::of(sheet.label.clone(), view, vec![sheet]));
    let (ours, theirs) = (ours?, theirs?);
    if ours.grade() == Grade::Invalid {
        return Some(NoAnswer::of(&ours.runs).to_string());
    }
    let score = Pairs::of(&theirs, &ours, &ALLOWED).score(None, &Weightings::of(ours.rows.len()));
    let is_it = |line: &&ScoreLine| {
        line.category == OVERALL && line.threads == ThreadSpec::Count(1) && line.rows > 0
    };
    let line = score.lines.iter().find(is_it)?;
    let ratio = line.score?;
    let sentence = format!(
        "One core has about {} the throughput of {} ({}; {} on 1 thread; library versions may differ).",
        times(ratio.centre),
        reference.run.header.label,
        ends(&ratio),
        counted(line.rows, "workload"),
    );
    Some(qualified(&sentence, &[&ours, &theirs]))
}
