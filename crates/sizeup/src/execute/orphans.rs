//! Processes that a worker left behind, even those that left its process group.

use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;

/// Makes this process the parent of all orphans among its descendants. Without it (an old kernel)
/// such orphans go to init, as ever.
pub fn adopt_orphans() {
    let _ = prctl::set_child_subreaper(true);
}

/// Ends all children but those that are meant to live.
pub(super) fn end_orphans(living: &BTreeSet<u32>) {
    // An orphan's own children become ours when it ends.
    for _ in 0..8 {
        let orphans: Vec<u32> = children().filter(|pid| !living.contains(pid)).collect();
        if orphans.is_empty() {
            return;
        }
        for pid in orphans.into_iter().filter_map(|pid| i32::try_from(pid).ok()) {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            let _ = waitpid(Pid::from_raw(pid), None);
        }
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
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}
