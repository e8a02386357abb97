//! Digests by `EVP_Digest`.

use super::failure;
use crate::crypto::digest::{Hash, LONGEST, SecondWay, whole};
use crate::crypto::openssl;
use aws_lc_sys::EVP_MD;
use sizeup_kit::OpError;
use std::ptr::null_mut;

/// A hash function, which is static.
pub struct Digester(*const EVP_MD);

impl Hash for Digester {
    type Algorithm = unsafe extern "C" fn() -> *const EVP_MD;
    const ALGORITHMS: &'static [(&'static str, Self::Algorithm)] = &[
        ("sha-1", aws_lc_sys::EVP_sha1),
        ("sha-256", aws_lc_sys::EVP_sha256),
        ("sha-512", aws_lc_sys::EVP_sha512),
        ("sha3-256", aws_lc_sys::EVP_sha3_256),
        ("blake2b-256", aws_lc_sys::EVP_blake2b256),
    ];
    const SECOND_WAY: SecondWay =
        SecondWay { digest: whole::<openssl::Digester>, verified: "the digest matches OpenSSL's" };

    fn new(algorithm: Self::Algorithm) -> Result<Self, OpError> {
        // SAFETY: these return the addresses of constants.
        Ok(Self(unsafe { algorithm() }))
    }

    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError> {
        let mut written = 0;
        // SAFETY: no digest is longer than `digest`, and the message has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_Digest(
                message.as_ptr().cast(),
                message.len(),
                digest.as_mut_ptr(),
                &raw mut written,
                self.0,
                null_mut(),
            )
        };
        if done == 1 { Ok(written as usize) } else { Err(failure("EVP_Digest")) }
    }
}
