//! ML-KEM-768 (FIPS 203): key pairs, and secrets to and from a fixed one. The second library is AWS-LC for OpenSSL and
//! OpenSSL for AWS-LC.

use super::{openssl, pkcs8};
use ::openssl::hash::{MessageDigest, hash};
use ::openssl::pkey::PKey;
use data_encoding::HEXLOWER;
use sizeup_cryptography::counting;
use sizeup_kit::{Kind, OpError, Operation, Setting, Work, WorkerError};

/// An encapsulation key.
pub const PUBLIC_BYTES: usize = 1184;
/// A decapsulation key: the vector s, the encapsulation key, its hash, and a secret for what is refused.
pub const PRIVATE_BYTES: usize = 2400;
pub const CIPHERTEXT_BYTES: usize = 1088;
pub const SECRET_BYTES: usize = 32;
/// Where the decapsulation key has the encapsulation key, and that one's hash.
const PUBLIC_AT: usize = 1152;
const HASH_AT: usize = PUBLIC_AT + PUBLIC_BYTES;

/// For the fixed key pair; the random number of the fixed ciphertext has `ENTROPY_BYTES`. Both are counting bytes.
const SEED_BYTES: usize = 64;
const ENTROPY_BYTES: usize = 32;

// Made by Go's crypto/mlkem and crypto/mlkem/mlkemtest from that seed and that number.
const PUBLIC_SHA256: &str = "0b7934c83125c788995e2ba6bd761e33046b3e40571be53e023309a29f398cc9";
const CIPHERTEXT_SHA256: &str = "39826fe40dc54a3fef68b7c228ed8fb22931012b6fa3bd3e7f204d54db0ac1e1";
const SECRET: &str = "42f558b0bc5d700a911b0fc67f62376f7aee4667f1969e03f18bdfdf3c59fbdc";

pub type Secret = [u8; SECRET_BYTES];
pub type Ciphertext = [u8; CIPHERTEXT_BYTES];

/// A library with a key pair.
pub trait Kem: Sized + 'static {
    type Other: Kem;
    /// The second library.
    const OTHER: &'static str;

    /// From a pair in the forms of FIPS 203.
    fn new(public: &[u8], private: &[u8]) -> Result<Self, OpError>;

    /// Makes a pair and frees it.
    fn generate(&mut self) -> Result<(), OpError>;

    /// Makes a pair: the library's own, and in the forms of FIPS 203.
    fn generated(&mut self) -> Result<(Self, Vec<u8>, Vec<u8>), OpError>;

    fn encapsulate(
        &mut self,
        ciphertext: &mut Ciphertext,
        secret: &mut Secret,
    ) -> Result<(), OpError>;

    fn decapsulate(&mut self, ciphertext: &Ciphertext, secret: &mut Secret) -> Result<(), OpError>;
}

pub fn operations<K: Kem>(implementation: &'static str) -> Vec<Operation> {
    let operation = |name, setup| Operation::new(name, implementation, setup);
    vec![
        operation("mlkem768-keygen", keygen::<K>),
        operation("mlkem768-encaps", encaps::<K>),
        operation("mlkem768-decaps", decaps::<K>),
    ]
}

type Setup = Result<Box<dyn Work>, WorkerError>;

/// The fixed pair in the forms of FIPS 203.
fn fixed() -> Result<(Vec<u8>, Vec<u8>), WorkerError> {
    let key = PKey::private_key_from_pkcs8(&pkcs8::ml_kem_768(&counting(SEED_BYTES)));
    let key = key.map_err(OpError::new)?;
    let public = key.raw_public_key().map_err(OpError::new)?;
    let private = key.raw_private_key().map_err(OpError::new)?;
    expect("encapsulation key", &public, PUBLIC_SHA256)?;
    Ok((public, private))
}

/// The fixed pair in a library, and in the second one.
fn both<K: Kem>() -> Result<(K, K::Other), WorkerError> {
    let (public, private) = fixed()?;
    Ok((K::new(&public, &private)?, K::Other::new(&public, &private)?))
}

fn expect(what: &str, bytes: &[u8], sha256: &str) -> Result<(), WorkerError> {
    let digest = hash(MessageDigest::sha256(), bytes).map_err(OpError::new)?;
    if HEXLOWER.encode(&digest) == sha256 {
        return Ok(());
    }
    Err(WorkerError::new(Kind::WrongAnswer, format!("OpenSSL's {what} is not the known one")))
}

fn keygen<K: Kem>(_: &Setting) -> Setup {
    Ok(Box::new(Keygen { library: both::<K>()?.0, made: None }))
}

