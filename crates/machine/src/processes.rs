//! CPU time of each process, from `/proc/[pid]/stat` (`man 5 proc`).
//!
//! Keeps only a process's number and its command's name: no arguments and no owner.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TICKS_PER_S;
use super::fact::{Fact, Read};
use super::files::Files;
use terminal::Printable;

/// The longest name of a command that is kept; the kernel's own limit is 15 bytes, more for its threads.
const LONGEST_COMMAND: usize = 32;

/// Ancestors of a process that are followed at most.
const MOST_GENERATIONS: usize = 64;

/// CPU time of a process up to a moment, in ticks of 1/100 s.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    parent: u32,
    command: String,
    /// Its own time.
    ticks: u64,
    /// The time of its children that have ended, and of theirs.
    ended_ticks: u64,
    /// Start in ticks since boot: distinguishes processes that reuse a number.
    started: u64,
    threads: u64,
    cpu: u32,
}

impl Process {
    /// The second field, the name, can hold anything up to its last bracket.
    fn parse(text: &str) -> Option<Process> {
        let (before, after) = text.rsplit_once(')')?;
        let (_, command) = before.split_once('(')?;
        let fields: Vec<&str> = after.split_ascii_whitespace().collect();
        // The state is the third field in the manual, and the first here.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let short = |field: usize| u32::try_from(number(field)?).ok();
        Some(Process {
            parent: short(4)?,
            command: Printable::from(command).chars().take(LONGEST_COMMAND).collect(),
            ticks: number(14)?.saturating_add(number(15)?),
            ended_ticks: number(16)?.saturating_add(number(17)?),
            threads: number(20)?,
            started: number(22)?,
            cpu: short(39)?,
        })
    }
}

/// The CPU time of a process, and of its children that have ended; `None` for one that is not there. In ticks, or of the process
/// alone exactly where the kernel counts it (`/proc/[pid]/schedstat`), whichever is more.
pub fn process_cpu_time(pid: u32) -> Option<Duration> {
    let files = Files::new(Path::new("/"));
    let stat = files.bytes(&format!("/proc/{pid}/stat")).ok()?;
    let process = Process::parse(&String::from_utf8_lossy(&stat))?;
    let ticks = process.ticks.saturating_add(process.ended_ticks);
    let exact = files.text(&format!("/proc/{pid}/schedstat")).ok();
    let exact_ns = exact.and_then(|text| text.split_ascii_whitespace().next()?.parse().ok());
    let of_ticks = Duration::from_secs_f64(ticks as f64 / TICKS_PER_S);
    Some(of_ticks.max(Duration::from_nanos(exact_ns.unwrap_or_default())))
}

/// All visible processes at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Processes {
    by_pid: BTreeMap<u32, Process>,
}

/// CPU time of a process between two moments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Use {
    pub pid: u32,
    /// The name of its command, without characters that could harm a terminal.
    pub command: String,
    /// The CPU that it ran on last; `None` for a process of several threads, which may run anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u32>,
    /// Its own CPU time, in ticks of 1/100 s.
    pub ticks: u64,
    /// CPU time of children that ended in this time, and of theirs, on any CPU.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ended_ticks: u64,
}

impl Use {
    pub fn total(&self) -> u64 {
        self.ticks.saturating_add(self.ended_ticks)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's way
fn is_none(ticks: &u64) -> bool {
    *ticks == 0
}

/// CPU time between two moments, by process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// CPU time of the own process and its descendants, in ticks.
    pub own_ticks: u64,
    /// All other processes that used any, the busiest first.
    pub others: Vec<Use>,
}

impl Processes {
    /// Reads all processes under a root. Leaves out those that end while it reads.
    pub fn read(root: &Path) -> Fact<Processes> {
        let files = Files::new(root);
        let by_pid = files.names("/proc").map(|names| {
            let pids = names.iter().filter_map(|name| name.parse::<u32>().ok());
            pids.filter_map(|pid| {
                let stat = files.bytes(&format!("/proc/{pid}/stat")).ok()?;
                Some((pid, Process::parse(&String::from_utf8_lossy(&stat))?))
            })
            .collect::<BTreeMap<_, _>>()
        });
        let some: Read<_> = match by_pid {
            Ok(by_pid) if by_pid.is_empty() => Err("/proc lists no processes".to_owned()),
            by_pid => by_pid,
        };
        some.map(|by_pid| Processes { by_pid }).into()
    }

