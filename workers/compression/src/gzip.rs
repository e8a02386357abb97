//! gzip as a web server uses it, by any library with zlib's interface: `deflateInit2` and `inflateInit2` anew for
//! each text, output through a buffer of 32 KiB.

use crate::codec::{Compress, Decode, Decompress, Encode};
pub use crate::zlib::{MEM_LEVEL, WINDOW_BITS_GZIP};
use crate::zlib::{Z_FINISH, Z_NO_FLUSH, Z_OK, Z_STREAM_END, Z_SYNC_FLUSH, Zlib};
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Room for a library's output, emptied as often as it fills.
const BUFFER_BYTES: usize = 32 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    level: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Flush {
    level: u8,
    flush_bytes: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

/// Sets up: compress an input at the level of the parameters.
///
/// # Errors
/// When there is no such level, or no such input, or the library fails.
pub fn compress<Z: Zlib>(setting: &Setting, input: &str) -> Result<Box<dyn Work>, WorkerError> {
    let Level { level } = setting.parameters()?;
    Compress::work(Deflater::<Z>::new(level)?, Inflater::<Z>::new(), setting.input(input)?)
}

/// Sets up: compress the page and flush after every `flush_bytes` bytes, as a server that streams.
///
/// # Errors
/// When there is no such level, or the library fails.
pub fn compress_flushing<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Flush { level, flush_bytes } = setting.parameters()?;
    if flush_bytes == 0 {
        return Err(WorkerError::bad_request("flush_bytes is 0"));
    }
    let deflater = Deflater::<Z> { flush_bytes: Some(flush_bytes), ..Deflater::new(level)? };
    Compress::work(deflater, Inflater::<Z>::new(), setting.input("page")?)
}

/// Sets up: decompress what the library itself made of the page at the level of the parameters.
///
/// # Errors
/// When there is no such level, or the library fails.
pub fn decompress_own<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Level { level } = setting.parameters()?;
    let page = setting.input("page")?;
    Decompress::work_of(&mut Deflater::<Z>::new(level)?, Inflater::<Z>::new(), page)
}

/// Sets up: decompress an input, of which another must come.
///
/// # Errors
/// When an input is missing.
pub fn decompress<Z: Zlib>(
    setting: &Setting,
    stream: &str,
    text: &str,
) -> Result<Box<dyn Work>, WorkerError> {
    let NoParameters {} = setting.parameters()?;
    Ok(Decompress::work(Inflater::<Z>::new(), setting.input(stream)?, setting.input(text)?))
}

/// Compresses at one level.
pub struct Deflater<Z> {
    level: c_int,
    flush_bytes: Option<usize>,
    buffer: Vec<u8>,
    library: PhantomData<Z>,
}

impl<Z: Zlib> Deflater<Z> {
    /// At this level, without flushes.
    ///
    /// # Errors
    /// When there is no such level.
    pub fn new(level: u8) -> Result<Self, WorkerError> {
        if !(1..=9).contains(&level) {
            return Err(WorkerError::bad_request(format!("gzip has no level {level}")));
        }
        let buffer = vec![0; BUFFER_BYTES];
        Ok(Self { level: level.into(), flush_bytes: None, buffer, library: PhantomData })
    }
}

impl<Z: Zlib> Encode for Deflater<Z> {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let mut stream = Stream::<Z>::zeroed(Z::deflate_end);
        // SAFETY: the stream is zeros, and stays where it is.
        let status = unsafe { Z::deflate_init(stream.z.as_mut_ptr(), self.level) };
        if status != Z_OK {
            return Err(failed("deflateInit2", status));
        }
        let mut rest = text;
        if let Some(bytes) = self.flush_bytes {
            for chunk in text.chunks(bytes) {
                stream.give(chunk)?;
                // A flush is complete when it left room.
                while self.step(&mut stream, Z_SYNC_FLUSH, &mut take)? != (Z_OK, false) {}
            }
            rest = &[];
        }
        stream.give(rest)?;
        while self.step(&mut stream, Z_FINISH, &mut take)?.0 != Z_STREAM_END {}
        Ok(())
    }
}

