//! Bounds on CPU time, and on what runtimes take. The scheduler, the hypervisor or a debugger can stop a worker between
//! any two readings, so each time is compared with the elapsed time between the clock readings that enclose it, never with
//! the sample's.

use super::flaw::Flaw;
use super::sample::{Measured, ThreadSample};
use std::collections::BTreeSet;

/// CPU time and elapsed time may differ by one part in this many: NTP steers only one of the clocks.
pub const CLOCKS_SPARE: u64 = 50;
/// Tolerance of any CPU time, for clocks that count in ticks.
const SPARE_NS: u64 = 40_000_000;
/// For threads on other CPUs, the kernel reports a process's CPU time as of their last tick.
const TICK_NS: u64 = 10_000_000;
/// The longest pause of a worker between its readings that is still normal.
const LONGEST_STOP_NS: u64 = 1_000_000_000;
/// Beyond this factor plus a second per CPU, machine trouble can't explain the CPU time.
const GROSS: u64 = 2;

/// A compilation counts where it ends, and may have begun long before the sample, on a busy machine.
const LONGEST_COMPILATION_NS: u64 = 60_000_000_000;

/// Time of a thread or process, and how much its CPUs had available.
struct Account {
    who: String,
    used_ns: u64,
    /// Such as "of CPU time".
    used_for: &'static str,
    given_ns: u64,
    cpus: u64,
    spare_ns: u64,
    /// May have been used before the readings, and counts between them.
    earlier_ns: u64,
}

impl Account {
    fn check(&self) -> Result<(), Flaw> {
        let Self { who, used_ns, used_for, given_ns, cpus, spare_ns, earlier_ns } = self;
        let most_ns = given_ns
            .saturating_add(given_ns / CLOCKS_SPARE)
            .saturating_add(SPARE_NS + spare_ns)
            .saturating_add(*earlier_ns);
        if *used_ns <= most_ns {
            return Ok(());
        }
        let what =
            format!("{who} used {used_ns} ns {used_for}, but only {given_ns} ns were available");
        let gross_ns = given_ns
            .saturating_mul(GROSS)
            .saturating_add(cpus.saturating_mul(LONGEST_STOP_NS))
            .saturating_add(*earlier_ns);
        Err(if *used_ns > gross_ns { Flaw::Lie(what) } else { Flaw::Stray(what) })
    }
}

/// Checks that CPU times were read around the sample and close to it.
pub(super) fn check_readings(sample: &Measured) -> Result<(), Flaw> {
    for (number, thread) in sample.threads.iter().enumerate() {
        let ThreadSample { elapsed_ns, cpu_elapsed_ns, .. } = *thread;
        if let Some(read_ns) = cpu_elapsed_ns.filter(|read_ns| *read_ns < elapsed_ns) {
            let what = format!(
                "its CPU time covers {read_ns} ns, less than its sample of {elapsed_ns} ns"
            );
            return Err(Flaw::Lie(format!("thread {number}: {what}")));
        }
    }
    let sample_ns = sample.length_ns();
    // Threads that start others report everything they do for a sample, warm-up included.
    let of_parts = sample.parts.iter().map(|part| part.elapsed_ns);
    let longest_ns = of_parts.fold(sample.process_elapsed_ns, u64::max);
    if longest_ns > sample_ns + LONGEST_STOP_NS {
        return Err(Flaw::Stray(format!(
            "CPU time of {longest_ns} ns in a sample of {sample_ns} ns"
        )));
    }
    Ok(())
}

/// Checks that no thread was longer in the kernel than trouble with the machine can explain: ticks count for what a thread
/// did since its last one.
fn check_system_times(sample: &Measured) -> Result<(), Flaw> {
    for (number, thread) in sample.threads.iter().enumerate() {
        let given_ns = thread.cpu_elapsed_ns.unwrap_or(0);
        let most_ns = given_ns.saturating_mul(GROSS).saturating_add(LONGEST_STOP_NS);
        if let Some(system_ns) = thread.system_ns.filter(|system_ns| *system_ns > most_ns) {
            let what =
                format!("{system_ns} ns in the kernel, but only {given_ns} ns were available");
            return Err(Flaw::Lie(format!("thread {number}: {what}")));
        }
    }
    Ok(())
}

