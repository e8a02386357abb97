//! Signatures of a fixed message with a fixed key, the operations of `openssl speed`. OpenSSL is the independent
//! implementation: it checks what the libraries sign, itself included, and signs what they verify.

use super::openssl::Signer;
use openssl::bn::{BigNum, BigNumContext};
use openssl::ec::{EcGroup, EcKey, EcPoint};
use openssl::error::ErrorStack;
use openssl::md::Md;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::sha::sha256;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};

/// As long as an MD5 and a SHA-1 together: what `openssl speed` signs with RSA if no digest is set.
const RSA_MESSAGE: [u8; 36] = *b"sizeup signs these thirty-six bytes.";
/// As long as a SHA-1: what `openssl speed` signs with ECDSA.
const ECDSA_MESSAGE: [u8; 20] = *b"sizeup signs twenty.";

/// The private key of RFC 6979, A.2.5.
const ECDSA_P256_KEY: &str = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
/// Made once for this purpose by `openssl genpkey`; they protect nothing.
const RSA_KEYS: [(u32, &[u8]); 2] = [
    (2048, include_bytes!("../../keys/rsa2048.pem")),
    (3072, include_bytes!("../../keys/rsa3072.pem")),
];

/// The signature schemes.
#[derive(Debug, Clone, Copy)]
pub enum Algorithm {
    /// ECDSA on P-256, signatures in DER.
    EcdsaP256,
    /// RSA by PKCS #1 v1.5.
    Rsa,
}

/// A library with a private key.
pub trait Signature: Sized + 'static {
    /// Whether it signs the SHA-256 of a message, which it computes itself; otherwise it signs the message as it is.
    const HASHES: bool;

    /// `private_key` is in PKCS #8.
    fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError>;

    /// Writes a signature and returns its length.
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError>;

    /// Returns an error for an invalid signature.
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError>;
}

pub fn operations<S: Signature>(implementation: &'static str) -> Vec<Operation> {
    let operation = |name, setup| Operation::new(name, implementation, setup);
    let bits = || [Parameter::one_of("bits", &RSA_KEYS)];
    vec![
        operation("ecdsa-p256-sign", ecdsa_p256_sign::<S>),
        operation("ecdsa-p256-verify", ecdsa_p256_verify::<S>),
        operation("rsa-sign", rsa_sign::<S>).takes(bits()),
        operation("rsa-verify", rsa_verify::<S>).takes(bits()),
    ]
}

type Setup = Result<Box<dyn Work>, WorkerError>;

fn ecdsa_p256_sign<S: Signature>(_: &Setting) -> Setup {
    sign::<S>(Algorithm::EcdsaP256, &ecdsa_key()?, &ECDSA_MESSAGE)
}

fn ecdsa_p256_verify<S: Signature>(_: &Setting) -> Setup {
    verify::<S>(Algorithm::EcdsaP256, &ecdsa_key()?, &ECDSA_MESSAGE)
}

fn rsa_sign<S: Signature>(setting: &Setting) -> Setup {
    sign::<S>(Algorithm::Rsa, &rsa_key(setting)?, &RSA_MESSAGE)
}

fn rsa_verify<S: Signature>(setting: &Setting) -> Setup {
    verify::<S>(Algorithm::Rsa, &rsa_key(setting)?, &RSA_MESSAGE)
}

fn ecdsa_key() -> Result<PKey<Private>, OpError> {
    p256_key(ECDSA_P256_KEY).map_err(OpError::new)
}

/// The key on P-256 for a private number in hex.
pub fn p256_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1)?;
    let private = BigNum::from_hex_str(private)?;
    let mut public = EcPoint::new(&group)?;
    public.mul_generator2(&group, &private, &mut *BigNumContext::new()?)?;
    PKey::from_ec_key(EcKey::from_private_components(&group, &private, &public)?)
}

/// The RSA key with the requested number of bits.
fn rsa_key(setting: &Setting) -> Result<PKey<Private>, OpError> {
    let (_, pem) = setting.chosen("bits", &RSA_KEYS);
    PKey::private_key_from_pem(pem).map_err(OpError::new)
}

fn library<S: Signature>(algorithm: Algorithm, key: &PKey<Private>) -> Result<S, OpError> {
    S::new(algorithm, &key.private_key_to_pkcs8().map_err(OpError::new)?)
}

fn sign<S: Signature>(algorithm: Algorithm, key: &PKey<Private>, message: &'static [u8]) -> Setup {
    Ok(Box::new(Sign {
        library: library::<S>(algorithm, key)?,
        openssl: OpenSsl::new(key, message, S::HASHES)?,
        message,
        signature: vec![0; key.size()],
    }))
}

fn verify<S: Signature>(
    algorithm: Algorithm,
    key: &PKey<Private>,
    message: &'static [u8],
) -> Setup {
    let good = OpenSsl::new(key, message, S::HASHES)?.sign(key.size())?;
    // An invalid signature of the right form: the last bit is in the number s of ECDSA, or in RSA's power.
    let mut bad = good.clone();
    if let Some(last) = bad.last_mut() {
        *last ^= 1;
    }
    Ok(Box::new(Verify { library: library::<S>(algorithm, key)?, message, good, bad }))
}

/// The independent implementation, with the same key and message.
struct OpenSsl {
    signer: Signer,
    /// What is signed: the message or its SHA-256.
    signed: Vec<u8>,
}

impl OpenSsl {
    fn new(key: &PKey<Private>, message: &[u8], hashes: bool) -> Result<Self, OpError> {
        let (digest, signed) = match hashes {
            true => (Some(Md::sha256()), sha256(message).to_vec()),
            false => (None, message.to_vec()),
        };
        Ok(Self { signer: Signer::with_key(key, digest)?, signed })
    }

    fn sign(&mut self, longest: usize) -> Result<Vec<u8>, OpError> {
        let mut signature = vec![0; longest];
        let length = self.signer.sign(&self.signed, &mut signature)?;
        signature.truncate(length);
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
        // A signature left by an earlier op would also be accepted.
        self.signature.fill(0);
        let length = self.library.sign(self.message, &mut self.signature)?;
        Ok(self.signature[..length].to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let OpenSsl { signer, signed } = &mut self.openssl;
        signer
            .verify(signed, output)
            .map_err(|e| format!("OpenSSL does not accept the signature: {e}"))
    }

    fn verified(&self) -> &'static str {
        "OpenSSL accepts the signature"
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

    /// The results for the valid and for the invalid signature, as bytes.
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
            _ => Err("the output does not have two results".to_owned()),
        }
    }

    fn verified(&self) -> &'static str {
        "OpenSSL's signature is accepted, a bad one refused"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::aws_lc;
    use std::cell::Cell;

    thread_local! {
        static IS_IDLE: Cell<bool> = const { Cell::new(false) };
    }

    /// AWS-LC, or a signer that claims to have signed and did nothing.
    struct Idler {
        signer: aws_lc::Signer,
        last: usize,
    }

    impl Signature for Idler {
        const HASHES: bool = aws_lc::Signer::HASHES;

        fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
            Ok(Self { signer: aws_lc::Signer::new(algorithm, private_key)?, last: 0 })
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
    fn a_signature_of_an_earlier_op_does_not_count_for_this_one() {
        let key = p256_key(ECDSA_P256_KEY).unwrap();
        let mut work = sign::<Idler>(Algorithm::EcdsaP256, &key, &ECDSA_MESSAGE).unwrap();
        let output = work.output().unwrap();
        assert_eq!(work.check(&output), Ok(()));
        IS_IDLE.set(true);
        let output = work.output().unwrap();
        assert!(work.check(&output).is_err());
    }
}
