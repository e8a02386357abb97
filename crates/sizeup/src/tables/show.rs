//! One run, as it is shown.

use catalog::Unit;
use doctor::{Finding, findings_of_run, validity_of};
use estimate::{
    BesideEstimate, CaseEstimate, RunEstimate, Sensor, Service, Steadiness, Sustained, Together,
    View, ViewKind, beside_estimates, sensors, sustained,
};
use judge::compare::{Contention, MeasuredRows, Needs, Power, RowKey, RunPower, isa_note, powers};
use record::{
    Activity, Case, Ended, MeasuredMachine, Origin, Outcome, Run, ThreadSpec, UserFacts, Validity,
};
use serde::Serialize;
use stats::Interval;

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
    /// What the user says of the machine, by name.
    #[serde(skip_serializing_if = "UserFacts::is_empty")]
    pub facts: UserFacts,
    /// What was measured of the machine itself, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_machine: Option<MeasuredMachine>,
    /// How long it was measured, in seconds; `None` of imported figures.
    pub spent_s: Option<f64>,
    /// Why the run ended; `None` while it hasn't.
    pub ended: Option<Ended>,
    /// Margin that was asked for.
    pub precision: f64,
    /// What must be known before anything else is believed.
    pub notes: Vec<String>,
    /// In the plan's order.
    pub rows: Vec<ShowRow>,
    /// What the machine was like meanwhile.
    pub controls: Vec<ShowRow>,
    /// What ran beside rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub co_runners: Vec<ShowRow>,
    /// What a mix takes beside what its parts take alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// What rows settle at without pauses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sustained: Vec<Sustained>,
    /// What measured it, if sizeup did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What others used meanwhile, in CPUs; `None` where the kernel does not report it.
    pub others_cpus: Option<f64>,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// How steady the machine was.
    pub steadiness: Option<Steadiness>,
    /// What each meter showed over the run; the one that sees most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub power: Vec<RunPower>,
    /// What its sensors showed, and whether they can be believed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<Sensor>,
    /// Whether the figures are to be believed, and why not.
    pub validity: Validity,
    /// What `sizeup doctor` found at the start of the run and during it.
    pub findings: Vec<Finding>,
    /// Median margin of the rows that have an uncontended interval.
    pub median_margin: Option<f64>,
    /// Rows whose margin is within the precision that was requested.
    pub converged_rows: usize,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("x-has-nulls" = true)))]
pub struct ShowRow {
    /// Its workload.
    pub workload: String,
    /// As it was asked for.
    pub thread_spec: ThreadSpec,
    /// As it was here.
    pub threads: usize,
    /// What its figures count.
    pub unit: Unit,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// What an op makes, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<u64>,
    /// MiB/s (2^20 input bytes) uncontended, or as imported.
    pub mib_per_s: Option<f64>,
    /// Ops that become due every second, where that is fixed: then its throughput is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_rate_per_s: Option<u64>,
    /// The estimates in its unit; `None` without any sample that counts.
    #[serde(flatten)]
    pub estimate: Option<CaseEstimate>,
    /// Both sides of a server's row, and its latencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
    /// What it keeps beside co-runners, of each of their numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideEstimate>,
    /// What the machine took while it was measured, by each meter; the one that sees most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub powers: Vec<Power>,
    /// What became of it if it was not measured.
    pub outcome: Option<Outcome>,
}

