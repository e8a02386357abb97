//! Authenticated encryption by OpenSSL's EVP interface, as `openssl speed -evp … -bytes 16384` times it in the
//! versions of the studies (newer versions begin and end a message in each GCM op): one context, its key set once,
//! and one `EVP_EncryptUpdate` in place an op. No tag is made in an op.

use crate::crypto::openssl;
use ::openssl::cipher::CipherRef;
use ::openssl::cipher_ctx::CipherCtx;
use ::openssl::error::ErrorStack;
use data_encoding::HEXLOWER;
use sizeup_cryptography::MESSAGE_BYTES;
use sizeup_cryptography::record::{CIPHERS, Cipher, TAG_BYTES};
use sizeup_kit::{Kind, OpError, Operation, Parameter, Setting, Work, WorkerError};

const NONCE_BYTES: usize = 12;

/// A message grows with each op. It ends after this many bytes and another begins with the next nonce: GCM allows
/// less than 64 GiB under one nonce (NIST SP 800-38D, 5.2.1.1).
const LONGEST_MESSAGE_BYTES: u64 = 32 << 30;

/// The message length that the known tags are for.
const KNOWN_BYTES: usize = 16_384;

/// The tag that Go's crypto/cipher and x/crypto/chacha20poly1305 make for the key 00 01 02 …, the zero nonce, no
/// additional data and [`KNOWN_BYTES`] bytes 00 01 … ff 00 ….
fn known_tag(cipher: Cipher) -> &'static str {
    match cipher {
        Cipher::Aes128Gcm => "a3613662a1845bb061575f9a41c4da0d",
        Cipher::Aes256Gcm => "3a8cc479be7ce6c0909c79a53c7f44df",
        Cipher::ChaCha20Poly1305 => "2c84ba8d64e67fac77db1fe2c3a1e33c",
    }
}

pub fn operations() -> Vec<Operation> {
    let parameters = [Parameter::one_of("cipher", &CIPHERS), MESSAGE_BYTES];
    vec![Operation::new("aead-seal", "openssl", setup).takes(parameters)]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (_, cipher) = setting.chosen("cipher", &CIPHERS);
    let message_bytes = setting.integer("message_bytes");
    let new = |bytes| {
        let known = (bytes == KNOWN_BYTES).then(|| known_tag(cipher));
        Seal::new(openssl::named(cipher), bytes, known).map_err(OpError::new)
    };
    if message_bytes != KNOWN_BYTES {
        // Without a known tag the check only opens the message again, so first check sealing and opening against a
        // known one.
        let mut known = new(KNOWN_BYTES)?;
        let output = known.output()?;
        known.check(&output).map_err(|what| WorkerError::new(Kind::WrongAnswer, what))?;
    }
    Ok(Box::new(new(message_bytes)?))
}

/// One op is `buffer.len()` more bytes of a message, encrypted in place.
struct Seal {
    cipher: &'static CipherRef,
    key: Vec<u8>,
    context: CipherCtx,
    buffer: Vec<u8>,
    messages: u64,
    ops_left: u64,
    known_tag: Option<&'static str>,
}

impl Seal {
    fn new(
        cipher: &'static CipherRef,
        bytes: usize,
        known_tag: Option<&'static str>,
    ) -> Result<Self, ErrorStack> {
        let key: Vec<u8> = (0..=u8::MAX).take(cipher.key_length()).collect();
        let mut context = CipherCtx::new()?;
        context.encrypt_init(Some(cipher), Some(&key), None)?;
        Ok(Self { cipher, key, context, buffer: plain(bytes), messages: 0, ops_left: 0, known_tag })
    }

    /// Begins a message with a nonce that no earlier message had. Number 0 is that of [`Self::whole`].
    fn begin(&mut self, number: u64) -> Result<(), ErrorStack> {
        let mut nonce = [0; NONCE_BYTES];
        nonce[NONCE_BYTES - 8..].copy_from_slice(&number.to_be_bytes());
        self.context.encrypt_init(None, None, Some(&nonce))
    }

    fn update(&mut self) -> Result<(), ErrorStack> {
        let bytes = self.buffer.len();
        self.context.cipher_update_inplace(&mut self.buffer, bytes).map(|_| ())
    }

    fn next_message(&mut self) -> Result<(), ErrorStack> {
        self.messages += 1;
        self.ops_left = LONGEST_MESSAGE_BYTES / self.buffer.len() as u64;
        self.begin(self.messages)
    }

    /// The message under the zero nonce, which the known answers use, sealed whole: ciphertext and tag.
    fn whole(&mut self) -> Result<Vec<u8>, ErrorStack> {
        self.buffer = plain(self.buffer.len());
        self.begin(0)?;
        self.update()?;
        let mut tag = [0; TAG_BYTES];
        self.context.cipher_final(&mut tag)?;
        self.context.tag(&mut tag)?;
        // The message has ended; the next op must begin another.
        self.ops_left = 0;
        Ok([&self.buffer[..], &tag].concat())
    }

    /// Decrypts that message's ciphertext in another context.
    fn open(&self, ciphertext: &[u8], tag: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let mut context = CipherCtx::new()?;
        context.decrypt_init(Some(self.cipher), Some(&self.key), Some(&[0; NONCE_BYTES]))?;
        context.set_tag(tag)?;
        let mut text = Vec::new();
        context.cipher_update_vec(ciphertext, &mut text)?;
        context.cipher_final_vec(&mut text)?;
        Ok(text)
    }
}

impl Work for Seal {
    fn op(&mut self) -> Result<(), OpError> {
        if self.ops_left == 0 {
            self.next_message().map_err(OpError::new)?;
        }
        self.ops_left -= 1;
        self.update().map_err(OpError::new)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.whole().map_err(OpError::new)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let (ciphertext, tag) = output.split_at(output.len() - TAG_BYTES);
        let made = HEXLOWER.encode(tag);
        match self.known_tag {
            Some(known) if made != known => return Err(format!("the tag is {made}, not {known}")),
            _ => {}
        }
        match self.open(ciphertext, tag) {
            Ok(text) if text == plain(ciphertext.len()) => Ok(()),
            Ok(_) => Err("the message opens to a different text".to_owned()),
            Err(_) => Err("the message does not open".to_owned()),
        }
    }

    fn verified(&self) -> &'static str {
        match self.known_tag {
            Some(_) => "the tag matches the known answer and the message opens",
            None => "the message opens in another context",
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.buffer.len() as u64)
    }
}

/// The text: 00 01 … ff 00 ….
fn plain(bytes: usize) -> Vec<u8> {
    (0..=u8::MAX).cycle().take(bytes).collect()
}