    /// CPU time since an earlier moment; `own` is the process whose descendants count as own.
    pub fn since(&self, earlier: &Processes, own: u32) -> Uses {
        let is_own = self.descendants(own);
        let counted = self.counted_before(earlier);
        let mut uses = Uses::default();
        for (&pid, now) in &self.by_pid {
            let then = earlier.same(pid, now);
            let (ticks, ended) = then.map_or((0, 0), |then| (then.ticks, then.ended_ticks));
            let counted = then.and_then(|_| counted.get(&pid)).copied().unwrap_or(0);
            let used = Use {
                pid,
                command: now.command.clone(),
                cpu: (now.threads <= 1).then_some(now.cpu),
                ticks: now.ticks.saturating_sub(ticks),
                ended_ticks: now.ended_ticks.saturating_sub(ended).saturating_sub(counted),
            };
            if is_own.contains(&pid) {
                uses.own_ticks = uses.own_ticks.saturating_add(used.total());
            } else if used.total() > 0 {
                uses.others.push(used);
            }
        }
        uses.others.sort_by_key(|used| (std::cmp::Reverse(used.total()), used.pid));
        uses
    }

    /// The process of that number, unless a later process reuses the number.
    fn same(&self, pid: u32, process: &Process) -> Option<&Process> {
        self.by_pid.get(&pid).filter(|found| found.started == process.started)
    }

    /// CPU time before the earlier moment of processes that ended since: the kernel adds it to their parents now. By
    /// the nearest ancestor that still exists.
    fn counted_before(&self, earlier: &Processes) -> BTreeMap<u32, u64> {
        let mut counted: BTreeMap<u32, u64> = BTreeMap::new();
        let has_ended = |(pid, process): &(&u32, &Process)| self.same(**pid, process).is_none();
        for (_, ended) in earlier.by_pid.iter().filter(has_ended) {
            let mut heir = ended.parent;
            // Bounded: a garbled file must not cause an endless loop.
            for _ in 0..MOST_GENERATIONS {
                match earlier.by_pid.get(&heir) {
                    Some(parent) if self.same(heir, parent).is_none() => heir = parent.parent,
                    _ => break,
                }
            }
            let sum = counted.entry(heir).or_default();
            *sum = sum.saturating_add(ended.ticks).saturating_add(ended.ended_ticks);
        }
        counted
    }

