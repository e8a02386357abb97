//! One record of TLS, sealed: 12 bytes of nonce and 13 of additional data, a message in one buffer, and the ciphertext
//! with its tag in another. The key is set up once. OpenSSL and AWS-LC read one buffer and write the other; ring only
//! seals in place, so that its op copies the message first, as its users do.

use super::counting;
use crate::fingerprint;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

/// Of all three ciphers.
pub const TAG_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;
/// Sequence number, type, version and length of TLS 1.2.
const DATA_BYTES: usize = 13;

/// What a record is sealed with.
#[derive(Debug, Clone, Copy)]
pub enum Cipher {
    Aes128Gcm,
    Aes256Gcm,
    ChaCha20Poly1305,
}

/// What is sealed: the benchmark's one record, so that its one nonce protects nothing.
pub struct Message {
    pub nonce: [u8; NONCE_BYTES],
    pub data: [u8; DATA_BYTES],
    pub text: Vec<u8>,
}

/// A library's cipher with its key set up.
pub trait Seal: Sized + 'static {
    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, OpError>;

    /// Makes ciphertext and tag; `record` is as long as both.
    fn seal(&mut self, message: &Message, record: &mut [u8]) -> Result<(), OpError>;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    message_bytes: usize,
}

/// AES with a key of 128 bits in GCM.
pub fn aes_128_gcm<S: Seal>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<S>(setting, Cipher::Aes128Gcm)
}

/// AES with a key of 256 bits in GCM.
pub fn aes_256_gcm<S: Seal>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<S>(setting, Cipher::Aes256Gcm)
}

/// ChaCha20-Poly1305.
pub fn chacha20_poly1305<S: Seal>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    setup::<S>(setting, Cipher::ChaCha20Poly1305)
}

fn setup<S: Seal>(setting: &Setting, cipher: Cipher) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { message_bytes } = setting.parameters()?;
    let known = known_answer(cipher, message_bytes).ok_or_else(|| {
        WorkerError::bad_request(format!(
            "there is no known answer for message_bytes {message_bytes}"
        ))
    })?;
    let key_bytes = match cipher {
        Cipher::Aes128Gcm => 16,
        Cipher::Aes256Gcm | Cipher::ChaCha20Poly1305 => 32,
    };
    Ok(Box::new(Record {
        sealer: S::new(cipher, &counting(key_bytes))?,
        message: Message {
            nonce: std::array::from_fn(|i| counting(NONCE_BYTES)[i]),
            data: std::array::from_fn(|i| counting(DATA_BYTES)[i]),
            text: counting(message_bytes),
        },
        record: vec![0; message_bytes + TAG_BYTES],
        known,
    }))
}

/// The SHA-256 of ciphertext and tag as Go's crypto/cipher and x/crypto/chacha20poly1305 make them, where key, nonce,
/// additional data and message all are [`counting`] from 0.
fn known_answer(cipher: Cipher, message_bytes: usize) -> Option<&'static str> {
    Some(match (cipher, message_bytes) {
        (Cipher::Aes128Gcm, 1_024) => {
            "06ed77bb04964671d4d97210f2b87d0721e6fd198a5cae0136d64f0e1d536ee4"
        }
        (Cipher::Aes128Gcm, 8_192) => {
            "ec8474773c28c02301a41c74aa0bdf4c79cfc395642fa68593e88d5f253e98ca"
        }
        (Cipher::Aes128Gcm, 16_384) => {
            "2317c3f8adbb12b48983914537e1622b531df887de5ffbfd0169d940f0b8bc87"
        }
        (Cipher::Aes256Gcm, 1_024) => {
            "29a309a67855ee50d510ad6dd977075d0eb768b90fd77321b566cb6e0b875201"
        }
        (Cipher::Aes256Gcm, 8_192) => {
            "f75fd3acbf861c56b3dbbfd181bcbcf12c49597fd3c4c52b2cdc55eb68e76df7"
        }
        (Cipher::Aes256Gcm, 16_384) => {
            "d4ca0bc4047f5f833f47ca007e4a93deaf66a21e1b50cfd58aeb25431b7fae7e"
        }
        (Cipher::ChaCha20Poly1305, 1_024) => {
            "b60877b101e849ea32ef1ec3c4ce6e75a018d8f268888b031786d1a2fceec3e4"
        }
        (Cipher::ChaCha20Poly1305, 8_192) => {
            "d8eff2b2d7247229f3e242fcdd1f73bc077663d5262f0806a3de684ba6082625"
        }
        (Cipher::ChaCha20Poly1305, 16_384) => {
            "1654c186242150f46476143431b2f4542ccdde426390f291d767b7faf3db05fe"
        }
        _ => return None,
    })
}

/// One op is one record.
struct Record<S> {
    sealer: S,
    message: Message,
    record: Vec<u8>,
    known: &'static str,
}

impl<S: Seal> Work for Record<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.sealer.seal(&self.message, &mut self.record)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.record.fill(0);
        self.op()?;
        Ok(self.record.clone())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        fingerprint::expect("sealing", output, self.known)
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.text.len() as u64)
    }
}
