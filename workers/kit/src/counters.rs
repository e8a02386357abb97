//! Hardware counters of a thread, by the kernel's `perf_event_open`.
//!
//! A group's events are counted at the same times, so that their ratios hold where the kernel lets groups take turns; how long a
//! group was counted comes with its counts. The few numbers that are needed of the system call's interface stand here
//! (perf_event_open(2), linux/perf_event.h): a crate would bring all of it.

use crate::top_down::TopDown;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;

/// `PERF_TYPE_HARDWARE` and `PERF_TYPE_HW_CACHE`.
const HARDWARE: u32 = 0;
const CACHE: u32 = 3;
/// `PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_GROUP`.
const READ_FORMAT: u64 = 1 | 2 | 8;
/// The bits `disabled`, `exclude_kernel` and `exclude_hv` of the attributes' flags.
const DISABLED: u64 = 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// `PERF_EVENT_IOC_ENABLE` and `PERF_IOC_FLAG_GROUP`.
const ENABLE: libc::Ioctl = 0x2400;
const WHOLE_GROUP: libc::c_int = 1;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: u64 = 8;

/// Counters use at most 1/`MOST_FILES` of the limit on open files; the work and the process need some, too.
const MOST_FILES: u64 = 2;

/// An event: its name in the protocol, its type and its number.
pub(crate) type Event = (&'static str, u32, u64);

/// Misses of reads in a cache of the generic events: the cache, the operation (read), the result (miss).
const fn read_misses(cache: u64) -> u64 {
    cache | 1 << 16
}

/// Events of a group are counted together.
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

const FORBIDDEN: &str = "forbidden by kernel.perf_event_paranoid";

/// Which counters this machine has, as `ready` reports them.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Counted {
    /// The events of each group, in the order of a sample's counts.
    #[serde(serialize_with = "names")]
    groups: Vec<Vec<Event>>,
    /// Whether what the kernel does for the thread counts, too.
    kernel: bool,
    /// In how many slots of a cycle the core could issue an operation, where its events don't say.
    #[serde(skip_serializing_if = "Option::is_none")]
    slots_per_cycle: Option<u64>,
    /// Event → why it is not counted.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    missing: BTreeMap<&'static str, String>,
}

fn names<S: Serializer>(groups: &[Vec<Event>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(groups.iter().map(|group| group.iter().map(|event| event.0).collect::<Vec<_>>()))
}

impl Counted {
    /// Tries each event on the calling thread, for so many threads.
    pub fn find(threads: usize) -> Self {
        let top_down = TopDown::find(Path::new("/"));
        let mut groups = GROUPS.to_vec();
        groups.extend((!top_down.events.is_empty()).then_some(&top_down.events[..]));
        let found = Self::find_among(&groups, threads, most_files());
        Self { slots_per_cycle: top_down.slots_per_cycle, ..found }
    }

    fn find_among(groups: &[&[Event]], threads: usize, most_files: u64) -> Self {
        let with_kernel = Self::try_each(groups, true);
        let is_refused = with_kernel.missing.values().any(|why| why == FORBIDDEN);
        let found = match with_kernel.groups.is_empty() && is_refused {
            true => Self::try_each(groups, false),
            false => with_kernel,
        };
        let files = found.groups.iter().map(Vec::len).sum::<usize>() as u64 * threads as u64;
        if files <= most_files / MOST_FILES {
            return found;
        }
        let why = format!("{files} open files for {threads} threads: ulimit -n is {most_files}");
        let events = groups.iter().copied().flatten();
        let missing = events.map(|event| (event.0, why.clone())).collect();
        Self { groups: Vec::new(), missing, ..found }
    }

    fn try_each(groups: &[&[Event]], kernel: bool) -> Self {
        let (mut found, mut missing) = (Vec::new(), BTreeMap::new());
        for events in groups {
            let (mut files, mut opened): (Vec<File>, Vec<Event>) = (Vec::new(), Vec::new());
            for event in *events {
                match open(event, files.first(), kernel) {
                    Ok(file) => {
                        files.push(file);
                        opened.push(*event);
                    }
                    Err(error) => drop(missing.insert(event.0, why(&error))),
                }
            }
            if !opened.is_empty() {
                found.push(opened);
            }
        }
        Self { groups: found, kernel, slots_per_cycle: None, missing }
    }
}

/// How many files the process may have open.
fn most_files() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is valid for one rlimit. Of a failure the limit stays 0: nothing is counted.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    limit.rlim_cur
}

fn why(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => FORBIDDEN.to_owned(),
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP | libc::EINVAL) => {
            "not counted by this CPU or hypervisor".to_owned()
        }
        Some(libc::ENOSYS) => "not in this kernel".to_owned(),
        _ => error.to_string(),
    }
}

