//! OpenSSL's EVP interface: records, digests, signatures and key agreement.

use super::agreement::{Agree, SECRET_BYTES};
use super::aws_lc;
use super::digest::{Hash, LONGEST, SecondWay, whole};
use super::record::{Cipher, Message, Seal};
use super::signature::{Algorithm, Signature};
use openssl::cipher::CipherRef;
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::md::MdRef;
use openssl::pkey::{PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use openssl_sys::{EVP_MD, EVP_MD_CTX, OSSL_PARAM};
use sizeup_kit::OpError;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// What OpenSSL calls a cipher.
pub fn named(cipher: Cipher) -> &'static CipherRef {
    match cipher {
        Cipher::Aes128Gcm => openssl::cipher::Cipher::aes_128_gcm(),
        Cipher::Aes256Gcm => openssl::cipher::Cipher::aes_256_gcm(),
        Cipher::ChaCha20Poly1305 => openssl::cipher::Cipher::chacha20_poly1305(),
    }
}

/// A context with its cipher and key; an op begins with a nonce.
pub struct Sealer(CipherCtx);

impl Sealer {
    fn begin(cipher: Cipher, key: &[u8]) -> Result<Self, ErrorStack> {
        let mut context = CipherCtx::new()?;
        context.encrypt_init(Some(named(cipher)), Some(key), None)?;
        Ok(Self(context))
    }

    fn whole(&mut self, message: &Message, record: &mut [u8]) -> Result<(), ErrorStack> {
        let (ciphertext, tag) = record.split_at_mut(message.text.len());
        self.0.encrypt_init(None, None, Some(&message.nonce))?;
        self.0.cipher_update(&message.data, None)?;
        self.0.cipher_update(&message.text, Some(ciphertext))?;
        // Nothing is left to write; the tag is made.
        self.0.cipher_final(tag)?;
        self.0.tag(tag)
    }
}

impl Seal for Sealer {
    type Other = aws_lc::Sealer;

    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, OpError> {
        Self::begin(cipher, key).map_err(OpError::new)
    }

    fn seal(&mut self, message: &Message, record: &mut [u8]) -> Result<(), OpError> {
        self.whole(message, record).map_err(OpError::new)
    }
}

// From OpenSSL's evp.h; openssl-sys leaves them out.
unsafe extern "C" {
    fn EVP_Digest(
        data: *const c_void,
        count: usize,
        md: *mut u8,
        size: *mut c_uint,
        algorithm: *const EVP_MD,
        engine: *mut c_void,
    ) -> c_int;
    fn EVP_DigestInit_ex2(
        context: *mut EVP_MD_CTX,
        algorithm: *const EVP_MD,
        parameters: *const OSSL_PARAM,
    ) -> c_int;
}

/// A hash function, fetched once.
pub struct Digester {
    algorithm: *mut EVP_MD,
    /// The digest's length, where the function has several.
    length: Option<c_uint>,
}

impl Digester {
    fn fetched(name: &CStr, length: Option<c_uint>) -> Result<Self, ErrorStack> {
        // SAFETY: a default library context and default properties, and a name that ends with a zero.
        let algorithm = unsafe { openssl_sys::EVP_MD_fetch(null_mut(), name.as_ptr(), null()) };
        if algorithm.is_null() { Err(ErrorStack::get()) } else { Ok(Self { algorithm, length }) }
    }

    /// Like `EVP_Digest`, but with a digest length, which `EVP_Digest` does not take: it always makes the longest
    /// digest.
    fn with_length(
        &self,
        mut length: c_uint,
        message: &[u8],
        digest: &mut [u8; LONGEST],
        written: &mut c_uint,
    ) -> bool {
        // SAFETY: name and length outlive the parameters, no digest is longer than `digest`, and the context is freed
        // once; OpenSSL accepts a null one.
        unsafe {
            let parameters = [
                openssl_sys::OSSL_PARAM_construct_uint(c"size".as_ptr(), &raw mut length),
                openssl_sys::OSSL_PARAM_construct_end(),
            ];
            let context = openssl_sys::EVP_MD_CTX_new();
            let done = !context.is_null()
                && EVP_DigestInit_ex2(context, self.algorithm, parameters.as_ptr()) == 1
                && openssl_sys::EVP_DigestUpdate(context, message.as_ptr().cast(), message.len())
                    == 1
                && openssl_sys::EVP_DigestFinal_ex(context, digest.as_mut_ptr(), written) == 1;
            openssl_sys::EVP_MD_CTX_free(context);
            done
        }
    }

