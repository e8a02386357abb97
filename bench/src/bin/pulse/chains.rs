//! Loops of the benchmark's own: chains of dependent instructions, other than the pulse's, whose latency the
//! makers of the cores tell; and additions that fill a core.

use std::arch::asm;
use std::time::Instant;

/// A chain of instructions, each of which needs the result of the one before.
pub struct Chain {
    /// The instruction, and how long it takes.
    pub name: &'static str,
    /// Its latency.
    cycles_per_op: u64,
    /// Does turns of [`UNROLL`] of them.
    run: fn(u64),
}

/// Instructions of a turn.
const UNROLL: u64 = 16;
/// How long a chain is, in cycles: as long as the pulse's own.
const CYCLES: u64 = 1_800_000;
/// Additions of a turn of [`additions`].
pub const ADDITIONS: u64 = 32;

impl Chain {
    /// The clock in Hz of the core that the calling thread runs on.
    pub fn clock_hz(&self) -> f64 {
        let turns = CYCLES / self.cycles_per_op / UNROLL;
        let start = Instant::now();
        (self.run)(turns);
        (turns * UNROLL * self.cycles_per_op) as f64 / start.elapsed().as_secs_f64()
    }
}

/// Exclusive-or takes 1 cycle and `crc32` of 64 bits takes 3 on every Intel core since Nehalem and every AMD
/// core since Zen, in other units than the multiplier (Agner Fog's instruction tables; uops.info; the
/// scheduling models of LLVM, which Intel and AMD maintain).
#[cfg(target_arch = "x86_64")]
pub fn chains() -> Vec<Chain> {
    let mut chains = vec![Chain { name: "xor r64, r64: 1 cycle", cycles_per_op: 1, run: xor }];
    if std::arch::is_x86_feature_detected!("sse4.2") {
        chains.push(Chain { name: "crc32 r64, r64: 3 cycles", cycles_per_op: 3, run: crc32 });
    }
    chains
}

/// Turning the bytes round takes 1 cycle, and so does an addition of registers, on every Neoverse core and
/// on AmpereOne (Arm's software optimisation guides; the scheduling models of LLVM).
#[cfg(target_arch = "aarch64")]
pub fn chains() -> Vec<Chain> {
    vec![
        Chain { name: "rev x, x: 1 cycle", cycles_per_op: 1, run: rev },
        Chain { name: "add x, x, x: 1 cycle", cycles_per_op: 1, run: add },
    ]
}

/// A function that does turns of sixteen times one instruction on `{x}`, with a constant in `{k}`.
#[cfg(target_arch = "x86_64")]
macro_rules! chain {
    ($name:ident, $op:literal) => {
        fn $name(turns: u64) {
            // SAFETY: only the named registers are touched.
            unsafe {
                asm!(
                    "2:",
                    $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op,
                    "dec {n}",
                    "jnz 2b",
                    x = inout(reg) 0x9e37_79b9_u64 => _,
                    k = in(reg) 0x0101_0101_u64,
                    n = inout(reg) turns => _,
                    options(nomem, nostack),
                );
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
chain!(xor, "xor {x}, {k}");
#[cfg(target_arch = "x86_64")]
chain!(crc32, "crc32 {x}, {k}");

/// A function that does turns of sixteen times one instruction on `{x}`, with a constant in `{k}`.
#[cfg(target_arch = "aarch64")]
macro_rules! chain {
    ($name:ident, $op:literal) => {
        fn $name(turns: u64) {
            // SAFETY: only the named registers are touched.
            unsafe {
                asm!(
                    "2:",
                    $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op, $op,
                    "subs {n}, {n}, #1",
                    "b.ne 2b",
                    "/* {k} */",
                    x = inout(reg) 0x9e37_79b9_u64 => _,
                    k = in(reg) 0x0101_0101_u64,
                    n = inout(reg) turns => _,
                    options(nomem, nostack),
                );
            }
        }
    };
}

#[cfg(target_arch = "aarch64")]
chain!(rev, "rev {x}, {x}");
#[cfg(target_arch = "aarch64")]
chain!(add, "add {x}, {x}, {k}");

/// Performs `turns` × [`ADDITIONS`] additions to eight registers, none of which needs another's.
#[cfg(target_arch = "x86_64")]
pub fn additions(turns: u64) {
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            ".rept 4",
            "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}",
            "add {e}, {k}", "add {f}, {k}", "add {g}, {k}", "add {h}, {k}",
            ".endr",
            "dec {n}",
            "jnz 2b",
            a = inout(reg) 1_u64 => _, b = inout(reg) 2_u64 => _,
            c = inout(reg) 3_u64 => _, d = inout(reg) 4_u64 => _,
            e = inout(reg) 5_u64 => _, f = inout(reg) 6_u64 => _,
            g = inout(reg) 7_u64 => _, h = inout(reg) 8_u64 => _,
            k = in(reg) 3_u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
}

/// Performs `turns` × [`ADDITIONS`] additions to eight registers, none of which needs another's.
#[cfg(target_arch = "aarch64")]
pub fn additions(turns: u64) {
    // SAFETY: only the named registers are touched.
    unsafe {
        asm!(
            "2:",
            ".rept 4",
            "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
            "add {e}, {e}, {k}", "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}",
            ".endr",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            a = inout(reg) 1_u64 => _, b = inout(reg) 2_u64 => _,
            c = inout(reg) 3_u64 => _, d = inout(reg) 4_u64 => _,
            e = inout(reg) 5_u64 => _, f = inout(reg) 6_u64 => _,
            g = inout(reg) 7_u64 => _, h = inout(reg) 8_u64 => _,
            k = in(reg) 3_u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
}
