//! Identifies this boot of this machine.

use super::files::Files;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Bytes of a digest that are kept: enough to distinguish the hosts of a study.
const KEPT_BYTES: usize = 6;

/// Identifies this boot of this machine, in hex: a digest of the kernel's random boot ID, which identifies nobody and
/// ends with the boot. `None` where the kernel does not report it.
pub fn boot(root: &Path) -> Option<String> {
    let id = Files::new(root).value("/proc/sys/kernel/random/boot_id").ok()?;
    let digest = Sha256::digest(format!("sizeup boot {id}"));
    Some(HEXLOWER.encode(&digest[..KEPT_BYTES]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boot_has_a_digest_that_does_not_hold_its_number() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(boot(root.path()), None);
        let folder = root.path().join("proc/sys/kernel/random");
        std::fs::create_dir_all(&folder).unwrap();
        let identify = |id: &str| {
            std::fs::write(folder.join("boot_id"), format!("{id}\n")).unwrap();
            boot(root.path()).unwrap()
        };
        let (one, other) = (
            identify("7c7b7a79-0000-4000-8000-000000000001"),
            identify("7c7b7a79-0000-4000-8000-000000000002"),
        );
        assert_eq!((one.len(), one == other), (12, false));
        assert!(!one.contains("7c7b7a79"));
    }
}
