//! Versions that the linked libraries report, and the proof that they are the expected ones.

use crate::crypto;
use sizeup_kit::{Libraries, Paths};
use std::ffi::CStr;

/// `OPENSSL_CPU_INFO` of OpenSSL's crypto.h: the instruction sets that it found.
const OPENSSL_CPU_INFO: i32 = 9;

/// Versions as the libraries report them.
pub fn versions() -> Libraries {
    let mut libraries = crypto::versions();
    libraries.insert("openssl".to_owned(), openssl::version::version().to_owned());
    libraries
}

/// Instruction-set paths.
pub fn paths() -> Paths {
    let mut paths = crypto::paths();
    paths.insert("openssl".to_owned(), openssl_cpu_info());
    paths
}

/// Proves that each linked library is the expected one.
pub fn self_test() -> Result<(), String> {
    // Makes OpenSSL detect the CPU before anything reads the result: code of the section `.init`, which otherwise
    // does so, does not run in programs that zig linked (docs/decisions/0011).
    openssl_sys::init();
    let openssl = openssl::version::version();
    // LibreSSL, BoringSSL and AWS-LC have the same calls under other names.
    if !openssl.starts_with("OpenSSL 3.") {
        return Err(format!("the TLS library reports {openssl:?}, not OpenSSL 3"));
    }
    let headers = i64::from_str_radix(env!("SIZEUP_OPENSSL_HEADERS"), 16);
    if headers != Ok(openssl::version::number()) {
        return Err(format!(
            "{openssl} answers, but the worker was built with the headers of 0x{}",
            env!("SIZEUP_OPENSSL_HEADERS")
        ));
    }
    crypto::self_test()
}

fn openssl_cpu_info() -> String {
    // SAFETY: OpenSSL returns a static text for every number.
    let text = unsafe { CStr::from_ptr(openssl_sys::OpenSSL_version(OPENSSL_CPU_INFO)) };
    text.to_string_lossy().into_owned()
}
