//! Authenticated encryption by OpenSSL's EVP interface, what `openssl speed -evp … -bytes 16384` times
//! in the versions of the studies (newer ones begin and end a message in each GCM op): one context, its
//! key set once, and one `EVP_EncryptUpdate` in place an op. No tag is made in an op.

use openssl::cipher::{Cipher, CipherRef};
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

const NONCE_BYTES: usize = 12;
const TAG_BYTES: usize = 16;

/// A message grows by each op. It ends after this many bytes and another begins with the next nonce:
/// GCM allows less than 64 GiB under one nonce (NIST SP 800-38D, 5.2.1.1).
const LONGEST_MESSAGE_BYTES: u64 = 32 << 30;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    message_bytes: usize,
}

// The known answers below were made by Go's crypto/cipher and x/crypto/chacha20poly1305, for the
// key 00 01 02 …, the zero nonce, no additional data and 16,384 bytes 00 01 … ff 00 ….

/// AES with a key of 128 bits in GCM.
pub fn aes_128_gcm(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    seal(setting, Cipher::aes_128_gcm(), "a3613662a1845bb061575f9a41c4da0d")
}

/// AES with a key of 256 bits in GCM.
pub fn aes_256_gcm(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    seal(setting, Cipher::aes_256_gcm(), "3a8cc479be7ce6c0909c79a53c7f44df")
}

/// ChaCha20-Poly1305.
pub fn chacha20_poly1305(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    seal(setting, Cipher::chacha20_poly1305(), "2c84ba8d64e67fac77db1fe2c3a1e33c")
}

fn seal(
    setting: &Setting,
    cipher: &'static CipherRef,
    known_tag: &'static str,
) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { message_bytes } = setting.parameters()?;
    if message_bytes != 16_384 {
        let message = format!("there is no known answer for message_bytes {message_bytes}");
        return Err(WorkerError::bad_request(message));
    }
    let work = Seal::new(cipher, message_bytes, known_tag).map_err(OpError::new)?;
    Ok(Box::new(work))
}

/// One op is `buffer.len()` bytes more of a message, encrypted in place.
struct Seal {
    cipher: &'static CipherRef,
    key: Vec<u8>,
    context: CipherCtx,
    buffer: Vec<u8>,
    messages: u64,
    ops_left: u64,
    known_tag: &'static str,
}

impl Seal {
    fn new(
        cipher: &'static CipherRef,
        bytes: usize,
        known_tag: &'static str,
    ) -> Result<Self, ErrorStack> {
        let key: Vec<u8> = (0..=u8::MAX).take(cipher.key_length()).collect();
        let mut context = CipherCtx::new()?;
        context.encrypt_init(Some(cipher), Some(&key), None)?;
        Ok(Self { cipher, key, context, buffer: plain(bytes), messages: 0, ops_left: 0, known_tag })
    }

    /// Begins a message with a nonce that no message before had. Number 0 is the known answer's.
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

    /// The known answer's message, sealed: ciphertext and tag.
    fn known_answer(&mut self) -> Result<Vec<u8>, ErrorStack> {
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

    /// The known answer's ciphertext in another context, back to plain text.
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
        self.known_answer().map_err(OpError::new)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let (ciphertext, tag) = output.split_at(output.len() - TAG_BYTES);
        let tag_text: String = tag.iter().map(|byte| format!("{byte:02x}")).collect();
        if tag_text != self.known_tag {
            return Err(format!("the tag is {tag_text}, not {}", self.known_tag));
        }
        match self.open(ciphertext, tag) {
            Ok(text) if text == plain(ciphertext.len()) => Ok(()),
            Ok(_) => Err("the message opens to another text".to_owned()),
            Err(_) => Err("the message does not open".to_owned()),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.buffer.len() as u64)
    }
}

/// The known answer's text: 00 01 … ff 00 ….
fn plain(bytes: usize) -> Vec<u8> {
    (0..=u8::MAX).cycle().take(bytes).collect()
}
