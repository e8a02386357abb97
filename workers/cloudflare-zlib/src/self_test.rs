//! Which library is linked.

use crate::CloudflareZlib;
use sizeup_compression::gzip::{Deflater, Inflater};
use sizeup_compression::{Zlib, there_and_back};

/// Proves that Cloudflare's fork is linked: it reports 1.2.8, the version it forked from, and its output for a known
/// text differs from zlib's (the fork looks for matches of four bytes, zlib for three).
pub fn self_test() -> Result<(), String> {
    let version = CloudflareZlib::version();
    if version != "1.2.8" {
        return Err(format!("the library reports zlib {version}; Cloudflare's fork reports 1.2.8"));
    }
    let mut deflater = Deflater::<CloudflareZlib>::new(6);
    let stream = there_and_back(&mut deflater, &mut Inflater::<CloudflareZlib>::new(), &sample())?;
    if stream.len() != SAMPLE_BYTES_LEVEL_6 {
        return Err(format!(
            "a known text becomes {} bytes, with Cloudflare's fork it becomes {SAMPLE_BYTES_LEVEL_6}",
            stream.len()
        ));
    }
    Ok(())
}

/// The fork's output for [`sample`] at level 6; zlib 1.2.13 produces 1,402 bytes.
const SAMPLE_BYTES_LEVEL_6: usize = 1454;

/// A text full of three-byte matches, which zlib uses and the fork does not.
fn sample() -> Vec<u8> {
    let mut state = 1_u32;
    let mut text = Vec::new();
    for _ in 0..1000 {
        // The "minimal standard" generator of Park and Miller.
        state = u32::try_from(u64::from(state) * 48_271 % 2_147_483_647).unwrap_or(1);
        text.extend_from_slice(&[b"abc", b"xyz", b"mno", b"klp"][state as usize % 4][..]);
        text.push(b'A' + u8::try_from(state / 7 % 26).unwrap_or(0));
    }
    text
}
