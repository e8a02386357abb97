//! Estimates of a whole run.

use super::case::CaseEstimate;
use super::cores::{Cores, OwnLook};
use super::disturbed::find_clocks_and_disturbances;
use super::imported::imported;
use super::look::Look;
use super::run_effect::Series;
use super::usage::Usage;
use super::view::ViewKind;
use super::waiting::was_throttled;
use super::warning::Warning;
use super::{Service, Steadiness, sanity};
use record::{Ready, Run, Sample};
use std::collections::{BTreeMap, BTreeSet};
use verdict::RunEffect;
use verdict::View;

/// The worker that runs commands, whose work may wait by itself (for a disk, say).
pub const COMMAND_WORKER: &str = "command";

/// The estimates of a run, with cases in the plan's order.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEstimate {
    /// `None` for a case without a figure: it failed, could not run or has no sample.
    pub cases: Vec<Option<CaseEstimate>>,
    /// Samples by case, in order.
    pub looks: Vec<Vec<Look>>,
    /// The cores, by the number of threads of the samples.
    pub cores: BTreeMap<usize, Cores>,
    /// Index of each case among the rows with as many threads.
    places: Vec<usize>,
    /// Cases whose samples repeat each other, so that their error is unknown.
    pub repeated: BTreeSet<usize>,
    /// `None` for a run without samples.
    pub steadiness: Option<Steadiness>,
}

impl RunEstimate {
    /// Derives everything from a run's raw samples.
    pub fn of(run: &Run) -> Self {
        let header = &run.header;
        let sharing = header.plan.thread_counts_on_shared_cores(&header.machine.topology);
        let mut looks = looks(run);
        if was_throttled(run) {
            looks.iter_mut().flatten().for_each(|look| look.others = None);
        }
        let mut estimate = Self::of_looks(looks, &sharing);
        estimate.repeated.clone_from(&run.repeated);
        let usages = Usage::of_cases(run);
        let left_out = left_out(run);
        for (number, case) in estimate.cases.iter_mut().enumerate() {
            if let Some(case) = case {
                case.usage = usages[number];
                case.warnings.extend(warnings(run, number, &estimate.looks[number], case));
                if let Some(&samples) = left_out.get(&number) {
                    case.warnings.push(Warning::LeftOut { samples });
                }
                if run.repeated.contains(&number) {
                    case.forget_error_bars();
                }
            }
        }
        sanity::check(run, &estimate.looks, &mut estimate.cases);
        if header.origin.is_some() {
            for (number, case) in estimate.cases.iter_mut().enumerate() {
                let figures: Vec<f64> =
                    run.imported_of(number).map(|imported| imported.per_s).collect();
                *case = imported(&figures);
            }
        }
        estimate
    }

    /// Derives everything from each case's samples, except warnings about the plan. `sharing` holds the numbers of
    /// threads at which some share a core with each other.
    pub fn of_looks(mut looks: Vec<Vec<Look>>, sharing: &BTreeSet<usize>) -> Self {
        for looks in &mut looks {
            find_clocks_and_disturbances(looks);
        }
        let mut rows: BTreeMap<usize, Vec<&[Look]>> = BTreeMap::new();
        let mut places = vec![0; looks.len()];
        for (looks, place) in looks.iter().zip(&mut places) {
            if let Some(look) = looks.first() {
                let rows = rows.entry(look.threads.len()).or_default();
                *place = rows.len();
                rows.push(looks);
            }
        }
        let cores: BTreeMap<usize, Cores> = rows
            .into_iter()
            .filter_map(|(threads, rows)| {
                Some((threads, Cores::of(&rows, sharing.contains(&threads))?))
            })
            .collect();
        let steadiness = Steadiness::of(&looks, cores.get(&1));
        let run_effect = steadiness
            .as_ref()
            .and_then(|steadiness| steadiness.run_effect)
            .unwrap_or(RunEffect::NONE);
        let estimate = |(looks, row): (&Vec<Look>, &usize)| {
            let cores = cores.get(&looks.first()?.threads.len());
            Some(CaseEstimate::of(looks, cores.map(|cores| (cores, *row)), run_effect))
        };
        let cases = looks.iter().zip(&places).map(estimate).collect();
        Self { cases, looks, cores, places, repeated: BTreeSet::new(), steadiness }
    }
}

