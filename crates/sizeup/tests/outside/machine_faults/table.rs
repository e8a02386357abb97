//! The faults: how each comes about, and what must hold in addition to what always must.

use super::ways::Way;
use crate::support::NEVER;
use nix::errno::Errno;
use nix::sys::signal::Signal;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A fault.
pub struct Fault {
    pub name: String,
    pub way: Way,
    /// Rows of the fake worker, by their faults; `good` has none.
    pub rows: &'static [&'static str],
    pub precision: &'static str,
    /// Where the run file is written; the way copies it to `out.jsonl` if it is elsewhere.
    pub output: &'static str,
    /// The exit statuses that it may end with.
    pub statuses: &'static [i32],
    /// Text that stdout or stderr must contain.
    pub says: &'static str,
}

/// A precision that is reached soon.
const SOON: &str = "30%";
/// A run has some 12,000 bytes before its first sample.
const BYTES: std::ops::Range<i64> = 0..100_000;
/// So many bytes where `SIZEUP_KILLS` does not ask for more.
const FULL_DISKS: usize = 3;
const DAY_S: i64 = 86_400;

impl Fault {
    fn new(name: &str, way: Way, statuses: &'static [i32], says: &'static str) -> Self {
        let (name, rows, output) = (name.to_owned(), &["none", "good"][..], "out.jsonl");
        Self { name, way, rows, precision: SOON, output, statuses, says }
    }

    /// One that ends a run which goes on until then. Where not even the header has room, nothing was measured, and that is
    /// no incomplete run.
    fn ending(name: &str, way: Way, says: &'static str) -> Self {
        Self { precision: NEVER, ..Self::new(name, way, &[2, 3], says) }
    }
}

pub fn of_processes() -> Vec<Fault> {
    let worker = |name, signal, says| Fault {
        statuses: &[3],
        ..Fault::ending(name, Way::Worker(signal), says)
    };
    let shell = |script| Way::Shell(script);
    let pids = |value| Way::Cgroup("pids", "pids.max", value);
    let memory = Way::Cgroup("memory", "memory.limit_in_bytes", "96M");
    vec![
        worker("a worker killed", Signal::SIGKILL, "by SIGKILL"),
        worker("a worker stopped", Signal::SIGSTOP, "did not arrive"),
        Fault::new("children's ends ignored", shell("trap '' CHLD; exec \"$@\""), &[0], ""),
        Fault::new("no process", Way::Ordinary("ulimit -u 1; exec \"$@\""), &[3], "`ulimit -u`"),
        Fault::new("16 open files", shell("ulimit -n 16; exec \"$@\""), &[0], ""),
        Fault::new("6 open files", shell("ulimit -n 6; exec \"$@\""), &[3], "`ulimit -n`"),
        Fault::new("no /proc", Way::Mounted("mount -t tmpfs n /proc && exec \"$@\""), &[0], ""),
        Fault::new("no /sys", Way::Mounted("mount -t tmpfs n /sys && exec \"$@\""), &[0], ""),
        // The kernel takes what the worker started, and not the harness, which is larger.
        Fault { rows: &["hoard", "good"], ..Fault::new("96 MiB", memory, &[0, 3], "") },
        Fault::new("3 PIDs", pids("3"), &[0], ""),
        Fault::new("1 PID", pids("1"), &[3], "pids.max"),
    ]
}

pub fn of_disks() -> Vec<Fault> {
    let limit = "`ulimit -f`";
    let header = Way::Shell("ulimit -f 4; exec \"$@\"");
    let samples = Way::Shell("ulimit -f 150; exec \"$@\"");
    let sync = Way::Shim(vec![("FAULT_SYNC_ERRNO", Errno::EIO as i64)]);
    let full = Fault::ending("a full tmpfs", Way::Mounted(FULL_TMPFS), "No space left");
    let only = Fault::new("a read-only folder", Way::Mounted(READ_ONLY), &[2], "Read-only file");
    let mut faults = vec![
        Fault::ending("a limit of file size in the header", header, limit),
        Fault::ending("a limit of file size", samples, limit),
        Fault::ending("a sync that fails", sync, "Input/output error"),
        Fault { output: "full/out.jsonl", ..full },
        Fault { output: "only/out.jsonl", ..only },
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let asked = std::env::var("SIZEUP_KILLS")
        .map_or(FULL_DISKS, |text| text.parse::<usize>().expect("a number").div_ceil(10));
    for _ in 0..asked {
        for (what, errno, says) in [
            ("full", Errno::ENOSPC, "No space left"),
            ("quota", Errno::EDQUOT, "quota"),
            ("broken", Errno::EIO, "Input/output error"),
        ] {
            let after = rng.random_range(BYTES);
            let name = format!("{what} after {after} bytes");
            faults.push(Fault::ending(&name, failing(errno, after), says));
        }
    }
    faults
}

/// The clock is elsewhere while a run begins than when it is gone on with.
pub fn of_clocks() -> Vec<Fault> {
    let stepped = |name, ahead_s| {
        let Way::Shim(mut variables) = failing(Errno::ENOSPC, BYTES.end) else { unreachable!() };
        variables.push(("FAULT_CLOCK_S", ahead_s));
        Fault::ending(name, Way::Shim(variables), "No space left")
    };
    vec![stepped("a clock stepped back", DAY_S), stepped("a clock stepped forwards", -DAY_S)]
}

/// Writes fail after so many bytes.
fn failing(errno: Errno, after: i64) -> Way {
    Way::Shim(vec![("FAULT_ERRNO", errno as i64), ("FAULT_AFTER", after)])
}

const FULL_TMPFS: &str = "mkdir full && mount -t tmpfs -o size=128k none full || exit 99
\"$@\"; status=$?; cp full/out.jsonl out.jsonl; umount full; rmdir full; exit $status";
const READ_ONLY: &str = "mkdir only && mount -t tmpfs -o ro none only || exit 99
\"$@\"; status=$?; umount only; rmdir only; exit $status";
