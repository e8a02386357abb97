//! One run, as it is shown.

use doctor::{Finding, findings_of_run, validity_of};
use estimate::{
    Rolling, RunEstimate, Sensor, Steadiness, Sustained, Together, ViewKind, sensors, sustained,
};
use judge::compare::{
    CaseRole, Contention, MeasuredRows, RowResult, RunPower, isa_note, row_results, shown_view,
};
use record::{Activity, Ended, MeasuredMachine, Origin, Run, UserFacts, Validity};
use serde::Serialize;

/// A run for people and for scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShowView {
    /// The label that the user gave.
    pub label: String,
    /// The suite.
    pub suite: String,
    /// Its version.
    pub suite_version: u64,
    /// The version of sizeup that measured.
    pub sizeup: String,
    /// The name of the machine in its file, which may stand for another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Logical CPUs of the machine, where that is known.
    pub cpus: Option<u32>,
    /// Facts that the user states about the machine, by name.
    #[serde(skip_serializing_if = "UserFacts::is_empty")]
    pub facts: UserFacts,
    /// Latencies and clocks, if they were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_machine: Option<MeasuredMachine>,
    /// How long it was measured, in seconds; `None` for imported figures.
    pub spent_s: Option<f64>,
    /// Why the run ended; `None` while it hasn't.
    pub ended: Option<Ended>,
    /// Margin that was asked for.
    pub precision: f64,
    /// Caveats that qualify every figure.
    pub notes: Vec<String>,
    /// In the plan's order.
    pub rows: Vec<RowResult>,
    /// Control workloads, which show how steady the machine was.
    pub controls: Vec<RowResult>,
    /// Co-runners, with their own throughput.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub co_runners: Vec<RowResult>,
    /// Cost of running a mix together, relative to its parts alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// How often the threads do the list of a rolling mix, and how often they would by their rows alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Rolling>,
    /// Throughput that rows settle at under load without pauses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sustained: Vec<Sustained>,
    /// The program that measured it, if not sizeup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Mean CPUs used by other processes; `None` where the kernel does not report it.
    pub others_cpus: Option<f64>,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// How steady the machine was.
    pub steadiness: Option<Steadiness>,
    /// Mean power by each meter; the one that covers most of the machine first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub power: Vec<RunPower>,
    /// Sensor readings, and whether they are credible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<Sensor>,
    /// Whether the figures are to be believed, and why not.
    pub validity: Validity,
    /// Rules of `sizeup doctor` applied to the start of the run and to its course.
    pub findings: Vec<Finding>,
    /// Median margin of the rows that have an interval in the view that is judged.
    pub median_margin: Option<f64>,
    /// Rows whose margin is within the precision that was requested.
    pub converged_rows: usize,
    /// The view that is judged.
    #[serde(skip)]
    pub judged: ViewKind,
}

impl ShowView {
    /// Derives everything from a run.
    pub fn of(run: &Run) -> Self {
        Self::of_estimate(run, &RunEstimate::of(run))
    }

    /// Uses the given estimate instead of computing it.
    pub fn of_estimate(run: &Run, estimate: &RunEstimate) -> Self {
        let findings = findings_of_run(run, estimate);
        let validity = validity_of(run, estimate, &findings);
        let (all, power) = row_results(run, estimate, &[]);
        let short = |case: usize| {
            let row = all.get(case)?;
            let either = row.view(ViewKind::Delivered).or(row.view(ViewKind::Uncontended));
            either.map(|view| view.interval)
        };
        let sustained = sustained(run, short);
        let those = |role: CaseRole| all.iter().filter(|row| row.role == role).cloned().collect();
        let mut view = Self {
            label: run.header.label.clone(),
            suite: run.header.suite.clone(),
            suite_version: run.header.suite_version,
            sizeup: run.header.sizeup.clone(),
            host: run.header.host.clone(),
            cpus: run.header.machine.topology.threads.known().copied(),
            facts: run.header.facts.clone(),
            measured_machine: run.measured_machine.as_deref().cloned(),
            spent_s: run.header.origin.is_none().then_some(run.spent_ns as f64 / 1e9),
            ended: run.close.as_ref().map(|close| close.ended),
            precision: run.header.plan.precision_ppm as f64 / 1e6,
            notes: notes(run),
            power,
            sensors: sensors(run),
            validity,
            findings,
            origin: run.header.origin.clone(),
            together: Together::of(run),
            rolling: Rolling::of(run),
            sustained,
            steadiness: estimate.steadiness.clone(),
            median_margin: None,
            converged_rows: 0,
            controls: those(CaseRole::Control),
            co_runners: those(CaseRole::CoRunner),
            rows: those(CaseRole::Row),
            others_cpus: Activity::sum(&run.activity).map(|all| all.others_cpus()),
            contention: None,
            judged: ViewKind::Uncontended,
        };
        view.judge();
        view
    }

