//! `sizeup run`.

use super::choice::{chosen_mix, chosen_suite};
use super::exit::Exit;
use super::going_on::{Outcome, advice};
use super::progress::ProgressLine;
use super::receipts::{receipts, why_not};
use super::run_args::RunArgs;
use super::run_name::{default_label, default_path};
use super::talk;
use super::{pilot, resume, short_budget, variants};
use crate::catalog::{Catalog, Home, Mix, Suite};
use crate::doctor::{Finding, Glance};
use crate::execute::{Interrupt, Progress, Receipts, Settings, Task, adopt_orphans, execute};
use crate::machine::{self, Machine};
use crate::plan::{Ask, Planned, ThreadsAsked, most_telling, parse_budget, parse_precision, plan};
use crate::record::{self, Ended, FORMAT, Header, Plan, ThreadSpec, Variant, Writer};
use crate::report::{ShowView, finding_line, show_table};
use anyhow::bail;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// Where the system describes itself.
const ROOT: &str = "/";
/// So much of what a worker wrote to stderr is told.
const MOST_STDERR_LINES: usize = 10;

pub(super) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let interrupt = Interrupt::catch()?;
    adopt_orphans();
    if args.estimate {
        return pilot::estimate(args, &interrupt);
    }
    let session = match &args.resume {
        None => new_run(args, &interrupt)?,
        Some(file) => match resume::session(args, file, &interrupt)? {
            Some(session) => session,
            None => return Ok(exit_of(&ShowView::of(&record::read(file)?))),
        },
    };
    let session = short_budget::leave_out(session, started)?;
    let Outcome { run, not_written } = carry_out(session, args, started, &interrupt)?;
    let view = ShowView::of(&run);
    let printed =
        if args.json { super::print_json(&view) } else { super::print(&show_table(&view)) };
    match &not_written {
        None => talk(format_args!("the run is in {}", run.path.display())),
        Some(error) => talk(advice(&run, args, error)),
    }
    printed?;
    Ok(if not_written.is_some() { Exit::Incomplete } else { exit_of(&view) })
}

/// Everything that is needed to measure.
pub(super) struct Session {
    pub plan: Plan,
    /// The plan's cases, the most telling first.
    pub order: Vec<usize>,
    pub tasks: Vec<Task>,
    pub receipts: Receipts,
    pub machine: Machine,
    pub writer: Writer,
    pub progress: Progress,
    /// Time that is left of the budget.
    pub budget: Duration,
}

impl Session {
    /// A hundredth of the budget is for reading the file again and printing the table.
    pub fn time_to_measure(&self) -> Duration {
        self.budget.mul_f64(0.99)
    }
}

pub(super) fn new_run(args: &RunArgs, interrupt: &Interrupt) -> anyhow::Result<Session> {
    if let Some(path) = args.output.as_ref().filter(|path| path.exists()) {
        bail!(
            "{} is there already and is never written over: name another file, or go on with --resume",
            path.display()
        );
    }
    let catalog = Catalog::load(&Home::find()?, &args.folders)?.with_client(args.client.as_ref());
    let machine = Machine::read(Path::new(ROOT));
    let mix = chosen_mix(args, &catalog)?;
    let suite = chosen_suite(args, mix.as_ref(), &catalog)?;
    let ask = ask(args, suite, mix)?;
    let planned = plan(&ask, &machine.topology, &machine.limits)?;
    let planted_id = args.plant_wrong_answer.clone();
    let tasks = tasks(&planned.plan, &ask.variants, &catalog, planted_id.as_deref())?;
    let glance = Glance::start(Path::new(ROOT), &cpus_of(&planned.plan));
    let receipts = checked_receipts(&tasks, args.answer_timeout.min(ask.budget), interrupt);
    check_comparable(&tasks, &receipts)?;
    let findings = told(glance.end(Path::new(ROOT), &machine));
    let label = args.label.clone().unwrap_or_else(|| default_label(&machine));
    let mut header = header(&ask, &planned, &catalog, &receipts, &machine, label, planted_id)?;
    header.findings = findings;
    header.host.clone_from(&args.host);
    let path = args.output.clone().unwrap_or_else(|| default_path(&header));
    // Nothing is lost yet: that is no incomplete run but a file name that can't be taken.
    let writer = Writer::create(&path, &header).map_err(|e| anyhow::anyhow!("{e}"))?;
    let progress = Progress::default();
    let order = most_telling(&planned.plan, &planned.categories);
    let (plan, budget) = (planned.plan, ask.budget);
    Ok(Session { plan, order, tasks, receipts, machine, writer, progress, budget })
}

