//! A worker at work, for others to look at: one launch like those of a run, whose figures nobody keeps.

use crate::execute::{Failure, Interrupt, LiveLaunch, Patience, Task, manifest, monotonic_ns};
use anyhow::bail;
use catalog::{Catalog, Workload};
use machine::{Machine, Placement, place};
use rand::RngExt;
use record::{Case, Measured, ThreadSpec, Timing, WorkerBuild};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Long, so that little of the time is between samples.
const TIMING: Timing =
    Timing { warmup_ns: 5_000_000, sample_ns: 250_000_000, rounds_per_launch: 1 };
/// In the worker's environment, the path of the file for the names of code that it makes: docs/protocol.md.
const JIT_MAP: &str = "SIZEUP_JIT_MAP";
/// How long a worker may take for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The watcher is called this often, at random times, so that no period of the work hides from it.
const WATCH_EVERY_MS: RangeInclusive<u64> = 2..=6;

/// A workload to start for examination.
#[derive(Debug)]
pub struct SubjectAsked<'a> {
    pub workload: &'a Workload,
    pub catalog: &'a Catalog,
    pub machine: &'a Machine,
    pub threads: ThreadSpec,
}

/// A live worker that is ready for samples.
#[derive(Debug)]
pub struct Subject {
    launch: LiveLaunch,
    cpus: Vec<u32>,
    threads: usize,
    interrupt: Interrupt,
    jit_map: NamedTempFile,
}

impl Subject {
    /// Starts the worker on the CPUs that a run would use, and prepares the workload.
    ///
    /// # Errors
    /// When the machine or the worker can't do the workload.
    pub fn start(asked: &SubjectAsked, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let SubjectAsked { workload, catalog, machine, threads } = asked;
        if workload.takes_client() || workload.is_command() {
            bail!(
                "{} runs in processes other than its worker, which can't be examined",
                workload.id
            );
        }
        let listed = manifest(&workload.program, PATIENCE, interrupt)?;
        if let Some(why) = listed.why_not(workload) {
            bail!("{}: {why}", workload.id);
        }
        let threads = match threads {
            ThreadSpec::Count(threads) => *threads,
            ThreadSpec::All => machine.limits.usable_threads().threads,
        };
        let placement = Placement::Cores;
        let cpus = place(&machine.topology, &machine.limits.allowed_cpus, placement, threads);
        let case = Case {
            workload: workload.id.clone(),
            thread_spec: asked.threads,
            threads,
            placement,
            cpus: cpus.clone(),
            variant: None,
            control: false,
            co_runner: false,
        };
        let mut task = Task::new(0, &case, workload, catalog, false);
        let jit_map = NamedTempFile::with_prefix("sizeup-jit-map-")?;
        let path = jit_map.path().display().to_string();
        task.program.environment.insert(JIT_MAP.to_owned(), path);
        let build = &listed.manifest.build;
        let launch = LiveLaunch::start(&task, 0, 0, build, Patience(PATIENCE), interrupt)?;
        Ok(Self { launch, cpus, threads, interrupt: interrupt.clone(), jit_map })
    }

    /// The worker's process.
    pub fn pid(&self) -> u32 {
        self.launch.pid()
    }

    /// The file in which it names code that it makes at run time, in the form of `perf`'s maps.
    pub fn jit_map(&self) -> &Path {
        self.jit_map.path()
    }

    /// How many threads do the work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The CPUs that it runs on.
    pub fn cpus(&self) -> &[u32] {
        &self.cpus
    }

    /// The build in the worker's answer, limited to what the workload uses.
    pub fn build(&self) -> &WorkerBuild {
        &self.launch.ready.build
    }

    /// Takes samples for a time, or until the user stops it, and returns them.
    /// `watch` gets the time every few milliseconds; between calls the harness sleeps.
    ///
    /// # Errors
    /// When the worker fails, or `watch` does.
    pub fn work(
        &mut self,
        time: Duration,
        mut watch: Option<&mut dyn FnMut(u64) -> anyhow::Result<()>>,
    ) -> anyhow::Result<Vec<Measured>> {
        let mut random = rand::rng();
        let mut samples = Vec::new();
        let end = Instant::now() + time;
        while Instant::now() < end && !self.interrupt.asked() {
            let sent_ns = self.launch.request(&TIMING)?;
            let deadline = Instant::now() + PATIENCE;
            while let Some(watch) = &mut watch {
                let pause = Duration::from_millis(random.random_range(WATCH_EVERY_MS));
                if self.launch.answers_within(pause) || Instant::now() > deadline {
                    break;
                }
                watch(monotonic_ns())?;
            }
            samples.push(self.launch.sample(&TIMING, sent_ns)?.measured);
        }
        Ok(samples)
    }

    /// Ends the worker, which verifies its work.
    ///
    /// # Errors
    /// When the work was wrong.
    pub fn finish(self) -> Result<(), Failure> {
        self.launch.finish().map(drop)
    }
}
