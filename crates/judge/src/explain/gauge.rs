//! Kernel and memory costs on a machine, from rows of the same run that measure nothing else. Nothing is reported without such
//! a row.

use super::side::{is_of_kernel, usage};
use crate::compare::{Group, RowKey, RowResult};
use crate::numbers::{three_digits, time};
use crate::units::figure_of_op;
use catalog::Family;
use estimate::{Usage, ViewKind, Warning};
use record::ThreadSpec;

/// A workload, and how many system calls are in an op of it.
const SYSTEM_CALL: (&str, f64) = ("syscall/linux", 256.0);
const PAGE_FAULT: &str = "page-fault/linux";
/// A workload, and how many lines of memory an op of it reads.
const RANDOM_READ: (&str, f64) = ("memory-random-read/loads", 1024.0);
/// The first that a run has.
const BANDWIDTH: [&str; 2] = ["memory-triad/stream", "memory-triad-256MiB/stream"];

/// A row, beside the rows of its run that measure the kernel and the memory.
#[derive(Clone, Copy)]
pub(super) struct Gauge<'a> {
    group: &'a Group,
    row: usize,
    figure: &'a RowResult,
}

impl<'a> Gauge<'a> {
    pub fn beside(group: &'a Group, row: usize) -> Option<Self> {
        Some(Self { group, row, figure: group.first_figure(row)? })
    }

    /// Whether its work is the kernel's.
    pub fn is_of_kernel(self) -> bool {
        is_of_kernel(self.group, self.row)
    }

    /// Whether memory is known to limit it: by what it is, or by what it loses beside others that use the memory.
    pub fn needs_memory(self) -> bool {
        let loses =
            |warning: &Warning| matches!(warning, Warning::MemoryNeighbour { loss: Some(_), .. });
        self.figure.family == Some(Family::Memory) || self.figure.warnings().iter().any(loses)
    }

    fn threads(self) -> ThreadSpec {
        self.group.rows[self.row].key.threads
    }

    /// The row of a workload on so many threads and in the same variant; `None` for the row's own workload.
    fn find(self, workload: &str, threads: ThreadSpec) -> Option<usize> {
        if self.figure.workload == workload {
            return None;
        }
        let name = match &self.figure.variant {
            Some(variant) => format!("{workload} [{variant}]"),
            None => workload.to_owned(),
        };
        self.group.find(&RowKey { name, threads })
    }

    /// Usage of a workload on as many threads as the row, or else on one.
    fn used(self, workload: &str) -> Option<(Usage, ThreadSpec)> {
        let on = |threads| Some((usage(self.group, self.find(workload, threads)?)?, threads));
        on(self.threads()).or_else(|| on(ThreadSpec::Count(1)))
    }

    /// Kernel time of a page fault, in s, and the threads on which it was measured.
    fn fault_s(self) -> Option<(f64, ThreadSpec)> {
        let (used, threads) = self.used(PAGE_FAULT)?;
        let faults = used.minor_faults_per_op.filter(|faults| *faults >= 1.0)?;
        Some((used.kernel?.ns_per_op / faults / 1e9, threads)).filter(|(s, _)| *s > 0.0)
    }

    /// Kernel time of a system call, in s, and the threads on which it was measured.
    fn call_s(self) -> Option<(f64, ThreadSpec)> {
        let (workload, calls) = SYSTEM_CALL;
        let (used, threads) = self.used(workload)?;
        Some((used.kernel?.ns_per_op / calls / 1e9, threads)).filter(|(s, _)| *s > 0.0)
    }

    /// Share of an op's kernel time that its page faults take, if they cost as much as plain ones.
    pub fn share_of_faults(self, usage: &Usage, faults: f64) -> Option<f64> {
        let (each, _) = self.fault_s()?;
        Some(each * faults / (usage.kernel?.ns_per_op / 1e9))
    }

    /// `3.5 ms/op; that many faults take 3.19 ms in page-fault/linux (611 ns each, 1 thread)`.
    pub fn faults(self, usage: &Usage, faults: f64) -> Option<String> {
        let (each, threads) = self.fault_s()?;
        let (took, all) = (usage.kernel?.ns_per_op / 1e9, each * faults);
        let (each, threads) = (time(each), threads.in_words());
        Some(format!(
            "{}/op; that many faults take {} in {PAGE_FAULT} ({each} each, {threads})",
            time(took),
            time(all)
        ))
    }

    /// `12.3 µs/op, as long as 145 system calls in syscall/linux (84.8 ns each, 1 thread)`.
    pub fn calls(self, usage: &Usage) -> Option<String> {
        let (each, threads) = self.call_s()?;
        let took = usage.kernel?.ns_per_op / 1e9;
        let (calls, threads) = (three_digits(took / each), threads.in_words());
        let name = SYSTEM_CALL.0;
        Some(format!(
            "{}/op, as long as {calls} system calls in {name} ({} each, {threads})",
            time(took),
            time(each)
        ))
    }

