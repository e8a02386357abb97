//! ring's records, and the proof that it is ring.

use crate::record::{Cipher, Message, Seal};
use data_encoding::HEXLOWER;
use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::digest;
use sizeup_kit::OpError;
use sizeup_kit::fingerprint;

/// Compares ring with another implementation. No other library can be linked in its place: all its names, also those
/// of its C code, contain its version.
pub fn self_test() -> Result<(), String> {
    let sample = fingerprint::sample();
    let digest = digest::digest(&digest::SHA256, &sample);
    let digest = HEXLOWER.encode(digest.as_ref());
    let known = fingerprint::sha256(&sample);
    if digest == known { Ok(()) } else { Err(format!("ring's SHA-256 is {digest}, not {known}")) }
}

/// A key for any nonce.
pub struct Sealer(LessSafeKey);

impl Seal for Sealer {
    type Other = crate::aws_lc::Sealer;

    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, OpError> {
        let algorithm = match cipher {
            Cipher::Aes128Gcm => &aead::AES_128_GCM,
            Cipher::Aes256Gcm => &aead::AES_256_GCM,
            Cipher::ChaCha20Poly1305 => &aead::CHACHA20_POLY1305,
        };
        Ok(Self(LessSafeKey::new(UnboundKey::new(algorithm, key).map_err(OpError::new)?)))
    }

    fn seal(&mut self, message: &Message, record: &mut [u8]) -> Result<(), OpError> {
        let (ciphertext, end) = record.split_at_mut(message.text.len());
        ciphertext.copy_from_slice(&message.text);
        let nonce = Nonce::assume_unique_for_key(message.nonce);
        let tag = self
            .0
            .seal_in_place_separate_tag(nonce, Aad::from(&message.data), ciphertext)
            .map_err(OpError::new)?;
        end.copy_from_slice(tag.as_ref());
        Ok(())
    }
}