fn encaps<K: Kem>(_: &Setting) -> Setup {
    let (library, other) = both::<K>()?;
    Ok(Box::new(Encaps { library, other, ciphertext: [0; _], secret: [0; _] }))
}

fn decaps<K: Kem>(_: &Setting) -> Setup {
    let (public, private) = fixed()?;
    let mut openssl = openssl::Kem::new(&public, &private)?;
    let ciphertext = openssl.encapsulate_with(&counting(ENTROPY_BYTES))?;
    expect("ciphertext", &ciphertext, CIPHERTEXT_SHA256)?;
    Ok(Box::new(Decaps { library: K::new(&public, &private)?, ciphertext, secret: [0; _] }))
}

/// One op is a key pair, made and freed.
struct Keygen<K> {
    library: K,
    /// The pair whose bytes are checked.
    made: Option<K>,
}

impl<K: Kem> Work for Keygen<K> {
    fn op(&mut self) -> Result<(), OpError> {
        self.library.generate()
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let (made, public, private) = self.library.generated()?;
        self.made = Some(made);
        Ok([public, private].concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let made = self.made.as_mut().ok_or("no pair was made")?;
        let failed = |e: OpError| format!("the pair can't be used: {e}");
        if output.len() != PUBLIC_BYTES + PRIVATE_BYTES {
            return Err(format!("the pair has {} bytes", output.len()));
        }
        let (public, private) = output.split_at(PUBLIC_BYTES);
        let digest = hash(MessageDigest::sha3_256(), public).map_err(|e| e.to_string())?;
        if private[PUBLIC_AT..HASH_AT] != *public
            || private[HASH_AT..HASH_AT + digest.len()] != *digest
        {
            return Err("the decapsulation key has another encapsulation key".to_owned());
        }
        let mut other = K::Other::new(public, private).map_err(failed)?;
        let (mut ciphertext, mut sent) = ([0; CIPHERTEXT_BYTES], [0; SECRET_BYTES]);
        other.encapsulate(&mut ciphertext, &mut sent).map_err(failed)?;
        // The second time with a ciphertext that nobody made: the secret is then that of the decapsulation key's last
        // part, which nothing else shows.
        for is_good in [true, false] {
            ciphertext[0] ^= u8::from(!is_good);
            let (mut ours, mut theirs) = ([0; SECRET_BYTES], [0; SECRET_BYTES]);
            made.decapsulate(&ciphertext, &mut ours).map_err(failed)?;
            other.decapsulate(&ciphertext, &mut theirs).map_err(failed)?;
            if ours != theirs || (ours == sent) != is_good {
                return Err(format!("{} derives another secret with the pair", K::OTHER));
            }
        }
        Ok(())
    }

    fn verified(&self) -> &'static str {
        "a second library derives the same secrets with the pair"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// One op is one secret for the fixed key, and its ciphertext.
struct Encaps<K: Kem> {
    library: K,
    other: K::Other,
    ciphertext: Ciphertext,
    secret: Secret,
}

impl<K: Kem> Work for Encaps<K> {
    fn op(&mut self) -> Result<(), OpError> {
        self.library.encapsulate(&mut self.ciphertext, &mut self.secret)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.ciphertext.fill(0);
        self.secret.fill(0);
        self.op()?;
        Ok([&self.ciphertext[..], &self.secret].concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let (ciphertext, sent) = output.split_at(output.len() - SECRET_BYTES);
        let ciphertext = ciphertext.try_into().map_err(|_| "the ciphertext has another length")?;
        let mut secret = [0; SECRET_BYTES];
        self.other
            .decapsulate(ciphertext, &mut secret)
            .map_err(|e| format!("{} can't derive the secret: {e}", K::OTHER))?;
        if secret == sent { Ok(()) } else { Err(format!("{} derives another secret", K::OTHER)) }
    }

    fn verified(&self) -> &'static str {
        "a second library derives the same secret"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// One op is the secret of a fixed ciphertext.
struct Decaps<K> {
    library: K,
    ciphertext: Ciphertext,
    secret: Secret,
}

impl<K: Kem> Work for Decaps<K> {
    fn op(&mut self) -> Result<(), OpError> {
        self.library.decapsulate(&self.ciphertext, &mut self.secret)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.secret.fill(0);
        self.op()?;
        Ok(self.secret.to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let secret = HEXLOWER.encode(output);
        if secret == SECRET { Ok(()) } else { Err(format!("the secret is {secret}, not {SECRET}")) }
    }

    fn verified(&self) -> &'static str {
        "the secret matches the known answer"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