/// Checks that no thread, no part, the process and all threads together used no more CPU time than was available.
pub(super) fn check_cpu_times(sample: &Measured) -> Result<(), Flaw> {
    let of_parts = sample.parts.iter().enumerate().map(|(number, part)| {
        if part.cpu_count == 0 || part.elapsed_ns == 0 {
            let (cpus, ns) = (part.cpu_count, part.elapsed_ns);
            return Err(Flaw::Lie(format!("part {number}: {cpus} CPUs for {ns} ns")));
        }
        let account = Account {
            who: format!("part {number}"),
            used_ns: part.cpu_ns,
            used_for: CPU_TIME,
            given_ns: part.elapsed_ns.saturating_mul(part.cpu_count),
            cpus: part.cpu_count,
            spare_ns: 0,
            earlier_ns: 0,
        };
        account.check()
    });
    let of_kernel = std::iter::once_with(|| check_system_times(sample));
    let all = accounts(sample).into_iter().chain(accounts_of_runtimes(sample));
    Flaw::gravest(all.map(|account| account.check()).chain(of_parts).chain(of_kernel))
}

/// The times that each thread reports for the collector and the compilers of its runtime.
fn accounts_of_runtimes(sample: &Measured) -> impl Iterator<Item = Account> {
    let cpus = cpus_of(sample);
    sample.threads.iter().enumerate().flat_map(move |(number, thread)| {
        let given_ns = thread.cpu_elapsed_ns.unwrap_or(0);
        let account = |used_ns, used_for, cpus: u64, earlier_ns| Account {
            who: format!("thread {number}"),
            used_ns,
            used_for,
            given_ns: given_ns.saturating_mul(cpus),
            cpus,
            spare_ns: 0,
            earlier_ns,
        };
        let of_collector = thread.gc_ns.map(|ns| account(ns, "for collections", 1, 0));
        let of_compilers =
            thread.jit_ns.map(|ns| account(ns, "for compilation", cpus, LONGEST_COMPILATION_NS));
        of_collector.into_iter().chain(of_compilers)
    })
}

/// How many CPUs its threads have.
fn cpus_of(sample: &Measured) -> u64 {
    sample.threads.iter().map(|thread| thread.cpu).collect::<BTreeSet<u32>>().len() as u64
}

const CPU_TIME: &str = "of CPU time";

/// One account per thread, one for all threads, and one for the process.
fn accounts(sample: &Measured) -> Vec<Account> {
    let threads = &sample.threads;
    let cpus = cpus_of(sample);
    let read = |thread: &ThreadSample| thread.cpu_ns.zip(thread.cpu_elapsed_ns);
    let mut accounts: Vec<Account> = threads
        .iter()
        .enumerate()
        .filter_map(|(number, thread)| {
            let (cpu_ns, given_ns) = read(thread)?;
            Some(Account {
                who: format!("thread {number}"),
                used_ns: cpu_ns,
                used_for: CPU_TIME,
                given_ns,
                cpus: 1,
                spare_ns: 0,
                earlier_ns: 0,
            })
        })
        .collect();
    // Each thread's readings enclose its sample; only the sum of both margins is known.
    let outside_ns = threads
        .iter()
        .filter_map(|thread| Some(thread.cpu_elapsed_ns?.saturating_sub(thread.elapsed_ns)))
        .max();
    let all_ns = sample.length_ns().saturating_add(outside_ns.unwrap_or(0).saturating_mul(2));
    accounts.push(Account {
        who: "all threads".to_owned(),
        used_for: CPU_TIME,
        used_ns: threads.iter().filter_map(|thread| thread.cpu_ns).fold(0, u64::saturating_add),
        given_ns: all_ns.saturating_mul(cpus),
        cpus,
        spare_ns: 0,
        earlier_ns: 0,
    });
    // A virtual CPU that its host stops has no ticks meanwhile: where the hypervisor does not report stolen time, what
    // its thread did before thread 0's first reading counts after it. That thread begins or ends late by as much, so
    // that the length of the whole sample bounds it.
    accounts.push(Account {
        who: "the process".to_owned(),
        used_ns: sample.process_cpu_ns,
        used_for: CPU_TIME,
        given_ns: sample.process_elapsed_ns.max(sample.length_ns()).saturating_mul(cpus),
        cpus,
        spare_ns: threads.len() as u64 * TICK_NS,
        earlier_ns: 0,
    });
    accounts
}

#[cfg(test)]
mod tests;
