//! Key agreement by OpenSSL's EVP interface: one shared secret with a fixed peer an op.

use crate::crypto::signature::p256_key;
use openssl::bn::BigNum;
use openssl::error::ErrorStack;
use openssl::pkey::{Id, PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// The two private keys of RFC 5903, 8.1.
pub const P256_KEYS: [&str; 2] = [
    "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
    "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53",
];
/// The secret that they share, as the RFC prints it.
pub const P256_SECRET: &str = "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE";
/// The two private keys of RFC 7748, 6.1.
pub const X25519_KEYS: [&str; 2] = [
    "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
    "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
];
/// The secret that they share, as the RFC prints it.
pub const X25519_SECRET: &str = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

pub fn p256(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    boxed(Derive::new(P256_KEYS.map(p256_key), P256_SECRET))
}

pub fn x25519(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    boxed(Derive::new(X25519_KEYS.map(x25519_key), X25519_SECRET))
}

fn boxed(derive: Result<Derive, ErrorStack>) -> Result<Box<dyn Work>, WorkerError> {
    derive.map(|work| Box::new(work) as Box<dyn Work>).map_err(|e| OpError::new(e).into())
}

/// The key of a private number in hex.
pub fn x25519_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    PKey::private_key_from_raw_bytes(&BigNum::from_hex_str(private)?.to_vec(), Id::X25519)
}

/// One op is one shared secret.
struct Derive {
    ours: PkeyCtx<Private>,
    theirs: PkeyCtx<Private>,
    secret: Vec<u8>,
    known: Vec<u8>,
}

impl Derive {
    fn new(keys: [Result<PKey<Private>, ErrorStack>; 2], known: &str) -> Result<Self, ErrorStack> {
        let [ours, theirs] = keys;
        let (ours, theirs) = (ours?, theirs?);
        let mut derive = Self {
            ours: agreement(&ours, &theirs)?,
            theirs: agreement(&theirs, &ours)?,
            secret: Vec::new(),
            known: BigNum::from_hex_str(known)?.to_vec(),
        };
        derive.secret = vec![0; derive.ours.derive(None)?];
        Ok(derive)
    }
}

fn agreement(key: &PKey<Private>, peer: &PKey<Private>) -> Result<PkeyCtx<Private>, ErrorStack> {
    let mut context = PkeyCtx::new(key)?;
    context.derive_init()?;
    context.derive_set_peer(peer)?;
    Ok(context)
}

impl Work for Derive {
    fn op(&mut self) -> Result<(), OpError> {
        self.ours.derive(Some(&mut self.secret)).map(|_| ()).map_err(OpError::new)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.secret.fill(0);
        self.op()?;
        Ok(self.secret.clone())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut theirs = Vec::new();
        self.theirs
            .derive_to_vec(&mut theirs)
            .map_err(|e| format!("the peer has no secret: {e}"))?;
        if output != theirs {
            return Err("the two sides have different secrets".to_owned());
        }
        if output != self.known {
            return Err("both sides have the same secret, but a wrong one".to_owned());
        }
        Ok(())
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
