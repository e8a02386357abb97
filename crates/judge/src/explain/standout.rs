//! Causes that slow rows of one machine, by measurements beside them.

use super::evidence::LEAST_FAULTS;
use super::gauge::Gauge;
use super::side::usage;
use crate::answer::how_much;
use crate::compare::{Group, RowKey};
use crate::numbers::{counted, four_digits};
use catalog::NATIVE_WORKERS;
use estimate::{Usage, Warning};
use record::ThreadSpec;
use serde::Serialize;

/// A row is slowed by less than this share: nobody needs to know.
const LEAST_LOSS: f64 = 0.1;
/// Page faults are the cause if they take this share of the kernel time: who starts programs has faults, too.
const LEAST_OF_FAULTS: f64 = 0.5;

/// A row that is slowed, its loss, and a remedy.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Standout {
    /// The machine.
    pub label: String,
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// Decides the remedy.
    pub cause: Cause,
    /// Share of its throughput that the row loses to the cause alone, at least: the near end of its interval.
    pub loss: f64,
    /// The measurement, in a sentence.
    pub evidence: String,
    /// A variant that avoids it, as `--variant` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// The mechanism that slows a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Memory comes from the kernel and goes back to it in every op.
    PageFaults,
    /// System calls, starts of programs.
    Kernel,
    /// Garbage collections stop its threads.
    Collections,
    /// The work lowers the clock of its core.
    LowClock,
    /// Threads of the same row get in each other's way.
    Scaling,
    /// Others use the memory.
    MemoryNeighbour,
    /// It needs the memory, and co-runners of the run's own use it.
    CoRunners,
}

/// Finds slowed rows of these groups, the greatest loss first.
pub fn standouts(groups: &[&Group]) -> Vec<Standout> {
    let of_group = |group: &&Group| -> Vec<Standout> {
        (0..group.rows.len()).flat_map(|row| of_row(group, row)).collect()
    };
    let mut all: Vec<Standout> = groups.iter().flat_map(of_group).collect();
    all.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    all
}

fn of_row(group: &Group, row: usize) -> Vec<Standout> {
    let Some(figure) = group.first_figure(row) else { return Vec::new() };
    let Some(gauge) = Gauge::beside(group, row) else { return Vec::new() };
    let key = &group.rows[row].key;
    let standout = |(cause, loss, evidence): (Cause, f64, String)| Standout {
        label: group.label.clone(),
        workload: key.name.clone(),
        threads: key.threads,
        cause,
        loss,
        evidence,
        remedy: remedy(cause, figure.identity.worker()),
    };
    let found = [
        usage(group, row).and_then(|usage| in_kernel(&usage, gauge)),
        usage(group, row).and_then(|usage| collections(&usage)),
        low_clock(group, row),
        scaling(group, row, gauge),
        memory_neighbour(figure.warnings(), gauge),
        co_runners(group, row),
    ];
    found.into_iter().flatten().filter(|(_, loss, _)| *loss >= LEAST_LOSS).map(standout).collect()
}

/// With what the kernel takes for such work on this machine, where the run measured that. Rows whose work is the kernel's lose
/// nothing by it.
fn in_kernel(usage: &Usage, gauge: Gauge) -> Option<(Cause, f64, String)> {
    let kernel = usage.kernel.filter(|_| !gauge.is_of_kernel())?;
    let loss = kernel.share - kernel.margin;
    let share = kernel.share * 100.0;
    let faults = usage.minor_faults_per_op.filter(|faults| *faults >= LEAST_FAULTS);
    let with = |words: String, price: Option<String>| match price {
        Some(price) => format!("{words}: {price}"),
        None => words,
    };
    let share = format!("{share:.0} % of its CPU time in the kernel");
    Some(match faults {
        Some(faults) => {
            let words = format!("{} page faults/op, {share}", four_digits(faults));
            let of_faults = gauge.share_of_faults(usage, faults);
            let cause = match of_faults.is_none_or(|share| share >= LEAST_OF_FAULTS) {
                true => Cause::PageFaults,
                false => Cause::Kernel,
            };
            (cause, loss, with(words, gauge.faults(usage, faults)))
        }
        None => {
            let words = format!("{share}, without page faults");
            (Cause::Kernel, loss, with(words, gauge.calls(usage)))
        }
    })
}

fn collections(usage: &Usage) -> Option<(Cause, f64, String)> {
    let taken = usage.collections?;
    let words = format!("garbage collections stop it for {:.0} % of the time", taken.share * 100.0);
    Some((Cause::Collections, taken.share - taken.margin, words))
}

fn low_clock(group: &Group, row: usize) -> Option<(Cause, f64, String)> {
    let figure = group.first_figure(row)?;
    let share = figure.warnings().iter().find_map(|warning| match warning {
        Warning::LowClock { share } => Some(*share),
        _ => None,
    })?;
    let (loss, clock_hz) = (1.0 - share, group.clock_hz(row)?.centre);
    let words = format!(
        "its clock is {:.0} % below that of the other rows ({:.2} GHz)",
        loss * 100.0,
        clock_hz / 1e9
    );
    Some((Cause::LowClock, loss, words))
}

/// Work in a cycle of a core on these threads, against that on one.
fn scaling(group: &Group, row: usize, gauge: Gauge) -> Option<(Cause, f64, String)> {
    let key = &group.rows[row].key;
    if key.threads == ThreadSpec::Count(1) {
        return None;
    }
    let alone = RowKey { name: key.name.clone(), threads: ThreadSpec::Count(1) };
    let (all, alone) = (group.per_ghz(row)?, group.per_ghz(group.find(&alone)?)?);
    let cores = group.first_figure(row)?.cores? as f64;
    let kept = all.ratio_to(&alone).scaled(1.0 / cores);
    let words = format!(
        "a core does {:.0} % of the work per cycle that it does alone",
        kept.centre * 100.0
    );
    let memory = Some(gauge).filter(|gauge| gauge.needs_memory()).and_then(Gauge::memory_kept);
    Some((Cause::Scaling, 1.0 - kept.high, and(words, memory)))
}

/// Two parts of a sentence.
fn and(words: String, more: Option<String>) -> String {
    more.map_or(words.clone(), |more| format!("{words}; {more}"))
}

fn memory_neighbour(warnings: &[Warning], gauge: Gauge) -> Option<(Cause, f64, String)> {
    let beside =
        warnings.iter().find(|warning| matches!(warning, Warning::MemoryNeighbour { .. }))?;
    match beside {
        Warning::MemoryNeighbour { loss: Some(loss), .. } => {
            let memory = gauge.memory().map(|words| format!("memory in this run: {words}"));
            Some((Cause::MemoryNeighbour, *loss, and(beside.to_string(), memory)))
        }
        _ => None,
    }
}

/// Loss beside the largest number of co-runners.
fn co_runners(group: &Group, row: usize) -> Option<(Cause, f64, String)> {
    let (workload, count) = group.co_runners(row).into_iter().max_by_key(|(_, count)| *count)?;
    let left = group.retained_beside(row, (workload, count))?;
    let beside = counted(count, "co-runner");
    let words = format!("{} beside {beside} ({workload})", how_much(left.centre));
    Some((Cause::CoRunners, 1.0 - left.high, words))
}

/// The recipe of a variant that avoids it.
fn remedy(cause: Cause, worker: &str) -> Option<String> {
    match cause {
        Cause::PageFaults if NATIVE_WORKERS.contains(&worker) => Some("keep-memory".to_owned()),
        _ => None,
    }
}
