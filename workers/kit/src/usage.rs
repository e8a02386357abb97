//! Counters of the kernel: of a thread, of the processes that it waited for, and of its CPU.

use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::mem::MaybeUninit;
use std::ops::AddAssign;

/// A thread's counters since it started, or of a sample as the protocol reports them.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Usage {
    /// CPU time in the kernel, which is reported otherwise.
    #[serde(skip)]
    pub system_ns: u64,
    pub minor_faults: u64,
    pub major_faults: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
}

impl Usage {
    /// The calling thread's counters.
    pub fn of_this_thread() -> Self {
        let mut usage = MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the pointer is valid for one rusage, and Linux has had RUSAGE_THREAD since 2.6.26.
        let usage = unsafe {
            let status = libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            assert_eq!(status, 0, "getrusage(RUSAGE_THREAD) failed");
            usage.assume_init()
        };
        Self {
            system_ns: nanoseconds(usage.ru_stime),
            minor_faults: usage.ru_minflt as u64,
            major_faults: usage.ru_majflt as u64,
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
        }
    }

    /// The difference from an earlier reading, with faults of processes that did work since.
    pub fn since(self, earlier: Self, children: ChildUsage) -> Self {
        Self {
            system_ns: self.system_ns - earlier.system_ns,
            minor_faults: self.minor_faults - earlier.minor_faults + children.minor_faults,
            major_faults: self.major_faults - earlier.major_faults + children.major_faults,
            voluntary_switches: self.voluntary_switches - earlier.voluntary_switches,
            involuntary_switches: self.involuntary_switches - earlier.involuntary_switches,
        }
    }
}

/// A kernel time, which is never negative.
fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
}

/// Totals of processes that did a thread's work while it waited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChildUsage {
    /// CPU time in ns.
    pub cpu_ns: u64,
    /// Page faults without I/O.
    pub minor_faults: u64,
    /// Page faults with I/O.
    pub major_faults: u64,
}

impl ChildUsage {
    /// The difference from an earlier reading.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            cpu_ns: self.cpu_ns - earlier.cpu_ns,
            minor_faults: self.minor_faults - earlier.minor_faults,
            major_faults: self.major_faults - earlier.major_faults,
        }
    }
}

impl AddAssign for ChildUsage {
    fn add_assign(&mut self, more: Self) {
        self.cpu_ns += more.cpu_ns;
        self.minor_faults += more.minor_faults;
        self.major_faults += more.major_faults;
    }
}

impl From<libc::rusage> for ChildUsage {
    fn from(usage: libc::rusage) -> Self {
        Self {
            cpu_ns: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
            minor_faults: usage.ru_minflt as u64,
            major_faults: usage.ru_majflt as u64,
        }
    }
}

/// A tick of [`CpuTicks`] in ns, by `USER_HZ`.
const TICK_NS: u64 = 10_000_000;

/// Time of a CPU since boot, in ticks of 1/100 s on all usual kernels.
///
/// Kernels without exact accounting give all CPU time of a process that ended before a tick of their timer met it to user
/// mode (`cputime_adjust` in kernel/sched/cputime.c). So `wait4` shows a seventh of the kernel time of short processes,
/// while the sums of a CPU are right.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CpuTicks {
    kernel: u64,
    busy: u64,
}

impl CpuTicks {
    /// `None` where the kernel does not report them.
    pub fn of(cpu: u32) -> Option<Self> {
        let name = format!("cpu{cpu} ");
        let lines = BufReader::new(File::open("/proc/stat").ok()?).lines();
        let line = lines.map_while(Result::ok).find(|line| line.starts_with(&name))?;
        Self::parse(&line)
    }

    /// `cpu0 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ …`
    fn parse(line: &str) -> Option<Self> {
        let fields = line.split_ascii_whitespace().skip(1).take(7).map(|field| field.parse().ok());
        let fields: Vec<u64> = fields.collect::<Option<_>>()?;
        let [user, nice, system, _, _, irq, softirq] = fields[..].try_into().ok()?;
        let kernel = system + irq + softirq;
        Some(Self { kernel, busy: user + nice + kernel })
    }

    /// The part of a CPU time in ns that was in the kernel: the share of the CPU's busy time since an earlier reading.
    /// `None` if that was less than a tick, or others had more than a tenth of it.
    pub fn part_in_kernel(self, earlier: Self, cpu_ns: u64) -> Option<u64> {
        let [kernel, busy] =
            [self.kernel.checked_sub(earlier.kernel)?, self.busy.checked_sub(earlier.busy)?];
        // A reading may be late by a tick.
        let is_own = cpu_ns.saturating_add(TICK_NS) >= busy.saturating_mul(TICK_NS / 10 * 9);
        (busy > 0 && is_own)
            .then(|| (u128::from(cpu_ns) * u128::from(kernel) / u128::from(busy)) as u64)
    }
}

/// Resident memory of the process in bytes; 0 if /proc is unavailable.
pub(crate) fn resident_bytes() -> u64 {
    // SAFETY: sysconf has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_ascii_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * u64::try_from(page).unwrap_or(4096))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_share_of_a_cpu_holds_interrupts_and_no_idle_time() {
        let [before, after] =
            ["cpu3 100 10 40 7000 5 1 2 9 0 0", "cpu3 106 12 60 7500 9 3 3 99 0 0"]
                .map(|line| CpuTicks::parse(line).unwrap());
        // 23 of 31 ticks.
        assert_eq!(after.part_in_kernel(before, 310_000_000), Some(230_000_000));
        assert_eq!(after.part_in_kernel(before, 270_000_000), Some(200_322_580));
        assert_eq!(after.part_in_kernel(before, 260_000_000), None, "others had a tenth");
        assert_eq!(before.part_in_kernel(before, 310_000_000), None, "no tick passed");
        assert_eq!(before.part_in_kernel(after, 310_000_000), None, "it ran backwards");
        assert!(CpuTicks::parse("cpu3 1 2 3").is_none());
        assert!(CpuTicks::parse("cpu3 1 2 3 x 5 6 7").is_none());
    }
}