    fn at_once(&self, message: &[u8], digest: &mut [u8; LONGEST], written: &mut c_uint) -> bool {
        // SAFETY: the algorithm lives, and no digest is longer than `digest`.
        unsafe {
            EVP_Digest(
                message.as_ptr().cast(),
                message.len(),
                digest.as_mut_ptr(),
                written,
                self.algorithm,
                null_mut(),
            ) == 1
        }
    }
}

impl Hash for Digester {
    type Algorithm = (&'static CStr, Option<c_uint>);
    const ALGORITHMS: &'static [(&'static str, Self::Algorithm)] = &[
        ("sha-256", (c"SHA2-256", None)),
        ("sha-512", (c"SHA2-512", None)),
        ("sha3-256", (c"SHA3-256", None)),
        ("blake2b-256", (c"BLAKE2B-512", Some(32))),
    ];
    const SECOND_WAY: SecondWay =
        SecondWay { digest: whole::<aws_lc::Digester>, verified: "the digest matches AWS-LC's" };

    fn new((name, length): Self::Algorithm) -> Result<Self, OpError> {
        Self::fetched(name, length).map_err(OpError::new)
    }

    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError> {
        let mut written = 0;
        let done = match self.length {
            Some(length) => self.with_length(length, message, digest, &mut written),
            None => self.at_once(message, digest, &mut written),
        };
        if done { Ok(written as usize) } else { Err(OpError::new(ErrorStack::get())) }
    }
}

impl Drop for Digester {
    fn drop(&mut self) {
        // SAFETY: made by `fetched` and freed nowhere else.
        unsafe { openssl_sys::EVP_MD_free(self.algorithm) }
    }
}

/// Contexts initialised once for a key, as in `openssl speed`; an op is one `EVP_PKEY_sign` or `EVP_PKEY_verify`.
pub struct Signer {
    signer: PkeyCtx<Private>,
    verifier: PkeyCtx<Private>,
}

impl Signer {
    /// Signs the bytes as they are or, with a digest, as the output of that digest.
    pub fn with_key(key: &PKey<Private>, digest: Option<&MdRef>) -> Result<Self, OpError> {
        Self::initialised(key, digest).map_err(OpError::new)
    }

    fn initialised(key: &PKey<Private>, digest: Option<&MdRef>) -> Result<Self, ErrorStack> {
        let (mut signer, mut verifier) = (PkeyCtx::new(key)?, PkeyCtx::new(key)?);
        signer.sign_init()?;
        verifier.verify_init()?;
        if let Some(digest) = digest {
            signer.set_signature_md(digest)?;
            verifier.set_signature_md(digest)?;
        }
        Ok(Self { signer, verifier })
    }
}

impl Signature for Signer {
    const HASHES: bool = false;

    fn new(_: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
        Self::with_key(&PKey::private_key_from_pkcs8(private_key).map_err(OpError::new)?, None)
    }

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
        self.signer.sign(message, Some(signature)).map_err(OpError::new)
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        // OpenSSL reports a bad signature as a refusal or as an error, depending on the padding.
        match self.verifier.verify(message, signature) {
            Ok(true) => Ok(()),
            Ok(false) => Err(OpError::new("the signature is invalid")),
            Err(e) => Err(OpError::new(e)),
        }
    }
}

/// A context with a key and its peer's.
pub struct Agreement(PkeyCtx<Private>);

impl Agreement {
    fn with_peer(key: &PKey<Private>, peer: &PKey<Private>) -> Result<Self, ErrorStack> {
        let mut context = PkeyCtx::new(key)?;
        context.derive_init()?;
        context.derive_set_peer(peer)?;
        Ok(Self(context))
    }
}

impl Agree for Agreement {
    fn new(key: &PKey<Private>, peer: &PKey<Private>) -> Result<Self, OpError> {
        Self::with_peer(key, peer).map_err(OpError::new)
    }

    fn secret(&mut self, secret: &mut [u8; SECRET_BYTES]) -> Result<(), OpError> {
        self.0.derive(Some(secret)).map(|_| ()).map_err(OpError::new)
    }
}