/// Measures, and gives what the run file holds then: where it can't be written any more (a full disk, say), what was
/// measured until then.
pub(super) fn carry_out(
    mut session: Session,
    args: &RunArgs,
    started: Instant,
    interrupt: &Interrupt,
) -> anyhow::Result<Outcome> {
    let path = session.writer.path().to_owned();
    let settings = Settings {
        plan: &session.plan,
        receipts: &session.receipts,
        limits: &session.machine.limits,
        topology: &session.machine.topology,
        order: &session.order,
        deadline: started + session.time_to_measure(),
        answer_timeout: args.answer_timeout,
        root: Path::new(ROOT),
    };
    let mut watch = ProgressLine::new(session.budget);
    let ended = execute(
        &settings,
        session.tasks,
        session.progress,
        &mut session.writer,
        &mut watch,
        interrupt,
    );
    let mut writer = session.writer;
    let not_written = match ended {
        Ok(ended) => writer.close(ended, crate::execute::monotonic_ns()).err(),
        Err(error) => {
            // What there is still room for, before it is read.
            let _ = writer.flush();
            Some(error)
        }
    };
    watch.end();
    Outcome::of(&path, not_written)
}

/// Whether every row has its figure.
fn exit_of(view: &ShowView) -> Exit {
    let is_stopped = view.ended == Some(Ended::Interrupted);
    if view.is_whole() && !is_stopped { Exit::Fine } else { Exit::Incomplete }
}

fn ask(args: &RunArgs, mut suite: Suite, mix: Option<Mix>) -> anyhow::Result<Ask> {
    let name = suite.name.clone();
    let of_suite = |what: &str| format!("the suite {name:?}: {what}");
    let threads: Vec<ThreadsAsked> = if args.threads.is_empty() {
        let parsed = suite.threads.iter().map(|text| text.parse());
        parsed.collect::<Result<_, String>>().map_err(|e| anyhow::anyhow!(of_suite(&e)))?
    } else {
        suite.categories.iter_mut().for_each(|category| category.threads.clear());
        args.threads.clone()
    };
    let precision_ppm = match args.precision {
        Some(ppm) => ppm,
        None => parse_precision(&suite.precision).map_err(|e| anyhow::anyhow!(of_suite(&e)))?,
    };
    let budget = match args.budget {
        Some(budget) => budget,
        None => parse_budget(&suite.budget).map_err(|e| anyhow::anyhow!(of_suite(&e)))?,
    };
    Ok(Ask {
        suite,
        mix,
        threads,
        variants: args.variants.clone(),
        placement: args.placement,
        cpus: args.cpus.as_ref().map(|cpus| cpus.to_vec()),
        precision_ppm,
        budget,
        timing: args.timing.timing(args.rounds_per_launch),
        seed: args.seed.unwrap_or_else(|| rand::random::<u64>() >> 1),
    })
}

/// A task for each case of a plan.
pub(super) fn tasks(
    plan: &Plan,
    variants: &[Variant],
    catalog: &Catalog,
    planted: Option<&str>,
) -> anyhow::Result<Vec<Task>> {
    if let Some(id) = planted
        && !plan.cases.iter().any(|case| case.workload == id)
    {
        bail!("--plant-wrong-answer: {id:?} is not among the workloads of this run");
    }
    let variants = &variants::located(variants)?;
    let tasks = plan.cases.iter().enumerate().map(|(number, case)| {
        let workload = &catalog.workloads[&case.workload];
        let task = Task::new(number, case, workload, catalog, planted == Some(&case.workload));
        let variant = variants.iter().find(|variant| case.variant.as_ref() == Some(&variant.name));
        variant.map_or(task.clone(), |variant| task.in_setting(variant))
    });
    let tasks: Vec<Task> = tasks.collect();
    for (variant, worker) in variants.iter().flat_map(|v| v.workers.keys().map(move |w| (v, w))) {
        if !plan.cases.iter().any(|case| catalog.workloads[&case.workload].program.name == *worker)
        {
            bail!(
                "--variant {}: no workload of this run is done by the worker {worker:?}",
                variant.name
            );
        }
    }
    Ok(tasks)
}

