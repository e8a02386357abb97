//! The worker for xxHash. It is a separate binary because LZ4 contains an older xxHash with the same symbols: a
//! linker given both silently resolves one to the other, or fails.

use sizeup_compression::checksum;
use sizeup_kit::{Libraries, Operation, Paths, Worker};
use std::process::ExitCode;
use std::slice::Chunks;
use xxhash_c_sys as ffi;

/// XXH3 of the message without a seed; computed by zeebo/xxh3 in Go and by the crate xxhash-rust.
const KNOWN_XXH3: u64 = 0xfe7b_3f60_1e01_d29d;
/// XXH64 of the message without a seed; computed by its definition in Python.
const KNOWN_XXH64: u64 = 0x5fde_207e_11bc_cdca;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "xxhash",
        operations: operations(),
        libraries: || Libraries::from([("xxhash".to_owned(), version())]),
        paths,
        self_test,
    })
}

fn operations() -> Vec<Operation> {
    let operation =
        |name, setup| Operation::new(name, "xxhash", setup).takes([checksum::MESSAGE_BYTES]);
    vec![
        operation("xxh3", |setting| checksum::work(setting, xxh3, xxh3_in_pieces, KNOWN_XXH3)),
        operation("xxh64", |setting| checksum::work(setting, xxh64, xxh64_in_pieces, KNOWN_XXH64)),
    ]
}

/// XXH3, 64 bits, without a seed.
fn xxh3(message: &[u8]) -> u64 {
    // SAFETY: the pointer and the length describe the slice.
    unsafe { ffi::XXH3_64bits(message.as_ptr().cast(), message.len()) }
}

/// XXH64, without a seed.
fn xxh64(message: &[u8]) -> u64 {
    // SAFETY: the pointer and the length describe the slice.
    unsafe { ffi::XXH64(message.as_ptr().cast(), message.len(), 0) }
}

/// XXH3 of a message in pieces.
fn xxh3_in_pieces(pieces: Chunks<u8>) -> u64 {
    // SAFETY: the state is made, used and freed here; pointers and lengths describe the pieces. Without memory for a
    // state the reset fails.
    unsafe {
        let state = ffi::XXH3_createState();
        assert_eq!(ffi::XXH3_64bits_reset(state), ffi::XXH_errorcode_XXH_OK, "cannot begin XXH3");
        for piece in pieces {
            ffi::XXH3_64bits_update(state, piece.as_ptr().cast(), piece.len());
        }
        let hash = ffi::XXH3_64bits_digest(state);
        ffi::XXH3_freeState(state);
        hash
    }
}

/// XXH64 of a message in pieces.
fn xxh64_in_pieces(pieces: Chunks<u8>) -> u64 {
    // SAFETY: as above.
    unsafe {
        let state = ffi::XXH64_createState();
        assert_eq!(ffi::XXH64_reset(state, 0), ffi::XXH_errorcode_XXH_OK, "cannot begin XXH64");
        for piece in pieces {
            ffi::XXH64_update(state, piece.as_ptr().cast(), piece.len());
        }
        let hash = ffi::XXH64_digest(state);
        ffi::XXH64_freeState(state);
        hash
    }
}

/// The version as the library reports it, `major.minor.patch`.
fn version() -> String {
    // SAFETY: only returns a constant.
    let number = unsafe { ffi::XXH_versionNumber() };
    format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100)
}

/// The path that xxhash.h uses unless the compiler targets a later CPU: there is no detection at run time.
fn paths() -> Paths {
    let path = if cfg!(target_arch = "aarch64") { "NEON" } else { "SSE2" };
    Paths::from([("xxhash".to_owned(), path.to_owned())])
}

/// Proves that xxHash is linked and not LZ4's copy: its version, and XXH3 of nothing, which the older one does not
/// have.
fn self_test() -> Result<(), String> {
    let headers = format!(
        "{}.{}.{}",
        ffi::XXH_VERSION_MAJOR,
        ffi::XXH_VERSION_MINOR,
        ffi::XXH_VERSION_RELEASE
    );
    if version() != headers {
        return Err(format!("xxHash reports version {}; its headers are {headers}", version()));
    }
    // From xxHash's own test vectors: XXH3 of the empty message, seed 0.
    match xxh3(&[]) {
        0x2d06_8005_38d3_94c2 => Ok(()),
        other => Err(format!("XXH3 of nothing is {other:016x}, not 2d06800538d394c2")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::proof::set_up;

    #[test]
    fn a_mistake_is_found_in_messages_with_and_without_a_known_answer() {
        for operation in operations() {
            for bytes in [1, 5_000, 65_536] {
                let parameters = format!(r#"{{"message_bytes":{bytes}}}"#);
                let mut work = set_up(&operation, &parameters, &[]).unwrap();
                let mut output = work.output().unwrap();
                assert_eq!(work.check(&output), Ok(()), "{bytes}");
                output[4] ^= 1;
                assert!(work.check(&output).is_err(), "{bytes}");
            }
        }
    }
}
