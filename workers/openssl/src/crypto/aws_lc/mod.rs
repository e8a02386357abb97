//! AWS-LC's EVP interface. Its records are shared.

mod agreement;
mod digest;
mod kem;
mod key;

pub use agreement::Agreement;
pub use digest::Digester;
pub use kem::Kem;
pub use key::Signer;
pub use sizeup_cryptography::aws_lc::{Sealer, failure};
