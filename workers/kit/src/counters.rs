//! Hardware counters of a thread, by the kernel's `perf_event_open`.
//!
//! A group's events are counted at the same times, so that their ratios hold where the kernel lets groups take turns; how long a
//! group was counted comes with its counts. The few numbers that are needed of the system call's interface stand here
//! (perf_event_open(2), linux/perf_event.h): a crate would bring all of it.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};

/// `PERF_TYPE_HARDWARE` and `PERF_TYPE_HW_CACHE`.
const HARDWARE: u32 = 0;
const CACHE: u32 = 3;
/// `PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_GROUP`.
const READ_FORMAT: u64 = 1 | 2 | 8;
/// The bits `exclude_kernel` and `exclude_hv` of the attributes' flags.
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: u64 = 8;

/// An event: its name in the protocol, its type and its number.
type Event = (&'static str, u32, u64);

/// Misses of reads in a cache of the generic events: the cache, the operation (read), the result (miss).
const fn read_misses(cache: u64) -> u64 {
    cache | 1 << 16
}

/// What is counted together.
const GROUPS: [&[Event]; 3] = [
    &[
        ("cycles", HARDWARE, 0),
        ("instructions", HARDWARE, 1),
        ("branches", HARDWARE, 4),
        ("branch-misses", HARDWARE, 5),
    ],
    &[
        ("l1d-misses", CACHE, read_misses(0)),
        ("llc-misses", HARDWARE, 3),
        ("dtlb-misses", CACHE, read_misses(3)),
    ],
    &[("frontend-stalls", HARDWARE, 7), ("backend-stalls", HARDWARE, 8)],
];

/// Which counters this machine has, as `ready` reports them.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Counted {
    /// The events of each group, in the order of a sample's counts.
    groups: Vec<Vec<&'static str>>,
    /// Whether what the kernel does for the thread counts, too.
    kernel: bool,
    /// What is not counted, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    missing: BTreeMap<&'static str, String>,
}

impl Counted {
    /// Tries each event on the calling thread.
    pub fn find() -> Self {
        let with_kernel = Self::try_each(true);
        let is_refused = |why: &String| why.contains("forbidden");
        if with_kernel.groups.is_empty() && with_kernel.missing.values().any(is_refused) {
            return Self::try_each(false);
        }
        with_kernel
    }

    fn try_each(kernel: bool) -> Self {
        let (mut groups, mut missing) = (Vec::new(), BTreeMap::new());
        for events in GROUPS {
            let mut leader: Option<File> = None;
            let mut members = Vec::new();
            let mut names = Vec::new();
            for event in events {
                match open(event, leader.as_ref(), kernel) {
                    Ok(file) => {
                        names.push(event.0);
                        match leader {
                            None => leader = Some(file),
                            Some(_) => members.push(file),
                        }
                    }
                    Err(error) => drop(missing.insert(event.0, why(&error))),
                }
            }
            if !names.is_empty() {
                groups.push(names);
            }
        }
        Self { groups, kernel, missing }
    }
}

fn why(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => "forbidden by kernel.perf_event_paranoid".to_owned(),
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP | libc::EINVAL) => {
            "not counted by this CPU or hypervisor".to_owned()
        }
        Some(libc::ENOSYS) => "not in this kernel".to_owned(),
        _ => error.to_string(),
    }
}

/// Opens an event of the calling thread, on any CPU, counting from now on.
fn open((_, kind, config): &Event, leader: Option<&File>, kernel: bool) -> io::Result<File> {
    // struct perf_event_attr of 64 bytes, its first published size: type and size, config, sample_period, sample_type,
    // read_format, flags, wakeup_events and bp_type, config1.
    let flags = EXCLUDE_HYPERVISOR | if kernel { 0 } else { EXCLUDE_KERNEL };
    let mut attributes = [0_u64; 8];
    attributes[0] = u64::from(*kind) | 64 << 32;
    attributes[1] = *config;
    attributes[4] = READ_FORMAT;
    attributes[5] = flags;
    if cfg!(target_endian = "big") {
        return Err(io::Error::from_raw_os_error(libc::ENOSYS));
    }
    let group = leader.map_or(-1, AsRawFd::as_raw_fd);
    // SAFETY: the attributes are as many bytes as they say; the kernel only reads them.
    let status = unsafe {
        libc::syscall(libc::SYS_perf_event_open, attributes.as_ptr(), 0, -1, group, CLOSE_ON_EXEC)
    };
    let descriptor = i32::try_from(status).unwrap_or(-1);
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just given it to us.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

/// The counters of one thread.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Of each group the leader, by which it is read, and the others, which live as long.
    groups: Vec<(File, Vec<File>)>,
}

/// Of each group: how long it was to be counted and how long it was, in ns, then its counts; all since it was opened.
pub(crate) type Counts = Vec<Vec<u64>>;

impl Counters {
    /// What was found, of the calling thread. None where one can't be opened any more: too many files, say.
    pub fn open(counted: &Counted) -> Self {
        let event = |name: &&str| GROUPS.into_iter().flatten().find(|event| event.0 == *name);
        let group = |names: &Vec<&str>| -> Option<(File, Vec<File>)> {
            let (first, others) = names.split_first()?;
            let leader = open(event(first)?, None, counted.kernel).ok()?;
            let others: Option<Vec<File>> = others
                .iter()
                .map(|name| open(event(name)?, Some(&leader), counted.kernel).ok())
                .collect();
            Some((leader, others?))
        };
        let groups: Option<Vec<_>> = counted.groups.iter().map(group).collect();
        Self { groups: groups.unwrap_or_default() }
    }

    /// The counts now; empty without counters.
    pub fn read(&self) -> Counts {
        let of = |(leader, others): &(File, Vec<File>)| {
            let events = 1 + others.len();
            // How many, both times, the counts.
            let mut bytes = [0_u8; 8 * 16];
            let bytes = &mut bytes[..8 * (3 + events)];
            let mut leader = leader;
            leader.read_exact(bytes).ok()?;
            let words = bytes.chunks_exact(8);
            let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
            Some(words.skip(1).map(word).collect())
        };
        self.groups.iter().map(of).collect::<Option<_>>().unwrap_or_default()
    }
}

/// What was counted between two readings.
pub(crate) fn between(before: &Counts, after: &Counts) -> Counts {
    let of = |(before, after): (&Vec<u64>, &Vec<u64>)| {
        after.iter().zip(before).map(|(after, before)| after.saturating_sub(*before)).collect()
    };
    before.iter().zip(after).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_found_or_missing_with_a_reason() {
        let counted = Counted::find();
        let found = counted.groups.iter().flatten().copied();
        let missing = counted.missing.keys().copied();
        let mut all: Vec<&str> = found.chain(missing).collect();
        let mut events: Vec<&str> = GROUPS.into_iter().flatten().map(|event| event.0).collect();
        all.sort_unstable();
        events.sort_unstable();
        assert_eq!(all, events);
        assert!(counted.missing.values().all(|why| !why.is_empty()), "{counted:?}");
    }

    #[test]
    fn what_is_read_has_the_form_of_what_was_found() {
        let counted = Counted::find();
        let counters = Counters::open(&counted);
        let (before, after) = (counters.read(), counters.read());
        let counts = between(&before, &after);
        let lengths: Vec<usize> = counts.iter().map(Vec::len).collect();
        let expected: Vec<usize> = counted.groups.iter().map(|group| 2 + group.len()).collect();
        assert_eq!(lengths, expected);
        assert!(counts.iter().all(|of| of[1] <= of[0]), "{counts:?}");
    }
}
