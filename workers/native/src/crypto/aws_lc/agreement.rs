//! Key agreement by `EVP_PKEY_derive`, with the keys and secrets of OpenSSL's rows: one shared secret with a fixed peer
//! an op.

use super::failure;
use super::key::{Context, Key};
use crate::crypto::signature::p256_key;
use crate::ecdh::{P256_KEYS, P256_SECRET, X25519_KEYS, X25519_SECRET, x25519_key};
use openssl::error::ErrorStack;
use openssl::pkey::{PKey, Private};
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// Of both curves.
const SECRET_BYTES: usize = 32;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

pub fn p256(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    derive(P256_KEYS.map(p256_key), P256_SECRET)
}

pub fn x25519(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    derive(X25519_KEYS.map(x25519_key), X25519_SECRET)
}

fn derive(
    keys: [Result<PKey<Private>, ErrorStack>; 2],
    known: &'static str,
) -> Result<Box<dyn Work>, WorkerError> {
    let [ours, theirs] = keys.map(|key| {
        let der = key.and_then(|key| key.private_key_to_pkcs8()).map_err(OpError::new)?;
        Key::parse(&der)
    });
    let (ours, theirs) = (ours?, theirs?);
    Ok(Box::new(Derive {
        ours: agreement(&ours, &theirs)?,
        theirs: agreement(&theirs, &ours)?,
        secret: [0; SECRET_BYTES],
        known,
    }))
}

fn agreement(key: &Key, peer: &Key) -> Result<Context, OpError> {
    let context = Context::new(key, aws_lc_sys::EVP_PKEY_derive_init)?;
    // SAFETY: the context was initialised for it; it keeps a reference to the peer's key.
    if unsafe { aws_lc_sys::EVP_PKEY_derive_set_peer(context.as_ptr(), peer.as_ptr()) } == 1 {
        Ok(context)
    } else {
        Err(failure("EVP_PKEY_derive_set_peer"))
    }
}

fn secret(context: &Context, secret: &mut [u8; SECRET_BYTES]) -> Result<(), OpError> {
    let mut length = secret.len();
    // SAFETY: the context has a peer, and the buffer is as long as is said.
    let done = unsafe {
        aws_lc_sys::EVP_PKEY_derive(context.as_ptr(), secret.as_mut_ptr(), &raw mut length)
    };
    if done == 1 { Ok(()) } else { Err(failure("EVP_PKEY_derive")) }
}

/// One op is one shared secret.
struct Derive {
    ours: Context,
    theirs: Context,
    secret: [u8; SECRET_BYTES],
    known: &'static str,
}

impl Work for Derive {
    fn op(&mut self) -> Result<(), OpError> {
        secret(&self.ours, &mut self.secret)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.secret.fill(0);
        self.op()?;
        Ok(self.secret.to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut theirs = [0; SECRET_BYTES];
        secret(&self.theirs, &mut theirs).map_err(|e| format!("the peer has no secret: {e}"))?;
        if output != theirs {
            return Err("the two sides have different secrets".to_owned());
        }
        let output: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
        if !output.eq_ignore_ascii_case(self.known) {
            return Err("both sides have the same secret, but a wrong one".to_owned());
        }
        Ok(())
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
