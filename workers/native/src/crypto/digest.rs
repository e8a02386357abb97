//! One digest of a whole message in memory, by one call where the library has one.

use super::counting;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// The longest digest: that of SHA-512. OpenSSL and AWS-LC make none that is longer (`EVP_MAX_MD_SIZE`).
pub const LONGEST: usize = 64;

/// A hash function.
#[derive(Debug, Clone, Copy)]
pub enum Algorithm {
    Sha256,
    Sha512,
    Sha3,
    Blake2b,
    Blake3,
}

impl Algorithm {
    /// The digest of [`counting`] bytes: the first four as Go's crypto and x/crypto and Python's hashlib make it, which
    /// agree, that of BLAKE3 as Go's zeebo/blake3 makes it.
    fn known_answer(self, message_bytes: usize) -> Option<&'static str> {
        Some(match (self, message_bytes) {
            (Self::Sha256, 0x4000) => {
                "b750b9d34d30c2e904900469867d866757188a89575dc8aab605662758f0fce6"
            }
            (Self::Sha256, 0x10_0000) => {
                "c9585652a63fade77939b9c5e18c2c6681f2ed3972657bea95aa8c27206bbd3a"
            }
            (Self::Sha512, 0x4000) => {
                "4e2495d67139fed1ef79bf60280e7150a0394557b81fcbd00b20e2e751ba51c7\
                 e7e4e011f28b0ebe4138722108c7ea5578b8f33d3eec03599304cff0c6588d3c"
            }
            (Self::Sha512, 0x10_0000) => {
                "0fe81520422617baa9aa5c77849a7f4a7a34d2ce09962a203d8624c5261a7049\
                 79dd1545dc1c0c6d267fa4e0ce4ff967ce9d0b12a1bd9e52374dc01f9014aa9a"
            }
            (Self::Sha3, 0x4000) => {
                "6d4579bbb75e83e160175ddb4801ec926bba5ca7eefdd715b0072ccf9e82b3e4"
            }
            (Self::Sha3, 0x10_0000) => {
                "0a89a03e657ed02e5886678f71bd2b36e0d3a1635e3962272d5c0195795bacff"
            }
            (Self::Blake2b, 0x4000) => {
                "30c3fd0d81394cd3c50aef864e38888014511761b589edea16b696a2d74590a6"
            }
            (Self::Blake2b, 0x10_0000) => {
                "7f770259e1856cfa7ad9f0c83900e208787b4dcf0f60baabbfff76d79f502a83"
            }
            (Self::Blake3, 0x4000) => {
                "5c2dfb3c6330b54d9619ae822e10aa9dbdef5eae7c45290f519812f2335c9185"
            }
            (Self::Blake3, 0x10_0000) => {
                "6d27cf5d7a39058cba96cd5c02cefb066739c3f25030d90b09afe3ae839f2641"
            }
            _ => return None,
        })
    }
}

/// A library's hash function.
pub trait Hash: Sized + 'static {
    fn new(algorithm: Algorithm) -> Result<Self, OpError>;

    /// Writes a digest and tells its length.
    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError>;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    message_bytes: usize,
}

/// SHA-256.
pub fn sha_256<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<H>(setting, Algorithm::Sha256)
}

/// SHA-512.
pub fn sha_512<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<H>(setting, Algorithm::Sha512)
}

/// SHA3-256.
pub fn sha3_256<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<H>(setting, Algorithm::Sha3)
}

/// BLAKE2b with a digest of 256 bits, without a key.
pub fn blake2b_256<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<H>(setting, Algorithm::Blake2b)
}

/// BLAKE3 with a digest of 256 bits, without a key.
pub fn blake3<H: Hash>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<H>(setting, Algorithm::Blake3)
}

fn setup<H: Hash>(setting: &Setting, algorithm: Algorithm) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { message_bytes } = setting.parameters()?;
    let known = algorithm.known_answer(message_bytes).ok_or_else(|| {
        WorkerError::bad_request(format!(
            "there is no known answer for message_bytes {message_bytes}"
        ))
    })?;
    Ok(Box::new(Digest {
        hash: H::new(algorithm)?,
        message: counting(message_bytes),
        digest: [0; LONGEST],
        known,
    }))
}

/// One op is one digest.
struct Digest<H> {
    hash: H,
    message: Vec<u8>,
    digest: [u8; LONGEST],
    known: &'static str,
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
        let digest: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
        if digest == self.known {
            Ok(())
        } else {
            Err(format!("the digest is {digest}, not {}", self.known))
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.len() as u64)
    }
}
