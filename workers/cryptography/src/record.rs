//! One TLS record, sealed: 12 bytes of nonce and 13 of additional data, a message in one buffer, and the ciphertext
//! with its tag in another. The key is set up once. OpenSSL and AWS-LC read one buffer and write the other; ring only
//! seals in place, so its op copies the message first, as its users do.

use crate::{MESSAGE_BYTES, counting};
use sizeup_kit::fingerprint;
use sizeup_kit::{Kind, OpError, Operation, Parameter, Setting, Work, WorkerError};

/// All three ciphers have tags of this length.
pub const TAG_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;
/// Sequence number, type, version and length of TLS 1.2.
const DATA_BYTES: usize = 13;

/// The supported ciphers.
#[derive(Debug, Clone, Copy)]
pub enum Cipher {
    Aes128Gcm,
    Aes256Gcm,
    ChaCha20Poly1305,
}

/// The ciphers by their names in requests.
pub const CIPHERS: [(&str, Cipher); 3] = [
    ("aes-128-gcm", Cipher::Aes128Gcm),
    ("aes-256-gcm", Cipher::Aes256Gcm),
    ("chacha20-poly1305", Cipher::ChaCha20Poly1305),
];

impl Cipher {
    fn key_bytes(self) -> usize {
        match self {
            Self::Aes128Gcm => 16,
            Self::Aes256Gcm | Self::ChaCha20Poly1305 => 32,
        }
    }
}

/// The inputs of sealing. The benchmark seals only this one record, so its one nonce protects nothing.
pub struct Message {
    pub nonce: [u8; NONCE_BYTES],
    pub data: [u8; DATA_BYTES],
    pub text: Vec<u8>,
}

impl Message {
    fn new(text_bytes: usize) -> Self {
        Self {
            nonce: std::array::from_fn(|i| counting(NONCE_BYTES)[i]),
            data: std::array::from_fn(|i| counting(DATA_BYTES)[i]),
            text: counting(text_bytes),
        }
    }
}

/// A library's cipher with its key set up.
pub trait Seal: Sized + 'static {
    /// The library whose record this one's is compared with, where there is no known answer.
    type Other: Seal;

    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, OpError>;

    /// Makes ciphertext and tag; `record` has room for exactly both.
    fn seal(&mut self, message: &Message, record: &mut [u8]) -> Result<(), OpError>;
}

pub fn operations<S: Seal>(implementation: &'static str) -> Vec<Operation> {
    let parameters = [Parameter::one_of("cipher", &CIPHERS), MESSAGE_BYTES];
    vec![Operation::new("aead-record", implementation, setup::<S>).takes(parameters)]
}

fn setup<S: Seal>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (_, cipher) = setting.chosen("cipher", &CIPHERS);
    let message_bytes = setting.integer("message_bytes");
    let expected = match known_answer(cipher, message_bytes) {
        Some(known) => known.to_owned(),
        None => other_answer::<S::Other>(cipher, message_bytes)?,
    };
    Ok(Box::new(Record {
        sealer: S::new(cipher, &counting(cipher.key_bytes()))?,
        message: Message::new(message_bytes),
        record: vec![0; message_bytes + TAG_BYTES],
        expected,
    }))
}

/// Another library's record of a message without a known answer, after that library has reproduced a known one.
fn other_answer<S: Seal>(cipher: Cipher, message_bytes: usize) -> Result<String, WorkerError> {
    let mut sealer = S::new(cipher, &counting(cipher.key_bytes()))?;
    let mut answer = |message_bytes| {
        let mut record = vec![0; message_bytes + TAG_BYTES];
        sealer.seal(&Message::new(message_bytes), &mut record)?;
        Ok::<_, OpError>(fingerprint::sha256(&record))
    };
    let first = answer(KNOWN_BYTES)?;
    if Some(first.as_str()) != known_answer(cipher, KNOWN_BYTES) {
        let what = format!("{cipher:?} of {KNOWN_BYTES} bytes by another library is {first}");
        return Err(WorkerError::new(Kind::WrongAnswer, what));
    }
    Ok(answer(message_bytes)?)
}

/// The shortest message length that known answers are for.
const KNOWN_BYTES: usize = 1_024;

/// The SHA-256 of ciphertext and tag from Go's crypto/cipher and x/crypto/chacha20poly1305, where key, nonce,
/// additional data and message all are [`counting`] from 0.
fn known_answer(cipher: Cipher, message_bytes: usize) -> Option<&'static str> {
    Some(match (cipher, message_bytes) {
        (Cipher::Aes128Gcm, KNOWN_BYTES) => {
            "06ed77bb04964671d4d97210f2b87d0721e6fd198a5cae0136d64f0e1d536ee4"
        }
        (Cipher::Aes128Gcm, 8_192) => {
            "ec8474773c28c02301a41c74aa0bdf4c79cfc395642fa68593e88d5f253e98ca"
        }
        (Cipher::Aes128Gcm, 16_384) => {
            "2317c3f8adbb12b48983914537e1622b531df887de5ffbfd0169d940f0b8bc87"
        }
        (Cipher::Aes256Gcm, KNOWN_BYTES) => {
            "29a309a67855ee50d510ad6dd977075d0eb768b90fd77321b566cb6e0b875201"
        }
        (Cipher::Aes256Gcm, 8_192) => {
            "f75fd3acbf861c56b3dbbfd181bcbcf12c49597fd3c4c52b2cdc55eb68e76df7"
        }
        (Cipher::Aes256Gcm, 16_384) => {
            "d4ca0bc4047f5f833f47ca007e4a93deaf66a21e1b50cfd58aeb25431b7fae7e"
        }
        (Cipher::ChaCha20Poly1305, KNOWN_BYTES) => {
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
    expected: String,
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
        fingerprint::expect("sealing", output, &self.expected)
    }

    fn verified(&self) -> &'static str {
        "the record is the one that another implementation makes"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.text.len() as u64)
    }
}
