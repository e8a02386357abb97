//! Signatures of fixed messages with a fixed key, the operations of `openssl speed`. A second library checks what a
//! library signs, and signs what it verifies: OpenSSL, or AWS-LC for OpenSSL's ML-DSA. OpenSSL's other signatures it
//! checks itself, with a context of its own.

use super::{aws_lc, openssl as openssl_rows, pkcs8};
use openssl::bn::{BigNum, BigNumContext};
use openssl::ec::{EcGroup, EcKey, EcPoint};
use openssl::error::ErrorStack;
use openssl::hash::{MessageDigest, hash};
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use sizeup_cryptography::counting;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};

/// As long as an MD5 and a SHA-1 together: what `openssl speed` signs with RSA if no digest is set.
const RSA_MESSAGE: [u8; 36] = *b"sizeup signs these thirty-six bytes.";
/// As long as a SHA-1: what `openssl speed` signs with ECDSA and EdDSA.
const CURVE_MESSAGE: [u8; 20] = *b"sizeup signs twenty.";
/// As long as a SHA-256: what `openssl speed` signs with other algorithms.
const DIGEST_BYTES: usize = 32;
/// ML-DSA tries until a signature is good, which takes another number of tries for each message.
const ML_DSA_MESSAGES: usize = 64;

/// The private key of RFC 6979, A.2.5.
const ECDSA_P256_KEY: &str = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
/// The private key of RFC 6979, A.2.6.
const ECDSA_P384_KEY: &str = "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5";
/// The secret key of RFC 8032, 7.1, test 1.
const ED25519_KEY: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
/// Made once for this purpose by `openssl genpkey`; they protect nothing.
const RSA_KEYS: [(u32, &[u8]); 3] = [
    (2048, include_bytes!("../../keys/rsa2048.pem")),
    (3072, include_bytes!("../../keys/rsa3072.pem")),
    (4096, include_bytes!("../../keys/rsa4096.pem")),
];
/// As long as the longest signature, that of SLH-DSA.
const LONGEST: usize = 17_088;

const SLH_DSA_KEY: &[u8] = include_bytes!("../../keys/slh-dsa-sha2-128f.pem");

/// The signature schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA on P-256, signatures in DER.
    EcdsaP256,
    /// ECDSA on P-384, signatures in DER.
    EcdsaP384,
    Ed25519,
    /// FIPS 204, with a random number in each signature.
    MlDsa65,
    /// FIPS 205, with a random number in each signature.
    SlhDsaSha2128f,
    /// RSA by PKCS #1 v1.5.
    Rsa,
}

impl Algorithm {
    /// The digest of a message that is signed in its place, by libraries that hash; `None` for schemes that always take
    /// whole messages.
    pub fn digest(self) -> Option<MessageDigest> {
        match self {
            Self::EcdsaP256 | Self::Rsa => Some(MessageDigest::sha256()),
            Self::EcdsaP384 => Some(MessageDigest::sha384()),
            Self::Ed25519 | Self::MlDsa65 | Self::SlhDsaSha2128f => None,
        }
    }

    /// The private key, in PKCS #8. That of RSA depends on its number of bits.
    fn key(self) -> Result<Vec<u8>, OpError> {
        let made = |key: Result<PKey<Private>, ErrorStack>| {
            key.and_then(|key| key.private_key_to_pkcs8()).map_err(OpError::new)
        };
        match self {
            Self::EcdsaP256 => made(p256_key(ECDSA_P256_KEY)),
            Self::EcdsaP384 => made(p384_key(ECDSA_P384_KEY)),
            Self::Ed25519 => Ok(pkcs8::ed25519(ED25519_KEY)),
            Self::MlDsa65 => Ok(pkcs8::ml_dsa_65(&counting(32))),
            Self::SlhDsaSha2128f => made(PKey::private_key_from_pem(SLH_DSA_KEY)),
            Self::Rsa => Err(OpError::new("RSA has a key for each number of bits")),
        }
    }

    /// Signed by the ops in turn.
    fn messages(self) -> Vec<Vec<u8>> {
        match self {
            Self::Rsa => vec![RSA_MESSAGE.to_vec()],
            Self::EcdsaP256 | Self::EcdsaP384 | Self::Ed25519 => vec![CURVE_MESSAGE.to_vec()],
            Self::SlhDsaSha2128f => vec![counting(DIGEST_BYTES)],
            Self::MlDsa65 => {
                let all = counting(DIGEST_BYTES * ML_DSA_MESSAGES);
                all.chunks(DIGEST_BYTES).map(<[u8]>::to_vec).collect()
            }
        }
    }
}

