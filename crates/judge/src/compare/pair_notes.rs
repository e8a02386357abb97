//! Caveats about two groups together.

use super::group::Group;
use super::kernel_notes::kernel_notes;
use super::sheet::Sheet;
use doctor::MOST_WIDTH_FACTOR;
use machine::IsaSwitch;
use stats::mean;
use std::collections::BTreeSet;

/// Why a run has no figures of its CPU: another run of that CPU shows that a neighbour was on its cores all the time, which the run
/// alone can't see.
pub fn shared_cores<'a>(run: &Sheet, others: impl Iterator<Item = &'a Sheet>) -> Option<String> {
    let width = run.width?;
    // Few are so much wider, and the rest need no look at what CPU they are of.
    let wider = others
        .filter_map(|other| Some((other.width?, other)))
        .filter(|(other_width, _)| other_width / width > MOST_WIDTH_FACTOR);
    let (most, widest) =
        wider.filter(|(_, other)| is_of_same_cpu(run, other)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let label = &widest.label;
    Some(format!(
        "a neighbour was on its cores all the time: they ran {width:.1} instructions per cycle, those of {label} {most:.1} on \
         the same CPU model"
    ))
}

/// Hypervisors call CPUs of several generations by one name.
fn is_of_same_cpu(one: &Sheet, other: &Sheet) -> bool {
    one.cpu_model.is_some() && one.cpu_model == other.cpu_model && one.features == other.features
}

/// Caveats that qualify all ratios of two groups.
pub fn pair_notes(baseline: &Group, other: &Group) -> Vec<String> {
    let isa = isa_notes(baseline, other).into_iter();
    isa.chain(same_host_note(baseline, other))
        .chain(width_note(baseline, other))
        .chain(kernel_notes(baseline, other))
        .collect()
}

/// Instruction sets that libraries did not use in one of two groups but did in the other: they explain differences.
fn isa_notes(baseline: &Group, other: &Group) -> Vec<String> {
    let isa = |group: &Group| -> BTreeSet<Vec<IsaSwitch>> {
        group.runs.iter().map(|run| run.isa.clone()).collect()
    };
    if isa(baseline) == isa(other) {
        return Vec::new();
    }
    [baseline.isa_notes(), other.isa_notes()].concat()
}

/// A word if two groups are of one computer, and so differ as runs do and not as machines; or are copies of one run.
fn same_host_note(baseline: &Group, other: &Group) -> Option<String> {
    let digests = |group: &Group| -> Option<BTreeSet<String>> {
        group.runs.iter().map(|run| run.digest.clone()).collect()
    };
    if digests(baseline).is_some_and(|ours| Some(ours) == digests(other)) {
        return Some(format!("{} and {} are copies of the same run", baseline.label, other.label));
    }
    let hosts = |group: &Group| -> BTreeSet<String> {
        group.runs.iter().filter_map(|run| run.host.clone()).collect()
    };
    let (ours, theirs) = (hosts(baseline), hosts(other));
    (!ours.is_disjoint(&theirs)).then(|| {
        format!(
            "{} and {} were measured on one host (by its --host name or boot): what differs is between runs (clock, neighbours, \
             build), not between machines",
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
    let (a, b) = (width(baseline)?, width(other)?);
    let factor = (a / b).max(b / a);
    let is_same = is_of_same_cpu(&baseline.runs[0], &other.runs[0]);
    (is_same && factor > MOST_WIDTH_FACTOR).then(|| {
        format!(
            "the same CPU had {a:.1} instructions per cycle in {}, {b:.1} in {}: in one of them a \
             neighbour may have been on the core nearly all the time, which looks like a slower core",
            baseline.label, other.label
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ViewKind;
    use record::fixture::run;

    fn sheet(label: &str, model: &str, width: f64) -> Sheet {
        let mut sheet = Sheet::of(&run(&[("a/x", &[100; 20])]), ViewKind::Uncontended);
        sheet.label = label.into();
        (sheet.cpu_model, sheet.width) = (Some(model.into()), Some(width));
        sheet
    }

    #[test]
    fn a_run_whose_cores_were_shared_throughout_shows_beside_another_of_its_cpu() {
        let (alone, shared) = (sheet("alone", "X", 4.7), sheet("shared", "X", 3.0));
        let other = sheet("other", "Y", 6.0);
        let all = || [&alone, &shared, &other].into_iter();
        assert_eq!([shared_cores(&alone, all()), shared_cores(&other, all())], [None, None]);
        assert_eq!(
            shared_cores(&shared, all()).unwrap(),
            "a neighbour was on its cores all the time: they ran 3.0 instructions per cycle, those of alone 4.7 on the same CPU \
             model"
        );
        // Hypervisors call CPUs of several generations by one name.
        let mut newer = sheet("newer", "X", 6.0);
        newer.features = vec!["avx10".into()];
        assert_eq!(shared_cores(&alone, [&newer].into_iter()), None);
    }
}
