//! Throughput that rows retain beside co-runners.

use super::cores::{Cores, OwnLook};
use super::disturbed::find_clocks_and_disturbances;
use super::look::{Look, undisturbed};
use super::memory::is_quiet;
use super::paired::{of_pairs, paired_delivered};
use super::run::RunEstimate;
use super::view::ViewKind;
use super::waiting::was_throttled;
use record::{Ready, Run, Sample};
use serde::Serialize;
use stats::median;
use std::collections::BTreeMap;
use verdict::View;

/// Share of its throughput that a row retains beside a number of co-runners.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BesideEstimate {
    /// The co-runners' workload.
    pub workload: String,
    /// The number of co-runners, each on a CPU of its own.
    pub count: usize,
    /// Throughput beside them over throughput alone: the median over pairs of samples of one round.
    pub left: View,
    /// `uncontended`: only pairs on uncontended cores count. `delivered`: there were too few of these.
    pub view: ViewKind,
    /// Share of the work per cycle that is left: excludes the co-runners' effect on the clock.
    pub per_ghz: Option<View>,
    /// Clock beside them over the clock alone.
    pub clock: Option<View>,
    /// Memory bandwidth per thread beside them over that alone, by the memory pulses of the row's samples.
    pub bandwidth: Option<View>,
    /// Throughput of all these co-runners in MiB/s, where their ops have a byte size: the median over samples.
    pub co_runners_mib_per_s: Option<f64>,
}

/// For each case what it keeps beside each number of co-runners, in the plan's order; nothing with too few
/// pairs.
pub fn beside_estimates(run: &Run, estimates: &RunEstimate) -> Vec<Vec<BesideEstimate>> {
    let cases = run.header.plan.cases.len();
    let looks = looks_beside(run);
    let of_case = |case: usize| {
        let Some(beside) = looks.get(&case).filter(|_| run.header.plan.cases[case].is_row()) else {
            return Vec::new();
        };
        let alone = &estimates.looks[case];
        let cores = alone.first().and_then(|look| estimates.cores.get(&look.threads.len()));
        let estimate = |(number, beside): (&usize, &Vec<Look>)| {
            let co_runners = &run.header.plan.cases[*number];
            let (left, view) = left_beside(alone, beside, cores)?;
            let known = |view: View| estimates.known_of([case, *number], view);
            let of_own = |figure: fn(OwnLook) -> f64| {
                ratio(alone, beside, cores?, |look| Some(figure(cores?.own(look)?))).map(known)
            };
            Some(BesideEstimate {
                workload: co_runners.workload.clone(),
                count: co_runners.threads,
                left: known(left),
                view,
                per_ghz: of_own(|own| own.per_ghz),
                clock: of_own(|own| own.clock_hz),
                bandwidth: cores
                    .and_then(|cores| ratio(alone, beside, cores, |look| look.memory_gb_s)),
                co_runners_mib_per_s: mib_per_s(run, *number, looks.get(number)?.get(&case)?),
            })
        };
        beside.iter().filter_map(estimate).collect()
    };
    (0..cases).map(of_case).collect()
}

/// Throughput beside co-runners over throughput alone, of a row's samples; `None` with too few pairs.
pub fn left_beside(
    alone: &[Look],
    beside: &[Look],
    cores: Option<&Cores>,
) -> Option<(View, ViewKind)> {
    let speed = |look: &Look| Some(cores?.own(look)?.speed());
    let uncontended = cores.and_then(|cores| ratio(alone, beside, cores, speed));
    uncontended
        .map(|view| (view, ViewKind::Uncontended))
        .or_else(|| Some((paired_delivered(alone, beside)?, ViewKind::Delivered)))
}

/// A figure beside co-runners over that alone; alone without another neighbour on the memory, if there are enough such
/// samples.
fn ratio(
    alone: &[Look],
    beside: &[Look],
    cores: &Cores,
    figure: impl Fn(&Look) -> Option<f64>,
) -> Option<View> {
    let quiet = || undisturbed(alone).filter(|look| is_quiet(look, cores.memory));
    of_pairs(quiet(), undisturbed(beside), &figure)
        .or_else(|| of_pairs(undisturbed(alone), undisturbed(beside), &figure))
}

fn mib_per_s(run: &Run, case: usize, looks: &[Look]) -> Option<f64> {
    let bytes_per_op = run.bytes_per_op(case)? as f64;
    let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
    Some(median(&all) * bytes_per_op / (1 << 20) as f64)
}

/// The samples of each case while another ran, by both cases' numbers; only samples during which the co-runners worked
/// all the time.
pub fn looks_beside(run: &Run) -> BTreeMap<usize, BTreeMap<usize, Vec<Look>>> {
    let ready: BTreeMap<u64, &Ready> =
        run.launches.iter().map(|launch| (launch.launch, &launch.ready)).collect();
    let is_throttled = was_throttled(run);
    let look = |sample: &Sample| {
        let look = Look::of(sample, ready[&sample.launch]);
        if is_throttled { look.with_others(None) } else { look }
    };
    let mut looks: BTreeMap<usize, BTreeMap<usize, Vec<Look>>> = BTreeMap::new();
    for beside in run.beside.iter().filter(|beside| beside.is_covered()) {
        let (row, co_runners) = (&beside.row, &beside.co_runners);
        for (sample, other) in [(row, co_runners), (co_runners, row)] {
            let of_case = looks.entry(sample.case).or_default();
            of_case.entry(other.case).or_default().push(look(sample));
        }
    }
    for looks in looks.values_mut().flat_map(BTreeMap::values_mut) {
        find_clocks_and_disturbances(looks);
    }
    looks
}
