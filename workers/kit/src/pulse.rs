//! The pulse: a 1 ms core probe before and after a sample.
//!
//! *Clock*: a chain of dependent instructions of known latency takes `ops × latency` cycles whatever a sibling
//! hyperthread does, so its time gives the core's real frequency. *Width*: independent additions fill the issue
//! ports, so their time gives this thread's share of the core. The counts are fixed and the time is measured. The
//! loops are written in assembly, so that no compiler can change them.

use crate::clock;
use serde::Serialize;
use std::arch::asm;

/// The kernels of this architecture, reported in `ready`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Kernels {
    pub clock_kernel: &'static str,
    pub clock_cycles_per_op: u64,
    pub width_kernel: &'static str,
}

/// Multiplies of 32 bits take 3 cycles on every Intel core since Nehalem and every AMD core since Zen (Agner Fog's
/// instruction tables; those of 64 bits take 4 on Zen 1). Additions are unsuitable: Golden Cove folds chains of them
/// when it renames registers.
#[cfg(target_arch = "x86_64")]
pub(crate) const KERNELS: Kernels = Kernels {
    clock_kernel: "imul r32, r32: 3 cycles",
    clock_cycles_per_op: 3,
    width_kernel: "add r64, r64: 8 independent",
};

/// Exclusive-or of registers takes 1 cycle on every Neoverse core and on AmpereOne (table and sources in
/// `docs/methodology.md`); multiplies take 2 to 4.
#[cfg(target_arch = "aarch64")]
pub(crate) const KERNELS: Kernels = Kernels {
    clock_kernel: "eor x, x, x: 1 cycle",
    clock_cycles_per_op: 1,
    width_kernel: "add x, x, x: 8 independent",
};

#[cfg(target_arch = "x86_64")]
const CLOCK_OPS: u64 = 600_000;
#[cfg(target_arch = "aarch64")]
const CLOCK_OPS: u64 = 1_800_000;
/// The length of a chain inside a sample: 12,000 cycles.
#[cfg(target_arch = "x86_64")]
pub(crate) const CHAIN_OPS: u64 = 4_000;
#[cfg(target_arch = "aarch64")]
pub(crate) const CHAIN_OPS: u64 = 12_000;
const WIDTH_OPS: u64 = 6_000_000;

/// The instructions in one iteration of each loop.
pub(crate) const CLOCK_UNROLL: u64 = 8;
const WIDTH_UNROLL: u64 = 32;

/// One probe of the core.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Pulse {
    /// Dependent instructions.
    pub clock_ops: u64,
    /// Time of the dependent instructions.
    pub clock_ns: u64,
    /// Independent instructions.
    pub width_ops: u64,
    /// Time of the independent instructions.
    pub width_ns: u64,
}

impl Pulse {
    /// Takes a pulse on the calling thread's CPU.
    pub(crate) fn take() -> Self {
        let start = clock::now_ns();
        clock_chain(CLOCK_OPS / CLOCK_UNROLL);
        let middle = clock::now_ns();
        additions(WIDTH_OPS / WIDTH_UNROLL);
        let end = clock::now_ns();
        Self {
            clock_ops: CLOCK_OPS,
            clock_ns: middle - start,
            width_ops: WIDTH_OPS,
            width_ns: end - middle,
        }
    }

    /// No pulse, for samples that are compared with samples that have one.
    pub(crate) fn none() -> Self {
        Self { clock_ops: 0, clock_ns: 0, width_ops: 0, width_ns: 0 }
    }
}

/// The start value of the chain.
const CLOCK_START: u64 = 0x9e37_79b9;

/// The multiplier of the chain.
#[cfg(target_arch = "x86_64")]
const CLOCK_FACTOR: u64 = 0x0101_0101;

/// Performs `turns` × [`CLOCK_UNROLL`] dependent instructions and returns their result.
#[cfg(target_arch = "x86_64")]
pub(crate) fn clock_chain(turns: u64) -> u64 {
    let mut x = CLOCK_START;
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            "imul {x:e}, {k:e}", "imul {x:e}, {k:e}", "imul {x:e}, {k:e}", "imul {x:e}, {k:e}",
            "imul {x:e}, {k:e}", "imul {x:e}, {k:e}", "imul {x:e}, {k:e}", "imul {x:e}, {k:e}",
            "dec {n}",
            "jnz 2b",
            x = inout(reg) x,
            k = in(reg) CLOCK_FACTOR,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
    x
}

