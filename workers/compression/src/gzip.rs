//! gzip by any library with zlib's interface, with an output buffer of 32 KiB. Like a web server, most operations
//! call `deflateInit2` and `inflateInit2` for each text; the `-reused` operations begin a stream once and reset it
//! for each text, to compare libraries that keep their state.

use crate::codec::{Compress, Decode, Decompress, Encode};
pub use crate::zlib::{MEM_LEVEL, WINDOW_BITS_GZIP};
use crate::zlib::{Z_FINISH, Z_NO_FLUSH, Z_OK, Z_STREAM_END, Z_SYNC_FLUSH, Zlib};
use crate::zstream::{Direction, Stream, failed};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::ffi::c_int;

/// The library's output buffer, emptied whenever it is full.
const BUFFER_BYTES: usize = 32 * 1024;

/// Sets up: compress the data at the level of the parameters.
///
/// # Errors
/// When the data is missing, or the library fails.
pub fn compress<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Compress::work(deflater::<Z>(setting), Inflater::<Z>::new(), setting.input("data")?)
}

/// Sets up: compress the data at the level of the parameters, reusing one stream.
///
/// # Errors
/// When the data is missing, or the library fails.
pub fn compress_reusing<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (reusing, inflater) = (deflater::<Z>(setting).reusing()?, Inflater::<Z>::new());
    // No state of one text may leak into the next.
    let mut fresh = deflater::<Z>(setting);
    Compress::work_like(&mut fresh, reusing, inflater, setting.input("data")?)
}

/// Sets up: compress the data and flush after every `flush_bytes` bytes, like a streaming server.
///
/// # Errors
/// When the data is missing, or the library fails.
pub fn compress_flushing<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let flush_bytes = Some(setting.integer("flush_bytes"));
    let flushing = Deflater { flush_bytes, ..deflater::<Z>(setting) };
    Compress::work(flushing, Inflater::<Z>::new(), setting.input("data")?)
}

/// Sets up: decompress the library's own output for the data at the level of the parameters.
///
/// # Errors
/// When the data is missing, or the library fails.
pub fn decompress_own<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Decompress::work_of(&mut deflater::<Z>(setting), Inflater::<Z>::new(), setting.input("data")?)
}

/// Sets up: decompress a stream to the data, reusing one stream state.
///
/// # Errors
/// When an input is missing, or the library fails.
pub fn decompress_reusing<Z: Zlib>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let inflater = Inflater::<Z>::new().reusing()?;
    Ok(Decompress::work(inflater, setting.input("stream")?, setting.input("data")?))
}

fn deflater<Z: Zlib>(setting: &Setting) -> Deflater<Z> {
    Deflater::new(setting.integer("level"))
}

/// Compresses at one level.
pub struct Deflater<Z: Zlib> {
    direction: Direction,
    /// The reused stream, if any.
    kept: Option<Box<Stream<Z>>>,
    flush_bytes: Option<usize>,
    buffer: Vec<u8>,
}

impl<Z: Zlib> Deflater<Z> {
    /// At this level, 1 to 9, without flushes, with a new stream for each text.
    #[must_use]
    pub fn new(level: u8) -> Self {
        let direction = Direction::Deflate { level: level.into() };
        Self { direction, kept: None, flush_bytes: None, buffer: vec![0; BUFFER_BYTES] }
    }

    /// Uses one stream, which is reset for each text.
    ///
    /// # Errors
    /// When the library fails.
    pub fn reusing(self) -> Result<Self, OpError> {
        Ok(Self { kept: Some(Stream::kept(self.direction)?), ..self })
    }
}

impl<Z: Zlib> Encode for Deflater<Z> {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let mut fresh;
        let stream = match &mut self.kept {
            Some(kept) => kept.again()?,
            None => {
                fresh = Stream::zeroed(self.direction);
                fresh.begin()?;
                &mut fresh
            }
        };
        let mut rest = text;
        if let Some(bytes) = self.flush_bytes {
            for chunk in text.chunks(bytes) {
                stream.give(chunk)?;
                // A flush is complete when the buffer is not full.
                while deflated(stream, Z_SYNC_FLUSH, &mut self.buffer, &mut take)? != (Z_OK, false)
                {
                }
            }
            rest = &[];
        }
        stream.give(rest)?;
        while deflated(stream, Z_FINISH, &mut self.buffer, &mut take)?.0 != Z_STREAM_END {}
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// One call of `deflate`: its status, and whether the buffer is full.
fn deflated<Z: Zlib>(
    stream: &mut Stream<Z>,
    flush: c_int,
    buffer: &mut [u8],
    mut take: impl FnMut(&[u8]),
) -> Result<(c_int, bool), OpError> {
    stream.offer(buffer)?;
    // SAFETY: the stream was begun; its input outlives `encode`, the buffer this call.
    let status = unsafe { Z::deflate(stream.as_mut_ptr(), flush) };
    if status != Z_OK && status != Z_STREAM_END {
        return Err(failed("deflate", status));
    }
    let room = stream.available().1;
    take(&buffer[..buffer.len() - room]);
    Ok((status, room == 0))
}

pub struct Inflater<Z: Zlib> {
    /// The reused stream, if any.
    kept: Option<Box<Stream<Z>>>,
    buffer: Vec<u8>,
}

impl<Z: Zlib> Inflater<Z> {
    /// With a new stream for each text.
    #[must_use]
    pub fn new() -> Self {
        Self { kept: None, buffer: vec![0; BUFFER_BYTES] }
    }

    /// Uses one stream, which is reset for each text.
    ///
    /// # Errors
    /// When the library fails.
    pub fn reusing(self) -> Result<Self, OpError> {
        Ok(Self { kept: Some(Stream::kept(Direction::Inflate)?), ..self })
    }
}

impl<Z: Zlib> Default for Inflater<Z> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Z: Zlib> Decode for Inflater<Z> {
    fn decode(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let mut fresh;
        let stream = match &mut self.kept {
            Some(kept) => kept.again()?,
            None => {
                fresh = Stream::<Z>::zeroed(Direction::Inflate);
                fresh.begin()?;
                &mut fresh
            }
        };
        stream.give(bytes)?;
        loop {
            stream.offer(&mut self.buffer)?;
            // SAFETY: the stream was begun; its input outlives this call, the buffer `self`.
            let status = unsafe { Z::inflate(stream.as_mut_ptr(), Z_NO_FLUSH) };
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

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}
