//! ring: digests and signatures. It hashes what it signs, and prepares a public key anew in each verification. Its records
//! are shared.

use super::digest::{Hash, LONGEST, SecondWay, whole};
use super::openssl;
use super::signature::{Algorithm as SignatureAlgorithm, Signature};
use ring::digest;
use ring::rand::SystemRandom;
use ring::signature::{
    self, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RsaKeyPair,
    UnparsedPublicKey, VerificationAlgorithm,
};
use sizeup_kit::OpError;

/// A hash function.
pub struct Digester(&'static digest::Algorithm);

impl Hash for Digester {
    type Algorithm = &'static digest::Algorithm;
    const ALGORITHMS: &'static [(&'static str, Self::Algorithm)] = &[
        ("sha-1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
        ("sha-256", &digest::SHA256),
        ("sha-512", &digest::SHA512),
    ];
    const SECOND_WAY: SecondWay =
        SecondWay { digest: whole::<openssl::Digester>, verified: "the digest matches OpenSSL's" };

    fn new(algorithm: Self::Algorithm) -> Result<Self, OpError> {
        Ok(Self(algorithm))
    }

    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError> {
        let made = digest::digest(self.0, message);
        let made = made.as_ref();
        digest[..made.len()].copy_from_slice(made);
        Ok(made.len())
    }
}

enum PrivateKey {
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(RsaKeyPair),
}

/// A key pair, with random numbers from the system's generator.
pub struct Signer {
    private: PrivateKey,
    public: UnparsedPublicKey<Vec<u8>>,
    random: SystemRandom,
}

impl Signer {
    fn of(private: PrivateKey, public: &[u8], form: &'static dyn VerificationAlgorithm) -> Self {
        let public = UnparsedPublicKey::new(form, public.to_vec());
        Self { private, public, random: SystemRandom::new() }
    }

    fn ecdsa(
        private_key: &[u8],
        signing: &'static EcdsaSigningAlgorithm,
        verifying: &'static dyn VerificationAlgorithm,
    ) -> Result<Self, OpError> {
        let pair = EcdsaKeyPair::from_pkcs8(signing, private_key, &SystemRandom::new());
        let pair = pair.map_err(OpError::new)?;
        let public = pair.public_key().as_ref().to_vec();
        Ok(Self::of(PrivateKey::Ecdsa(pair), &public, verifying))
    }
}

impl Signature for Signer {
    const HASHES: bool = true;
    const ALGORITHMS: &'static [(&'static str, SignatureAlgorithm)] =
        &[("ecdsa-p384", SignatureAlgorithm::EcdsaP384), ("ed25519", SignatureAlgorithm::Ed25519)];

    fn new(algorithm: SignatureAlgorithm, private_key: &[u8]) -> Result<Self, OpError> {
        match algorithm {
            SignatureAlgorithm::EcdsaP256 => Self::ecdsa(
                private_key,
                &signature::ECDSA_P256_SHA256_ASN1_SIGNING,
                &signature::ECDSA_P256_SHA256_ASN1,
            ),
            SignatureAlgorithm::EcdsaP384 => Self::ecdsa(
                private_key,
                &signature::ECDSA_P384_SHA384_ASN1_SIGNING,
                &signature::ECDSA_P384_SHA384_ASN1,
            ),
            SignatureAlgorithm::Ed25519 => {
                // The key's PKCS #8 has no public part, which this accepts.
                let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(private_key);
                let pair = pair.map_err(OpError::new)?;
                let public = pair.public_key().as_ref().to_vec();
                Ok(Self::of(PrivateKey::Ed25519(pair), &public, &signature::ED25519))
            }
            SignatureAlgorithm::Rsa => {
                let pair = RsaKeyPair::from_pkcs8(private_key).map_err(OpError::new)?;
                let public = pair.public_key().as_ref().to_vec();
                let verifying = &signature::RSA_PKCS1_2048_8192_SHA256;
                Ok(Self::of(PrivateKey::Rsa(pair), &public, verifying))
            }
            SignatureAlgorithm::MlDsa65 | SignatureAlgorithm::SlhDsaSha2128f => {
                Err(OpError::new(format!("ring has no {algorithm:?}")))
            }
        }
    }

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, OpError> {
        match &self.private {
            PrivateKey::Ecdsa(pair) => {
                let made = pair.sign(&self.random, message).map_err(OpError::new)?;
                let made = made.as_ref();
                signature[..made.len()].copy_from_slice(made);
                Ok(made.len())
            }
            PrivateKey::Ed25519(pair) => {
                let made = pair.sign(message);
                let made = made.as_ref();
                signature[..made.len()].copy_from_slice(made);
                Ok(made.len())
            }
            PrivateKey::Rsa(pair) => {
                let padding = &signature::RSA_PKCS1_SHA256;
                let signature = &mut signature[..pair.public().modulus_len()];
                pair.sign(padding, &self.random, message, signature).map_err(OpError::new)?;
                Ok(signature.len())
            }
        }
    }

    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), OpError> {
        self.public.verify(message, signature).map_err(OpError::new)
    }
}
