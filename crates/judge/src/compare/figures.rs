//! What a run says of its rows, without its samples.

use super::described::described;
use super::identity::Identity;
use super::power::{Power, RunPower, powers};
use super::strength::Strength;
use catalog::{Category, Demand, Family, Unit};
use estimate::{
    BesideEstimate, CaseEstimate, RunEffect, RunEstimate, Series, Together, Usage, View, ViewKind,
    Warning, beside_estimates,
};
use machine::{GVISOR, IsaSwitch, Kernel, LogicalCpu, SpecRow, Topology};
use record::{Activity, Case, Run, ThreadSpec};
use serde::Serialize;
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// What tells a row from the others of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowKey {
    /// The workload, with its variant if there is one.
    pub name: String,
    /// As it was asked for.
    pub threads: ThreadSpec,
}

impl RowKey {
    fn of(case: &Case) -> Self {
        Self { name: case.name(), threads: case.thread_spec }
    }

    /// What a demand of a mix needs: its workload on all threads.
    pub fn of_demand(demand: &Demand) -> Self {
        Self { name: demand.workload.clone(), threads: ThreadSpec::All }
    }

    /// `gzip-6/zlib on 8 threads`.
    pub fn in_words(&self) -> String {
        format!("{} on {}", self.name, self.threads.in_words())
    }
}

/// A run's figures in one view.
#[derive(Debug, Clone)]
pub struct Figures {
    /// The name that the user gave to what is measured.
    pub label: String,
    /// Where it was read from.
    pub path: PathBuf,
    /// What tells the run from others, where its file has an end: two of it are one run.
    pub digest: Option<String>,
    /// Which computer it was, if known.
    pub host: Option<String>,
    /// The cloud's instance type, if known.
    pub instance_type: Option<String>,
    /// How long it was measured, in seconds; `None` of imported figures.
    pub spent_s: Option<f64>,
    /// What must be known of the run before anything else is believed.
    pub notes: Vec<String>,
    /// What libraries did without while it was measured.
    pub isa: Vec<IsaSwitch>,
    /// Whether its figures must not be used.
    pub is_unfit: bool,
    /// The suite that it measured.
    pub suite: String,
    /// In the order in which scores are shown.
    pub categories: Vec<Category>,
    /// The rows that are judged, in the plan's order.
    pub rows: Vec<Figure>,
    /// How many logical CPUs the machine has, where that is known.
    pub cpu_count: Option<u32>,
    /// How many cores its machine has, if known.
    pub core_count: Option<u32>,
    /// Cores and clock, where both are known with all cores at work.
    pub strength: Option<Strength>,
    /// The CPU's model, where it is known.
    pub cpu_model: Option<String>,
    /// The machine's kernel, which rows of the kernel's work are measured with.
    pub kernel: Kernel,
    /// Whether a sandbox's own kernel answered system calls.
    pub is_gvisor: bool,
    /// What is said of its machine.
    pub described: Vec<SpecRow>,
    /// The CPU's instruction sets, where they are known.
    pub features: Vec<String>,
    /// Independent instructions per cycle of the cores that were the run's own, where they could be told.
    pub width: Option<f64>,
    /// The view of all figures: the one that was asked for, unless something else measured them.
    pub view: ViewKind,
    /// What other processes used while it was measured, in CPUs; `None` where the kernel does not report it.
    pub others_cpus: Option<f64>,
    /// What a mix takes beside what its parts take alone, if the run measured one.
    pub together: Option<Together>,
    /// What each meter showed over the run; the one that sees most first.
    pub power: Vec<RunPower>,
    series: Vec<Series>,
    numbers: BTreeMap<RowKey, usize>,
}

