//! Key agreement by `EVP_PKEY_derive`.

use super::failure;
use super::key::{Context, Key};
use crate::crypto::agreement::Agree;
use openssl::pkey::{PKey, Private};
use sizeup_kit::OpError;

/// A context with a key and its peer's.
pub struct Agreement(Context);

impl Agree for Agreement {
    fn new(key: &PKey<Private>, peer: &PKey<Private>) -> Result<Self, OpError> {
        let [key, peer] =
            [key, peer].map(|key| Key::parse(&key.private_key_to_pkcs8().map_err(OpError::new)?));
        let context = Context::new(&key?, aws_lc_sys::EVP_PKEY_derive_init)?;
        // SAFETY: the context was initialised for it; it keeps a reference to the peer's key.
        match unsafe { aws_lc_sys::EVP_PKEY_derive_set_peer(context.as_ptr(), peer?.as_ptr()) } {
            1 => Ok(Self(context)),
            _ => Err(failure("EVP_PKEY_derive_set_peer")),
        }
    }

    fn secret(&mut self, secret: &mut [u8]) -> Result<(), OpError> {
        let mut length = secret.len();
        // SAFETY: the context has a peer, and the buffer has the stated length.
        let done = unsafe {
            aws_lc_sys::EVP_PKEY_derive(self.0.as_ptr(), secret.as_mut_ptr(), &raw mut length)
        };
        if done == 1 { Ok(()) } else { Err(failure("EVP_PKEY_derive")) }
    }
}
