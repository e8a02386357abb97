//! The estimates of a whole run.

use super::Steadiness;
use super::case::{CaseEstimate, Warning};
use super::look::{Look, mark_frequency_drops};
use crate::record::Run;
use std::collections::{BTreeMap, BTreeSet};

/// A worker that has other processes do the work: its own CPU time says nothing.
pub const COMMAND_WORKER: &str = "command";

/// Every case of a run, in the plan's order.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEstimate {
    /// `None` for a case without a figure: it failed, could not run or has no window.
    pub cases: Vec<Option<CaseEstimate>>,
    /// Each case's windows, in order.
    pub looks: Vec<Vec<Look>>,
    /// How steady the machine was; `None` for a run without windows.
    pub steadiness: Option<Steadiness>,
}

impl RunEstimate {
    /// Derives everything from a run's raw windows.
    pub fn of(run: &Run) -> Self {
        let looks = looks(run);
        let cases = &run.header.plan.cases;
        let steadiness = Steadiness::of(&looks, |case| cases[case].threads == 1);
        let cases = (0..looks.len())
            .map(|case| estimate(run, case, &looks[case], steadiness.as_ref()?))
            .collect();
        Self { cases, looks, steadiness }
    }
}

/// Each case's windows, but none of a case that came to another end than being measured: a figure that
/// can't be trusted is not given.
fn looks(run: &Run) -> Vec<Vec<Look>> {
    let ended: BTreeSet<usize> = run.outcomes.iter().map(|outcome| outcome.case).collect();
    let cycles: BTreeMap<u64, u64> = run
        .launches
        .iter()
        .map(|launch| (launch.launch, launch.ready.pulse.clock_cycles_per_op))
        .collect();
    let mut looks = vec![Vec::new(); run.header.plan.cases.len()];
    for window in run.windows.iter().filter(|window| !ended.contains(&window.case)) {
        let workload = &run.header.plan.cases[window.case].workload;
        looks[window.case].push(Look::at(
            &window.measured,
            window.round,
            window.steal_ticks,
            cycles[&window.launch],
            run.header.workloads[workload].worker == COMMAND_WORKER,
        ));
    }
    looks.iter_mut().for_each(|looks| mark_frequency_drops(looks));
    looks
}

fn estimate(
    run: &Run,
    case: usize,
    looks: &[Look],
    steadiness: &Steadiness,
) -> Option<CaseEstimate> {
    if looks.is_empty() {
        return None;
    }
    let launches: BTreeSet<u64> = run.windows_of(case).map(|window| window.launch).collect();
    let mut estimate = CaseEstimate::of(looks, launches.len(), steadiness);
    let asked = run.header.plan.precision_ppm as f64 / 1e6;
    if let Some(view) = estimate.delivered
        && view.interval.half() > asked
    {
        estimate.warnings.push(Warning::Wide { half: view.interval.half(), asked });
    }
    let planned = &run.header.plan.cases[case];
    let cpus: BTreeSet<u32> = planned.cpus.iter().copied().collect();
    if planned.threads > cpus.len() {
        let (threads, cpus) = (planned.threads, cpus.len());
        estimate.warnings.push(Warning::Oversubscribed { threads, cpus });
    }
    let unverified = launches.difference(&run.verified).count();
    if unverified > 0 {
        estimate.warnings.push(Warning::NotVerifiedAtEnd { launches: unverified });
    }
    Some(estimate)
}
