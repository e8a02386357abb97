//! Machine activity: differences between two readings of the kernel's counters.
//!
//! A reading opens a file of every process, so readings are rare: they respect the requested interval and take at most
//! 0.5 % of the time.

use super::monotonic_ns;
use machine::{CpuTimes, Fact, Processes, Swap, TICKS_PER_S, Throttling, Use, thermal_throttles};
use record::Activity;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The interval between readings is at least this many times the duration of a reading.
const COST_FACTOR: u64 = 200;
/// A process is named if it used this share of one CPU's time …
const LEAST_SHARE: f64 = 0.01;
/// … and this many ticks of it.
const LEAST_TICKS: u64 = 2;
/// Most processes to name, the busiest.
const MOST_PROCESSES: usize = 8;

/// The counters at one moment.
#[derive(Debug)]
struct Counters {
    at_ns: u64,
    times: Fact<CpuTimes>,
    processes: Fact<Processes>,
    throttling: Fact<Throttling>,
    swap: Fact<Swap>,
    throttles: Fact<u64>,
}

impl Counters {
    fn read(root: &Path) -> Self {
        Self {
            at_ns: monotonic_ns(),
            times: CpuTimes::read(root),
            processes: Processes::read(root),
            throttling: Throttling::read(root),
            swap: Swap::read(root),
            throttles: thermal_throttles(root),
        }
    }
}

/// Reads the counters from time to time.
#[derive(Debug)]
pub struct ActivityWatch {
    root: PathBuf,
    cpus: Vec<u32>,
    last: Counters,
    took_ns: u64,
}

impl ActivityWatch {
    /// Takes the first reading; `cpus` are the CPUs of the run.
    pub fn start(root: &Path, cpus: &[u32]) -> Self {
        let last = Counters::read(root);
        let mut cpus = cpus.to_vec();
        cpus.sort_unstable();
        cpus.dedup();
        let took_ns = monotonic_ns().saturating_sub(last.at_ns);
        Self { root: root.to_owned(), cpus, last, took_ns }
    }

    /// The activity since the previous reading, if that is at least `every` ago and readings stay cheap.
    pub fn look_if_due(&mut self, every: Duration) -> Option<Activity> {
        let every_ns = u64::try_from(every.as_nanos()).unwrap_or(u64::MAX);
        let every_ns = every_ns.max(self.took_ns.saturating_mul(COST_FACTOR));
        (monotonic_ns().saturating_sub(self.last.at_ns) >= every_ns).then(|| self.look())
    }

    /// The activity since the previous reading.
    pub fn look(&mut self) -> Activity {
        let now = Counters::read(&self.root);
        self.took_ns = monotonic_ns().saturating_sub(now.at_ns);
        let then = std::mem::replace(&mut self.last, now);
        self.difference(&then)
    }

    fn difference(&self, then: &Counters) -> Activity {
        let now = &self.last;
        let both =
            |now: &Fact<u64>, then: &Fact<u64>| Some(now.known()?.saturating_sub(*then.known()?));
        let uses = now.processes.known().zip(then.processes.known());
        let uses = uses.map(|(now, then)| now.since(then, std::process::id()));
        let elapsed_ticks = now.at_ns.saturating_sub(then.at_ns) as f64 / 1e9 * TICKS_PER_S;
        let is_worth_a_name = |used: &Use| {
            used.total() >= LEAST_TICKS && used.total() as f64 >= LEAST_SHARE * elapsed_ticks
        };
        let times = now.times.known().zip(then.times.known());
        let throttling = now.throttling.known().zip(then.throttling.known());
        Activity {
            since_ns: then.at_ns,
            at_ns: now.at_ns,
            took_ns: self.took_ns,
            cpus: self.cpus.clone(),
            elapsed: times.and_then(|(now, then)| now.since(then, &self.cpus).known().copied()),
            own_ticks: uses.as_ref().map_or(0, |uses| uses.own_ticks),
            others_ticks: uses.iter().flat_map(|uses| &uses.others).map(Use::total).sum(),
            processes: uses.map(|uses| {
                let others = uses.others.into_iter();
                others.filter(is_worth_a_name).take(MOST_PROCESSES).collect()
            }),
            throttled: throttling.map(|(now, then)| now.since(then)),
            swapped_pages: both(&now.swap.map(|s| s.pages), &then.swap.map(|s| s.pages)),
            thermal_throttles: both(&now.throttles, &then.throttles),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// A process that isn't ours: `setsid --fork` starts it as a child of init.
    struct Stranger(u32);

    impl Stranger {
        fn spin(folder: &Path) -> Self {
            let pid_file = folder.join("pid");
            let script = format!("echo $$ > {}; while :; do :; done", pid_file.display());
            let mut command = Command::new("setsid");
            command.args(["--fork", "sh", "-c", &script]).stdin(Stdio::null());
            assert!(command.status().unwrap().success());
            let start = Instant::now();
            loop {
                let text = std::fs::read_to_string(&pid_file).unwrap_or_default();
                if let Ok(pid) = text.trim().parse() {
                    return Self(pid);
                }
                assert!(start.elapsed() < Duration::from_secs(60), "no process came");
            }
        }
    }

    impl Drop for Stranger {
        fn drop(&mut self) {
            let pid = nix::unistd::Pid::from_raw(self.0.try_into().unwrap());
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
    }

    #[test]
    fn a_busy_process_is_named_and_its_time_adds_up() {
        let folder = tempfile::tempdir().unwrap();
        let stranger = Stranger::spin(folder.path());
        let mut watch = ActivityWatch::start(Path::new("/"), &[0]);
        assert_eq!(watch.look_if_due(Duration::from_secs(1000)), None, "it is too early");
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let activity = watch.look();
            assert!(activity.took_ns > 0 && activity.since_ns < activity.at_ns);
            let named = activity.processes.iter().flatten().find(|used| used.pid == stranger.0);
            if let Some(named) = named {
                assert!(named.cpu.is_some() && activity.others_ticks >= named.ticks);
                return;
            }
            assert!(Instant::now() < deadline, "{activity:?}");
        }
    }

    #[test]
    fn missing_counters_are_absent() {
        let empty = tempfile::tempdir().unwrap();
        let activity = ActivityWatch::start(empty.path(), &[0]).look();
        assert_eq!((activity.elapsed, activity.throttled), (None, None));
        assert_eq!((activity.swapped_pages, activity.thermal_throttles), (None, None));
        assert_eq!(activity.processes, None);
    }
}