/// One row of a run.
#[derive(Debug, Clone)]
pub struct Figure {
    /// What tells it from the others.
    pub key: RowKey,
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// The variant; `None` in a run without variants.
    pub variant: Option<String>,
    /// How many threads it was.
    pub threads: usize,
    /// On how many cores; `None` where the cores are not known.
    pub cores: Option<usize>,
    /// On how many sockets.
    pub sockets: Option<usize>,
    /// What it counts.
    pub unit: Unit,
    /// What kind of operation it is.
    pub family: Option<Family>,
    /// In its unit (or its unit and GHz).
    pub view: Option<View>,
    /// Why there is none.
    pub reason: Option<String>,
    /// The clock in Hz that its work had, where that is known.
    pub clock_hz: Option<Interval>,
    /// In its unit and GHz, where that is known.
    pub per_ghz: Option<Interval>,
    /// What its work used beside time, where that is known.
    pub usage: Option<Usage>,
    /// Whether it has a delivered figure and no uncontended one.
    pub lacks_uncontended: bool,
    /// What must be said of it.
    pub warnings: Vec<Warning>,
    /// What must match to compare it.
    pub identity: Arc<Identity>,
    /// Input bytes of one op.
    pub bytes_per_op: Option<u64>,
    /// What an op makes, in bytes.
    pub output_bytes: Option<u64>,
    /// What it keeps beside co-runners, of each of their numbers.
    pub beside: Vec<BesideEstimate>,
    /// What the machine took meanwhile, by each meter that was read; the one that sees most first.
    pub powers: Vec<Power>,
}

impl Figures {
    /// Of a run in one view.
    pub fn of(run: &Run, view: ViewKind) -> Self {
        Self::of_estimate(run, &RunEstimate::of(run), view)
    }

    /// The same, of a run that is estimated already.
    pub fn of_estimate(run: &Run, estimate: &RunEstimate, view: ViewKind) -> Self {
        let view = if run.header.origin.is_some() { ViewKind::Imported } else { view };
        let (mut rows, mut series) = (Vec::new(), Vec::new());
        let mut powers = powers(run);
        let mut beside = beside_estimates(run, estimate);
        let cpus = known_cpus(&run.header.machine.topology);
        for (number, _) in run.judged_cases() {
            let figure = Figure::of(run, &cpus, number, estimate.cases[number].as_ref(), view);
            rows.push(Figure {
                beside: std::mem::take(&mut beside[number]),
                powers: powers.of_cases.remove(&number).unwrap_or_default(),
                ..figure
            });
            series.push(estimate.series(number, view));
        }
        let steadiness = estimate.steadiness.as_ref();
        let header = &run.header;
        Self {
            label: header.label.clone(),
            path: run.path.clone(),
            digest: run.digest().map(str::to_owned),
            host: header.host_key(),
            instance_type: header.machine.platform.instance().map(str::to_owned),
            spent_s: header.origin.is_none().then_some(run.spent_ns as f64 / 1e9),
            notes: notes_of(run),
            isa: header.plan.isa.clone(),
            is_unfit: run.is_unfit(),
            suite: header.suite.clone(),
            categories: header.categories.clone(),
            numbers: numbers(&rows),
            rows,
            cpu_count: header.machine.topology.threads.known().copied(),
            core_count: header.machine.topology.cores.known().copied(),
            strength: strength(run, estimate),
            cpu_model: header.machine.cpu.model.known().cloned(),
            kernel: header.machine.kernel.clone(),
            is_gvisor: header.machine.platform.container.known().is_some_and(|of| of == GVISOR),
            described: described(run),
            features: features(run),
            width: steadiness.and_then(|s| s.width_states.map(|states| states.high).or(s.width)),
            view,
            others_cpus: Activity::sum(&run.activity).map(|all| all.others_cpus()),
            together: Together::of(run),
            power: powers.of_run,
            series,
        }
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
        self.numbers = numbers(&self.rows);
        self
    }

    fn retain_rows(&mut self, is_wanted: impl Fn(&Figure) -> bool) {
        let rows = std::mem::take(&mut self.rows).into_iter();
        let kept = rows.zip(std::mem::take(&mut self.series));
        (self.rows, self.series) = kept.filter(|(row, _)| is_wanted(row)).unzip();
        self.numbers = numbers(&self.rows);
    }

    /// Lets go of identities that are known from other runs, so that many runs of the same work fit into memory.
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
        self.numbers.get(key).copied()
    }

    /// How far the mean of some rows may be off.
    pub fn run_effect(&self, rows: &[usize]) -> RunEffect {
        let views: Vec<View> = rows.iter().filter_map(|row| self.rows[*row].view).collect();
        let series: Vec<&Series> = rows.iter().map(|row| &self.series[*row]).collect();
        RunEffect::of_rows(&views, &series, self.view)
    }
}

