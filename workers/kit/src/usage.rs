//! What the kernel counts of a thread: faults, context switches, the CPU time of system calls and faults.

use std::mem::MaybeUninit;

/// A thread's counters since it started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// CPU time in the kernel.
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
        let system = usage.ru_stime;
        Self {
            system_ns: system.tv_sec as u64 * 1_000_000_000 + system.tv_usec as u64 * 1_000,
            minor_faults: usage.ru_minflt as u64,
            major_faults: usage.ru_majflt as u64,
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
        }
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
