//! Keys and the contexts initialised once for them; signatures by `EVP_PKEY_sign` and `EVP_PKEY_verify`, as in the
//! rows of OpenSSL.

use super::failure;
use crate::crypto::signature::{Algorithm, Signature};
use aws_lc_sys::{CBS, EVP_PKEY, EVP_PKEY_CTX};
use sizeup_kit::OpError;
use std::ffi::c_int;
use std::ptr::{NonNull, null_mut};

/// A private key.
pub struct Key(NonNull<EVP_PKEY>);

impl Key {
    /// A key in PKCS #8.
    pub fn parse(der: &[u8]) -> Result<Self, OpError> {
        let mut bytes = CBS::default();
        // SAFETY: `bytes` refers to `der` and is read before that ends.
        let key = unsafe {
            aws_lc_sys::CBS_init(&raw mut bytes, der.as_ptr(), der.len());
            aws_lc_sys::EVP_parse_private_key(&raw mut bytes)
        };
        NonNull::new(key).map(Self).ok_or_else(|| failure("EVP_parse_private_key"))
    }

    pub fn as_ptr(&self) -> *mut EVP_PKEY {
        self.0.as_ptr()
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: releases the reference that `parse` received; contexts have their own.
        unsafe { aws_lc_sys::EVP_PKEY_free(self.as_ptr()) }
    }
}

/// An operation with a key.
pub struct Context(NonNull<EVP_PKEY_CTX>);

impl Context {
    /// `initialise` is one of AWS-LC's functions `EVP_PKEY_…_init`.
    pub fn new(
        key: &Key,
        initialise: unsafe extern "C" fn(*mut EVP_PKEY_CTX) -> c_int,
    ) -> Result<Self, OpError> {
        // SAFETY: the key lives.
        let context = unsafe { aws_lc_sys::EVP_PKEY_CTX_new(key.as_ptr(), null_mut()) };
        let context = NonNull::new(context).map(Self).ok_or_else(|| failure("EVP_PKEY_CTX_new"))?;
        // SAFETY: the context is new, as these functions require.
        if unsafe { initialise(context.as_ptr()) } == 1 {
            Ok(context)
        } else {
            Err(failure("initialising a key's operation"))
        }
    }

    pub fn as_ptr(&self) -> *mut EVP_PKEY_CTX {
        self.0.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `new` and freed nowhere else.
        unsafe { aws_lc_sys::EVP_PKEY_CTX_free(self.as_ptr()) }
    }
}

/// A key's two operations.
pub struct Signer {
    signing: Context,
    verifying: Context,
}

impl Signature for Signer {
    const HASHES: bool = false;

    // RSA uses PKCS #1 v1.5 by default.
    fn new(_: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
        let key = Key::parse(private_key)?;
        Ok(Self {
            signing: Context::new(&key, aws_lc_sys::EVP_PKEY_sign_init)?,
            verifying: Context::new(&key, aws_lc_sys::EVP_PKEY_verify_init)?,
        })
    }

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
        let mut length = signature.len();
        // SAFETY: the context was initialised for it, and every buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_sign(
                self.signing.as_ptr(),
                signature.as_mut_ptr(),
                &raw mut length,
                message.as_ptr(),
                message.len(),
            )
        };
        if done == 1 { Ok(length) } else { Err(failure("EVP_PKEY_sign")) }
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        // SAFETY: the context was initialised for it, and every buffer has the stated length.
        let verdict = unsafe {
            aws_lc_sys::EVP_PKEY_verify(
                self.verifying.as_ptr(),
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        };
        if verdict == 1 { Ok(()) } else { Err(failure("EVP_PKEY_verify")) }
    }
}
