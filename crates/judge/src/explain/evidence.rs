//! Evidence for why a factor of a row has its size, in words.

use super::factor::FactorKind;
use super::gauge::{Gauge, call_of_both, fault_of_both, memory_of_both};
use super::side::{Side, usage};
use crate::compare::RowResult;
use crate::numbers::four_digits;
use estimate::Usage;
use machine::openssl_features;
use std::collections::BTreeSet;

/// Page faults per op; rarer ones are not mentioned.
pub(super) const LEAST_FAULTS: f64 = 1.0;

/// Collections that take less of the time are not worth a line.
const LEAST_IN_COLLECTIONS: f64 = 0.05;

/// Why a row's factor of a kind is what it is; `None` without evidence.
pub(super) fn evidence(kind: FactorKind, baseline: Side, other: Side) -> Option<String> {
    match kind {
        FactorKind::Kernel => kernel(baseline, other),
        FactorKind::Clock => clock(baseline, other),
        FactorKind::Instructions => instructions(baseline, other),
        FactorKind::WorkPerCycle => joined([
            paths(baseline, other),
            prices(baseline, other),
            memory(baseline, other),
            collections(baseline, other),
        ]),
        FactorKind::Scaling => joined([memory(baseline, other), collections(baseline, other)]),
        FactorKind::Cores | FactorKind::Unexplained => None,
    }
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let known: Vec<String> = parts.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join("; "))
}

fn gauges<'a>(baseline: Side<'a>, other: Side<'a>) -> Option<[Gauge<'a>; 2]> {
    let gauge = |side: Side<'a>| Gauge::beside(side.group, side.row);
    Some([gauge(baseline)?, gauge(other)?])
}

/// Evidence for a row of kernel work: the cost of its system calls and page faults.
fn prices(baseline: Side, other: Side) -> Option<String> {
    let [baseline, other] = gauges(baseline, other).filter(|both| both[1].is_of_kernel())?;
    joined([call_of_both(baseline, other), fault_of_both(baseline, other)])
}

/// Evidence for a row that memory limits on at least one machine.
fn memory(baseline: Side, other: Side) -> Option<String> {
    let gauges = gauges(baseline, other)?;
    let [baseline, other] =
        Some(gauges).filter(|both| both.iter().any(|gauge| gauge.needs_memory()))?;
    memory_of_both(baseline, other)
}

/// `88 % of its CPU time is in the kernel on c6i (5,222 page faults/op), 31 % on c7g (17 page faults/op)`.
fn kernel(baseline: Side, other: Side) -> Option<String> {
    let words = |side: Side| {
        let usage = usage(side.group, side.row)?;
        let share = usage.kernel?.share * 100.0;
        Some(format!("{share:.0} % on {}{}", side.group.label, in_brackets(&usage)))
    };
    let shares = format!("CPU time in the kernel: {}, {}", words(other)?, words(baseline)?);
    let takes_faults = [baseline, other].iter().any(|side| {
        let faults = usage(side.group, side.row).and_then(|usage| usage.minor_faults_per_op);
        faults.is_some_and(|faults| faults >= LEAST_FAULTS)
    });
    let price = gauges(baseline, other).and_then(|[baseline, other]| match takes_faults {
        true => fault_of_both(baseline, other),
        false => call_of_both(baseline, other),
    });
    joined([Some(shares), price])
}

/// `time in garbage collections: 31 % on c7g, 12 % on c6i`, where it is worth a word on one of them.
fn collections(baseline: Side, other: Side) -> Option<String> {
    let share_of = |side: Side| Some(usage(side.group, side.row)?.collections?.share);
    let shares = [share_of(other)?, share_of(baseline)?];
    let [on, against] = shares.map(|share| format!("{:.0} %", share * 100.0));
    let words = format!(
        "time in garbage collections: {on} on {}, {against} on {}",
        other.group.label, baseline.group.label
    );
    shares.iter().any(|share| *share >= LEAST_IN_COLLECTIONS).then_some(words)
}

fn in_brackets(usage: &Usage) -> String {
    let faults = usage.minor_faults_per_op.filter(|faults| *faults >= LEAST_FAULTS);
    faults.map_or_else(String::new, |faults| format!(" ({} page faults/op)", four_digits(faults)))
}

/// `1,200 instructions/op on c7g, 3,400 on c6i`.
fn instructions(baseline: Side, other: Side) -> Option<String> {
    let count =
        |side: Side| usage(side.group, side.row)?.events?.instructions_per_op.map(four_digits);
    let (on, against) = (&other.group.label, &baseline.group.label);
    let counts =
        format!("{} instructions/op on {on}, {} on {against}", count(other)?, count(baseline)?);
    // Fewer instructions are mostly another path.
    Some(paths(baseline, other).map_or(counts.clone(), |paths| format!("{counts}; {paths}")))
}

fn clock(baseline: Side, other: Side) -> Option<String> {
    let words = |side: Side| {
        let clock_hz = side.group.clock_hz(side.row)?.centre;
        Some(format!("{:.2} GHz on {}", clock_hz / 1e9, side.group.label))
    };
    Some(format!("its clock: {}, {}", words(other)?, words(baseline)?))
}

/// Which code the library chose, where that differs.
fn paths(baseline: Side, other: Side) -> Option<String> {
    let ours = other.group.first_figure(other.row)?;
    let theirs = baseline.group.first_figure(baseline.row)?;
    let (chosen, others) = (ours.identity.paths(), theirs.identity.paths());
    let names: BTreeSet<&String> = chosen.keys().chain(others.keys()).collect();
    let differing = |name: &&String| {
        let is_of_row = chosen.len() == 1 || is_of(ours, name);
        is_of_row && chosen.get(*name) != others.get(*name)
    };
    let words: Vec<String> = names
        .into_iter()
        .filter(differing)
        .map(|name| {
            let (on_other, on_baseline) = (&other.group.label, &baseline.group.label);
            let (on, against) = paths_in_words(chosen.get(name), others.get(name));
            format!("{name} uses {on} on {on_other}, {against} on {on_baseline}")
        })
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Two paths of a library, as far as they differ.
fn paths_in_words(ours: Option<&String>, theirs: Option<&String>) -> (String, String) {
    let features = |path: Option<&String>| path.and_then(|path| openssl_features(path));
    if let (Some(ours), Some(theirs)) = (features(ours), features(theirs)) {
        let only = |own: &[&str], than: &[&str]| {
            let only: Vec<&str> = own.iter().filter(|one| !than.contains(one)).copied().collect();
            if only.is_empty() { "none of these".to_owned() } else { only.join(" ") }
        };
        return (only(&ours, &theirs), only(&theirs, &ours));
    }
    let words =
        |path: Option<&String>| path.map_or_else(|| "none".to_owned(), |path| format!("{path:?}"));
    (words(ours), words(theirs))
}

/// Whether a path is of what a row does: a worker may list those of all its libraries.
fn is_of(figure: &RowResult, path: &str) -> bool {
    let workload = figure.workload.to_lowercase();
    path.split('-').all(|word| workload.contains(word))
}
