//! TLS records by `EVP_AEAD`, the interface that AWS-LC recommends and TLS libraries on it use.

use super::failure;
use crate::record::{Cipher, Message, Seal};
use aws_lc_sys::EVP_AEAD_CTX;
use sizeup_kit::OpError;
use std::ptr::NonNull;

/// A context with its cipher and key.
pub struct Sealer(NonNull<EVP_AEAD_CTX>);

impl Seal for Sealer {
    type Other = crate::ring::Sealer;

    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, OpError> {
        // SAFETY: the ciphers are static, and the key has the stated length.
        let context = unsafe {
            let cipher = match cipher {
                Cipher::Aes128Gcm => aws_lc_sys::EVP_aead_aes_128_gcm(),
                Cipher::Aes256Gcm => aws_lc_sys::EVP_aead_aes_256_gcm(),
                Cipher::ChaCha20Poly1305 => aws_lc_sys::EVP_aead_chacha20_poly1305(),
            };
            // 0 for the whole tag (EVP_AEAD_DEFAULT_TAG_LENGTH).
            aws_lc_sys::EVP_AEAD_CTX_new(cipher, key.as_ptr(), key.len(), 0)
        };
        NonNull::new(context).map(Self).ok_or_else(|| failure("EVP_AEAD_CTX_new"))
    }

    fn seal(&mut self, message: &Message, record: &mut [u8]) -> Result<(), OpError> {
        let mut written = 0;
        // SAFETY: the context lives, and every buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_AEAD_CTX_seal(
                self.0.as_ptr(),
                record.as_mut_ptr(),
                &raw mut written,
                record.len(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                message.text.as_ptr(),
                message.text.len(),
                message.data.as_ptr(),
                message.data.len(),
            )
        };
        if done == 1 { Ok(()) } else { Err(failure("EVP_AEAD_CTX_seal")) }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // SAFETY: made by `new` and freed nowhere else.
        unsafe { aws_lc_sys::EVP_AEAD_CTX_free(self.0.as_ptr()) }
    }
}
