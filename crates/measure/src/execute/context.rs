//! Shared by all cases of a run: its file, clock, settings, watcher and interrupt.

use super::builds::Builds;
use super::costs::Costs;
use super::failure::Failure;
use super::launch::{LiveLaunch, Patience, impossible};
use super::orphans::end_orphans;
use super::settings::Settings;
use super::task::Task;
use super::{Event, Interrupt, Watch};
use crate::telemetry::{ActivityWatch, Sources, least_needed, monotonic_ns};
use estimate::Heat;
use record::{Copies, Idle, Measured, Reading, Record, Verified, WriteError, Writer};
use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Least time between two activity records.
const ACTIVITY_EVERY: Duration = Duration::from_secs(10);

/// The energy counters of an idle machine are read this often.
const IDLE_STEP: Duration = Duration::from_millis(100);

const TEMPERATURE: &str = "temperature_c.";

/// State shared by cases; passed to a case for each step.
pub(super) struct RunContext<'a> {
    settings: &'a Settings<'a>,
    interrupt: &'a Interrupt,
    writer: &'a mut Writer,
    watch: &'a mut dyn Watch,
    activity: ActivityWatch,
    sources: Sources,
    /// The energy counters' last readings, until they are written.
    energy: Vec<Reading>,
    /// Readings of temperature sensors, in °C.
    heat: Heat,
    copies: Copies,
    builds: Builds<'a>,
    costs: Costs,
    /// Processes of live workers; any other descendant of this process is an orphan.
    living: BTreeSet<u32>,
    next_launch: u64,
    round: u64,
}

impl<'a> RunContext<'a> {
    /// `copies` holds the samples so far; the next launch and round get these numbers.
    pub fn new(
        settings: &'a Settings<'a>,
        writer: &'a mut Writer,
        watch: &'a mut dyn Watch,
        interrupt: &'a Interrupt,
        copies: Copies,
        (next_launch, round): (u64, u64),
    ) -> Self {
        let cpus = settings.plan.cases.iter().flat_map(|case| &case.cpus).copied();
        Self {
            activity: ActivityWatch::start(settings.root, &cpus.collect::<Vec<u32>>()),
            sources: Sources::start(
                settings.telemetry,
                least_needed(settings.plan, &settings.limits.allowed_cpus),
            ),
            energy: Vec::new(),
            heat: Heat::new(),
            builds: Builds::of(settings.manifests),
            costs: Costs::default(),
            living: BTreeSet::new(),
            settings,
            interrupt,
            writer,
            watch,
            copies,
            next_launch,
            round,
        }
    }

    pub fn settings(&self) -> &'a Settings<'a> {
        self.settings
    }

    pub fn round(&self) -> u64 {
        self.round
    }

    pub fn next_round(&mut self) {
        self.round += 1;
    }

