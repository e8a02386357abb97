//! Finds and ends processes that a worker left behind, even those that left its process group.

use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Orphans have this time to end by themselves when they are asked to: they may have files to remove.
const GRACE: Duration = Duration::from_secs(5);
/// And this time when they are killed.
const PATIENCE: Duration = Duration::from_secs(2);
/// Longest `/proc/PID/stat`: 52 numbers, and a name of 64 bytes at most.
const MOST_STAT_BYTES: u64 = 4096;

/// Children that this process inherited from whoever started it.
static INHERITED: OnceLock<BTreeSet<u32>> = OnceLock::new();

/// Makes this process the parent of all orphans among its descendants. On an old kernel, orphans go to init as usual.
pub fn adopt_orphans() {
    let _ = INHERITED.set(children().collect());
    let _ = prctl::set_child_subreaper(true);
}

/// Ends all children except live workers: they are asked, and killed if they have not ended in time.
pub(super) fn end_orphans(living: &BTreeSet<u32>) {
    end_within(GRACE, Signal::SIGTERM, living);
    end_within(PATIENCE, Signal::SIGKILL, living);
}

/// Sends a signal to each orphan, once, and waits until all have ended, or for this time.
fn end_within(patience: Duration, signal: Signal, living: &BTreeSet<u32>) {
    let inherited = INHERITED.get();
    let is_orphan =
        |pid: &u32| !living.contains(pid) && inherited.is_none_or(|pids| !pids.contains(pid));
    let mut signalled = BTreeSet::new();
    let deadline = Instant::now() + patience;
    // An orphan's own children become ours when it ends. One that we may not kill (it may have changed its user) is left
    // alone.
    while Instant::now() < deadline {
        let left: Vec<Pid> = children()
            .filter(is_orphan)
            .filter_map(|pid| i32::try_from(pid).ok().map(Pid::from_raw))
            .filter(|pid| kill(*pid, signalled.insert(*pid).then_some(signal)).is_ok())
            .collect();
        if left.is_empty() {
            return;
        }
        for pid in left {
            let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// All children of this process.
fn children() -> impl Iterator<Item = u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| parent(*pid) == Some(std::process::id()))
}

/// The fourth field of `/proc/PID/stat`; the second, the name, can hold anything up to its last bracket.
fn parent(pid: u32) -> Option<u32> {
    let stat = foreign::read(Path::new(&format!("/proc/{pid}/stat")), MOST_STAT_BYTES).ok()?;
    String::from_utf8_lossy(&stat).rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}