/// A library with a private key.
pub trait Signature: Sized + 'static {
    /// Whether it signs the digest of a message, which it computes itself, where [`Algorithm::digest`] has one;
    /// otherwise it signs the message as it is.
    const HASHES: bool;

    /// Algorithms beside ECDSA on P-256 and RSA, by their names in requests.
    const ALGORITHMS: &'static [(&'static str, Algorithm)];

    /// `private_key` is in PKCS #8.
    fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError>;

    /// Writes a signature and returns its length.
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError>;

    /// Returns an error for an invalid signature.
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError>;

    /// The second library.
    fn judge(algorithm: Algorithm, private_key: &[u8]) -> Result<Judge, OpError> {
        Judge::openssl(algorithm, private_key, Self::HASHES)
    }
}

pub fn operations<S: Signature>(implementation: &'static str) -> Vec<Operation> {
    let operation = |name, setup| Operation::new(name, implementation, setup);
    let bits = || [Parameter::one_of("bits", &RSA_KEYS)];
    let algorithm = || [Parameter::one_of("algorithm", S::ALGORITHMS)];
    vec![
        operation("ecdsa-p256-sign", ecdsa_p256_sign::<S>),
        operation("ecdsa-p256-verify", ecdsa_p256_verify::<S>),
        operation("rsa-sign", rsa_sign::<S>).takes(bits()),
        operation("rsa-verify", rsa_verify::<S>).takes(bits()),
        operation("sign", any_sign::<S>).takes(algorithm()),
        operation("verify", any_verify::<S>).takes(algorithm()),
    ]
}

type Setup = Result<Box<dyn Work>, WorkerError>;

fn ecdsa_p256_sign<S: Signature>(_: &Setting) -> Setup {
    sign::<S>(Algorithm::EcdsaP256, &Algorithm::EcdsaP256.key()?)
}

fn ecdsa_p256_verify<S: Signature>(_: &Setting) -> Setup {
    verify::<S>(Algorithm::EcdsaP256, &Algorithm::EcdsaP256.key()?)
}

fn rsa_sign<S: Signature>(setting: &Setting) -> Setup {
    sign::<S>(Algorithm::Rsa, &rsa_key(setting)?)
}

fn rsa_verify<S: Signature>(setting: &Setting) -> Setup {
    verify::<S>(Algorithm::Rsa, &rsa_key(setting)?)
}

fn any_sign<S: Signature>(setting: &Setting) -> Setup {
    let (_, algorithm) = setting.chosen("algorithm", S::ALGORITHMS);
    sign::<S>(algorithm, &algorithm.key()?)
}

fn any_verify<S: Signature>(setting: &Setting) -> Setup {
    let (_, algorithm) = setting.chosen("algorithm", S::ALGORITHMS);
    verify::<S>(algorithm, &algorithm.key()?)
}

/// The key on P-256 for a private number in hex.
pub fn p256_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    curve_key(Nid::X9_62_PRIME256V1, private)
}

/// The key on P-384 for a private number in hex.
pub fn p384_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    curve_key(Nid::SECP384R1, private)
}

fn curve_key(curve: Nid, private: &str) -> Result<PKey<Private>, ErrorStack> {
    let group = EcGroup::from_curve_name(curve)?;
    let private = BigNum::from_hex_str(private)?;
    let mut public = EcPoint::new(&group)?;
    public.mul_generator2(&group, &private, &mut *BigNumContext::new()?)?;
    PKey::from_ec_key(EcKey::from_private_components(&group, &private, &public)?)
}

/// The RSA key with the requested number of bits, in PKCS #8.
fn rsa_key(setting: &Setting) -> Result<Vec<u8>, OpError> {
    let (_, pem) = setting.chosen("bits", &RSA_KEYS);
    let key = PKey::private_key_from_pem(pem).and_then(|key| key.private_key_to_pkcs8());
    key.map_err(OpError::new)
}

fn sign<S: Signature>(algorithm: Algorithm, key: &[u8]) -> Setup {
    Ok(Box::new(Sign {
        library: S::new(algorithm, key)?,
        messages: algorithm.messages(),
        at: 0,
        checked: 0,
        signature: vec![0; LONGEST],
        judge: S::judge(algorithm, key)?,
    }))
}

fn verify<S: Signature>(algorithm: Algorithm, key: &[u8]) -> Setup {
    let mut judge = S::judge(algorithm, key)?;
    let mut messages = Vec::new();
    for text in algorithm.messages() {
        let good = judge.sign(&text)?;
        // An invalid signature of the right form: the last bit is in the number s of ECDSA and Ed25519, in RSA's power,
        // in the positions of ML-DSA's hints, in SLH-DSA's path to its root.
        let mut bad = good.clone();
        if let Some(last) = bad.last_mut() {
            *last ^= 1;
        }
        messages.push(Signed { text, good, bad });
    }
    let library = S::new(algorithm, key)?;
    Ok(Box::new(Verify { library, messages, at: 0, by: judge.by() }))
}

/// The second library, with the same key.
pub struct Judge {
    library: SecondLibrary,
    /// Its digest is signed in place of a message.
    digest: Option<MessageDigest>,
}

