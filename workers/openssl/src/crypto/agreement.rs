//! Key agreement: one shared secret with a fixed peer an op.

use super::signature::{p256_key, p384_key};
use data_encoding::HEXLOWER_PERMISSIVE;
use openssl::error::ErrorStack;
use openssl::pkey::{Id, PKey, Private};
use sizeup_kit::{OpError, Operation, Setting, Work, WorkerError};

/// The two private keys of RFC 5903, 8.1.
const P256_KEYS: [&str; 2] = [
    "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
    "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53",
];
/// Their shared secret, as printed in the RFC.
const P256_SECRET: &str = "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE";
/// The two private keys of RFC 5903, 8.2.
const P384_KEYS: [&str; 2] = [
    "099F3C7034D4A2C699884D73A375A67F7624EF7C6B3C0F160647B67414DCE655E35B538041E649EE3FAEF896783AB194",
    "41CB0779B4BDB85D47846725FBEC3C9430FAB46CC8DC5060855CC9BDA0AA2942E0308312916B8ED2960E4BD55A7448FC",
];
/// Their shared secret, as printed in the RFC.
const P384_SECRET: &str = "11187331C279962D93D604243FD592CB9D0A926F422E47187521287E7156C5C4D603135569B9E9D09CF5D4A270F59746";
/// The two private keys of RFC 7748, 6.1.
const X25519_KEYS: [&str; 2] = [
    "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
    "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
];
/// Their shared secret, as printed in the RFC.
const X25519_SECRET: &str = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";

/// A library with a key and its peer's key.
pub trait Agree: Sized + 'static {
    /// Only the public part of the peer's key is used.
    fn new(key: &PKey<Private>, peer: &PKey<Private>) -> Result<Self, OpError>;

    /// `secret` is as long as the secret.
    fn secret(&mut self, secret: &mut [u8]) -> Result<(), OpError>;
}

pub fn operations<A: Agree>(implementation: &'static str) -> Vec<Operation> {
    vec![
        Operation::new("ecdh-p256-derive", implementation, p256::<A>),
        Operation::new("ecdh-p384-derive", implementation, p384::<A>),
        Operation::new("x25519-derive", implementation, x25519::<A>),
    ]
}

fn p256<A: Agree>(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    derive::<A>(P256_KEYS.map(p256_key), P256_SECRET)
}

fn p384<A: Agree>(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    derive::<A>(P384_KEYS.map(p384_key), P384_SECRET)
}

fn x25519<A: Agree>(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    derive::<A>(X25519_KEYS.map(x25519_key), X25519_SECRET)
}

/// The key for a private number in hex.
fn x25519_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    PKey::private_key_from_raw_bytes(&bytes(private), Id::X25519)
}

/// The bytes of a hex constant in this file.
fn bytes(hex: &str) -> Vec<u8> {
    HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).expect("it is hex")
}

fn derive<A: Agree>(
    keys: [Result<PKey<Private>, ErrorStack>; 2],
    secret: &str,
) -> Result<Box<dyn Work>, WorkerError> {
    let [ours, theirs] = keys.map(|key| key.map_err(OpError::new));
    let (ours, theirs, known) = (ours?, theirs?, bytes(secret));
    Ok(Box::new(Derive {
        ours: A::new(&ours, &theirs)?,
        theirs: A::new(&theirs, &ours)?,
        secret: vec![0; known.len()],
        known,
    }))
}

/// One op is one shared secret.
struct Derive<A> {
    ours: A,
    theirs: A,
    secret: Vec<u8>,
    known: Vec<u8>,
}

impl<A: Agree> Work for Derive<A> {
    fn op(&mut self) -> Result<(), OpError> {
        self.ours.secret(&mut self.secret)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.secret.fill(0);
        self.op()?;
        Ok(self.secret.clone())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut theirs = vec![0; self.known.len()];
        self.theirs
            .secret(&mut theirs)
            .map_err(|e| format!("the peer cannot derive the secret: {e}"))?;
        if output != theirs {
            return Err("the two sides derive different secrets".to_owned());
        }
        if output != self.known {
            return Err("both sides derive the same wrong secret".to_owned());
        }
        Ok(())
    }

    fn verified(&self) -> &'static str {
        "both sides have the secret that the RFC prints"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