impl<Z: Zlib> Deflater<Z> {
    /// One call of `deflate`: its status, and whether the buffer became full.
    fn step(
        &mut self,
        stream: &mut Stream<Z>,
        flush: c_int,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(c_int, bool), OpError> {
        stream.offer(&mut self.buffer)?;
        // SAFETY: the stream was initialised; the text that it was given outlives `encode`, the buffer `self`.
        let status = unsafe { Z::deflate(stream.z.as_mut_ptr(), flush) };
        if status != Z_OK && status != Z_STREAM_END {
            return Err(failed("deflate", status));
        }
        let room = stream.available().1;
        take(&self.buffer[..self.buffer.len() - room]);
        Ok((status, room == 0))
    }
}

/// Decompresses.
pub struct Inflater<Z> {
    buffer: Vec<u8>,
    library: PhantomData<Z>,
}

impl<Z: Zlib> Inflater<Z> {
    /// With a buffer.
    #[must_use]
    pub fn new() -> Self {
        Self { buffer: vec![0; BUFFER_BYTES], library: PhantomData }
    }
}

impl<Z: Zlib> Default for Inflater<Z> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Z: Zlib> Decode for Inflater<Z> {
    fn decode(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let mut stream = Stream::<Z>::zeroed(Z::inflate_end);
        // SAFETY: the stream is zeros, and stays where it is.
        let status = unsafe { Z::inflate_init(stream.z.as_mut_ptr()) };
        if status != Z_OK {
            return Err(failed("inflateInit2", status));
        }
        stream.give(bytes)?;
        loop {
            stream.offer(&mut self.buffer)?;
            // SAFETY: the stream was initialised; the bytes that it was given outlive this call, the buffer `self`.
            let status = unsafe { Z::inflate(stream.z.as_mut_ptr(), Z_NO_FLUSH) };
            let (left, room) = stream.available();
            take(&self.buffer[..self.buffer.len() - room]);
            match status {
                Z_STREAM_END if left == 0 => return Ok(()),
                Z_STREAM_END => {
                    return Err(OpError::new(format!("{left} bytes follow the stream")));
                }
                Z_OK => {}
                _ => return Err(failed("inflate", status)),
            }
        }
    }
}

/// A `z_stream` that is ended whatever happens. The library remembers its address, so it may not be moved once it
/// was initialised. Its fields need not be valid for Rust: zeros stand for functions, too.
struct Stream<Z: Zlib> {
    z: MaybeUninit<Z::Stream>,
    end: unsafe fn(*mut Z::Stream) -> c_int,
}

impl<Z: Zlib> Stream<Z> {
    fn zeroed(end: unsafe fn(*mut Z::Stream) -> c_int) -> Self {
        Self { z: MaybeUninit::zeroed(), end }
    }

    /// Input for the next calls, to the end of which it must live.
    fn give(&mut self, input: &[u8]) -> Result<(), OpError> {
        let bytes = u32::try_from(input.len()).map_err(OpError::new)?;
        // SAFETY: the stream is there.
        unsafe { Z::set_input(self.z.as_mut_ptr(), input.as_ptr(), bytes) };
        Ok(())
    }

    /// Room for the output of the next call.
    fn offer(&mut self, buffer: &mut [u8]) -> Result<(), OpError> {
        let bytes = u32::try_from(buffer.len()).map_err(OpError::new)?;
        // SAFETY: the stream is there.
        unsafe { Z::set_output(self.z.as_mut_ptr(), buffer.as_mut_ptr(), bytes) };
        Ok(())
    }

    /// Bytes of input that are left, and of room.
    fn available(&self) -> (usize, usize) {
        // SAFETY: the stream is there.
        let (input, room) = unsafe { Z::available(self.z.as_ptr()) };
        (input as usize, room as usize)
    }
}

impl<Z: Zlib> Drop for Stream<Z> {
    fn drop(&mut self) {
        // SAFETY: ended once; of a stream that was never initialised the library makes nothing.
        unsafe { (self.end)(self.z.as_mut_ptr()) };
    }
}

fn failed(call: &str, status: c_int) -> OpError {
    OpError::new(format!("{call} returned {status}"))
}
