//! Starts a run.

use super::header::{Made, header};
use super::manifests::{checked_manifests, why_not};
use super::name::{default_label, default_path};
use super::tasks::tasks;
use super::{Notice, Notify, ROOT, Session, cpus_of, notified};
use crate::examine::{self, Preflight};
use crate::execute::{Interrupt, Manifests, Progress, Room, Task};
use crate::plan::{Ask, most_telling, plan};
use crate::telemetry::TelemetryAsk;
use anyhow::bail;
use catalog::Catalog;
use machine::{IsaSwitch, Machine};
use record::{Case, Plan, Record, ThreadSpec, UserFacts, Writer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run to start.
pub struct NewRun<'a> {
    pub catalog: &'a Catalog,
    pub ask: Ask,
    /// The machine's label; by default its product and CPU.
    pub label: Option<String>,
    /// A name for this individual machine.
    pub host: Option<String>,
    /// Facts about the machine that the user states.
    pub facts: UserFacts,
    /// The run file; by default one in `runs/`.
    pub output: Option<PathBuf>,
    /// The workload whose worker corrupts its output.
    pub injected: Option<String>,
    /// How long a worker may take for an answer, in addition to the requested sample time.
    pub answer_timeout: Duration,
    /// Whether latencies and clocks of the machine itself are measured first.
    pub measure_machine: bool,
    /// Sensors and commands that are read while the run measures.
    pub telemetry: TelemetryAsk,
}

impl Session {
    /// Checks that the run is possible here and writes the first line of its file.
    ///
    /// # Errors
    /// When the machine can't do what is requested, or the file exists or can't be written.
    pub fn create(new: NewRun, notify: &mut Notify, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let NewRun {
            catalog,
            ask,
            label,
            host,
            facts,
            output,
            injected,
            answer_timeout,
            measure_machine,
            telemetry,
        } = new;
        if let Some(path) = output.as_ref().filter(|path| path.exists()) {
            bail!(
                "{} exists and will not be overwritten. Choose another file, or continue it with --resume",
                path.display()
            );
        }
        let machine = Machine::read(Path::new(ROOT));
        check_isa(&ask.isa, &machine)?;
        let planned = plan(&ask, &machine)?;
        let most = planned.plan.cases.iter().max_by_key(|case| case.threads);
        if let Some((threads, cpus)) = most.and_then(turns) {
            notify(&Notice::TakeTurns { threads, cpus });
        }
        let tasks = tasks(&planned.plan, &ask.variants, catalog, injected.as_deref())?;
        check_room_to_roll(&planned.plan, &tasks, &machine)?;
        let preflight = Preflight::start(Path::new(ROOT), &cpus_of(&planned.plan));
        let manifests =
            checked_manifests(&tasks, answer_timeout.min(ask.budget), notify, interrupt);
        check_comparable(&tasks, &manifests)?;
        let findings = notified(preflight.end(Path::new(ROOT), &machine), notify);
        let label = label.unwrap_or_else(|| default_label(&machine, &ask.isa));
        let made = Made { label, host, injected, findings, facts };
        let header = header(&ask, &planned, catalog, &manifests, &machine, made)?;
        let path = output.unwrap_or_else(|| default_path(&header));
        // Nothing is measured yet, so this is a bad file name and not an incomplete run.
        let mut writer = Writer::create(&path, &header).map_err(|e| anyhow::anyhow!("{e}"))?;
        if measure_machine {
            let mut measuring = |what: &str| notify(&Notice::MeasuresMachine(what));
            let measured = examine::measure_machine(
                Path::new(ROOT),
                &machine,
                catalog,
                &mut measuring,
                interrupt,
            );
            writer.write(&Record::MeasuredMachine(Box::new(measured)))?;
        }
        let order = most_telling(&planned.plan, &planned.categories);
        Ok(Self {
            plan: planned.plan,
            order,
            tasks,
            manifests,
            machine,
            writer,
            progress: Progress::default(),
            budget: ask.budget,
            answer_timeout,
            telemetry,
        })
    }
}

