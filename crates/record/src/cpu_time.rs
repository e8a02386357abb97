//! How much CPU time there can have been. Whoever reads CPU times may be stopped between any two readings, for as
//! long as the scheduler, the hypervisor or a debugger likes; so each is held against the time between the readings of
//! the clock that enclose its own, and never against the window's.

use super::flaw::Flaw;
use super::window::{Measured, ThreadWindow};
use std::collections::BTreeSet;

/// The clock of CPU time and that of elapsed time may disagree by this part: one is steered by NTP, the other is not.
pub const CLOCKS_SPARE: u64 = 50;
/// What any CPU time may be off by, for clocks that count in ticks.
const SPARE_NS: u64 = 40_000_000;
/// Of a process, the kernel tells the CPU time of threads that run elsewhere as it was at their last tick.
const TICK_NS: u64 = 10_000_000;
/// A worker may be stopped for so long between its readings without the window being odd.
const LONGEST_STOP_NS: u64 = 1_000_000_000;
/// Beyond so many times what there was, and a second of each CPU, no trouble of the machine is an excuse.
const GROSS: u64 = 2;

/// CPU time that someone had, and what their CPUs gave while it was read.
struct Account {
    who: String,
    cpu_ns: u64,
    given_ns: u64,
    cpus: u64,
    spare_ns: u64,
}

impl Account {
    fn check(&self) -> Result<(), Flaw> {
        let Self { who, cpu_ns, given_ns, cpus, spare_ns } = self;
        let most_ns =
            given_ns.saturating_add(given_ns / CLOCKS_SPARE).saturating_add(SPARE_NS + spare_ns);
        if *cpu_ns <= most_ns {
            return Ok(());
        }
        let what = format!("{who} had {cpu_ns} ns of CPU time where there were {given_ns}");
        let gross_ns =
            given_ns.saturating_mul(GROSS).saturating_add(cpus.saturating_mul(LONGEST_STOP_NS));
        Err(if *cpu_ns > gross_ns { Flaw::Lie(what) } else { Flaw::Stray(what) })
    }
}

/// Whether CPU times were read when they should be: around the window, and not far from it.
pub(super) fn check_readings(window: &Measured) -> Result<(), Flaw> {
    for (number, thread) in window.threads.iter().enumerate() {
        let ThreadWindow { elapsed_ns, cpu_elapsed_ns, .. } = *thread;
        if let Some(read_ns) = cpu_elapsed_ns.filter(|read_ns| *read_ns < elapsed_ns) {
            let what = format!("its CPU time is of {read_ns} ns, and its window of {elapsed_ns}");
            return Err(Flaw::Lie(format!("thread {number}: {what}")));
        }
    }
    let window_ns = window.length_ns();
    // Threads that start others tell of all that they do for a window, settling included.
    let of_parts = window.parts.iter().map(|part| part.elapsed_ns);
    let longest_ns = of_parts.fold(window.process_elapsed_ns, u64::max);
    if longest_ns > window_ns + LONGEST_STOP_NS {
        return Err(Flaw::Stray(format!(
            "CPU time of {longest_ns} ns in a window of {window_ns} ns"
        )));
    }
    Ok(())
}

/// Nobody had more CPU time than there was: no thread, not all of them together, not the process, no part.
pub(super) fn check_cpu_times(window: &Measured) -> Result<(), Flaw> {
    let of_parts = window.parts.iter().enumerate().map(|(number, part)| {
        if part.cpu_count == 0 || part.elapsed_ns == 0 {
            let (cpus, ns) = (part.cpu_count, part.elapsed_ns);
            return Err(Flaw::Lie(format!("part {number}: {cpus} CPUs for {ns} ns")));
        }
        let account = Account {
            who: format!("part {number}"),
            cpu_ns: part.cpu_ns,
            given_ns: part.elapsed_ns.saturating_mul(part.cpu_count),
            cpus: part.cpu_count,
            spare_ns: 0,
        };
        account.check()
    });
    Flaw::gravest(accounts(window).iter().map(Account::check).chain(of_parts))
}

/// Of each thread, of all together, and of the process.
fn accounts(window: &Measured) -> Vec<Account> {
    let threads = &window.threads;
    let cpus: BTreeSet<u32> = threads.iter().map(|thread| thread.cpu).collect();
    let cpus = cpus.len() as u64;
    let read = |thread: &ThreadWindow| thread.cpu_ns.zip(thread.cpu_elapsed_ns);
    let mut accounts: Vec<Account> = threads
        .iter()
        .enumerate()
        .filter_map(|(number, thread)| {
            let (cpu_ns, given_ns) = read(thread)?;
            Some(Account {
                who: format!("thread {number}"),
                cpu_ns,
                given_ns,
                cpus: 1,
                spare_ns: 0,
            })
        })
        .collect();
    // Each thread's readings begin before its window and end after it; how far, is known of both together.
    let beside_ns = threads
        .iter()
        .filter_map(|thread| Some(thread.cpu_elapsed_ns?.saturating_sub(thread.elapsed_ns)))
        .max();
    let all_ns = window.length_ns().saturating_add(beside_ns.unwrap_or(0).saturating_mul(2));
    accounts.push(Account {
        who: "all threads".to_owned(),
        cpu_ns: threads.iter().filter_map(|thread| thread.cpu_ns).fold(0, u64::saturating_add),
        given_ns: all_ns.saturating_mul(cpus),
        cpus,
        spare_ns: 0,
    });
    accounts.push(Account {
        who: "the process".to_owned(),
        cpu_ns: window.process_cpu_ns,
        given_ns: window.process_elapsed_ns.saturating_mul(cpus),
        cpus,
        spare_ns: threads.len() as u64 * TICK_NS,
    });
    accounts
}

#[cfg(test)]
mod tests;
