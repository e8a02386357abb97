//! The sheet of a run: what it is, and its rows with everything that a table, an export, a page or a sentence needs of them.

use super::cores_and_clock::CoresAndClock;
use super::described::described;
use super::identity::Identity;
use super::power::{Power, RunPower, powers};
use catalog::{Category, Demand, Family, ONE_STREAM, Unit};
use doctor::{findings_of_run, validity_of};
use estimate::{
    BesideEstimate, CaseEstimate, Rolling, RunEffect, RunEstimate, Series, Service, Together,
    Usage, View, ViewKind, Warning, beside_estimates, run_effect_of_rows,
};
use machine::{GVISOR, IsaSwitch, Kernel, LogicalCpu, SpecRow, Topology};
use record::{Activity, Case, Outcome, Run, ThreadSpec, Validity};
use serde::Serialize;
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The name of a row among those of its run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct RowKey {
    /// The workload, with its variant if there is one.
    #[serde(rename = "workload")]
    pub name: String,
    /// As requested.
    #[serde(rename = "thread_spec")]
    pub threads: ThreadSpec,
}

impl RowKey {
    fn of(case: &Case) -> Self {
        Self { name: case.name(), threads: case.thread_spec }
    }

    /// The row that a demand of a mix is judged by: its workload on all threads.
    pub fn of_demand(demand: &Demand) -> Self {
        Self { name: demand.workload.clone(), threads: ThreadSpec::All }
    }

    /// Whether several threads work on one stream, as imported figures name it.
    pub fn shares_a_stream(&self) -> bool {
        self.threads != ThreadSpec::Count(1) && self.name.contains(&format!("{ONE_STREAM}/"))
    }

    /// `gzip-6/zlib on 8 threads`.
    pub fn in_words(&self) -> String {
        format!("{} on {}", self.name, self.threads.in_words())
    }
}

/// A run as it is judged: rows whose rate is fixed, control workloads and co-runners are no part of it.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The name that the user gave to what is measured.
    pub label: String,
    /// Where it was read from.
    pub path: PathBuf,
    /// Identifies a run whose file has an end: two files of one digest are one run.
    pub digest: Option<String>,
    /// Which computer it was, if known.
    pub host: Option<String>,
    /// The cloud's instance type, if known.
    pub instance_type: Option<String>,
    /// How long it was measured, in seconds; `None` if imported.
    pub spent_s: Option<f64>,
    /// Caveats on the whole run.
    pub notes: Vec<String>,
    /// Instruction sets that libraries did without.
    pub isa: Vec<IsaSwitch>,
    /// How far its figures are to be believed.
    pub validity: Validity,
    /// The suite that it measured.
    pub suite: String,
    /// In the order in which scores are shown.
    pub categories: Vec<Category>,
    /// In the plan's order.
    pub rows: Vec<RowResult>,
    /// Logical CPUs of the machine, if known.
    pub cpu_count: Option<u32>,
    /// Cores of the machine, if known.
    pub core_count: Option<u32>,
    /// Cores and clock, where both are known with all cores at work.
    pub cores_and_clock: Option<CoresAndClock>,
    /// The CPU's model, if known.
    pub cpu_model: Option<String>,
    /// The revision of its microcode, as the kernel writes it.
    pub microcode: Option<String>,
    /// The machine's kernel, which rows of the kernel's work are measured with.
    pub kernel: Kernel,
    /// Whether a sandbox's own kernel answered system calls.
    pub is_gvisor: bool,
    /// Properties of the machine, as studies list them.
    pub described: Vec<SpecRow>,
    /// The CPU's instruction sets, if known.
    pub features: Vec<String>,
    /// Independent instructions per cycle of uncontended cores, where they could be detected.
    pub width: Option<f64>,
    /// The view in which its rows are judged.
    pub view: ViewKind,
    /// CPUs that other processes used while it was measured; `None` where the kernel does not report it.
    pub others_cpus: Option<f64>,
    /// Cost of running a mix together over its parts alone, if the run measured one.
    pub together: Option<Together>,
    /// How often its threads do the list of a rolling mix, if the run measured one.
    pub rolling: Option<Rolling>,
    /// Each meter's readings over the run; the one that sees most first.
    pub power: Vec<RunPower>,
    index: BTreeMap<RowKey, usize>,
}

/// Purpose of a case in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseRole {
    /// It is a result.
    Row,
    /// It shows how the machine was meanwhile.
    Control,
    /// It loads the machine beside rows.
    CoRunner,
}

