//! One digest of a whole message in memory, in one call where the library has one.

use data_encoding::HEXLOWER;
use sizeup_cryptography::{MESSAGE_BYTES, counting};
use sizeup_kit::{Kind, OpError, Operation, Parameter, Setting, Work, WorkerError};

/// The longest digest: that of SHA-512. OpenSSL and AWS-LC have none that is longer (`EVP_MAX_MD_SIZE`).
pub const LONGEST: usize = 64;

/// The shorter of the message lengths that known answers are for.
const KNOWN_BYTES: usize = 0x4000;

/// The digest of [`counting`] bytes: the first five from Go's crypto and x/crypto and Python's hashlib, which agree,
/// that of BLAKE3 from Go's zeebo/blake3.
fn known_answer(algorithm: &str, message_bytes: usize) -> Option<&'static str> {
    Some(match (algorithm, message_bytes) {
        ("sha-1", KNOWN_BYTES) => "0f5710b4e7978972a2d74cd248826f08b74ecf57",
        ("sha-256", KNOWN_BYTES) => {
            "b750b9d34d30c2e904900469867d866757188a89575dc8aab605662758f0fce6"
        }
        ("sha-256", 0x10_0000) => {
            "c9585652a63fade77939b9c5e18c2c6681f2ed3972657bea95aa8c27206bbd3a"
        }
        ("sha-512", KNOWN_BYTES) => {
            "4e2495d67139fed1ef79bf60280e7150a0394557b81fcbd00b20e2e751ba51c7\
                 e7e4e011f28b0ebe4138722108c7ea5578b8f33d3eec03599304cff0c6588d3c"
        }
        ("sha-512", 0x10_0000) => {
            "0fe81520422617baa9aa5c77849a7f4a7a34d2ce09962a203d8624c5261a7049\
                 79dd1545dc1c0c6d267fa4e0ce4ff967ce9d0b12a1bd9e52374dc01f9014aa9a"
        }
        ("sha3-256", KNOWN_BYTES) => {
            "6d4579bbb75e83e160175ddb4801ec926bba5ca7eefdd715b0072ccf9e82b3e4"
        }
        ("sha3-256", 0x10_0000) => {
            "0a89a03e657ed02e5886678f71bd2b36e0d3a1635e3962272d5c0195795bacff"
        }
        ("blake2b-256", KNOWN_BYTES) => {
            "30c3fd0d81394cd3c50aef864e38888014511761b589edea16b696a2d74590a6"
        }
        ("blake2b-256", 0x10_0000) => {
            "7f770259e1856cfa7ad9f0c83900e208787b4dcf0f60baabbfff76d79f502a83"
        }
        ("blake3", KNOWN_BYTES) => {
            "5c2dfb3c6330b54d9619ae822e10aa9dbdef5eae7c45290f519812f2335c9185"
        }
        ("blake3", 0x10_0000) => "6d27cf5d7a39058cba96cd5c02cefb066739c3f25030d90b09afe3ae839f2641",
        _ => return None,
    })
}

/// A library's hash functions.
pub trait Hash: Sized + 'static {
    /// The library's own identification of a function.
    type Algorithm: Copy;
    /// The library's functions, by their names in requests.
    const ALGORITHMS: &'static [(&'static str, Self::Algorithm)];
    /// How a digest without a known answer is checked.
    const SECOND_WAY: SecondWay;

    fn new(algorithm: Self::Algorithm) -> Result<Self, OpError>;

    /// Writes a digest and returns its length.
    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError>;
}

/// A second way to compute a digest, independent of the measured one.
pub struct SecondWay {
    /// Takes the request's name of the algorithm.
    pub digest: fn(&str, &[u8]) -> Result<Vec<u8>, OpError>,
    /// A phrase on what the check proves with it.
    pub verified: &'static str,
}

/// The digest of a message in memory, by a library that has the algorithm.
pub fn whole<H: Hash>(algorithm: &str, message: &[u8]) -> Result<Vec<u8>, OpError> {
    let found = H::ALGORITHMS.iter().find(|(name, _)| *name == algorithm);
    let (_, algorithm) =
        found.ok_or_else(|| OpError::new(format!("no implementation of {algorithm}")))?;
    let mut digest = [0; LONGEST];
    let length = H::new(*algorithm)?.digest(message, &mut digest)?;
    Ok(digest[..length].to_vec())
}

pub fn operations<H: Hash>(implementation: &'static str) -> Vec<Operation> {
    let parameters = [Parameter::one_of("algorithm", H::ALGORITHMS), MESSAGE_BYTES];
    vec![Operation::new("hash", implementation, setup::<H>).takes(parameters)]
}

fn setup<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (name, algorithm) = setting.chosen("algorithm", H::ALGORITHMS);
    let message_bytes = setting.integer("message_bytes");
    let message = counting(message_bytes);
    let (expected, verified) = match known_answer(name, message_bytes) {
        Some(known) => (known.to_owned(), "the digest matches the known answer"),
        None => (second_way::<H>(name, &message)?, H::SECOND_WAY.verified),
    };
    let hash = H::new(algorithm)?;
    Ok(Box::new(Digest { hash, message, digest: [0; LONGEST], expected, verified }))
}

/// The digest of a message without a known answer, by a method that is first checked against a known one.
fn second_way<H: Hash>(algorithm: &str, message: &[u8]) -> Result<String, WorkerError> {
    let digest = |message: &[u8]| {
        (H::SECOND_WAY.digest)(algorithm, message).map(|digest| HEXLOWER.encode(&digest))
    };
    let first = digest(&counting(KNOWN_BYTES))?;
    if Some(first.as_str()) != known_answer(algorithm, KNOWN_BYTES) {
        let what =
            format!("{algorithm} of {KNOWN_BYTES} bytes, computed in a second way, is {first}");
        return Err(WorkerError::new(Kind::WrongAnswer, what));
    }
    Ok(digest(message)?)
}

/// One op is one digest.
struct Digest<H> {
    hash: H,
    message: Vec<u8>,
    digest: [u8; LONGEST],
    expected: String,
    verified: &'static str,
}

impl<H: Hash> Work for Digest<H> {
    fn op(&mut self) -> Result<(), OpError> {
        self.hash.digest(&self.message, &mut self.digest).map(|_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.digest.fill(0);
        let length = self.hash.digest(&self.message, &mut self.digest)?;
        Ok(self.digest[..length].to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let digest = HEXLOWER.encode(output);
        if digest == self.expected {
            Ok(())
        } else {
            Err(format!("the digest is {digest}, not {}", self.expected))
        }
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.len() as u64)
    }
}
