//! Signatures of libraries beside OpenSSL, with the keys and messages of OpenSSL's own rows. OpenSSL is the other
//! implementation: it checks what they sign, and signs what they verify.

use crate::signature::{ECDSA_MESSAGE, ECDSA_P256_KEY, RSA_MESSAGE, p256_key, rsa_key};
use openssl::error::ErrorStack;
use openssl::md::Md;
use openssl::pkey::{PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use openssl::sha::sha256;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// What signs.
#[derive(Debug, Clone, Copy)]
pub enum Algorithm {
    /// ECDSA on P-256, signatures in DER.
    EcdsaP256,
    /// RSA by PKCS #1 v1.5.
    Rsa,
}

/// A library with a private key.
pub trait Signature: Sized + 'static {
    /// Whether it signs the SHA-256 of a message, which it makes itself; otherwise the message is signed as it is.
    const HASHES: bool;

    /// `private_key` is in PKCS #8.
    fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError>;

    /// Writes a signature and tells its length.
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError>;

    /// Refuses by an error.
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError>;
}

type Setup = Result<Box<dyn Work>, WorkerError>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

pub fn ecdsa_p256_sign<S: Signature>(setting: &Setting) -> Setup {
    sign::<S>(Algorithm::EcdsaP256, &ecdsa_key(setting)?, &ECDSA_MESSAGE)
}

pub fn ecdsa_p256_verify<S: Signature>(setting: &Setting) -> Setup {
    verify::<S>(Algorithm::EcdsaP256, &ecdsa_key(setting)?, &ECDSA_MESSAGE)
}

pub fn rsa_sign<S: Signature>(setting: &Setting) -> Setup {
    sign::<S>(Algorithm::Rsa, &rsa_key(setting)?, &RSA_MESSAGE)
}

pub fn rsa_verify<S: Signature>(setting: &Setting) -> Setup {
    verify::<S>(Algorithm::Rsa, &rsa_key(setting)?, &RSA_MESSAGE)
}

fn ecdsa_key(setting: &Setting) -> Result<PKey<Private>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    Ok(p256_key(ECDSA_P256_KEY).map_err(OpError::new)?)
}

fn library<S: Signature>(algorithm: Algorithm, key: &PKey<Private>) -> Result<S, OpError> {
    S::new(algorithm, &key.private_key_to_pkcs8().map_err(OpError::new)?)
}

fn sign<S: Signature>(algorithm: Algorithm, key: &PKey<Private>, message: &'static [u8]) -> Setup {
    Ok(Box::new(Sign {
        library: library::<S>(algorithm, key)?,
        openssl: OpenSsl::new(key, message, S::HASHES).map_err(OpError::new)?,
        message,
        signature: vec![0; key.size()],
    }))
}

fn verify<S: Signature>(
    algorithm: Algorithm,
    key: &PKey<Private>,
    message: &'static [u8],
) -> Setup {
    let mut openssl = OpenSsl::new(key, message, S::HASHES).map_err(OpError::new)?;
    let good = openssl.sign().map_err(OpError::new)?;
    // A bad one of the right form: the last bit is in the number s of ECDSA, or in RSA's power.
    let mut bad = good.clone();
    if let Some(last) = bad.last_mut() {
        *last ^= 1;
    }
    Ok(Box::new(Verify { library: library::<S>(algorithm, key)?, message, good, bad }))
}

/// The other implementation, with the same key and message.
struct OpenSsl {
    signer: PkeyCtx<Private>,
    verifier: PkeyCtx<Private>,
    /// What is signed: the message or its SHA-256.
    signed: Vec<u8>,
}

impl OpenSsl {
    fn new(key: &PKey<Private>, message: &[u8], hashes: bool) -> Result<Self, ErrorStack> {
        let (mut signer, mut verifier) = (PkeyCtx::new(key)?, PkeyCtx::new(key)?);
        signer.sign_init()?;
        verifier.verify_init()?;
        if !hashes {
            return Ok(Self { signer, verifier, signed: message.to_vec() });
        }
        signer.set_signature_md(Md::sha256())?;
        verifier.set_signature_md(Md::sha256())?;
        Ok(Self { signer, verifier, signed: sha256(message).to_vec() })
    }

    fn sign(&mut self) -> Result<Vec<u8>, ErrorStack> {
        let mut signature = Vec::new();
        self.signer.sign_to_vec(&self.signed, &mut signature)?;
        Ok(signature)
    }
}

/// One op is one signature of a fixed message.
struct Sign<S> {
    library: S,
    openssl: OpenSsl,
    message: &'static [u8],
    signature: Vec<u8>,
}

impl<S: Signature> Work for Sign<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.library.sign(self.message, &mut self.signature).map(|_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        // A signature of an earlier op would be accepted, too.
        self.signature.fill(0);
        let length = self.library.sign(self.message, &mut self.signature)?;
        Ok(self.signature[..length].to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match self.openssl.verifier.verify(&self.openssl.signed, output) {
            Ok(true) => Ok(()),
            Ok(false) => Err("OpenSSL does not accept the signature".to_owned()),
            Err(e) => Err(format!("OpenSSL does not accept the signature: {e}")),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// One op is one verification of a good signature of a fixed message.
struct Verify<S> {
    library: S,
    message: &'static [u8],
    good: Vec<u8>,
    bad: Vec<u8>,
}

impl<S: Signature> Work for Verify<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.library.verify(self.message, &self.good)
    }

    /// The verdicts on the good and on the bad signature, as bytes.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut verdict =
            |signature| u8::from(self.library.verify(self.message, signature).is_ok());
        Ok(vec![verdict(&self.good), verdict(&self.bad)])
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output {
            [1, 0] => Ok(()),
            [good, bad] => Err(format!(
                "verdicts (1 accepts) are {good} on a good and {bad} on a bad signature"
            )),
            _ => Err("there are not two verdicts".to_owned()),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::aws_lc::Signer;
    use std::cell::Cell;

    thread_local! {
        static IS_IDLE: Cell<bool> = const { Cell::new(false) };
    }

    /// AWS-LC, or what claims to have signed and did nothing.
    struct Idler {
        signer: Signer,
        last: usize,
    }

    impl Signature for Idler {
        const HASHES: bool = Signer::HASHES;

        fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
            Ok(Self { signer: Signer::new(algorithm, private_key)?, last: 0 })
        }

        fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
            if !IS_IDLE.get() {
                self.last = self.signer.sign(message, signature)?;
            }
            Ok(self.last)
        }

        fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
            self.signer.verify(message, signature)
        }
    }

    #[test]
    fn a_signature_of_an_earlier_op_is_none_of_this_one() {
        let key = p256_key(ECDSA_P256_KEY).unwrap();
        let mut work = sign::<Idler>(Algorithm::EcdsaP256, &key, &ECDSA_MESSAGE).unwrap();
        let output = work.output().unwrap();
        assert_eq!(work.check(&output), Ok(()));
        IS_IDLE.set(true);
        let output = work.output().unwrap();
        assert!(work.check(&output).is_err());
    }
}
