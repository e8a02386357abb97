//! Signatures by OpenSSL's EVP interface, the operations of `openssl speed`: a context initialised
//! once for a fixed key, then one `EVP_PKEY_sign` or `EVP_PKEY_verify` an op.

use openssl::bn::{BigNum, BigNumContext};
use openssl::ec::{EcGroup, EcKey, EcPoint};
use openssl::error::ErrorStack;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use serde::Deserialize;
use sizeup_kit::{Kind, OpError, Setting, Work, WorkerError};

/// As long as an MD5 and a SHA-1 together: what `openssl speed` signs with RSA, without a digest set.
pub const RSA_MESSAGE: [u8; 36] = *b"sizeup signs these thirty-six bytes.";
/// As long as a SHA-1: what `openssl speed` signs with ECDSA.
pub const ECDSA_MESSAGE: [u8; 20] = *b"sizeup signs twenty.";

/// The private key of RFC 6979, A.2.5.
pub const ECDSA_P256_KEY: &str = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
/// Made once for this purpose by `openssl genpkey`; they protect nothing.
const RSA_2048_KEY: &[u8] = include_bytes!("../keys/rsa2048.pem");
const RSA_3072_KEY: &[u8] = include_bytes!("../keys/rsa3072.pem");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RsaParameters {
    bits: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

type Setup = Result<Box<dyn Work>, WorkerError>;

pub fn ecdsa_p256_sign(setting: &Setting) -> Setup {
    let NoParameters {} = setting.parameters()?;
    boxed(p256_key(ECDSA_P256_KEY).and_then(|key| Sign::new(&key, &ECDSA_MESSAGE)))
}

pub fn ecdsa_p256_verify(setting: &Setting) -> Setup {
    let NoParameters {} = setting.parameters()?;
    boxed(p256_key(ECDSA_P256_KEY).and_then(|key| Verify::new(&key, &ECDSA_MESSAGE)))
}

pub fn rsa_sign(setting: &Setting) -> Setup {
    boxed(Sign::new(&rsa_key(setting)?, &RSA_MESSAGE))
}

pub fn rsa_verify(setting: &Setting) -> Setup {
    boxed(Verify::new(&rsa_key(setting)?, &RSA_MESSAGE))
}

fn boxed<W: Work + 'static>(work: Result<W, ErrorStack>) -> Setup {
    work.map(|work| Box::new(work) as Box<dyn Work>).map_err(|e| OpError::new(e).into())
}

/// The key on P-256 of a private number in hex.
pub fn p256_key(private: &str) -> Result<PKey<Private>, ErrorStack> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1)?;
    let private = BigNum::from_hex_str(private)?;
    let mut public = EcPoint::new(&group)?;
    public.mul_generator2(&group, &private, &mut *BigNumContext::new()?)?;
    PKey::from_ec_key(EcKey::from_private_components(&group, &private, &public)?)
}

/// The key of as many bits as the parameters ask for.
pub fn rsa_key(setting: &Setting) -> Result<PKey<Private>, WorkerError> {
    let RsaParameters { bits } = setting.parameters()?;
    let pem = match bits {
        2048 => RSA_2048_KEY,
        3072 => RSA_3072_KEY,
        _ => {
            return Err(WorkerError::new(Kind::BadRequest, format!("no RSA key of {bits} bits")));
        }
    };
    PKey::private_key_from_pem(pem).map_err(|e| OpError::new(e).into())
}

/// One op is one signature of a fixed message.
struct Sign {
    signer: PkeyCtx<Private>,
    verifier: PkeyCtx<Private>,
    message: &'static [u8],
    signature: Vec<u8>,
}

impl Sign {
    fn new(key: &PKey<Private>, message: &'static [u8]) -> Result<Self, ErrorStack> {
        let mut signer = PkeyCtx::new(key)?;
        signer.sign_init()?;
        let mut verifier = PkeyCtx::new(key)?;
        verifier.verify_init()?;
        let signature = vec![0; signer.sign(message, None)?];
        Ok(Self { signer, verifier, message, signature })
    }

    fn sign(&mut self) -> Result<usize, OpError> {
        self.signer.sign(self.message, Some(&mut self.signature)).map_err(OpError::new)
    }
}

impl Work for Sign {
    fn op(&mut self) -> Result<(), OpError> {
        self.sign().map(|_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        // A signature of an earlier op would be accepted, too.
        self.signature.fill(0);
        let length = self.sign()?;
        Ok(self.signature[..length].to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match self.verifier.verify(self.message, output) {
            Ok(true) => Ok(()),
            Ok(false) => Err("the public key does not accept the signature".to_owned()),
            Err(e) => Err(format!("the public key does not accept the signature: {e}")),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// One op is one verification of a good signature of a fixed message.
struct Verify {
    verifier: PkeyCtx<Private>,
    message: &'static [u8],
    good: Vec<u8>,
    bad: Vec<u8>,
}

impl Verify {
    fn new(key: &PKey<Private>, message: &'static [u8]) -> Result<Self, ErrorStack> {
        let mut signer = PkeyCtx::new(key)?;
        signer.sign_init()?;
        let mut good = Vec::new();
        signer.sign_to_vec(message, &mut good)?;
        // A bad one of the right form: the last bit is in the number s of ECDSA, or in RSA's power.
        let mut bad = good.clone();
        if let Some(last) = bad.last_mut() {
            *last ^= 1;
        }
        let mut verifier = PkeyCtx::new(key)?;
        verifier.verify_init()?;
        Ok(Self { verifier, message, good, bad })
    }
}

impl Work for Verify {
    fn op(&mut self) -> Result<(), OpError> {
        match self.verifier.verify(self.message, &self.good) {
            Ok(true) => Ok(()),
            Ok(false) => Err(OpError::new("a good signature was refused")),
            Err(e) => Err(OpError::new(e)),
        }
    }

    /// The verdicts on the good and on the bad signature, as bytes.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        // OpenSSL reports a bad signature as a refusal or as an error, as the padding falls.
        let mut verdict =
            |signature| u8::from(self.verifier.verify(self.message, signature).unwrap_or(false));
        Ok(vec![verdict(&self.good), verdict(&self.bad)])
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output {
            [1, 0] => Ok(()),
            [good, bad] => Err(format!(
                "verdicts (1 accepts) are {good} on a good and {bad} on a bad signature"
            )),
            _ => Err("there are not two verdicts".to_owned()),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
