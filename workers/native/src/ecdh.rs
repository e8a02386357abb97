//! Key agreement by OpenSSL's EVP interface: one shared secret with a fixed peer an op.

use openssl::bn::{BigNum, BigNumContext};
use openssl::ec::{EcGroup, EcKey, EcPoint};
use openssl::error::ErrorStack;
use openssl::nid::Nid;
use openssl::pkey::{Id, PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// The two private keys of RFC 5903, 8.1.
const P256_KEYS: [&str; 2] = [
    "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
    "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53",
];
/// The two private keys of RFC 7748, 6.1.
const X25519_KEYS: [&str; 2] = [
    "77076d0a7318a57d3c16c17251b26645c4db97fd5e1d1a5e5c5a3b8b0d2c5e0f",
    "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

pub fn p256(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    boxed(Derive::new(P256_KEYS.map(p256_key)))
}

pub fn x25519(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    boxed(Derive::new(X25519_KEYS.map(x25519_key)))
}

fn boxed(derive: Result<Derive, ErrorStack>) -> Result<Box<dyn Work>, WorkerError> {
    derive.map(|work| Box::new(work) as Box<dyn Work>).map_err(|e| OpError::new(e).into())
}

fn p256_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1)?;
    let private = BigNum::from_hex_str(private)?;
    let mut public = EcPoint::new(&group)?;
    public.mul_generator2(&group, &private, &mut *BigNumContext::new()?)?;
    PKey::from_ec_key(EcKey::from_private_components(&group, &private, &public)?)
}

fn x25519_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    PKey::private_key_from_raw_bytes(&BigNum::from_hex_str(private)?.to_vec(), Id::X25519)
}

/// One op is one shared secret.
struct Derive {
    ours: PkeyCtx<Private>,
    theirs: PkeyCtx<Private>,
    secret: Vec<u8>,
}

impl Derive {
    fn new(keys: [Result<PKey<Private>, ErrorStack>; 2]) -> Result<Self, ErrorStack> {
        let [ours, theirs] = keys;
        let (ours, theirs) = (ours?, theirs?);
        let mut derive = Self {
            ours: agreement(&ours, &theirs)?,
            theirs: agreement(&theirs, &ours)?,
            secret: Vec::new(),
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
        if output == theirs {
            Ok(())
        } else {
            Err("the two sides have different secrets".to_owned())
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
