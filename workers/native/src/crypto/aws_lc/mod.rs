//! AWS-LC's EVP interface. Its symbols bear a prefix with the version of aws-lc-sys, so that it and OpenSSL, whose names
//! they are, can be linked into one program.

mod aead;
mod agreement;
mod digest;
mod key;

pub use aead::Sealer;
pub use agreement::Agreement;
pub use digest::Digester;
pub use key::Signer;

use sizeup_kit::OpError;
use std::env;
use std::ffi::CStr;

/// Those by which users hide instruction sets from AWS-LC and OpenSSL alike.
const MASKS: [&str; 2] = ["OPENSSL_ia32cap", "OPENSSL_armcap"];

/// `AWS-LC 5.12.0`, as the linked library says it.
pub fn version() -> String {
    // SAFETY: AWS-LC returns a static text for every number.
    let text = unsafe { CStr::from_ptr(aws_lc_sys::OpenSSL_version(aws_lc_sys::OPENSSL_VERSION)) };
    text.to_string_lossy().into_owned()
}

/// All that it tells of its choices.
pub fn path() -> String {
    // SAFETY: both only read what AWS-LC found when the program was started.
    let (assembly, aes) =
        unsafe { (aws_lc_sys::CRYPTO_has_asm() == 1, aws_lc_sys::EVP_has_aes_hardware() == 1) };
    let assembly = if assembly { "assembly" } else { "no assembly" };
    let aes = if aes { "AES-GCM in hardware" } else { "AES-GCM in software" };
    format!("{assembly}, {aes}")
}

/// Proves that AWS-LC answers to its own names, and that it has seen the CPU.
pub fn self_test() -> Result<(), String> {
    let headers = CStr::from_bytes_with_nul(aws_lc_sys::AWSLC_VERSION_NUMBER_STRING)
        .map_err(|e| format!("the version in AWS-LC's headers: {e}"))?;
    let expected = format!("AWS-LC {}", headers.to_string_lossy());
    let version = version();
    if version != expected {
        return Err(format!("{version:?} answers in the place of {expected}"));
    }
    // It looks at the CPU in a function of the section .init_array. One that is not run leaves slow code that is right.
    let is_masked = MASKS.iter().any(|name| env::var_os(name).is_some());
    // SAFETY: only reads what was found.
    let has_seen = unsafe { aws_lc_sys::EVP_has_aes_hardware() == 1 };
    if cpu_has_aes() && !has_seen && !is_masked {
        return Err("AWS-LC has not seen that the CPU has instructions for AES".to_owned());
    }
    Ok(())
}

/// What AWS-LC asks of a CPU for AES-GCM in hardware, found by Rust's standard library.
#[cfg(target_arch = "x86_64")]
fn cpu_has_aes() -> bool {
    is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("pclmulqdq")
        && is_x86_feature_detected!("ssse3")
}

/// What AWS-LC asks of a CPU for AES-GCM in hardware, found by Rust's standard library: this feature is AES and PMULL.
#[cfg(target_arch = "aarch64")]
fn cpu_has_aes() -> bool {
    std::arch::is_aarch64_feature_detected!("aes")
}

/// The thread's first error, and none is kept.
fn failure(call: &str) -> OpError {
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
