//! Keys and the contexts initialised once for them; signatures as in the rows of OpenSSL.

use super::failure;
use crate::crypto::signature::{Algorithm, Signature};
use aws_lc_sys::{CBS, ENGINE, EVP_MD, EVP_MD_CTX, EVP_PKEY, EVP_PKEY_CTX};
use sizeup_kit::OpError;
use std::ffi::c_int;
use std::ptr::{NonNull, null, null_mut};

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
        Self::made(key, "EVP_parse_private_key")
    }

    /// A key that a call returned, with its reference; null is the call's failure.
    pub fn made(key: *mut EVP_PKEY, call: &str) -> Result<Self, OpError> {
        NonNull::new(key).map(Self).ok_or_else(|| failure(call))
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

    /// For making keys of an algorithm, not yet initialised.
    pub fn of_algorithm(id: c_int) -> Result<Self, OpError> {
        // SAFETY: makes a context.
        let context = unsafe { aws_lc_sys::EVP_PKEY_CTX_new_id(id, null_mut()) };
        NonNull::new(context).map(Self).ok_or_else(|| failure("EVP_PKEY_CTX_new_id"))
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
pub enum Signer {
    /// Signs a digest, or a message in place of one: an op is one `EVP_PKEY_sign` or `EVP_PKEY_verify`.
    OfDigest { signing: Context, verifying: Context },
    /// Signs a message: an op is one `EVP_DigestSign` or `EVP_DigestVerify` without a digest.
    OfMessage { signing: MessageContext, verifying: MessageContext },
}

impl Signature for Signer {
    const HASHES: bool = false;
    const ALGORITHMS: &'static [(&'static str, Algorithm)] = &[
        ("ecdsa-p384", Algorithm::EcdsaP384),
        ("ed25519", Algorithm::Ed25519),
        ("ml-dsa-65", Algorithm::MlDsa65),
    ];

    // RSA uses PKCS #1 v1.5 by default.
    fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
        let key = Key::parse(private_key)?;
        Ok(match algorithm.digest() {
            Some(_) => Self::OfDigest {
                signing: Context::new(&key, aws_lc_sys::EVP_PKEY_sign_init)?,
                verifying: Context::new(&key, aws_lc_sys::EVP_PKEY_verify_init)?,
            },
            None => Self::OfMessage {
                signing: MessageContext::new(&key, aws_lc_sys::EVP_DigestSignInit)?,
                verifying: MessageContext::new(&key, aws_lc_sys::EVP_DigestVerifyInit)?,
            },
        })
    }

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
        let mut length = signature.len();
        // SAFETY: the contexts were initialised for it, and every buffer has the stated length.
        let done = unsafe {
            match self {
                Self::OfDigest { signing, .. } => aws_lc_sys::EVP_PKEY_sign(
                    signing.as_ptr(),
                    signature.as_mut_ptr(),
                    &raw mut length,
                    message.as_ptr(),
                    message.len(),
                ),
                Self::OfMessage { signing, .. } => aws_lc_sys::EVP_DigestSign(
                    signing.0.as_ptr(),
                    signature.as_mut_ptr(),
                    &raw mut length,
                    message.as_ptr(),
                    message.len(),
                ),
            }
        };
        if done == 1 { Ok(length) } else { Err(failure("signing")) }
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        // SAFETY: the contexts were initialised for it, and every buffer has the stated length.
        let verdict = unsafe {
            match self {
                Self::OfDigest { verifying, .. } => aws_lc_sys::EVP_PKEY_verify(
                    verifying.as_ptr(),
                    signature.as_ptr(),
                    signature.len(),
                    message.as_ptr(),
                    message.len(),
                ),
                Self::OfMessage { verifying, .. } => aws_lc_sys::EVP_DigestVerify(
                    verifying.0.as_ptr(),
                    signature.as_ptr(),
                    signature.len(),
                    message.as_ptr(),
                    message.len(),
                ),
            }
        };
        if verdict == 1 { Ok(()) } else { Err(failure("verifying")) }
    }
}

/// AWS-LC's type of `EVP_DigestSignInit` and `EVP_DigestVerifyInit`.
type Initialise = unsafe extern "C" fn(
    *mut EVP_MD_CTX,
    *mut *mut EVP_PKEY_CTX,
    *const EVP_MD,
    *mut ENGINE,
    *mut EVP_PKEY,
) -> c_int;

/// An operation on whole messages with a key.
pub struct MessageContext(NonNull<EVP_MD_CTX>);

impl MessageContext {
    fn new(key: &Key, initialise: Initialise) -> Result<Self, OpError> {
        // SAFETY: makes a context.
        let context = unsafe { aws_lc_sys::EVP_MD_CTX_new() };
        let context = NonNull::new(context).map(Self).ok_or_else(|| failure("EVP_MD_CTX_new"))?;
        // SAFETY: context and key live; the context keeps a reference to the key.
        let done =
            unsafe { initialise(context.0.as_ptr(), null_mut(), null(), null_mut(), key.as_ptr()) };
        if done == 1 { Ok(context) } else { Err(failure("initialising a key's operation")) }
    }
}

impl Drop for MessageContext {
    fn drop(&mut self) {
        // SAFETY: made by `new` and freed nowhere else.
        unsafe { aws_lc_sys::EVP_MD_CTX_free(self.0.as_ptr()) }
    }
}