/// One case of a run, with its estimates in all views.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(extend("x-has-nulls" = true))]
pub struct RowResult {
    /// Its name in the run.
    #[serde(flatten)]
    pub key: RowKey,
    /// As it was here.
    pub threads: usize,
    /// Unit counted per second.
    pub unit: Unit,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// Output bytes of one op.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<u64>,
    /// MiB/s (2^20 input bytes) in the view that is judged.
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
    /// Retained throughput beside each number of co-runners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideEstimate>,
    /// Watts of the machine while it was measured, by each meter; the one that sees most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub powers: Vec<Power>,
    /// Why it was not measured; `None` if it was.
    pub outcome: Option<Outcome>,
    /// `OPERATION/IMPLEMENTATION`.
    #[serde(skip)]
    pub workload: String,
    /// The variant; `None` in a run without variants.
    #[serde(skip)]
    pub variant: Option<String>,
    /// Whether it is a result.
    #[serde(skip)]
    pub role: CaseRole,
    /// The kind of operation, if known.
    #[serde(skip)]
    pub family: Option<Family>,
    /// On how many cores, if known.
    #[serde(skip)]
    pub cores: Option<usize>,
    /// On how many sockets, if known.
    #[serde(skip)]
    pub sockets: Option<usize>,
    /// Facts that must match to compare it.
    #[serde(skip)]
    pub identity: Arc<Identity>,
    #[serde(skip)]
    series: Vec<(ViewKind, Series)>,
}

/// The view of a run's figures where one is requested: what something else measured has only its own.
fn view_of_run(run: &Run, requested: ViewKind) -> ViewKind {
    if run.header.origin.is_some() { ViewKind::Imported } else { requested }
}

/// All cases of a run in the plan's order. Rows keep their samples over time in `views` only: those in which they may be judged.
/// With them, each meter's readings over the run.
pub fn row_results(
    run: &Run,
    estimate: &RunEstimate,
    views: &[ViewKind],
) -> (Vec<RowResult>, Vec<RunPower>) {
    let mut views: Vec<ViewKind> = views.iter().map(|view| view_of_run(run, *view)).collect();
    views.dedup();
    let powers = powers(run);
    let beside = beside_estimates(run, estimate);
    let cpus = known_cpus(&run.header.machine.topology);
    let cases = run.header.plan.cases.iter().enumerate().zip(beside);
    let mut of_cases = powers.of_cases;
    let result = |((number, case), beside): ((usize, &Case), Vec<BesideEstimate>)| {
        let ready = run.ready_of(number);
        let used = cores_and_sockets(&cpus, case);
        let series = views.iter().filter(|_| case.is_row());
        RowResult {
            key: RowKey::of(case),
            threads: case.threads,
            unit: run.unit_of(number).clone(),
            bytes_per_op: run.bytes_per_op(number),
            output_bytes: ready.and_then(|ready| ready.output_bytes),
            mib_per_s: None,
            fixed_rate_per_s: ready.and_then(|ready| ready.fixed_rate_per_s),
            estimate: estimate.cases[number].clone(),
            service: estimate.cases[number].as_ref().and_then(|_| Service::of(run, number)),
            beside,
            powers: of_cases.remove(&number).unwrap_or_default(),
            outcome: run.outcome(number).cloned(),
            workload: case.workload.clone(),
            variant: case.variant.clone(),
            role: match case {
                Case { control: true, .. } => CaseRole::Control,
                Case { co_runner: true, .. } => CaseRole::CoRunner,
                _ => CaseRole::Row,
            },
            family: run
                .header
                .workloads
                .get(&case.workload)
                .map(|workload| workload.family.clone()),
            cores: used.map(|(cores, _)| cores),
            sockets: used.map(|(_, sockets)| sockets),
            identity: Arc::new(Identity::of(run, number)),
            series: series.map(|view| (*view, estimate.series(number, *view))).collect(),
        }
    };
    (cases.map(result).collect(), powers.of_run)
}

impl RowResult {
    /// The estimate in a view; `None` also if the row failed.
    pub fn view(&self, kind: ViewKind) -> Option<View> {
        self.estimate.as_ref().filter(|_| self.outcome.is_none())?.view(kind)
    }

    /// Why there is no estimate in a view.
    pub fn why_no_figure(&self, kind: ViewKind) -> String {
        match (&self.outcome, &self.estimate) {
            (Some(outcome), _) => format!("{}: {}", outcome.outcome, outcome.message),
            (None, Some(estimate)) => {
                let samples = match kind {
                    ViewKind::Uncontended => "uncontended",
                    ViewKind::Delivered => "as delivered",
                    ViewKind::PerGhz => "per GHz",
                    ViewKind::Imported => "as imported",
                };
                format!("too few of its {} samples are usable ({samples})", estimate.samples)
            }
            (None, None) => "no samples".to_owned(),
        }
    }

    /// The clock in Hz that its work had.
    pub fn clock_hz(&self) -> Option<Interval> {
        self.estimate.as_ref()?.clock_hz
    }

