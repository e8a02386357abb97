//! AWS-LC: its records, and the proof that it is AWS-LC. aws-lc-sys prefixes its symbols with its version, so that AWS-LC and OpenSSL, which share
//! names, can be linked into one program.

mod aead;

pub use aead::Sealer;

use sizeup_kit::OpError;
use std::env;
use std::ffi::CStr;

/// The variables by which users hide instruction sets from AWS-LC and OpenSSL alike.
const MASKS: [&str; 2] = ["OPENSSL_ia32cap", "OPENSSL_armcap"];

/// `AWS-LC 5.12.0`, as the linked library reports it.
pub fn version() -> String {
    // SAFETY: AWS-LC returns a static text for every number.
    let text = unsafe { CStr::from_ptr(aws_lc_sys::OpenSSL_version(aws_lc_sys::OPENSSL_VERSION)) };
    text.to_string_lossy().into_owned()
}

/// All that AWS-LC reports of its choices.
pub fn path() -> String {
    // SAFETY: both only read what AWS-LC found at program start.
    let (assembly, aes) =
        unsafe { (aws_lc_sys::CRYPTO_has_asm() == 1, aws_lc_sys::EVP_has_aes_hardware() == 1) };
    let assembly = if assembly { "assembly" } else { "no assembly" };
    let aes = if aes { "AES-GCM in hardware" } else { "AES-GCM in software" };
    format!("{assembly}, {aes}")
}

/// Proves that AWS-LC answers to its own names, and that it has detected the CPU.
pub fn self_test() -> Result<(), String> {
    let headers = CStr::from_bytes_with_nul(aws_lc_sys::AWSLC_VERSION_NUMBER_STRING)
        .map_err(|e| format!("the version in AWS-LC's headers: {e}"))?;
    let expected = format!("AWS-LC {}", headers.to_string_lossy());
    let version = version();
    if version != expected {
        return Err(format!("{version:?} is linked instead of {expected}"));
    }
    // It detects the CPU in a function of the section .init_array. If that does not run, the code is correct but
    // slow.
    let is_masked = MASKS.iter().any(|name| env::var_os(name).is_some());
    // SAFETY: only reads what was found.
    let has_seen = unsafe { aws_lc_sys::EVP_has_aes_hardware() == 1 };
    if cpu_has_aes() && !has_seen && !is_masked {
        return Err("AWS-LC has not detected the CPU's AES instructions".to_owned());
    }
    Ok(())
}

/// The CPU features that AWS-LC needs for AES-GCM in hardware, detected by Rust's standard library.
#[cfg(target_arch = "x86_64")]
fn cpu_has_aes() -> bool {
    is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("pclmulqdq")
        && is_x86_feature_detected!("ssse3")
}

/// The CPU features that AWS-LC needs for AES-GCM in hardware, detected by Rust's standard library: this one is AES
/// and PMULL.
#[cfg(target_arch = "aarch64")]
fn cpu_has_aes() -> bool {
    std::arch::is_aarch64_feature_detected!("aes")
}

/// The thread's first error; the error queue is cleared.
pub fn failure(call: &str) -> OpError {
    let mut text = [0; 256];
    // SAFETY: AWS-LC writes a text of at most `text.len()` bytes, its zero included.
    let text = unsafe {
        let error = aws_lc_sys::ERR_get_error();
        aws_lc_sys::ERR_error_string_n(error, text.as_mut_ptr(), text.len());
        aws_lc_sys::ERR_clear_error();
        CStr::from_ptr(text.as_ptr())
    };
    OpError::new(format!("{call}: {}", text.to_string_lossy()))
}