/// The receipts of all workers of a plan; says which workloads can't run. Their cases get that as their
/// outcome when they are launched.
pub(super) fn checked_receipts(
    tasks: &[Task],
    patience: Duration,
    interrupt: &Interrupt,
) -> Receipts {
    let receipts = receipts(tasks.iter().map(|task| &task.program), patience, interrupt);
    let why_not = |task: &Task| why_not(&task.program, &task.asked_as, &receipts);
    let told: BTreeMap<String, String> =
        tasks.iter().filter_map(|task| Some((task.case.name(), why_not(task)?))).collect();
    for (id, why) in told {
        talk(format_args!("{id} can't run here: {why}"));
    }
    // A loader that could not do what a variant asks of it, say, only complains.
    for (name, listed) in &receipts {
        for line in listed.iter().flat_map(|l| l.stderr.lines()).take(MOST_STDERR_LINES) {
            talk(format_args!("the worker {name} wrote to stderr: {line}"));
        }
    }
    receipts
}

/// Variants are there to be compared: without two of any case that can run, nothing would come of it.
fn check_comparable(tasks: &[Task], receipts: &Receipts) -> anyhow::Result<()> {
    let mut able: BTreeMap<(&str, ThreadSpec), usize> = BTreeMap::new();
    let mut reason = None;
    for task in tasks.iter().filter(|task| task.case.variant.is_some()) {
        let count = able.entry((&task.case.workload, task.case.thread_spec)).or_default();
        match why_not(&task.program, &task.asked_as, receipts) {
            None => *count += 1,
            Some(why) => reason = Some(why),
        }
    }
    match reason {
        Some(why) if able.values().all(|count| *count < 2) => {
            bail!("no two variants of any workload can run here: {why}")
        }
        _ => Ok(()),
    }
}

fn header(
    ask: &Ask,
    Planned { plan, categories }: &Planned,
    catalog: &Catalog,
    receipts: &Receipts,
    machine: &Machine,
    label: String,
    planted: Option<String>,
) -> anyhow::Result<Header> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let definitions: BTreeMap<_, _> = plan
        .cases
        .iter()
        .map(|case| (case.workload.clone(), catalog.workloads[&case.workload].definition.clone()))
        .collect();
    Ok(Header {
        format: format!("{}.{}", FORMAT.0, FORMAT.1),
        sizeup: env!("CARGO_PKG_VERSION").to_owned(),
        label,
        started_unix_ns: u64::try_from(now.as_nanos())?,
        started_ns: crate::execute::monotonic_ns(),
        suite: ask.suite.name.clone(),
        suite_version: ask.suite.version,
        categories: categories.clone(),
        workloads: definitions,
        workers: receipts
            .iter()
            .filter_map(|(name, listed)| {
                Some((name.clone(), listed.as_ref().ok()?.receipt.clone()))
            })
            .collect(),
        plan: plan.clone(),
        machine: machine.clone(),
        variants: ask.variants.clone(),
        planted,
        host: None,
        boot: machine::boot(Path::new(ROOT)),
        origin: None,
        findings: Vec::new(),
    })
}

/// The CPUs that a plan measures on.
pub(super) fn cpus_of(plan: &Plan) -> Vec<u32> {
    plan.cases.iter().flat_map(|case| &case.cpus).copied().collect()
}

/// Says on stderr what stands against measuring.
pub(super) fn told(findings: Vec<Finding>) -> Vec<Finding> {
    for finding in &findings {
        talk(format_args!("{}; {}", finding_line(finding), finding.meaning));
    }
    if !findings.is_empty() {
        talk("`sizeup doctor` says more, and what can be done");
    }
    findings
}
