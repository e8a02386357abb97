//! OpenSSL's EVP interface: records, digests, signatures and key agreement.

use super::agreement::Agree;
use super::aws_lc;
use super::digest::{Hash, LONGEST, SecondWay, whole};
use super::kem::{self, Ciphertext, Secret};
use super::signature::{Algorithm, Judge, Signature};
use foreign_types::ForeignType;
use openssl::cipher::CipherRef;
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md::Md;
use openssl::md_ctx::MdCtx;
use openssl::pkey::{KeyType, PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use openssl_sys::{EVP_MD, EVP_MD_CTX, EVP_PKEY_CTX, OSSL_PARAM};
use sizeup_cryptography::record::{Cipher, Message, Seal};
use sizeup_kit::OpError;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr::{NonNull, null, null_mut};

/// OpenSSL's cipher.
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
        ("sha-1", (c"SHA1", None)),
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

/// The contexts of a key.
pub enum Signer {
    /// Initialised once, as in `openssl speed`; an op is one `EVP_PKEY_sign` or `EVP_PKEY_verify`.
    OfDigest { signer: PkeyCtx<Private>, verifier: PkeyCtx<Private> },
    /// An op is one `EVP_DigestSign` or `EVP_DigestVerify` without a digest, the context initialised again before, as
    /// `openssl speed` does for EdDSA.
    OfMessage { key: PKey<Private>, signer: MdCtx, verifier: MdCtx },
}

impl Signer {
    /// Signs messages as they are or, with a digest, outputs of that digest.
    pub fn with_digest(
        algorithm: Algorithm,
        private_key: &[u8],
        digest: Option<MessageDigest>,
    ) -> Result<Self, OpError> {
        let key = PKey::private_key_from_pkcs8(private_key).map_err(OpError::new)?;
        match algorithm.digest() {
            Some(_) => Self::of_digest(&key, digest).map_err(OpError::new),
            None => Ok(Self::OfMessage {
                signer: MdCtx::new().map_err(OpError::new)?,
                verifier: MdCtx::new().map_err(OpError::new)?,
                key,
            }),
        }
    }

    fn of_digest(key: &PKey<Private>, digest: Option<MessageDigest>) -> Result<Self, ErrorStack> {
        let (mut signer, mut verifier) = (PkeyCtx::new(key)?, PkeyCtx::new(key)?);
        signer.sign_init()?;
        verifier.verify_init()?;
        if let Some(digest) = digest.and_then(|digest| Md::from_nid(digest.type_())) {
            signer.set_signature_md(digest)?;
            verifier.set_signature_md(digest)?;
        }
        Ok(Self::OfDigest { signer, verifier })
    }
}

impl Signature for Signer {
    const HASHES: bool = false;
    const ALGORITHMS: &'static [(&'static str, Algorithm)] = &[
        ("ecdsa-p384", Algorithm::EcdsaP384),
        ("ed25519", Algorithm::Ed25519),
        ("ml-dsa-65", Algorithm::MlDsa65),
        ("slh-dsa-sha2-128f", Algorithm::SlhDsaSha2128f),
    ];

    fn new(algorithm: Algorithm, private_key: &[u8]) -> Result<Self, OpError> {
        Self::with_digest(algorithm, private_key, None)
    }

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
        match self {
            Self::OfDigest { signer, .. } => {
                signer.sign(message, Some(signature)).map_err(OpError::new)
            }
            Self::OfMessage { key, signer, .. } => {
                signer.digest_sign_init(None, key).map_err(OpError::new)?;
                signer.digest_sign(message, Some(signature)).map_err(OpError::new)
            }
        }
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        let verdict = match self {
            Self::OfDigest { verifier, .. } => verifier.verify(message, signature),
            Self::OfMessage { key, verifier, .. } => {
                verifier.digest_verify_init(None, key).map_err(OpError::new)?;
                verifier.digest_verify(message, signature)
            }
        };
        // OpenSSL reports a bad signature as a refusal or as an error, depending on the padding.
        match verdict {
            Ok(true) => Ok(()),
            Ok(false) => Err(OpError::new("the signature is invalid")),
            Err(e) => Err(OpError::new(e)),
        }
    }

    fn judge(algorithm: Algorithm, private_key: &[u8]) -> Result<Judge, OpError> {
        match algorithm {
            Algorithm::MlDsa65 => Judge::aws_lc(algorithm, private_key),
            _ => Judge::openssl(algorithm, private_key, false),
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

    fn secret(&mut self, secret: &mut [u8]) -> Result<(), OpError> {
        self.0.derive(Some(secret)).map(|_| ()).map_err(OpError::new)
    }
}

/// An operation with a key, which openssl's own type of contexts does not have.
struct Context(NonNull<EVP_PKEY_CTX>);

impl Context {
    fn of_key(key: &PKey<Private>) -> Result<Self, OpError> {
        // SAFETY: the key lives; the context keeps a reference to it.
        let context = unsafe { openssl_sys::EVP_PKEY_CTX_new(key.as_ptr(), null_mut()) };
        NonNull::new(context).map(Self).ok_or_else(|| OpError::new(ErrorStack::get()))
    }

    fn as_ptr(&self) -> *mut EVP_PKEY_CTX {
        self.0.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `of_key` or `Kem::with_key` and freed nowhere else.
        unsafe { openssl_sys::EVP_PKEY_CTX_free(self.as_ptr()) }
    }
}

/// The result of a call that returns 1 for success.
fn done(status: c_int) -> Result<(), OpError> {
    if status == 1 { Ok(()) } else { Err(OpError::new(ErrorStack::get())) }
}

/// A key pair's contexts, each initialised once, as in `openssl speed`.
pub struct Kem {
    generating: Context,
    encapsulating: Context,
    decapsulating: Context,
}

impl Kem {
    fn with_key(key: &PKey<Private>) -> Result<Self, OpError> {
        // SAFETY: makes a context of the default library context.
        let generating = unsafe {
            openssl_sys::EVP_PKEY_CTX_new_from_name(null_mut(), c"ML-KEM-768".as_ptr(), null())
        };
        let generating = NonNull::new(generating).map(Context);
        let generating = generating.ok_or_else(|| OpError::new(ErrorStack::get()))?;
        let (encapsulating, decapsulating) = (Context::of_key(key)?, Context::of_key(key)?);
        // SAFETY: the contexts live.
        unsafe {
            done(openssl_sys::EVP_PKEY_keygen_init(generating.as_ptr()))?;
            done(openssl_sys::EVP_PKEY_encapsulate_init(encapsulating.as_ptr(), null()))?;
            done(openssl_sys::EVP_PKEY_decapsulate_init(decapsulating.as_ptr(), null()))?;
        }
        Ok(Self { generating, encapsulating, decapsulating })
    }

    fn pair(&self) -> Result<PKey<Private>, OpError> {
        let mut key = null_mut();
        // SAFETY: the context was initialised for it; the key is then ours.
        unsafe {
            done(openssl_sys::EVP_PKEY_keygen(self.generating.as_ptr(), &raw mut key))?;
            Ok(PKey::from_ptr(key))
        }
    }

    /// The ciphertext for a random number that is given.
    pub fn encapsulate_with(&mut self, entropy: &[u8]) -> Result<Ciphertext, OpError> {
        let mut entropy = entropy.to_vec();
        // SAFETY: name and number outlive the parameters, which the call copies.
        unsafe {
            let parameters = [
                openssl_sys::OSSL_PARAM_construct_octet_string(
                    c"ikme".as_ptr(),
                    entropy.as_mut_ptr().cast(),
                    entropy.len(),
                ),
                openssl_sys::OSSL_PARAM_construct_end(),
            ];
            let context = self.encapsulating.as_ptr();
            done(openssl_sys::EVP_PKEY_encapsulate_init(context, parameters.as_ptr()))?;
        }
        let (mut ciphertext, mut secret) = ([0; _], [0; _]);
        kem::Kem::encapsulate(self, &mut ciphertext, &mut secret)?;
        Ok(ciphertext)
    }
}

impl kem::Kem for Kem {
    type Other = aws_lc::Kem;
    const OTHER: &'static str = "AWS-LC";

    fn new(_: &[u8], private: &[u8]) -> Result<Self, OpError> {
        let key = PKey::private_key_from_raw_bytes_ex(None, KeyType::ML_KEM_768, None, private);
        Self::with_key(&key.map_err(OpError::new)?)
    }

    fn generate(&mut self) -> Result<(), OpError> {
        self.pair().map(|_| ())
    }

    fn generated(&mut self) -> Result<(Self, Vec<u8>, Vec<u8>), OpError> {
        let key = self.pair()?;
        let public = key.raw_public_key().map_err(OpError::new)?;
        let private = key.raw_private_key().map_err(OpError::new)?;
        Ok((Self::with_key(&key)?, public, private))
    }

    fn encapsulate(
        &mut self,
        ciphertext: &mut Ciphertext,
        secret: &mut Secret,
    ) -> Result<(), OpError> {
        let (mut ciphertext_bytes, mut secret_bytes) = (ciphertext.len(), secret.len());
        // SAFETY: every buffer has the stated length.
        done(unsafe {
            openssl_sys::EVP_PKEY_encapsulate(
                self.encapsulating.as_ptr(),
                ciphertext.as_mut_ptr(),
                &raw mut ciphertext_bytes,
                secret.as_mut_ptr(),
                &raw mut secret_bytes,
            )
        })
    }

    fn decapsulate(&mut self, ciphertext: &Ciphertext, secret: &mut Secret) -> Result<(), OpError> {
        let mut secret_bytes = secret.len();
        // SAFETY: every buffer has the stated length.
        done(unsafe {
            openssl_sys::EVP_PKEY_decapsulate(
                self.decapsulating.as_ptr(),
                secret.as_mut_ptr(),
                &raw mut secret_bytes,
                ciphertext.as_ptr(),
                ciphertext.len(),
            )
        })
    }
}
