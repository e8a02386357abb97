//! ML-KEM-768 by `EVP_PKEY_keygen`, `EVP_PKEY_encapsulate` and `EVP_PKEY_decapsulate`.

use super::failure;
use super::key::{Context, Key};
use crate::crypto::kem::{Ciphertext, PRIVATE_BYTES, PUBLIC_BYTES, Secret};
use crate::crypto::{kem, openssl};
use aws_lc_sys::{EVP_PKEY_KEM, NID_MLKEM768};
use sizeup_kit::OpError;
use std::ffi::c_int;
use std::ptr::null_mut;

/// A key pair's contexts.
pub struct Kem {
    generating: Context,
    using: Context,
}

impl Kem {
    fn of(key: &Key) -> Result<Self, OpError> {
        // AWS-LC's encapsulation and decapsulation need no initialisation.
        let using = Context::new(key, initialised)?;
        let generating = Context::of_algorithm(EVP_PKEY_KEM)?;
        // SAFETY: the context is one of KEMs, and is initialised before its parameters are set.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_CTX_kem_set_params(generating.as_ptr(), NID_MLKEM768) == 1
                && aws_lc_sys::EVP_PKEY_keygen_init(generating.as_ptr()) == 1
        };
        if done { Ok(Self { generating, using }) } else { Err(failure("EVP_PKEY_keygen_init")) }
    }

    fn pair(&self) -> Result<Key, OpError> {
        let mut key = null_mut();
        // SAFETY: the context was initialised for it.
        let done = unsafe { aws_lc_sys::EVP_PKEY_keygen(self.generating.as_ptr(), &raw mut key) };
        if done == 1 { Key::made(key, "EVP_PKEY_keygen") } else { Err(failure("EVP_PKEY_keygen")) }
    }
}

unsafe extern "C" fn initialised(_: *mut aws_lc_sys::EVP_PKEY_CTX) -> c_int {
    1
}

impl kem::Kem for Kem {
    type Other = openssl::Kem;
    const OTHER: &'static str = "OpenSSL";

    fn new(public: &[u8], private: &[u8]) -> Result<Self, OpError> {
        // SAFETY: both buffers have the stated lengths, and are copied.
        let key = unsafe {
            aws_lc_sys::EVP_PKEY_kem_new_raw_key(
                NID_MLKEM768,
                public.as_ptr(),
                public.len(),
                private.as_ptr(),
                private.len(),
            )
        };
        Self::of(&Key::made(key, "EVP_PKEY_kem_new_raw_key")?)
    }

    fn generate(&mut self) -> Result<(), OpError> {
        self.pair().map(|_| ())
    }

    fn generated(&mut self) -> Result<(Self, Vec<u8>, Vec<u8>), OpError> {
        let key = self.pair()?;
        let (mut public, mut private) = (vec![0; PUBLIC_BYTES], vec![0; PRIVATE_BYTES]);
        let (mut public_bytes, mut private_bytes) = (public.len(), private.len());
        // SAFETY: every buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_get_raw_public_key(
                key.as_ptr(),
                public.as_mut_ptr(),
                &raw mut public_bytes,
            ) == 1
                && aws_lc_sys::EVP_PKEY_get_raw_private_key(
                    key.as_ptr(),
                    private.as_mut_ptr(),
                    &raw mut private_bytes,
                ) == 1
        };
        if !done {
            return Err(failure("EVP_PKEY_get_raw_private_key"));
        }
        Ok((Self::of(&key)?, public, private))
    }

    fn encapsulate(
        &mut self,
        ciphertext: &mut Ciphertext,
        secret: &mut Secret,
    ) -> Result<(), OpError> {
        let (mut ciphertext_bytes, mut secret_bytes) = (ciphertext.len(), secret.len());
        // SAFETY: every buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_encapsulate(
                self.using.as_ptr(),
                ciphertext.as_mut_ptr(),
                &raw mut ciphertext_bytes,
                secret.as_mut_ptr(),
                &raw mut secret_bytes,
            )
        };
        if done == 1 { Ok(()) } else { Err(failure("EVP_PKEY_encapsulate")) }
    }

    fn decapsulate(&mut self, ciphertext: &Ciphertext, secret: &mut Secret) -> Result<(), OpError> {
        let mut secret_bytes = secret.len();
        // SAFETY: every buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_decapsulate(
                self.using.as_ptr(),
                secret.as_mut_ptr(),
                &raw mut secret_bytes,
                ciphertext.as_ptr(),
                ciphertext.len(),
            )
        };
        if done == 1 { Ok(()) } else { Err(failure("EVP_PKEY_decapsulate")) }
    }
}
