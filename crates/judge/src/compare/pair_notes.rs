//! What must be known of two groups together.

use super::group::Group;
use super::kernel_notes::kernel_notes;
use machine::IsaSwitch;
use stats::mean;
use std::collections::BTreeSet;

/// Two runs of one CPU whose uncontended cores differ more than this in width: one of them never had a core to
/// itself.
const MOST_WIDTH_FACTOR: f64 = 1.15;

/// What must be known of two groups before their ratios are believed.
pub fn pair_notes(baseline: &Group, other: &Group) -> Vec<String> {
    let isa = isa_notes(baseline, other).into_iter();
    isa.chain(same_host_note(baseline, other))
        .chain(width_note(baseline, other))
        .chain(kernel_notes(baseline, other))
        .collect()
}

/// What libraries did without in one of two groups and not in the other, which is why they differ.
fn isa_notes(baseline: &Group, other: &Group) -> Vec<String> {
    let isa = |group: &Group| -> BTreeSet<Vec<IsaSwitch>> {
        group.runs.iter().map(|run| run.isa.clone()).collect()
    };
    if isa(baseline) == isa(other) {
        return Vec::new();
    }
    [baseline.isa_notes(), other.isa_notes()].concat()
}

/// A word if two groups are of one computer: then they differ as runs do, and not as machines.
fn same_host_note(baseline: &Group, other: &Group) -> Option<String> {
    let hosts = |group: &Group| -> BTreeSet<String> {
        group.runs.iter().filter_map(|run| run.host.clone()).collect()
    };
    let (ours, theirs) = (hosts(baseline), hosts(other));
    (!ours.is_disjoint(&theirs)).then(|| {
        format!(
            "{} and {} are of the same host (its --host name or boot): they differ as runs do (clock, neighbours, build), not \
             as machines",
            baseline.label, other.label
        )
    })
}

/// A word if one of two groups of the same CPU never had a core to itself, as the width tells.
fn width_note(baseline: &Group, other: &Group) -> Option<String> {
    let width = |group: &Group| {
        let widths: Vec<f64> = group.runs.iter().filter_map(|run| run.width).collect();
        (!widths.is_empty()).then(|| mean(&widths))
    };
    let model = |group: &Group| group.runs[0].cpu_model.clone();
    let (a, b) = (width(baseline)?, width(other)?);
    let factor = (a / b).max(b / a);
    (model(baseline)? == model(other)? && factor > MOST_WIDTH_FACTOR).then(|| {
        format!(
            "the same CPU had {a:.1} instructions per cycle in {}, {b:.1} in {}: in one of them a \
             neighbour may have been on the core nearly all the time, which looks like a slower core",
            baseline.label, other.label
        )
    })
}
