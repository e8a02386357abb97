//! zlib and zlib-ng: two libraries in one program. zlib-ng's own interface has names that begin with `zng_`, so
//! neither can be linked in the other's place.

use sizeup_compression::gzip::{Deflater, Inflater};
use sizeup_compression::{Zlib as Interface, there_and_back, zlib_interface};
use sizeup_kit::fingerprint;

zlib_interface!(Zlib, "zlib", libz_sys);
zlib_interface!(ZlibNg, "zlib-ng", libz_ng_sys);

/// Proves that both are the expected ones: their versions, and their streams for a known text.
pub fn self_test() -> Result<(), String> {
    known::<Zlib>(
        env!("SIZEUP_ZLIB_HEADERS"),
        "57928342aa5405bebab942ea8784f03f5311243f1a45c9cf14fbbf6ef369734b",
    )?;
    known::<ZlibNg>(
        env!("SIZEUP_ZLIB_NG_HEADERS"),
        "103498ecd813ec73dc7ff40eb0adae8dacb134c1a49f60125673eaf767220efb",
    )
}

fn known<Z: Interface>(headers: &str, digest: &str) -> Result<(), String> {
    let (name, version) = (Z::NAME, Z::version());
    if version != headers {
        return Err(format!("{name} reports version {version}; its headers are {headers}"));
    }
    let mut deflater = Deflater::<Z>::new(6);
    let mut inflater = Inflater::<Z>::new();
    let stream = there_and_back(&mut deflater, &mut inflater, &fingerprint::sample())
        .map_err(|e| format!("{name}: {e}"))?;
    fingerprint::expect(&format!("{name} 6"), &stream, digest)
}