impl ShowView {
    /// Derives everything from a run.
    pub fn of(run: &Run) -> Self {
        let estimates = RunEstimate::of(run);
        let findings = findings_of_run(run, &estimates);
        let validity = validity_of(run, &estimates, &findings);
        let mut beside = beside_estimates(run, &estimates);
        let mut powers = powers(run);
        let judged =
            if run.header.origin.is_some() { ViewKind::Imported } else { ViewKind::Uncontended };
        let cases = run.header.plan.cases.iter().zip(estimates.cases).enumerate();
        let all: Vec<(&Case, ShowRow)> = cases
            .map(|(number, (case, estimate))| {
                let ready = run.ready_of(number);
                let (unit, bytes_per_op) = (run.unit_of(number), run.bytes_per_op(number));
                let figure = estimate.as_ref().and_then(|estimate| estimate.view(judged));
                let row = ShowRow {
                    workload: case.name(),
                    thread_spec: case.thread_spec,
                    threads: case.threads,
                    unit: unit.clone(),
                    bytes_per_op,
                    output_bytes: ready.and_then(|ready| ready.output_bytes),
                    fixed_rate_per_s: ready.and_then(|ready| ready.fixed_rate_per_s),
                    mib_per_s: figure
                        .and_then(|view| unit.mib_per_s(view.interval.centre, bytes_per_op)),
                    service: estimate.as_ref().and_then(|_| Service::of(run, number)),
                    estimate,
                    beside: std::mem::take(&mut beside[number]),
                    powers: powers.of_cases.remove(&number).unwrap_or_default(),
                    outcome: run.outcome(number).cloned(),
                };
                (case, row)
            })
            .collect();
        let those = |is_it: fn(&Case) -> bool| -> Vec<ShowRow> {
            all.iter().filter(|(case, _)| is_it(case)).map(|(_, row)| row.clone()).collect()
        };
        let rows = those(Case::is_row);
        let short = |case: usize| {
            let row = &all.get(case)?.1;
            row.delivered().or(row.uncontended()).map(|view| view.interval)
        };
        let sustained = sustained(run, short);
        let precision = run.header.plan.precision_ppm as f64 / 1e6;
        let mut halves: Vec<f64> = rows
            .iter()
            .filter_map(|row| Some(row.uncontended()?.interval.margin()))
            .filter(|margin| margin.is_finite())
            .collect();
        halves.sort_by(f64::total_cmp);
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
            precision,
            notes: notes(run),
            power: powers.of_run,
            sensors: sensors(run),
            validity,
            findings,
            origin: run.header.origin.clone(),
            together: Together::of(run),
            sustained,
            steadiness: estimates.steadiness,
            median_margin: halves.get(halves.len() / 2).copied(),
            converged_rows: halves.iter().filter(|margin| **margin <= precision).count(),
            controls: those(|case| case.control),
            co_runners: those(|case| case.co_runner),
            rows,
            others_cpus: Activity::sum(&run.activity).map(|all| all.others_cpus()),
            contention: None,
        };
        view.contention =
            Contention::of(&[view.measured(&view.label)], Needs::Most, Some(ViewKind::Uncontended));
        view
    }

    /// Its rows, under a name.
    pub(super) fn measured<'a>(&self, label: &'a str) -> MeasuredRows<'a> {
        let rows = self.rows.iter().filter(|row| row.fixed_rate_per_s.is_none());
        let rows = rows.filter_map(|row| {
            let estimate = row.estimate.as_ref().filter(|_| row.outcome.is_none())?;
            let key = RowKey { name: row.workload.clone(), threads: row.thread_spec };
            let is_measured = estimate.uncontended.is_some() || estimate.delivered.is_some();
            is_measured.then(|| (key, estimate.lacks_uncontended()))
        });
        MeasuredRows { label, others_cpus: self.others_cpus, rows: rows.collect() }
    }

    /// Whether every row has a figure, and no co-runner failed.
    pub fn is_whole(&self) -> bool {
        let has_figure = |row: &ShowRow| row.outcome.is_none() && row.estimate.is_some();
        self.rows.iter().all(has_figure) && self.co_runners.iter().all(|of| of.outcome.is_none())
    }
}

impl ShowRow {
    /// The estimate in a view.
    pub fn view(&self, kind: ViewKind) -> Option<View> {
        self.estimate.as_ref()?.view(kind)
    }

    /// The uncontended estimate.
    pub fn uncontended(&self) -> Option<View> {
        self.estimate.as_ref()?.uncontended
    }

    /// The clock in Hz that its work had.
    pub fn clock_hz(&self) -> Option<Interval> {
        self.estimate.as_ref()?.clock_hz
    }

    /// The estimate as delivered.
    pub fn delivered(&self) -> Option<View> {
        self.estimate.as_ref()?.delivered
    }
}

/// A demand that had less than this part of the share that its rate needs was measured beside another mix.
const LEAST_OF_SHARE: f64 = 0.6;

fn notes(run: &Run) -> Vec<String> {
    let of_run = run.notes.iter().map(ToString::to_string);
    isa_note(&run.header.plan.isa).into_iter().chain(of_run).chain(mix_note(run)).collect()
}

/// Why a mix was not measured as it was requested.
fn mix_note(run: &Run) -> Option<String> {
    run.header.plan.mix.as_ref()?;
    let Some(together) = Together::of(run) else {
        return Some(match run.mixed.len() {
            0 => "the mix was never measured all at once".to_owned(),
            _ => "the mix was measured all at once, but no round also measured each part alone"
                .to_owned(),
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