/// Opens an event of the calling thread, on any CPU. A leader counts nothing before its group is enabled: what joins a
/// group that counts already is not counted by some kernels (seen on 6.18, not on 6.1).
fn open((_, kind, config): &Event, leader: Option<&File>, kernel: bool) -> io::Result<File> {
    // struct perf_event_attr of 64 bytes, its first published size: type and size, config, sample_period, sample_type,
    // read_format, flags, wakeup_events and bp_type, config1.
    let disabled = if leader.is_none() { DISABLED } else { 0 };
    let flags = EXCLUDE_HYPERVISOR | disabled | if kernel { 0 } else { EXCLUDE_KERNEL };
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

/// Has the events of a leader's group count from now on.
fn enable(leader: &File) -> io::Result<()> {
    // SAFETY: it takes an integer and no pointer.
    let status = unsafe { libc::ioctl(leader.as_raw_fd(), ENABLE, WHOLE_GROUP) };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The counters of one thread.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// The events' files of each group; a group is read by its first.
    groups: Vec<Vec<File>>,
}

/// For each group: the time for which it was enabled and the time for which it ran, in ns, then its counts; all since it was
/// opened.
pub(crate) type Counts = Vec<Vec<u64>>;

impl Counters {
    /// Opens the groups for the calling thread. Empty if one can't be opened any more: too many files, say.
    pub fn open(counted: &Counted) -> Self {
        let group = |events: &Vec<Event>| -> io::Result<Vec<File>> {
            let mut files: Vec<File> = Vec::new();
            for event in events {
                files.push(open(event, files.first(), counted.kernel)?);
            }
            files.first().map_or(Ok(()), enable)?;
            Ok(files)
        };
        let groups: io::Result<Vec<_>> = counted.groups.iter().map(group).collect();
        Self { groups: groups.unwrap_or_default() }
    }

    /// The counts now; empty without counters.
    pub fn read(&self) -> Counts {
        let counts = |files: &Vec<File>| -> io::Result<Vec<u64>> {
            // How many, both times, the counts.
            let mut bytes = vec![0_u8; 8 * (3 + files.len())];
            (&files[0]).read_exact(&mut bytes)?;
            let words = bytes.chunks_exact(8);
            let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
            Ok(words.skip(1).map(word).collect())
        };
        self.groups.iter().map(counts).collect::<io::Result<_>>().unwrap_or_default()
    }
}

/// Differences of two readings.
pub(crate) fn between(before: &Counts, after: &Counts) -> Counts {
    let difference = |(before, after): (&Vec<u64>, &Vec<u64>)| {
        after.iter().zip(before).map(|(after, before)| after.saturating_sub(*before)).collect()
    };
    before.iter().zip(after).map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Usage;

    /// Software events, which every kernel counts: `PERF_TYPE_SOFTWARE`'s task clock and page faults.
    const SOFTWARE: &[&[Event]] = &[&[("task-clock", 1, 1), ("page-faults", 1, 2)]];
    const MANY: u64 = 1 << 20;

    /// Writes to so many pages that nobody has written to.
    fn touch_pages(pages: usize) {
        const PAGE: usize = 64 << 10;
        let mut memory: Vec<u8> = Vec::with_capacity(pages * PAGE);
        for page in 0..pages {
            // SAFETY: within the capacity; nothing reads it.
            unsafe { std::ptr::write_volatile(memory.as_mut_ptr().add(page * PAGE), 1) };
        }
    }

    #[test]
    fn every_event_is_found_or_missing_with_a_reason() {
        let counted = Counted::find(1);
        let found = counted.groups.iter().flatten().map(|event| event.0);
        let missing = counted.missing.keys().copied();
        let mut all: Vec<&str> = found.chain(missing).collect();
        let top_down = TopDown::find(Path::new("/")).events;
        let events = GROUPS.into_iter().flatten().chain(&top_down);
        let mut events: Vec<&str> = events.map(|event| event.0).collect();
        all.sort_unstable();
        events.sort_unstable();
        assert_eq!(all, events);
        assert!(counted.missing.values().all(|why| !why.is_empty()), "{counted:?}");
    }

    #[test]
    fn a_group_counts_what_its_thread_does_between_two_readings() {
        let counted = Counted::find_among(SOFTWARE, 1, MANY);
        if counted.groups.is_empty() {
            println!("not tested: {:?}", counted.missing);
            return;
        }
        let counters = Counters::open(&counted);
        let faults_so_far = || Usage::of_this_thread().minor_faults;
        let outer = faults_so_far();
        let before = counters.read();
        let inner = faults_so_far();
        touch_pages(100);
        let inner = faults_so_far() - inner;
        let counts = between(&before, &counters.read());
        let outer = faults_so_far() - outer;
        let [group] = &counts[..] else { panic!("{counts:?}") };
        let [enabled_ns, running_ns, clock_ns, faults] = group[..] else { panic!("{group:?}") };
        assert!(running_ns == enabled_ns && enabled_ns > 0 && clock_ns > 0, "{group:?}");
        assert!(inner > 0 && (inner..=outer).contains(&faults), "{inner} {faults} {outer}");
    }

    #[test]
    fn threads_that_would_take_most_open_files_are_not_counted() {
        let find = |threads, most_files| Counted::find_among(SOFTWARE, threads, most_files);
        if find(1, MANY).groups.is_empty() {
            println!("not tested: {:?}", find(1, MANY).missing);
            return;
        }
        // Two files a thread, of half of the limit.
        assert_eq!(find(256, 1024).groups.len(), 1);
        let too_many = find(257, 1024);
        assert!(too_many.groups.is_empty(), "{too_many:?}");
        let why = "514 open files for 257 threads: ulimit -n is 1024";
        assert_eq!(too_many.missing["page-faults"], why);
    }

    #[test]
    fn an_event_that_there_is_not_is_missing_and_the_rest_of_its_group_is_counted() {
        let groups: &[&[Event]] = &[&[("nothing", 1, 999), ("task-clock", 1, 1)]];
        let counted = Counted::find_among(groups, 1, MANY);
        assert!(counted.missing.contains_key("nothing"), "{counted:?}");
        let json = serde_json::to_value(&counted).unwrap();
        let is_counted = !counted.missing.contains_key("task-clock");
        let expected = if is_counted { "[[\"task-clock\"]]" } else { "[]" };
        assert_eq!(json["groups"].to_string(), expected);
    }
}
