//! The library's calls, made safe: a gzip stream in, a gzip stream out, and who answers.

use cloudflare_zlib_sys as ffi;
use sizeup_kit::OpError;
use std::ffi::CStr;
use std::mem::MaybeUninit;

/// Room for the compressor's output, emptied as often as it fills.
pub const BUFFER_BYTES: usize = 32 * 1024;
/// A window of 2^15 bytes, and 16 more for a gzip header and trailer.
const WINDOW_BITS_GZIP: i32 = 15 + 16;
/// The default.
const MEM_LEVEL: i32 = 8;

/// The version as the library reports it. The fork has kept the number that it began with.
pub fn version() -> String {
    // SAFETY: zlibVersion returns a static text.
    unsafe { CStr::from_ptr(ffi::zlibVersion()) }.to_string_lossy().into_owned()
}

/// Proves that Cloudflare's fork answers: it says 1.2.8, and what it makes of a known text is not
/// what zlib makes of it (the fork looks for matches of four bytes, zlib for three).
pub fn self_test() -> Result<(), String> {
    let version = version();
    if version != "1.2.8" {
        return Err(format!("the library says that it is zlib {version}, Cloudflare's says 1.2.8"));
    }
    let text = sample();
    let mut stream = Vec::new();
    compress(&text, 6, &mut vec![0; BUFFER_BYTES], |piece| stream.extend_from_slice(piece))
        .map_err(|e| format!("a known text does not compress: {e}"))?;
    match decompress(&stream, text.len()) {
        Ok(back) if back == text => {}
        _ => return Err("a known text does not come back".to_owned()),
    }
    if stream.len() != SAMPLE_BYTES_LEVEL_6 {
        return Err(format!(
            "a known text becomes {} bytes, with Cloudflare's fork it becomes {SAMPLE_BYTES_LEVEL_6}",
            stream.len()
        ));
    }
    Ok(())
}

/// What the fork makes of [`sample`] at level 6; zlib 1.2.13 makes 1,402 of it.
const SAMPLE_BYTES_LEVEL_6: usize = 1454;

/// A text full of matches of three bytes, which zlib takes and the fork doesn't.
fn sample() -> Vec<u8> {
    let mut state = 1_u32;
    let mut text = Vec::new();
    for _ in 0..1000 {
        // Numbers of the "minimal standard" generator of Park and Miller.
        state = u32::try_from(u64::from(state) * 48_271 % 2_147_483_647).unwrap_or(1);
        text.extend_from_slice(&[b"abc", b"xyz", b"mno", b"klp"][state as usize % 4][..]);
        text.push(b'A' + u8::try_from(state / 7 % 26).unwrap_or(0));
    }
    text
}

/// A stream that is ended whatever happens.
struct Deflate(ffi::z_stream);

impl Drop for Deflate {
    fn drop(&mut self) {
        // SAFETY: ended once; of a stream that was never initialised the library makes nothing.
        unsafe { ffi::deflateEnd(&raw mut self.0) };
    }
}

/// A page through a new compressor; `take` gets each piece of the stream.
pub fn compress(
    page: &[u8],
    level: u8,
    buffer: &mut [u8],
    mut take: impl FnMut(&[u8]),
) -> Result<(), OpError> {
    // SAFETY: zeros mean malloc, free and no input, as zlib.h says. The stream is initialised where
    // it stays: the library remembers its address.
    let mut stream = Deflate(unsafe { MaybeUninit::<ffi::z_stream>::zeroed().assume_init() });
    // SAFETY: the stream is zeroed and outlives the call.
    let status = unsafe {
        ffi::deflateInit2(
            &raw mut stream.0,
            level.into(),
            ffi::Z_DEFLATED,
            WINDOW_BITS_GZIP,
            MEM_LEVEL,
            ffi::Z_DEFAULT_STRATEGY,
        )
    };
    if status != ffi::Z_OK {
        return Err(failed("deflateInit2", status));
    }
    stream.0.next_in = page.as_ptr().cast_mut();
    stream.0.avail_in = u32::try_from(page.len()).map_err(OpError::new)?;
    loop {
        stream.0.next_out = buffer.as_mut_ptr();
        stream.0.avail_out = u32::try_from(buffer.len()).map_err(OpError::new)?;
        // SAFETY: next_in and next_out describe the rest of the page and the whole buffer.
        let status = unsafe { ffi::deflate(&raw mut stream.0, ffi::Z_FINISH) };
        take(&buffer[..buffer.len() - stream.0.avail_out as usize]);
        match status {
            ffi::Z_STREAM_END => return Ok(()),
            ffi::Z_OK => {}
            _ => return Err(failed("deflate", status)),
        }
    }
}

/// The text that a gzip stream stands for, if it is a whole stream of at most `bytes` bytes.
pub fn decompress(stream: &[u8], bytes: usize) -> Result<Vec<u8>, String> {
    let mut text = vec![0; bytes];
    // SAFETY: zeros mean malloc, free and no input; the pointers describe the two slices, which
    // outlive the stream; inflateEnd follows a successful inflateInit2 on every path.
    unsafe {
        let mut z = MaybeUninit::<ffi::z_stream>::zeroed().assume_init();
        z.next_in = stream.as_ptr().cast_mut();
        z.avail_in = u32::try_from(stream.len()).map_err(|e| e.to_string())?;
        z.next_out = text.as_mut_ptr();
        z.avail_out = u32::try_from(bytes).map_err(|e| e.to_string())?;
        let status = ffi::inflateInit2(&raw mut z, WINDOW_BITS_GZIP);
        if status != ffi::Z_OK {
            return Err(format!("inflateInit2 returned {status}"));
        }
        let status = ffi::inflate(&raw mut z, ffi::Z_FINISH);
        let left = (z.avail_in, z.avail_out as usize);
        ffi::inflateEnd(&raw mut z);
        if status != ffi::Z_STREAM_END || left.0 != 0 {
            return Err(format!("inflate returned {status} with {} bytes left", left.0));
        }
        text.truncate(bytes - left.1);
    }
    Ok(text)
}

fn failed(call: &str, status: i32) -> OpError {
    OpError::new(format!("{call} returned {status}"))
}
