//! Which code the libraries choose at run time. They do not report it, but their sources say which instruction sets they
//! look for: this file lists those of them that this CPU has. zlib, brotli and LZ4 look for none.

/// The features of the list that the CPU has, separated by spaces.
macro_rules! found {
    ($detected:ident: $($feature:tt)*) => {{
        let features: &[(&str, bool)] = &[$(($feature, std::arch::$detected!($feature))),*];
        let found = features.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
        found.collect::<Vec<_>>().join(" ")
    }};
}

/// Library → the features it looks for and finds, if any.
pub fn chosen() -> impl Iterator<Item = (String, String)> {
    [("zlib-ng", zlib_ng()), ("libdeflate", libdeflate())]
        .into_iter()
        .filter(|(_, found)| !found.is_empty())
        .map(|(library, found)| (library.to_owned(), found))
}

/// From its `functable.c`.
#[cfg(target_arch = "x86_64")]
fn zlib_ng() -> String {
    found!(is_x86_feature_detected: "ssse3" "sse4.1" "sse4.2" "pclmulqdq" "avx2" "bmi2" "avx512f" "avx512dq" "avx512bw"
        "avx512vl" "avx512vnni" "vpclmulqdq")
}

/// From its `functable.c`.
#[cfg(target_arch = "aarch64")]
fn zlib_ng() -> String {
    found!(is_aarch64_feature_detected: "neon" "crc")
}

/// From its `lib/x86/cpu_features.c`.
#[cfg(target_arch = "x86_64")]
fn libdeflate() -> String {
    found!(is_x86_feature_detected: "pclmulqdq" "avx" "avx2" "bmi2" "avx512bw" "avx512vl" "vpclmulqdq" "avx512vnni"
        "avxvnni")
}

/// From its `lib/arm/cpu_features.c`.
#[cfg(target_arch = "aarch64")]
fn libdeflate() -> String {
    found!(is_aarch64_feature_detected: "neon" "pmull" "crc" "sha3" "dotprod")
}
