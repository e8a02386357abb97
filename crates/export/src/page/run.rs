//! One run on the page: what was measured on, how, and what became of it.

use super::events::Events;
use super::findings::{PageFinding, public};
use super::telemetry::{PageSeries, telemetry};
use doctor::{findings_of_run, validity_of};
use estimate::{RunEstimate, Service};
use judge::compare::SAID;
use record::{Ended, Grade, Note, Origin, Run, WorkerBuild};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A case's samples are shown one by one up to so many.
const MOST_DOTS: usize = 48;

/// A run on the page, apart from its figures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Sheet"))]
pub struct PageRun {
    /// The file's name.
    file: String,
    label: String,
    suite: String,
    suite_version: u64,
    sizeup: String,
    /// In UTC.
    started: String,
    /// Time spent measuring.
    seconds: f64,
    ended: Option<Ended>,
    /// Margin that was asked for.
    precision: f64,
    /// Caveats that qualify every figure, except its origin.
    notes: Vec<String>,
    /// Those of the notes that forbid to use its figures.
    why_unfit: Vec<String>,
    /// Whether its figures are to be believed.
    validity: Grade,
    /// Disturbances of the run, without anything about who else uses the machine.
    findings: Vec<PageFinding>,
    origin: Option<Origin>,
    /// Part of the machine, what it is of, what it says.
    machine: Vec<(&'static str, String, String)>,
    /// Worker → compiler, flags, libraries.
    builds: BTreeMap<String, Build>,
    /// Workload → family.
    #[serde(skip)]
    pub(super) families: BTreeMap<String, String>,
    /// Names of its variants.
    variants: Vec<String>,
    samples: usize,
    /// Disturbance → samples.
    disturbed: BTreeMap<String, usize>,
    /// Rows that were not measured.
    outcomes: Vec<PageOutcome>,
    /// Servers' rows: both sides and latencies.
    services: Vec<PageService>,
    telemetry: Vec<PageSeries>,
    events: Vec<Events>,
    dots: Vec<Dots>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Build {
    version: String,
    compiler: String,
    flags: String,
    libraries: BTreeMap<String, String>,
    paths: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Outcome"))]
struct PageOutcome {
    workload: String,
    threads: String,
    outcome: String,
    message: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Service"))]
struct PageService {
    workload: String,
    threads: String,
    #[serde(flatten)]
    service: Service,
}

/// The samples of a case in order: its launch, its throughput in thousandths of the case's median, whether it was
/// disturbed. Evenly thinned out where there are many.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Dots {
    workload: String,
    threads: String,
    /// One of so many is shown.
    one_of: usize,
    samples: Vec<(usize, i64, u8)>,
}

impl PageRun {
    /// Reduces a run and its estimate to what the page shows of them.
    pub fn of(run: &Run, estimate: &RunEstimate) -> Self {
        let header = &run.header;
        let (telemetry, events) = telemetry(run, estimate);
        let mut disturbed: BTreeMap<String, usize> = BTreeMap::new();
        for disturbance in estimate.looks.iter().flatten().flat_map(|look| &look.disturbances) {
            *disturbed.entry(disturbance.to_string()).or_default() += 1;
        }
        let findings = findings_of_run(run, estimate);
        let file = run.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            file,
            label: header.label.clone(),
            suite: header.suite.clone(),
            suite_version: header.suite_version,
            sizeup: header.sizeup.clone(),
            started: utc(header.started_unix_ns),
            seconds: run.spent_ns as f64 / 1e9,
            ended: run.close.as_ref().map(|close| close.ended),
            precision: header.plan.precision_ppm as f64 / 1e6,
            notes: run.notes.iter().filter_map(note).collect(),
            why_unfit: run.notes.iter().filter(|note| note.is_unfit()).filter_map(note).collect(),
            validity: validity_of(run, estimate, &findings).grade,
            findings: public(&findings, run),
            origin: header.origin.clone(),
            machine: machine(run),
            builds: builds(run),
            families: (header.workloads.iter())
                .map(|(name, definition)| (name.clone(), definition.family.to_string()))
                .collect(),
            variants: header.variants.iter().map(|variant| variant.name.clone()).collect(),
            samples: run.samples.len(),
            disturbed,
            outcomes: outcomes(run),
            services: services(run),
            telemetry,
            events,
            dots: dots(run, estimate),
        }
    }
}

impl PageRun {
    /// Drops the variants of a run, which are the page's machines.
    pub fn without_variants(mut self) -> Self {
        self.variants.clear();
        self
    }
}

/// A note for readers of a page, who can't do anything about the run.
fn note(note: &Note) -> Option<String> {
    match note {
        // They are told with the origin.
        Note::Imported { .. } | Note::Failed { .. } => None,
        Note::Open => Some("the run is incomplete: it was killed or was still running".to_owned()),
        Note::OpenImport => Some("the import is incomplete".to_owned()),
        Note::Interrupted => Some("the run was stopped early".to_owned()),
        Note::Emulated { .. } => {
            Some("software emulated the CPU: performance figures are meaningless".to_owned())
        }
        other => Some(other.to_string()),
    }
}

/// `2026-11-23T05:20:35Z`.
fn utc(unix_ns: u64) -> String {
    let seconds = i64::try_from(unix_ns / 1_000_000_000).unwrap_or_default();
    jiff::Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

fn machine(run: &Run) -> Vec<(&'static str, String, String)> {
    let rows = run.header.machine.rows().into_iter().map(|row| (row.group, row.label, row.value));
    let said = run.header.facts.iter().map(|(key, value)| (SAID, key.clone(), value.clone()));
    rows.chain(said).collect()
}

fn builds(run: &Run) -> BTreeMap<String, Build> {
    let build = |(name, manifest): (&String, &record::Manifest)| {
        let worker_build = &manifest.build;
        let build = Build {
            version: worker_build.version.clone(),
            compiler: worker_build.compiler.clone(),
            flags: worker_build.flags.clone(),
            libraries: libraries(run, name, worker_build),
            paths: worker_build.paths.clone(),
        };
        (name.clone(), build)
    };
    run.header.workers.iter().map(build).collect()
}

/// Those that a manifest leaves to be told by launches, too.
fn libraries(run: &Run, name: &str, build: &WorkerBuild) -> BTreeMap<String, String> {
    let launches = run.launches.iter().filter(|launch| {
        let in_variant = name.strip_prefix(launch.ready.worker.as_str());
        in_variant.is_some_and(|rest| rest.is_empty() || rest.starts_with(" in "))
    });
    let all = launches.flat_map(|launch| &launch.ready.build.libraries);
    let late = all.filter(|(name, _)| build.late_libraries.contains(name));
    build
        .libraries
        .iter()
        .chain(late)
        .map(|(name, version)| (name.clone(), version.clone()))
        .collect()
}

fn outcomes(run: &Run) -> Vec<PageOutcome> {
    let outcome = |recorded: &record::Outcome| {
        let case = &run.header.plan.cases[recorded.case];
        PageOutcome {
            workload: case.name(),
            threads: case.thread_spec.to_string(),
            outcome: recorded.outcome.to_string(),
            message: recorded.message.clone(),
        }
    };
    run.outcomes.iter().map(outcome).collect()
}

fn services(run: &Run) -> Vec<PageService> {
    let cases = run.header.plan.cases.iter().enumerate();
    let service = |(number, case): (usize, &record::Case)| {
        let service = Service::of(run, number)?;
        let (workload, threads) = (case.name(), case.thread_spec.to_string());
        Some(PageService { workload, threads, service })
    };
    cases.filter_map(service).collect()
}

fn dots(run: &Run, estimate: &RunEstimate) -> Vec<Dots> {
    let of_case = |(number, case): (usize, &record::Case)| {
        let looks = &estimate.looks[number];
        let mut all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
        all.sort_by(f64::total_cmp);
        let median = *all.get(all.len() / 2)?;
        let one_of = looks.len().div_ceil(MOST_DOTS).max(1);
        let mut launches: BTreeSet<u64> = BTreeSet::new();
        let mut samples = Vec::new();
        for (place, look) in looks.iter().enumerate() {
            launches.insert(look.launch);
            if place % one_of == 0 {
                let relative = (look.throughput / median * 1e3).round() as i64;
                let is_disturbed = u8::from(!look.disturbances.is_empty());
                samples.push((launches.len(), relative, is_disturbed));
            }
        }
        let (workload, threads) = (case.name(), case.thread_spec.to_string());
        Some(Dots { workload, threads, one_of, samples })
    };
    run.judged_cases().filter_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Record, fixture};

    #[test]
    fn a_version_that_only_launches_of_its_worker_report_stands_among_its_libraries() {
        let launch = |worker: &str, version: &str| {
            let Record::Launch(mut launch) = fixture::launch() else { unreachable!() };
            launch.ready.worker = worker.to_owned();
            launch.ready.build.libraries = [("lua".to_owned(), version.to_owned())].into();
            *launch
        };
        let mut run = fixture::run(&[("a/x", &[100; 20])]);
        run.launches = vec![launch("native", "1"), launch("server", "2")];
        let build = |late: &[&str]| WorkerBuild {
            late_libraries: late.iter().map(ToString::to_string).collect(),
            ..WorkerBuild::default()
        };
        let late = build(&["lua"]);
        for name in ["server", "server in other settings"] {
            assert_eq!(libraries(&run, name, &late), [("lua".to_owned(), "2".to_owned())].into());
        }
        assert_eq!(libraries(&run, "servers", &late), BTreeMap::new());
        assert_eq!(libraries(&run, "server", &build(&[])), BTreeMap::new());
    }
}