    /// In its unit and GHz.
    pub fn per_ghz(&self) -> Option<Interval> {
        Some(self.estimate.as_ref()?.per_ghz?.interval)
    }

    /// CPU time, faults and events of its work.
    pub fn usage(&self) -> Option<Usage> {
        self.estimate.as_ref()?.usage
    }

    /// Caveats on its estimates.
    pub fn warnings(&self) -> &[Warning] {
        self.estimate.as_ref().map_or(&[], |estimate| &estimate.warnings)
    }

    /// Those caveats that are wanted, in a line.
    pub fn warnings_in_words(&self, is_wanted: impl Fn(&Warning) -> bool) -> String {
        let wanted = self.warnings().iter().filter(|warning| is_wanted(warning));
        wanted.map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Its caveats in a line, or why it has no figure. Lack of convergence is none: the margin shows it.
    pub fn note(&self) -> String {
        match (&self.outcome, &self.estimate) {
            // Why stands once, below all rows.
            (Some(outcome), _) if outcome.is_left_out() => "left out".to_owned(),
            (Some(outcome), _) => format!("{}: {}", outcome.outcome, outcome.message),
            (None, None) => "not measured yet".to_owned(),
            (None, Some(_)) => {
                self.warnings_in_words(|warning| !matches!(warning, Warning::NotConverged { .. }))
            }
        }
    }

    /// Whether it has a delivered figure and no uncontended one.
    pub fn lacks_uncontended(&self) -> bool {
        self.outcome.is_none()
            && self.estimate.as_ref().is_some_and(CaseEstimate::lacks_uncontended)
    }

    /// Whether its throughput is a result.
    pub fn is_judged(&self) -> bool {
        self.role == CaseRole::Row && self.fixed_rate_per_s.is_none()
    }

    /// Puts its figure in MiB/s, as it is in the view that is judged.
    pub fn set_mib_per_s(&mut self, judged: ViewKind) {
        let centre = self.view(judged).map(|view| view.interval.centre);
        self.mib_per_s = centre.and_then(|centre| self.unit.mib_per_s(centre, self.bytes_per_op));
    }
}

impl Sheet {
    /// A run in one view.
    pub fn of(run: &Run, view: ViewKind) -> Self {
        Self::of_estimate(run, &RunEstimate::of(run), &[view])
    }

    /// An estimated run that may be judged in any of these views; it is in the first until [`Self::in_view`] chooses another.
    pub fn of_estimate(run: &Run, estimate: &RunEstimate, views: &[ViewKind]) -> Self {
        let (mut rows, power) = row_results(run, estimate, views);
        rows.retain(RowResult::is_judged);
        let steadiness = estimate.steadiness.as_ref();
        let header = &run.header;
        let first = views.first().copied().unwrap_or(ViewKind::Uncontended);
        Self {
            label: header.label.clone(),
            path: run.path.clone(),
            digest: run.digest().map(str::to_owned),
            host: header.host_key(),
            instance_type: header.machine.platform.instance().map(str::to_owned),
            spent_s: header.origin.is_none().then_some(run.spent_ns as f64 / 1e9),
            notes: notes_of(run),
            isa: header.plan.isa.clone(),
            validity: validity_of(run, estimate, &findings_of_run(run, estimate)),
            suite: header.suite.clone(),
            categories: header.categories.clone(),
            index: index(&rows),
            rows,
            cpu_count: header.machine.topology.threads.known().copied(),
            core_count: header.machine.topology.cores.known().copied(),
            cores_and_clock: cores_and_clock(run, estimate),
            cpu_model: header.machine.cpu.model.known().cloned(),
            microcode: header.machine.cpu.microcode.known().cloned(),
            kernel: header.machine.kernel.clone(),
            is_gvisor: header
                .machine
                .platform
                .container
                .known()
                .is_some_and(|container| container == GVISOR),
            described: described(run),
            features: features(run),
            width: steadiness.and_then(|s| s.width_states.map(|states| states.high).or(s.width)),
            view: view_of_run(run, first),
            others_cpus: Activity::sum(&run.activity).map(|all| all.others_cpus()),
            together: Together::of(run),
            rolling: Rolling::of(run),
            power,
        }
    }

    /// Judges it in another view. Imported figures have only one.
    #[must_use]
    pub fn in_view(mut self, view: ViewKind) -> Self {
        if self.view != ViewKind::Imported {
            self.view = view;
        }
        self
    }

    /// The figure of a row in the view in which the run is judged.
    pub fn figure(&self, row: usize) -> Option<View> {
        self.rows[row].view(self.view)
    }

    /// Keeps the rows of those workloads only that are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.retain_rows(|row| is_wanted(&row.workload));
    }

