//! Where targets write.

use std::path::Path;
use tempfile::TempDir;

/// A temporary folder, in memory where there is such a file system: run files are synced to a disk, and a target that writes
/// hundreds of them would wait for that most of its time.
///
/// # Panics
/// When none can be made.
pub fn folder() -> TempDir {
    let in_memory = TempDir::new_in(Path::new("/dev/shm"));
    in_memory.or_else(|_| TempDir::new()).expect("a temporary folder")
}
