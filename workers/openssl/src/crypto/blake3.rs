//! BLAKE3 by its authors' crate, on one thread: the crate's Rust over its assembly, or over its C on aarch64.

use super::digest::{Hash, LONGEST, SecondWay};
use sizeup_kit::OpError;
use sizeup_kit::fingerprint;

/// The digest of [`fingerprint::sample`] as Go's zeebo/blake3 makes it.
const SAMPLE_DIGEST: &str = "574c48a05e3dfc873b0e3099b93c894ec92a8997849252febdbf90328c24671e";

/// The implementation it chose for this CPU. The crate offers this function to benchmarks only, so it is
/// undocumented.
pub fn path() -> String {
    format!("{:?}", blake3::platform::Platform::detect())
}

/// Proves that BLAKE3 is linked: no other function makes this digest.
pub fn self_test() -> Result<(), String> {
    let digest = blake3::hash(&fingerprint::sample()).to_hex();
    if digest.as_str() == SAMPLE_DIGEST {
        Ok(())
    } else {
        Err(format!("BLAKE3 of the sample is {digest}, not {SAMPLE_DIGEST}"))
    }
}

/// The function without a key.
pub struct Digester;

impl Hash for Digester {
    type Algorithm = ();
    const ALGORITHMS: &'static [(&'static str, ())] = &[("blake3", ())];
    const SECOND_WAY: SecondWay = SecondWay {
        digest: |_, message| Ok(in_pieces(message)),
        verified: "the digest matches that of the message in pieces",
    };

    fn new((): ()) -> Result<Self, OpError> {
        Ok(Self)
    }

    fn digest(&mut self, message: &[u8], digest: &mut [u8; LONGEST]) -> Result<usize, OpError> {
        let made = blake3::hash(message);
        digest[..blake3::OUT_LEN].copy_from_slice(made.as_bytes());
        Ok(blake3::OUT_LEN)
    }
}

/// The digest of a message in pieces, which end anywhere in the blocks of its tree.
fn in_pieces(message: &[u8]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for piece in message.chunks(1_000) {
        hasher.update(piece);
    }
    hasher.finalize().as_bytes().to_vec()
}
