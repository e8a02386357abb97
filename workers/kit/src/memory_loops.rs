//! The loops of a memory pulse, in assembly, so that no compiler can change them.

use std::arch::asm;

/// Loads in one iteration of each loop.
pub(crate) const UNROLL: usize = 8;

/// Follows `turns` × [`UNROLL`] pointers.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn follow(at: *const u8, turns: usize) -> *const u8 {
    let mut at = at;
    // SAFETY: the caller says that each pointer leads to another.
    unsafe {
        asm!(
            "2:",
            "mov {p}, [{p}]", "mov {p}, [{p}]", "mov {p}, [{p}]", "mov {p}, [{p}]",
            "mov {p}, [{p}]", "mov {p}, [{p}]", "mov {p}, [{p}]", "mov {p}, [{p}]",
            "dec {n}",
            "jnz 2b",
            p = inout(reg) at,
            n = inout(reg) turns => _,
            options(readonly, nostack),
        );
    }
    at
}

/// The sum of the first words of `turns` × [`UNROLL`] lines, none of whose loads needs another.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn sum_lines(start: *const u8, turns: usize) -> u64 {
    let mut sum = 0_u64;
    // SAFETY: the caller says that so many lines can be read.
    unsafe {
        asm!(
            "2:",
            "add {s}, [{p}]", "add {s}, [{p} + 64]", "add {s}, [{p} + 128]", "add {s}, [{p} + 192]",
            "add {s}, [{p} + 256]", "add {s}, [{p} + 320]", "add {s}, [{p} + 384]", "add {s}, [{p} + 448]",
            "add {p}, 512",
            "dec {n}",
            "jnz 2b",
            s = inout(reg) sum,
            p = inout(reg) start => _,
            n = inout(reg) turns => _,
            options(readonly, nostack),
        );
    }
    sum
}

/// Flushes lines from all caches.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn flush_lines(start: *const u8, lines: usize) {
    // SAFETY: the caller says that so many lines are there.
    unsafe {
        if has_weak_flush() { flush_weakly(start, lines) } else { flush_strongly(start, lines) }
    }
}

/// A loop over lines with one instruction that flushes one.
#[cfg(target_arch = "x86_64")]
macro_rules! flush_each {
    ($instruction:literal, $start:ident, $lines:ident) => {
        asm!(
            "2:",
            concat!($instruction, " [{p}]"),
            "add {p}, 64",
            "dec {n}",
            "jnz 2b",
            "mfence",
            p = inout(reg) $start => _,
            n = inout(reg) $lines => _,
            options(nostack),
        )
    };
}

#[cfg(target_arch = "x86_64")]
unsafe fn flush_weakly(start: *const u8, lines: usize) {
    // SAFETY: the caller says that so many lines are there.
    unsafe { flush_each!("clflushopt", start, lines) };
}

#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn flush_strongly(start: *const u8, lines: usize) {
    // SAFETY: the caller says that so many lines are there.
    unsafe { flush_each!("clflush", start, lines) };
}

/// Whether the CPU can flush lines without waiting for each: many times faster on Intel's.
#[cfg(target_arch = "x86_64")]
fn has_weak_flush() -> bool {
    use std::arch::x86_64::{__cpuid_count, __get_cpuid_max};
    static HAS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        __get_cpuid_max(0).0 >= 7 && __cpuid_count(7, 0).ebx & (1 << 23) != 0
    });
    *HAS
}

/// Follows `turns` × [`UNROLL`] pointers.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn follow(at: *const u8, turns: usize) -> *const u8 {
    let mut at = at;
    // SAFETY: the caller says that each pointer leads to another.
    unsafe {
        asm!(
            "2:",
            "ldr {p}, [{p}]", "ldr {p}, [{p}]", "ldr {p}, [{p}]", "ldr {p}, [{p}]",
            "ldr {p}, [{p}]", "ldr {p}, [{p}]", "ldr {p}, [{p}]", "ldr {p}, [{p}]",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            p = inout(reg) at,
            n = inout(reg) turns => _,
            options(readonly, nostack),
        );
    }
    at
}

/// The sum of the first words of `turns` × [`UNROLL`] lines, none of whose loads needs another.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn sum_lines(start: *const u8, turns: usize) -> u64 {
    let mut sum = 0_u64;
    // SAFETY: the caller says that so many lines can be read.
    unsafe {
        asm!(
            "2:",
            "ldr {a}, [{p}]", "ldr {b}, [{p}, #64]", "ldr {c}, [{p}, #128]", "ldr {d}, [{p}, #192]",
            "add {s}, {s}, {a}", "add {s}, {s}, {b}", "add {s}, {s}, {c}", "add {s}, {s}, {d}",
            "ldr {a}, [{p}, #256]", "ldr {b}, [{p}, #320]", "ldr {c}, [{p}, #384]", "ldr {d}, [{p}, #448]",
            "add {s}, {s}, {a}", "add {s}, {s}, {b}", "add {s}, {s}, {c}", "add {s}, {s}, {d}",
            "add {p}, {p}, #512",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            s = inout(reg) sum,
            p = inout(reg) start => _,
            n = inout(reg) turns => _,
            a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
            options(readonly, nostack),
        );
    }
    sum
}

/// Flushes lines from all caches, to the point where every observer sees the memory.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn flush_lines(start: *const u8, lines: usize) {
    // SAFETY: the caller says that so many lines are there.
    unsafe {
        asm!(
            "2:",
            "dc civac, {p}",
            "add {p}, {p}, #64",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            "dsb sy",
            p = inout(reg) start => _,
            n = inout(reg) lines => _,
            options(nostack),
        );
    }
}