enum SecondLibrary {
    OpenSsl(openssl_rows::Signer),
    AwsLc(aws_lc::Signer),
}

impl Judge {
    /// OpenSSL, for a library that hashes the messages or not.
    pub fn openssl(
        algorithm: Algorithm,
        private_key: &[u8],
        hashes: bool,
    ) -> Result<Self, OpError> {
        let digest = algorithm.digest().filter(|_| hashes);
        let signer = openssl_rows::Signer::with_digest(algorithm, private_key, digest)?;
        Ok(Self { library: SecondLibrary::OpenSsl(signer), digest })
    }

    /// AWS-LC, which signs the messages as they are.
    pub fn aws_lc(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
        let signer = aws_lc::Signer::new(algorithm, private_key)?;
        Ok(Self { library: SecondLibrary::AwsLc(signer), digest: None })
    }

    fn signed(&self, message: &[u8]) -> Result<Vec<u8>, OpError> {
        match self.digest {
            Some(digest) => Ok(hash(digest, message).map_err(OpError::new)?.to_vec()),
            None => Ok(message.to_vec()),
        }
    }

    fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, OpError> {
        let signed = self.signed(message)?;
        let mut signature = vec![0; LONGEST];
        let length = match &mut self.library {
            SecondLibrary::OpenSsl(signer) => signer.sign(&signed, &mut signature)?,
            SecondLibrary::AwsLc(signer) => signer.sign(&signed, &mut signature)?,
        };
        signature.truncate(length);
        Ok(signature)
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        let signed = self.signed(message)?;
        match &mut self.library {
            SecondLibrary::OpenSsl(signer) => signer.verify(&signed, signature),
            SecondLibrary::AwsLc(signer) => signer.verify(&signed, signature),
        }
    }

    fn by(&self) -> By {
        match self.library {
            SecondLibrary::OpenSsl(_) => By::OpenSsl,
            SecondLibrary::AwsLc(_) => By::AwsLc,
        }
    }
}

/// Who is the second library.
#[derive(Clone, Copy)]
enum By {
    OpenSsl,
    AwsLc,
}

/// One op is one signature of the next message.
struct Sign<S> {
    library: S,
    judge: Judge,
    messages: Vec<Vec<u8>>,
    /// The message of the next op, and that of the op whose output is checked.
    at: usize,
    checked: usize,
    signature: Vec<u8>,
}

impl<S: Signature> Sign<S> {
    /// Signs the next message, whose number it returns with the signature's length.
    fn next(&mut self) -> Result<(usize, usize), OpError> {
        let at = self.at;
        self.at = (at + 1) % self.messages.len();
        Ok((at, self.library.sign(&self.messages[at], &mut self.signature)?))
    }
}

impl<S: Signature> Work for Sign<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.next().map(|_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        // A signature left by an earlier op would also be accepted.
        self.signature.fill(0);
        let (at, length) = self.next()?;
        self.checked = at;
        Ok(self.signature[..length].to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        self.judge
            .verify(&self.messages[self.checked], output)
            .map_err(|e| format!("the second library does not accept the signature: {e}"))
    }

    fn verified(&self) -> &'static str {
        match self.judge.by() {
            By::OpenSsl => "OpenSSL accepts the signature",
            By::AwsLc => "AWS-LC accepts the signature",
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// A message with a good signature and a bad one.
struct Signed {
    text: Vec<u8>,
    good: Vec<u8>,
    bad: Vec<u8>,
}

/// One op is one verification of a good signature of the next message.
struct Verify<S> {
    library: S,
    messages: Vec<Signed>,
    /// The message of the next op.
    at: usize,
    by: By,
}

impl<S> Verify<S> {
    fn next(&mut self) -> usize {
        let at = self.at;
        self.at = (at + 1) % self.messages.len();
        at
    }
}

impl<S: Signature> Work for Verify<S> {
    fn op(&mut self) -> Result<(), OpError> {
        let at = self.next();
        let Signed { text, good, .. } = &self.messages[at];
        self.library.verify(text, good)
    }

    /// The results for the valid and for the invalid signature, as bytes.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let at = self.next();
        let Signed { text, good, bad } = &self.messages[at];
        let mut verdict = |signature| u8::from(self.library.verify(text, signature).is_ok());
        Ok(vec![verdict(good), verdict(bad)])
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
        match self.by {
            By::OpenSsl => "OpenSSL's signature is accepted, a bad one refused",
            By::AwsLc => "AWS-LC's signature is accepted, a bad one refused",
        }
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
        const ALGORITHMS: &'static [(&'static str, Algorithm)] = &[];

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
        let key = Algorithm::EcdsaP256.key().unwrap();
        let mut work = sign::<Idler>(Algorithm::EcdsaP256, &key).unwrap();
        let output = work.output().unwrap();
        assert_eq!(work.check(&output), Ok(()));
        IS_IDLE.set(true);
        let output = work.output().unwrap();
        assert!(work.check(&output).is_err());
    }
}