/// Checks that all processes of a rolling mix can be live at once: one for each row, and one for each of its threads.
fn check_room_to_roll(plan: &Plan, tasks: &[Task], machine: &Machine) -> anyhow::Result<()> {
    if plan.rolling.is_none() {
        return Ok(());
    }
    let mut room = Room::of(&machine.limits);
    let of_threads = tasks.iter().flat_map(|task| {
        (0..task.case.threads).map(|thread| task.on_thread(thread)).collect::<Vec<_>>()
    });
    let all: Vec<Task> = tasks.iter().cloned().chain(of_threads).collect();
    for task in &all {
        if !room.is_for(task.case.threads, task.memory_bytes()) {
            bail!(
                "--rolling: {} processes at once, one for each row and one for each of its threads, need more memory, tasks or \
                 open files than are free. Use fewer CPUs (--cpus) or a mix of fewer workloads",
                all.len()
            );
        }
        room.take(task.case.threads, task.memory_bytes());
    }
    Ok(())
}

/// The threads and the CPUs of a case that has more threads than CPUs.
fn turns(case: &Case) -> Option<(usize, usize)> {
    let cpus = case.cpus.iter().collect::<BTreeSet<_>>().len();
    (case.threads > cpus).then_some((case.threads, cpus))
}

/// Checks that there is something to switch off: a run that says so must be another than one without.
fn check_isa(isa: &[IsaSwitch], machine: &Machine) -> anyhow::Result<()> {
    let is_arm = machine.cpu.architecture.known().is_some_and(|name| name == "aarch64");
    if let Some(switch) = isa.first().filter(|_| is_arm) {
        // OPENSSL_armcap replaces all that OpenSSL has found, which core it is on included; AWS-LC reads the same variable otherwise.
        bail!(
            "--isa {switch}: on aarch64 the libraries have no switches for it. Of Go's rows, measure what AES is worth by \
             --variant base --variant no-aes=GODEBUG=cpu.aes=off"
        );
    }
    let features = machine.cpu.features.known().map_or(&[][..], Vec::as_slice);
    match isa.iter().find(|switch| !features.iter().any(|feature| switch.removes(feature))) {
        Some(switch) => bail!("--isa {switch}: this CPU has nothing that it could switch off"),
        None => Ok(()),
    }
}

/// Checks that at least one case has two variants that can run; otherwise there is nothing to compare.
fn check_comparable(tasks: &[Task], manifests: &Manifests) -> anyhow::Result<()> {
    let mut able: BTreeMap<(&str, ThreadSpec), usize> = BTreeMap::new();
    let mut reason = None;
    for task in tasks.iter().filter(|task| task.case.variant.is_some()) {
        let count = able.entry((&task.case.workload, task.case.thread_spec)).or_default();
        match why_not(&task.program, &task.workload, manifests) {
            None => *count += 1,
            Some(why) => reason = Some(why),
        }
    }
    match reason {
        Some(why) if able.values().all(|count| *count < 2) => {
            bail!("no workload has two variants that can run here: {why}")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{Cap, Fact, fixture};

    #[test]
    fn a_mix_rolls_only_if_all_of_its_processes_fit() {
        let mut plan = record::fixture::header().plan;
        let mut machine = Machine::default();
        machine.limits.max_open_files = Fact::Known(Cap::At(64 + 3 * 4));
        let task = Task::sample(0, Case { threads: 2, cpus: vec![0, 1], ..plan.cases[0].clone() });
        let refusal = |plan: &Plan, machine: &Machine| {
            check_room_to_roll(plan, std::slice::from_ref(&task), machine)
                .err()
                .map(|why| why.to_string())
        };
        assert_eq!(refusal(&plan, &machine), None, "it does not roll");
        plan.rolling = Some(catalog::Mix { utilisation: 1.0, spares: 0, demands: Vec::new() });
        assert_eq!(refusal(&plan, &machine), None, "a row and its two threads");
        machine.limits.max_open_files = Fact::Known(Cap::At(64 + 2 * 4));
        let refused = refusal(&plan, &machine).unwrap();
        assert!(refused.starts_with("--rolling: 3 processes at once"), "{refused}");
    }

    #[test]
    fn instruction_sets_are_switched_off_where_libraries_can_and_the_cpu_has_them() {
        let refusal = |machine: &str| {
            let checked = check_isa(&[IsaSwitch::NoAes], &fixture::machine(machine));
            checked.err().map(|why| why.to_string())
        };
        assert_eq!(refusal("xeon-2s"), None);
        let on_arm = refusal("altra").unwrap();
        assert!(
            on_arm.contains("no switches") && on_arm.contains("GODEBUG=cpu.aes=off"),
            "{on_arm}"
        );
        let nothing = check_isa(&[IsaSwitch::NoSha], &Machine::default()).unwrap_err().to_string();
        assert!(nothing.contains("nothing that it could switch off"), "{nothing}");
    }
}