    /// Throughput of a workload in ops/s over all threads, with its row.
    fn per_s(self, workload: &str, threads: ThreadSpec) -> Option<(f64, &'a RowResult)> {
        let row = self.find(workload, threads)?;
        Some((self.group.rows[row].view?.interval.centre, self.group.first_figure(row)?))
    }

    fn bandwidth(self, threads: ThreadSpec) -> Option<(f64, &'a RowResult)> {
        BANDWIDTH.into_iter().find_map(|workload| self.per_s(workload, threads))
    }

    /// `14.5 GiB/s and 5.10 ns a random line`, on as many threads as the row.
    pub fn memory(self) -> Option<String> {
        let threads = self.threads();
        let bandwidth = self.bandwidth(threads).map(|(per_s, figure)| {
            figure_of_op(&figure.unit, figure.bytes_per_op, per_s, ViewKind::Uncontended)
        });
        let (workload, lines) = RANDOM_READ;
        let line = self.per_s(workload, threads).map(|(per_s, figure)| {
            format!("{} a random line", time(figure.threads as f64 / (per_s * lines)))
        });
        let known: Vec<String> = bandwidth.into_iter().chain(line).collect();
        (!known.is_empty()).then(|| known.join(" and "))
    }

    /// `a thread keeps 55 % of the bandwidth that it has alone (memory-triad/stream), and 80 % of the random lines (…)`.
    pub fn memory_kept(self) -> Option<String> {
        let kept = |measured: &dyn Fn(ThreadSpec) -> Option<(f64, &'a RowResult)>| {
            let ((all, figure), (alone, _)) =
                (measured(self.threads())?, measured(ThreadSpec::Count(1))?);
            let share = all / alone / figure.threads as f64 * 100.0;
            Some((format!("{share:.0} %"), &figure.workload))
        };
        let bandwidth = kept(&|threads| self.bandwidth(threads))
            .map(|(share, workload)| format!("{share} of the bandwidth ({workload})"));
        let lines = kept(&|threads| self.per_s(RANDOM_READ.0, threads))
            .map(|(share, workload)| format!("{share} of the random lines ({workload})"));
        let known: Vec<String> = bandwidth.into_iter().chain(lines).collect();
        (!known.is_empty())
            .then(|| format!("a thread keeps {} that it has alone", known.join(" and ")))
    }
}

/// `a page fault takes 611 ns on new, 350 ns on old`, where both were measured on as many threads.
pub(super) fn fault_of_both(baseline: Gauge, other: Gauge) -> Option<String> {
    of_both("page fault", PAGE_FAULT, [other, baseline], Gauge::fault_s)
}

/// System call times on both: `a system call takes … on …`.
pub(super) fn call_of_both(baseline: Gauge, other: Gauge) -> Option<String> {
    of_both("system call", SYSTEM_CALL.0, [other, baseline], Gauge::call_s)
}

fn of_both<'a>(
    what: &str,
    workload: &str,
    sides: [Gauge<'a>; 2],
    measured: fn(Gauge<'a>) -> Option<(f64, ThreadSpec)>,
) -> Option<String> {
    let [(ours, threads), (theirs, others)] = [measured(sides[0])?, measured(sides[1])?];
    let [on, against] = sides.map(|side| &side.group.label);
    (threads == others).then(|| {
        format!(
            "a {what} takes {} on {on}, {} on {against} ({workload}, {})",
            time(ours),
            time(theirs),
            threads.in_words()
        )
    })
}

/// `memory: 14.5 GiB/s and 5.10 ns a random line on new, 11.2 GiB/s and 7.30 ns a random line on old`.
pub(super) fn memory_of_both(baseline: Gauge, other: Gauge) -> Option<String> {
    let (ours, theirs) = (other.memory()?, baseline.memory()?);
    Some(format!("memory: {ours} on {}, {theirs} on {}", other.group.label, baseline.group.label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_workloads_and_say_what_is_in_an_op_of_them() {
        let (kernel, memory) = (
            include_str!("../../../../workloads/kernel.toml"),
            include_str!("../../../../workloads/memory.toml"),
        );
        let about = |table: &str, id: &str| {
            let (_, rest) = table.split_once(&format!("id = \"{id}\"")).expect(id);
            rest.lines().find(|line| line.starts_with("about")).expect(id).to_owned()
        };
        let (call, calls) = SYSTEM_CALL;
        assert!(about(kernel, call).contains(&format!("\"{calls} system calls")));
        assert!(about(kernel, PAGE_FAULT).contains("touch each page"));
        let (read, lines) = RANDOM_READ;
        assert_eq!(lines, 1024.0);
        assert!(about(memory, read).contains("\"1,024 random lines"));
        BANDWIDTH.iter().for_each(|workload| drop(about(memory, workload)));
    }
}
