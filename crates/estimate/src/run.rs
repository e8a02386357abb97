//! The estimates of a whole run.

use super::case::CaseEstimate;
use super::cores::Cores;
use super::imported::imported;
use super::level::{Level, Series};
use super::look::{ClockKernel, Look, find_clocks, mark_frequency_drops};
use super::others::Others;
use super::view::ViewKind;
use super::waiting::{mark_waiting, was_throttled};
use super::warning::Warning;
use super::{Service, Steadiness, sanity};
use record::{Ready, Run, Window};
use std::collections::{BTreeMap, BTreeSet};

/// A worker that has other processes do the work, which may wait by their nature.
pub const COMMAND_WORKER: &str = "command";

/// Every case of a run, in the plan's order.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEstimate {
    /// `None` for a case without a figure: it failed, could not run or has no window.
    pub cases: Vec<Option<CaseEstimate>>,
    /// Each case's windows, in order.
    pub looks: Vec<Vec<Look>>,
    /// What is known of the cores in windows of so many threads.
    pub cores: BTreeMap<usize, Cores>,
    /// Each case's row among those of as many threads.
    places: Vec<usize>,
    /// How steady the machine was; `None` for a run without windows.
    pub steadiness: Option<Steadiness>,
}

impl RunEstimate {
    /// Derives everything from a run's raw windows.
    pub fn of(run: &Run) -> Self {
        let header = &run.header;
        let sharing = header.plan.thread_counts_on_shared_cores(&header.machine.topology);
        let mut looks = looks(run);
        if was_throttled(run) {
            looks.iter_mut().flatten().for_each(|look| look.others = None);
        }
        let mut estimate = Self::of_looks(looks, &sharing);
        for (number, case) in estimate.cases.iter_mut().enumerate() {
            if let Some(case) = case {
                case.warnings.extend(warnings(run, number, &estimate.looks[number], case));
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

    /// Derives everything from each case's windows, but the warnings that the plan gives cause to. `sharing`
    /// are the numbers of threads of which some share a core with each other.
    pub fn of_looks(mut looks: Vec<Vec<Look>>, sharing: &BTreeSet<usize>) -> Self {
        for looks in &mut looks {
            mark_waiting(looks);
            find_clocks(looks);
            mark_frequency_drops(looks);
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
        let level = steadiness.as_ref().and_then(|of| of.level).unwrap_or(Level::NONE);
        let of = |(looks, row): (&Vec<Look>, &usize)| {
            let cores = cores.get(&looks.first()?.threads.len());
            Some(CaseEstimate::of(looks, cores.map(|cores| (cores, *row)), level))
        };
        let cases = looks.iter().zip(&places).map(of).collect();
        Self { cases, looks, cores, places, steadiness }
    }
}

impl RunEstimate {
    /// Each of the run's windows in the order in which they were taken, seen with its pulses; those of a case that came to
    /// another end than being measured are not looked at.
    pub fn in_order<'a>(
        &'a self,
        run: &'a Run,
    ) -> impl Iterator<Item = (&'a Window, Option<&'a Look>)> {
        let mut next = vec![0; self.looks.len()];
        run.windows.iter().map(move |window| {
            let look = self.looks[window.case].get(next[window.case]);
            next[window.case] += 1;
            (window, look)
        })
    }

    /// Round and logarithm of what a case's windows say in a view. Empty if it has no estimate in it.
    pub fn series(&self, case: usize, view: ViewKind) -> Series {
        let looks = &self.looks[case];
        let has_estimate = self.cases[case].as_ref().is_some_and(|case| case.view(view).is_some());
        let cores = looks.first().and_then(|look| self.cores.get(&look.threads.len()));
        let own = |(number, look): (usize, &Look)| {
            let (own, drift) = (cores?.own(look)?, cores?.drift(self.places[case], number)?);
            let figure = if view == ViewKind::OwnCore { own.speed() / drift } else { own.per_ghz };
            Some((look.round, figure.ln()))
        };
        match view {
            _ if !has_estimate => Series::new(),
            ViewKind::Delivered | ViewKind::Imported => {
                looks.iter().map(|look| (look.round, look.throughput.ln())).collect()
            }
            ViewKind::OwnCore | ViewKind::PerClock => {
                looks.iter().enumerate().filter_map(own).collect()
            }
        }
    }
}

/// Each case's windows, but none of a case that came to another end than being measured: a figure that
/// can't be trusted is not given.
fn looks(run: &Run) -> Vec<Vec<Look>> {
    let ended: BTreeSet<usize> = run.outcomes.iter().map(|outcome| outcome.case).collect();
    let ready: BTreeMap<u64, &Ready> =
        run.launches.iter().map(|launch| (launch.launch, &launch.ready)).collect();
    let cases = &run.header.plan.cases;
    let mut looks = vec![Vec::new(); cases.len()];
    for window in run.windows.iter().filter(|window| !ended.contains(&window.case)) {
        let ready = ready[&window.launch];
        let look = Look::at(
            &window.measured,
            (window.launch, window.round),
            window.steal_ticks,
            ClockKernel::of(ready),
            ready.is_partly_elsewhere(),
        );
        looks[window.case].push(look.beside(Others::of(window)));
    }
    looks
}

/// What the plan and the launches give cause to say.
fn warnings(run: &Run, case: usize, looks: &[Look], estimate: &CaseEstimate) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let asked = run.header.plan.precision_ppm as f64 / 1e6;
    match estimate.own_core {
        Some(view) if view.interval.half() > asked => {
            warnings.push(Warning::Wide { half: view.interval.half(), asked });
        }
        None => warnings.push(Warning::FewOwnCore { windows: estimate.windows }),
        Some(_) => {}
    }
    let planned = &run.header.plan.cases[case];
    let cpus: BTreeSet<u32> = planned.cpus.iter().copied().collect();
    if planned.threads > cpus.len() {
        let (threads, cpus) = (planned.threads, cpus.len());
        warnings.push(Warning::Oversubscribed { threads, cpus });
    }
    let left_out = run.left_out.iter().filter(|window| window.case == case).count();
    if left_out > 0 {
        warnings.push(Warning::LeftOut { windows: left_out });
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
