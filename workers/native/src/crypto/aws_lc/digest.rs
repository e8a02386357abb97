//! Digests by `EVP_Digest`.

use super::failure;
use crate::crypto::digest::{Algorithm, Hash, LONGEST};
use aws_lc_sys::EVP_MD;
use sizeup_kit::OpError;
use std::ptr::null_mut;

/// A hash function, which is static.
pub struct Digester(*const EVP_MD);

impl Hash for Digester {
    fn new(algorithm: Algorithm) -> Result<Self, OpError> {
        // SAFETY: these return the addresses of constants.
        Ok(Self(unsafe {
            match algorithm {
                Algorithm::Sha256 => aws_lc_sys::EVP_sha256(),
                Algorithm::Sha512 => aws_lc_sys::EVP_sha512(),
                Algorithm::Sha3 => aws_lc_sys::EVP_sha3_256(),
                Algorithm::Blake2b => aws_lc_sys::EVP_blake2b256(),
                Algorithm::Blake3 => return Err(OpError::new("AWS-LC has no BLAKE3")),
            }
        }))
    }

    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError> {
        let mut written = 0;
        // SAFETY: no digest is longer than `digest`, and the message is as long as is said.
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