/// Performs `turns` × 32 independent additions: 3 is added to each of eight registers, four times an iteration. The
/// registers begin at 1 … 8; returns their sum, which is 36 + 96 × `turns`. Zero turns count as one.
#[cfg(target_arch = "x86_64")]
pub fn additions(turns: u64) -> u64 {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [1_u64, 2, 3, 4, 5, 6, 7, 8];
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}",
            "add {e}, {k}", "add {f}, {k}", "add {g}, {k}", "add {h}, {k}",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}",
            "add {e}, {k}", "add {f}, {k}", "add {g}, {k}", "add {h}, {k}",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}",
            "add {e}, {k}", "add {f}, {k}", "add {g}, {k}", "add {h}, {k}",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}",
            "add {e}, {k}", "add {f}, {k}", "add {g}, {k}", "add {h}, {k}",
            "dec {n}",
            "jnz 2b",
            a = inout(reg) a, b = inout(reg) b, c = inout(reg) c, d = inout(reg) d,
            e = inout(reg) e, f = inout(reg) f, g = inout(reg) g, h = inout(reg) h,
            k = in(reg) 3_u64,
            n = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
    [a, b, c, d, e, f, g, h].into_iter().fold(0, u64::wrapping_add)
}

/// Performs `turns` × [`CLOCK_UNROLL`] dependent instructions and returns their result. Each of the eight in an
/// iteration flips a bit of its own, so that one too many or too few would show.
#[cfg(target_arch = "aarch64")]
pub(crate) fn clock_chain(turns: u64) -> u64 {
    let mut x = CLOCK_START;
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            "eor {x}, {x}, {a}", "eor {x}, {x}, {b}", "eor {x}, {x}, {c}", "eor {x}, {x}, {d}",
            "eor {x}, {x}, {e}", "eor {x}, {x}, {f}", "eor {x}, {x}, {g}", "eor {x}, {x}, {h}",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            x = inout(reg) x,
            a = in(reg) 1_u64, b = in(reg) 2_u64, c = in(reg) 4_u64, d = in(reg) 8_u64,
            e = in(reg) 16_u64, f = in(reg) 32_u64, g = in(reg) 64_u64, h = in(reg) 128_u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
    x
}

/// Performs `turns` × 32 independent additions: 3 is added to each of eight registers, four times an iteration. The
/// registers begin at 1 … 8; returns their sum, which is 36 + 96 × `turns`. Zero turns count as one.
#[cfg(target_arch = "aarch64")]
pub fn additions(turns: u64) -> u64 {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [1_u64, 2, 3, 4, 5, 6, 7, 8];
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
            "add {e}, {e}, {k}", "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
            "add {e}, {e}, {k}", "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
            "add {e}, {e}, {k}", "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
            "add {e}, {e}, {k}", "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            a = inout(reg) a, b = inout(reg) b, c = inout(reg) c, d = inout(reg) d,
            e = inout(reg) e, f = inout(reg) f, g = inout(reg) g, h = inout(reg) h,
            k = in(reg) 3_u64,
            n = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
    [a, b, c, d, e, f, g, h].into_iter().fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_whole_turns_of_the_loops() {
        assert_eq!(CLOCK_OPS % CLOCK_UNROLL, 0);
        assert_eq!(WIDTH_OPS % WIDTH_UNROLL, 0);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_link_of_the_chain_is_done() {
        for turns in [1, 2, 1000] {
            let factor = (CLOCK_FACTOR as u32).wrapping_pow((turns * CLOCK_UNROLL) as u32);
            assert_eq!(clock_chain(turns), u64::from((CLOCK_START as u32).wrapping_mul(factor)));
        }
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn every_link_of_the_chain_is_done() {
        let bits = |turns: u64| if turns.is_multiple_of(2) { 0 } else { 0xff };
        for turns in [1, 2, 3, 1000, 1001] {
            assert_eq!(clock_chain(turns), CLOCK_START ^ bits(turns));
        }
    }

    #[test]
    fn every_addition_is_done() {
        for turns in [1, 2, 1000] {
            assert_eq!(additions(turns), 36 + 96 * turns);
        }
    }

    #[test]
    fn a_pulse_takes_time_on_both_kernels() {
        let pulse = Pulse::take();
        assert!(pulse.clock_ns > 0 && pulse.width_ns > 0, "{pulse:?}");
    }
}