    /// The rows of a variant, under the names of their workloads.
    #[must_use]
    pub fn of_variant(mut self, variant: &str) -> Self {
        self.retain_rows(|row| row.variant.as_deref() == Some(variant));
        for row in &mut self.rows {
            row.key.name.clone_from(&row.workload);
        }
        self.index = index(&self.rows);
        self
    }

    fn retain_rows(&mut self, is_wanted: impl Fn(&RowResult) -> bool) {
        self.rows.retain(is_wanted);
        self.index = index(&self.rows);
    }

    /// Shares identities that are known from other runs, so that many runs of the same work fit into memory.
    pub fn share_identities(&mut self, known: &mut BTreeSet<Arc<Identity>>) {
        for row in &mut self.rows {
            match known.get(&row.identity) {
                Some(same) => row.identity = Arc::clone(same),
                None => drop(known.insert(Arc::clone(&row.identity))),
            }
        }
    }

    /// The row of a key, if the run has it.
    pub fn find(&self, key: &RowKey) -> Option<usize> {
        self.index.get(key).copied()
    }

    /// How far the mean of some rows may be off.
    pub fn run_effect(&self, rows: &[usize]) -> RunEffect {
        let views: Vec<View> = rows.iter().filter_map(|row| self.figure(*row)).collect();
        let of_view = |row: &usize| {
            let mut series = self.rows[*row].series.iter();
            Some(&series.find(|(view, _)| *view == self.view)?.1)
        };
        let series: Vec<&Series> = rows.iter().filter_map(of_view).collect();
        run_effect_of_rows(&views, &series, self.view)
    }
}

fn index(rows: &[RowResult]) -> BTreeMap<RowKey, usize> {
    rows.iter().enumerate().map(|(i, row)| (row.key.clone(), i)).collect()
}

/// Cores, and their clock with the most threads that were measured. `None` where these are fewer than cores: a few run
/// at a clock that all of them don't.
fn cores_and_clock(run: &Run, estimate: &RunEstimate) -> Option<CoresAndClock> {
    let cores = *run.header.machine.topology.cores.known()?;
    let (threads, of_threads) = estimate.cores.last_key_value()?;
    let are_all_at_work = *threads >= usize::try_from(cores).ok()?;
    are_all_at_work.then_some(CoresAndClock { cores, clock_hz: of_threads.clock_hz })
}

/// A machine's CPUs by their numbers.
type KnownCpus<'a> = BTreeMap<u32, &'a LogicalCpu>;

fn known_cpus(topology: &Topology) -> KnownCpus<'_> {
    topology.cpus.iter().map(|known| (known.cpu, known)).collect()
}

/// How many cores and sockets a case's CPUs are on; `None` where one of them is not known.
fn cores_and_sockets(known: &KnownCpus, case: &Case) -> Option<(usize, usize)> {
    let find = |cpu: &u32| known.get(cpu).copied();
    let cpus: Vec<&LogicalCpu> = case.cpus.iter().map(find).collect::<Option<_>>()?;
    let cores: BTreeSet<u32> = cpus.iter().map(|cpu| cpu.core_key()).collect();
    let sockets: BTreeSet<u32> = cpus.iter().map(|cpu| cpu.package).collect();
    Some((cores.len(), sockets.len()))
}

/// The CPU's instruction sets but for those that the run did without.
fn features(run: &Run) -> Vec<String> {
    let header = &run.header;
    let is_on = |feature: &&String| !header.plan.isa.iter().any(|switch| switch.removes(feature));
    let known = header.machine.cpu.features.known().into_iter().flatten();
    known.filter(is_on).cloned().collect()
}

/// Caveats on a whole run.
pub(super) fn notes_of(run: &Run) -> Vec<String> {
    let of_file = run.notes.iter().map(ToString::to_string);
    of_file.chain(fixed_rate_note(run)).collect()
}

/// A note on instruction sets that libraries did not use.
pub fn isa_note(isa: &[IsaSwitch]) -> Option<String> {
    let names: Vec<String> = isa.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        format!(
            "measured with --isa {}: OpenSSL, AWS-LC, Go and the C library did not use instruction sets that its CPU has",
            names.join(",")
        )
    })
}

/// A note on rows left out because their rate is fixed by definition.
fn fixed_rate_note(run: &Run) -> Option<String> {
    let cases = run.header.plan.cases.iter().enumerate();
    let fixed: Vec<String> =
        cases.filter(|(i, _)| run.has_fixed_rate(*i)).map(|(_, case)| case.name()).collect();
    let names = fixed.join(", ");
    (!fixed.is_empty())
        .then(|| format!("fixed rate, not judged; `sizeup show` prints the latencies: {names}"))
}