    /// Keeps the rows that are wanted, and judges these alone.
    pub fn retain(&mut self, is_wanted: impl Fn(&RowResult) -> bool) {
        self.rows.retain(is_wanted);
        self.judge();
    }

    /// Decides in which view the rows are judged, and what follows from that.
    fn judge(&mut self) {
        let (judged, contention) = shown_view(&[self.measured(&self.label)], None);
        self.judged = self.in_view(judged);
        self.contention = contention;
        let all = [&mut self.rows, &mut self.controls, &mut self.co_runners];
        all.into_iter().flatten().for_each(|row| row.set_mib_per_s(self.judged));
        let figures = self.rows.iter().filter_map(|row| row.view(self.judged));
        let mut margins: Vec<f64> = figures.map(|figure| figure.interval.margin()).collect();
        margins.retain(|margin| margin.is_finite());
        margins.sort_by(f64::total_cmp);
        self.median_margin = margins.get(margins.len() / 2).copied();
        self.converged_rows = margins.iter().filter(|margin| **margin <= self.precision).count();
    }

    /// The view of its figures where one is chosen: imported ones have only their own.
    pub(super) fn in_view(&self, chosen: ViewKind) -> ViewKind {
        if self.origin.is_some() { ViewKind::Imported } else { chosen }
    }

    /// Its rows, under a name.
    pub(super) fn measured<'a>(&'a self, label: &'a str) -> MeasuredRows<'a> {
        MeasuredRows::of(label, self.others_cpus, &self.rows)
    }

    /// Whether every row has a figure, and no co-runner failed.
    pub fn is_whole(&self) -> bool {
        let has_figure = |row: &RowResult| row.outcome.is_none() && row.estimate.is_some();
        self.rows.iter().all(has_figure)
            && self.co_runners.iter().all(|co_runner| co_runner.outcome.is_none())
    }
}

/// A demand that had less than this part of the share that its rate needs was measured beside another mix.
const LEAST_OF_SHARE: f64 = 0.6;

fn notes(run: &Run) -> Vec<String> {
    let of_run = run.notes.iter().map(ToString::to_string);
    isa_note(&run.header.plan.isa)
        .into_iter()
        .chain(of_run)
        .chain(mix_note(run))
        .chain(rolling_note(run))
        .collect()
}

/// Why a rolling mix has no figure.
fn rolling_note(run: &Run) -> Option<String> {
    run.header.plan.rolling.as_ref()?;
    let is_measured = Rolling::of(run).is_some();
    let mut rows = run.header.plan.cases.iter().enumerate().filter(|(_, case)| case.is_row());
    let ended = rows.find(|(number, _)| run.outcome(*number).is_some());
    (!is_measured).then(|| match (ended, run.rolling_passes.len()) {
        (Some((_, case)), _) => {
            format!("the mix has no rolling figure: {} was not measured", case.workload)
        }
        (_, 0) => "the mix never rolled: no pass was measured".to_owned(),
        _ => "the mix rolled too rarely for a figure: two passes need rows alone in the same round"
            .to_owned(),
    })
}

/// Why a mix was not measured as it was requested.
fn mix_note(run: &Run) -> Option<String> {
    run.header.plan.mix.as_ref()?;
    let Some(together) = Together::of(run) else {
        return Some(match run.mixed.len() {
            0 => "the mix was never measured all at once".to_owned(),
            _ => {
                "the mix was measured all at once, but never with each part alone in the same round"
                    .to_owned()
            }
        });
    };
    let part = together.parts.iter().find(|part| part.share < LEAST_OF_SHARE * part.wanted)?;
    Some(format!(
        "{} had {:.0} % of the CPU time, not {:.0} % as in the mix: nice values reached their limit. Start sizeup at \
         nice 0",
        part.workload,
        part.share * 100.0,
        part.wanted * 100.0
    ))
}