    pub fn builds(&mut self) -> &mut Builds<'a> {
        &mut self.builds
    }

    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Whether the user wants the run to stop.
    pub fn is_stopped(&self) -> bool {
        self.interrupt.asked()
    }

    /// Whether the user does not want to wait for workers either.
    pub fn is_insisted(&self) -> bool {
        self.interrupt.insisted()
    }

    /// Time until the budget ends.
    pub fn left(&self) -> Duration {
        self.settings.deadline.saturating_duration_since(Instant::now())
    }

    /// Whether there is time for a turn of this length and for ending all workers after it.
    pub fn has_time_for(&self, turn: Duration, until: Instant) -> bool {
        Instant::now() + turn + self.costs.of_ending(self.living.len()) < until
    }

    pub fn see(&mut self, event: &Event) {
        let left = self.left();
        self.watch.see(event, left);
    }

    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        self.writer.write(record)
    }

    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.writer.flush()
    }

    pub fn flush_if_due(&mut self) -> Result<(), WriteError> {
        self.writer.flush_if_due()
    }

    /// Leaves the machine idle for a while, to read its meters before any work.
    pub fn idle(&mut self) -> Result<(), WriteError> {
        let (asked, budget) = (self.settings.telemetry.idle, self.settings.plan.budget_ns);
        let time = self.sources.idle_time(asked, Duration::from_nanos(budget));
        if time.is_zero() {
            return Ok(());
        }
        let (start_ns, end) = (monotonic_ns(), Instant::now() + time.min(self.left()));
        while Instant::now() < end && !self.is_stopped() {
            self.read_energy();
            self.write_telemetry()?;
            sleep(IDLE_STEP.min(end.saturating_duration_since(Instant::now())));
        }
        self.read_energy();
        self.write_telemetry()?;
        self.write(&Record::Idle(Idle { start_ns, end_ns: monotonic_ns() }))
    }

    /// Reads the energy counters, close to a sample; written later.
    pub fn read_energy(&mut self) {
        self.energy.extend(self.sources.energy());
    }

    /// Writes readings and energy counters collected so far. Never call it while a sample is open.
    pub fn write_telemetry(&mut self) -> Result<(), WriteError> {
        for reading in std::mem::take(&mut self.energy) {
            self.writer.write(&Record::Reading(reading))?;
        }
        for record in self.sources.records() {
            if let Record::Reading(Reading { at_ns, source, value }) = &record
                && source.starts_with(TEMPERATURE)
            {
                self.heat.entry(source.clone()).or_default().push((*at_ns, *value));
            }
            self.writer.write(&record)?;
        }
        Ok(())
    }

    /// Readings of temperature sensors so far, in °C.
    pub fn heat(&self) -> &Heat {
        &self.heat
    }

    /// Telemetry, and from time to time machine activity.
    pub fn write_readings(&mut self) -> Result<(), WriteError> {
        self.write_telemetry()?;
        match self.activity.look_if_due(ACTIVITY_EVERY) {
            Some(activity) => self.write(&Record::Activity(activity)),
            None => Ok(()),
        }
    }

    /// Machine activity, however recent the previous record is.
    pub fn write_activity(&mut self) -> Result<(), WriteError> {
        let activity = self.activity.look();
        self.write(&Record::Activity(activity))
    }

    /// Counts a sample of a case, and refuses one copy too many.
    pub fn count_sample(&mut self, case: usize, sample: &Measured) -> Result<(), Failure> {
        self.copies.add(case, sample).map_err(|what| impossible(&what))
    }

    /// Starts a worker for a task.
    pub fn launch(&mut self, task: &Task) -> Result<LiveLaunch, Failure> {
        let (number, start_ns) = (self.next_launch, monotonic_ns());
        self.next_launch += 1;
        let seed = self.settings.plan.seed.wrapping_add(number) & i64::MAX as u64;
        let build = self.builds.find(task)?;
        let patience = Patience(self.settings.answer_timeout);
        let launch = LiveLaunch::start(task, number, seed, build, patience, self.interrupt)?;
        self.costs.launched_in(monotonic_ns() - start_ns);
        self.builds.learn(&task.program.name, &launch.ready.build);
        Ok(launch)
    }

    /// Runs a worker's final verification and ends it.
    pub fn end(&mut self, launch: LiveLaunch) -> Result<Verified, Failure> {
        let (number, start_ns) = (launch.number, monotonic_ns());
        let verified = launch.finish()?;
        let at_ns = monotonic_ns();
        self.costs.ended_in(at_ns - start_ns);
        Ok(Verified { launch: number, at_ns, verified })
    }

    /// Marks a worker as live until [`Self::let_go`].
    pub fn keep_alive(&mut self, launch: &LiveLaunch) {
        self.living.insert(launch.pid());
    }

    pub fn let_go(&mut self, launch: &LiveLaunch) {
        self.living.remove(&launch.pid());
    }

    /// Kills processes that workers left behind.
    pub fn end_orphans(&self) {
        end_orphans(&self.living.union(&self.sources.pids()).copied().collect());
    }
}