fn numbers(rows: &[Figure]) -> BTreeMap<RowKey, usize> {
    rows.iter().enumerate().map(|(i, row)| (row.key.clone(), i)).collect()
}

impl Figure {
    fn of(
        run: &Run,
        cpus: &KnownCpus,
        number: usize,
        estimate: Option<&CaseEstimate>,
        kind: ViewKind,
    ) -> Self {
        let case = &run.header.plan.cases[number];
        let view = match run.outcome(number) {
            Some(_) => None,
            None => estimate.and_then(|estimate| estimate.view(kind)),
        };
        let reason = view.is_none().then(|| match (run.outcome(number), estimate) {
            (Some(outcome), _) => format!("{}: {}", outcome.outcome, outcome.message),
            (None, Some(estimate)) => {
                let of = match kind {
                    ViewKind::Uncontended => "uncontended",
                    ViewKind::Delivered => "as delivered",
                    ViewKind::PerGhz => "per GHz",
                    ViewKind::Imported => "as imported",
                };
                format!("too few of its {} samples are usable ({of})", estimate.samples)
            }
            (None, None) => "no samples".to_owned(),
        });
        let ready = run.ready_of(number);
        let places = cores_and_sockets(cpus, case);
        Self {
            key: RowKey::of(case),
            workload: case.workload.clone(),
            variant: case.variant.clone(),
            threads: case.threads,
            cores: places.map(|(cores, _)| cores),
            sockets: places.map(|(_, sockets)| sockets),
            unit: run.unit_of(number).clone(),
            family: run.header.workloads.get(&case.workload).map(|of| of.family.clone()),
            view,
            reason,
            clock_hz: estimate.and_then(|estimate| estimate.clock_hz),
            per_ghz: estimate.and_then(|estimate| Some(estimate.per_ghz?.interval)),
            usage: estimate.and_then(|estimate| estimate.usage),
            lacks_uncontended: run.outcome(number).is_none()
                && estimate.is_some_and(CaseEstimate::lacks_uncontended),
            warnings: estimate.map(|estimate| estimate.warnings.clone()).unwrap_or_default(),
            identity: Arc::new(Identity::of(run, number)),
            bytes_per_op: run.bytes_per_op(number),
            output_bytes: ready.and_then(|ready| ready.output_bytes),
            beside: Vec::new(),
            powers: Vec::new(),
        }
    }
}

/// Cores, and their clock with the most threads that were measured. `None` where these are fewer than cores: a few run
/// at a clock that all of them don't.
fn strength(run: &Run, estimate: &RunEstimate) -> Option<Strength> {
    let cores = *run.header.machine.topology.cores.known()?;
    let (threads, of_threads) = estimate.cores.last_key_value()?;
    let are_all_at_work = *threads >= usize::try_from(cores).ok()?;
    are_all_at_work.then_some(Strength { cores, clock_hz: of_threads.clock_hz })
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
    let is_on = |feature: &&String| !header.plan.isa.iter().any(|of| of.removes(feature));
    let known = header.machine.cpu.features.known().into_iter().flatten();
    known.filter(is_on).cloned().collect()
}

/// What must be known of a run before anything else is believed.
pub(super) fn notes_of(run: &Run) -> Vec<String> {
    let of_file = run.notes.iter().map(ToString::to_string);
    of_file.chain(fixed_rate_note(run)).collect()
}

/// What libraries did without, in words.
pub fn isa_note(isa: &[IsaSwitch]) -> Option<String> {
    let names: Vec<String> = isa.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        format!(
            "measured with --isa {}: OpenSSL, AWS-LC, Go and the C library did without instruction sets that its CPU has",
            names.join(",")
        )
    })
}

/// What is left out because its throughput is its definition's.
fn fixed_rate_note(run: &Run) -> Option<String> {
    let cases = run.header.plan.cases.iter().enumerate();
    let fixed: Vec<String> =
        cases.filter(|(i, _)| run.has_fixed_rate(*i)).map(|(_, case)| case.name()).collect();
    let names = fixed.join(", ");
    (!fixed.is_empty())
        .then(|| format!("fixed rate, not judged; `sizeup show` prints the latencies: {names}"))
}