impl RunEstimate {
    /// A figure of two cases, without an error bar if one of them repeats its samples.
    pub fn known_of(&self, cases: [usize; 2], view: View) -> View {
        let is_repeated = cases.iter().any(|case| self.repeated.contains(case));
        if is_repeated { view.without_error_bar() } else { view }
    }

    /// The run's samples with their pulses, in the order in which they were taken, without those of cases that failed.
    pub fn in_order<'a>(
        &'a self,
        run: &'a Run,
    ) -> impl Iterator<Item = (&'a Sample, Option<&'a Look>)> {
        let mut next = vec![0; self.looks.len()];
        run.samples.iter().map(move |sample| {
            let look = self.looks[sample.case].get(next[sample.case]);
            next[sample.case] += 1;
            (sample, look)
        })
    }

    /// Round and logarithm of a case's samples in a view. Empty if it has no estimate there.
    pub fn series(&self, case: usize, view: ViewKind) -> Series {
        let looks = &self.looks[case];
        let has_estimate = self.cases[case].as_ref().is_some_and(|case| case.view(view).is_some());
        let cores = looks.first().and_then(|look| self.cores.get(&look.threads.len()));
        let own = |(number, own): (usize, OwnLook)| {
            let drift = cores?.drift(self.places[case], number)?;
            let figure =
                if view == ViewKind::Uncontended { own.speed() / drift } else { own.per_ghz };
            Some((own.round, figure.ln()))
        };
        match view {
            _ if !has_estimate => Series::new(),
            ViewKind::Delivered | ViewKind::Imported => {
                looks.iter().map(|look| (look.round, look.throughput.ln())).collect()
            }
            ViewKind::Uncontended | ViewKind::PerGhz => {
                let uncontended = cores.map(|cores| cores.uncontended(looks));
                uncontended.into_iter().flatten().filter_map(own).collect()
            }
        }
    }
}

/// Samples by case. Cases that were not measured to the end have none: their figures cannot be trusted.
fn looks(run: &Run) -> Vec<Vec<Look>> {
    let ended: BTreeSet<usize> = run.outcomes.iter().map(|outcome| outcome.case).collect();
    let ready: BTreeMap<u64, &Ready> =
        run.launches.iter().map(|launch| (launch.launch, &launch.ready)).collect();
    let cases = &run.header.plan.cases;
    let mut looks = vec![Vec::new(); cases.len()];
    for sample in run.samples.iter().filter(|sample| !ended.contains(&sample.case)) {
        looks[sample.case].push(Look::of(sample, ready[&sample.launch]));
    }
    looks
}

/// Case → how many of its samples were left out.
fn left_out(run: &Run) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for sample in &run.left_out {
        *counts.entry(sample.case).or_default() += 1;
    }
    counts
}

/// Warnings that follow from the plan and the launches.
fn warnings(run: &Run, case: usize, looks: &[Look], estimate: &CaseEstimate) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let requested = run.header.plan.precision_ppm as f64 / 1e6;
    match estimate.uncontended {
        Some(view) if view.interval.margin() > requested => {
            warnings.push(Warning::NotConverged { margin: view.interval.margin(), requested });
        }
        None => warnings.push(Warning::FewUncontended { samples: estimate.samples }),
        Some(_) => {}
    }
    let planned = &run.header.plan.cases[case];
    let cpus: BTreeSet<u32> = planned.cpus.iter().copied().collect();
    if planned.threads > cpus.len() {
        let (threads, cpus) = (planned.threads, cpus.len());
        warnings.push(Warning::Oversubscribed { threads, cpus });
    }
    if run.header.workloads[&planned.workload].starts_threads {
        warnings.push(Warning::StartsThreads);
    }
    let launches: BTreeSet<u64> = looks.iter().map(|look| look.launch).collect();
    let unverified = launches.difference(&run.verified).count();
    if unverified > 0 {
        warnings.push(Warning::NotVerifiedAtEnd { launches: unverified });
    }
    warnings.extend(Service::of(run, case).iter().flat_map(Service::warnings));
    warnings
}
