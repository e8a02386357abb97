//! The instruction-set features that decide how fast the measured libraries run.
//!
//! The names are those of `/proc/cpuinfo`. Features that all server CPUs of a kind have had for a
//! decade or that no measured library uses are left out, which keeps lists easy to compare.

/// Features of x86-64 that matter, in the order in which they are shown.
pub(super) const X86: &[&str] = &[
    // Older vector units and bit manipulation.
    "ssse3",
    "sse4_1",
    "sse4_2",
    "popcnt",
    "abm",
    "movbe",
    "bmi1",
    "bmi2",
    "adx",
    "erms",
    "fsrm",
    // Cryptography.
    "aes",
    "vaes",
    "pclmulqdq",
    "vpclmulqdq",
    "gfni",
    "sha_ni",
    "sha512",
    "sm3",
    "sm4",
    "rdrand",
    "rdseed",
    // Wide vectors.
    "avx",
    "fma",
    "avx2",
    "avx_vnni",
    "avx_ifma",
    "avx512f",
    "avx512dq",
    "avx512cd",
    "avx512bw",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "avx512_vbmi2",
    "avx512_vnni",
    "avx512_bitalg",
    "avx512_vpopcntdq",
    "avx512_bf16",
    "avx512_fp16",
    // Matrices.
    "amx_tile",
    "amx_int8",
    "amx_bf16",
    "amx_fp16",
];

/// Features of aarch64 that matter, in the order in which they are shown.
pub(super) const ARM: &[&str] = &[
    "asimd",
    "crc32",
    // Large System Extensions: compare-and-swap in one instruction, without which locks crawl.
    "atomics",
    "lrcpc",
    "ilrcpc",
    "uscat",
    // Cryptography.
    "aes",
    "pmull",
    "sha1",
    "sha2",
    "sha3",
    "sha512",
    "sm3",
    "sm4",
    "rng",
    // Vectors and matrices.
    "asimdrdm",
    "asimddp",
    "asimdhp",
    "asimdfhm",
    "i8mm",
    "bf16",
    "sve",
    "sve2",
    "sveaes",
    "svepmull",
    "svebitperm",
    "svesha3",
    "sme",
    "sme2",
    // Hardening that costs time where a distribution is built with it.
    "paca",
    "pacg",
    "bti",
];