    /// A process and all that descend from it.
    fn descendants(&self, root: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([root]);
        loop {
            let children =
                self.by_pid.iter().filter(|(_, process)| found.contains(&process.parent));
            let new: Vec<u32> =
                children.map(|(&pid, _)| pid).filter(|pid| !found.contains(pid)).collect();
            if new.is_empty() {
                return found;
            }
            found.extend(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::Fixture;

    /// A line of `/proc/[pid]/stat`.
    fn stat(pid: u32, command: &str, parent: u32, ticks: [u64; 4], more: [u64; 3]) -> String {
        let ([user, system, ended_user, ended_system], [threads, started, cpu]) = (ticks, more);
        format!(
            "/proc/{pid}/stat: {pid} ({command}) S {parent} 1 1 0 -1 0 0 0 0 0 {user} {system} \
             {ended_user} {ended_system} 20 0 {threads} 0 {started} 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 17 {cpu} \
             0 0 0 0 0\n"
        )
    }

    fn read(lines: &[String]) -> Processes {
        Processes::read(Fixture::unpack(&lines.concat()).root()).known().unwrap().clone()
    }

    #[test]
    fn other_processes_are_listed_by_number_name_and_cpu_and_own_time_is_summed() {
        let at = |ours: u64, child: u64, theirs: u64| {
            read(&[
                stat(1, "init", 0, [5, 5, 0, 0], [1, 0, 0]),
                stat(10, "sizeup", 1, [ours, 0, 0, 0], [1, 50, 0]),
                stat(11, "native", 10, [child, 0, 0, 0], [3, 60, 1]),
                stat(20, "yes", 1, [theirs, 2, 0, 0], [1, 70, 1]),
            ])
        };
        let uses = at(13, 140, 98).since(&at(10, 40, 0), 10);
        assert_eq!(uses.own_ticks, 103);
        let yes = Use { pid: 20, command: "yes".into(), cpu: Some(1), ticks: 98, ended_ticks: 0 };
        assert_eq!(uses.others, [yes]);
    }

    #[test]
    fn a_new_process_counts_whole_and_so_does_another_one_with_an_old_number() {
        let before = read(&[stat(20, "old", 1, [500, 0, 0, 0], [1, 70, 0])]);
        let after = read(&[
            stat(20, "new", 1, [7, 0, 0, 0], [1, 900, 0]),
            stat(21, "newer", 1, [9, 0, 0, 0], [2, 901, 0]),
        ]);
        let uses = after.since(&before, 1);
        assert_eq!(uses.others.len(), 0, "they are children of 1");
        let uses = after.since(&before, 2);
        let actual: Vec<_> = uses.others.iter().map(|u| (&u.command[..], u.ticks, u.cpu)).collect();
        assert_eq!(actual, [("newer", 9, None), ("new", 7, Some(0))]);
    }

    #[test]
    fn children_that_ended_count_for_their_parent_once() {
        let before = read(&[
            stat(20, "make", 1, [1, 0, 100, 0], [1, 70, 0]),
            // They had used 5 and 25 when they were seen, and 80 when they ended.
            stat(21, "sh", 20, [5, 0, 0, 0], [1, 80, 1]),
            stat(22, "cc", 21, [25, 0, 0, 0], [1, 81, 1]),
        ]);
        let after = read(&[stat(20, "make", 1, [1, 0, 180, 0], [1, 70, 0])]);
        let make = &after.since(&before, 2).others[0];
        assert_eq!((make.ticks, make.ended_ticks), (0, 50));
    }

    #[test]
    fn a_hostile_name_is_made_harmless_and_does_not_shift_the_fields() {
        let hostile = "a) R 1 (\u{1b}[2J\u{202e})";
        let before = read(&[stat(20, "x", 1, [0; 4], [1, 70, 0])]);
        let after = read(&[stat(20, hostile, 1, [4, 0, 0, 0], [1, 70, 0])]);
        let uses = after.since(&before, 2);
        assert_eq!((uses.others[0].ticks, uses.others[0].cpu), (4, Some(0)));
        assert_eq!(uses.others[0].command, "a) R 1 (\u{fffd}[2J\u{fffd})");
    }

    #[test]
    fn invisible_processes_give_a_reason() {
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(Processes::read(empty.path()).reason(), Some("/proc does not exist"));
        let none = Fixture::unpack("/proc/version: x\n");
        assert_eq!(Processes::read(none.root()).reason(), Some("/proc lists no processes"));
    }

    #[test]
    fn own_work_on_this_machine_counts_as_own() {
        let before = Processes::read(Path::new("/")).known().unwrap().clone();
        // A tick is some milliseconds of CPU time, which a busy machine gives late.
        let uses = (0..1_000_000).find_map(|_| {
            let after = Processes::read(Path::new("/"));
            let uses = after.known().unwrap().since(&before, std::process::id());
            (uses.own_ticks > 0).then_some(uses)
        });
        let uses = uses.expect("our own work takes ticks");
        assert!(uses.others.iter().all(|used| used.pid != std::process::id()));
    }

    proptest! {
        #[test]
        fn any_text_is_a_process_or_none(text in "[0-9]{0,3} ?\\(?[a-z()]{0,5}\\)?( -?[0-9]{0,21}){0,45}|\\PC*") {
            let _ = Process::parse(&text);
        }
    }
}
