//! LZ4 as a web server would use it: frames of the default level and preferences, reused contexts.

use lz4_sys as ffi;
use sizeup_compression::{Compress, Decode, Decompress, Encode, there_and_back};
use sizeup_kit::fingerprint;
use sizeup_kit::{OpError, Operation, Setting, Work, WorkerError};
use std::ffi::CStr;
use std::ptr;

/// `LZ4F_HEADER_SIZE_MAX` of lz4frame.h.
const HEADER_MAX_BYTES: usize = 19;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("lz4", "lz4", compress).reads(["data"]),
        Operation::new("unlz4-own", "lz4", decompress_own).reads(["data"]),
    ]
}

fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    Compress::work(Encoder::new(text.len())?, Decoder::new(text.len())?, text)
}

fn decompress_own(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    Decompress::work_of(&mut Encoder::new(text.len())?, Decoder::new(text.len())?, text)
}

/// The version as the library reports it, `major.minor.patch`.
pub fn version() -> String {
    // SAFETY: only returns a constant.
    let number = unsafe { ffi::LZ4_versionNumber() };
    format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100)
}

/// Proves that this is LZ4 of the headers' version: its frame for a known text.
pub fn self_test() -> Result<(), String> {
    const KNOWN: &str = "fd984fb4eafdb30fe6855875d3d416d89894274f0f06d32b951c3fed1b80d76f";
    let headers = env!("SIZEUP_LZ4_HEADERS");
    if version() != headers {
        return Err(format!("lz4 reports version {}; its headers are {headers}", version()));
    }
    let text = fingerprint::sample();
    let mut encoder = Encoder::new(text.len()).map_err(|e| e.to_string())?;
    let mut decoder = Decoder::new(text.len()).map_err(|e| e.to_string())?;
    let stream =
        there_and_back(&mut encoder, &mut decoder, &text).map_err(|e| format!("lz4: {e}"))?;
    fingerprint::expect("lz4", &stream, KNOWN)
}

/// A context, and room for its output.
struct Encoder {
    context: ffi::LZ4FCompressionContext,
    buffer: Vec<u8>,
}

impl Encoder {
    fn new(text_bytes: usize) -> Result<Self, OpError> {
        let mut context = ffi::LZ4FCompressionContext(ptr::null_mut());
        // SAFETY: the context is an output parameter.
        checked(unsafe { ffi::LZ4F_createCompressionContext(&mut context, ffi::LZ4F_VERSION) })?;
        // SAFETY: null means the default preferences.
        let bound = unsafe { ffi::LZ4F_compressBound(text_bytes, ptr::null()) };
        Ok(Self { context, buffer: vec![0; HEADER_MAX_BYTES + bound] })
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: made by LZ4F_createCompressionContext, freed once.
        unsafe { ffi::LZ4F_freeCompressionContext(self.context) };
    }
}

impl Encode for Encoder {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let (buffer, room) = (self.buffer.as_mut_ptr(), self.buffer.len());
        // SAFETY: the context is alive; each call gets the text and what earlier calls left of the buffer; null means
        // the defaults.
        let bytes = unsafe {
            let mut at = checked(ffi::LZ4F_compressBegin(self.context, buffer, room, ptr::null()))?;
            at += checked(ffi::LZ4F_compressUpdate(
                self.context,
                buffer.add(at),
                room - at,
                text.as_ptr(),
                text.len(),
                ptr::null(),
            ))?;
            let end = ffi::LZ4F_compressEnd(self.context, buffer.add(at), room - at, ptr::null());
            at + checked(end)?
        };
        take(&self.buffer[..bytes]);
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// A context, and room for a text.
struct Decoder {
    context: ffi::LZ4FDecompressionContext,
    buffer: Vec<u8>,
}

impl Decoder {
    fn new(text_bytes: usize) -> Result<Self, OpError> {
        let mut context = ffi::LZ4FDecompressionContext(ptr::null_mut());
        // SAFETY: the context is an output parameter.
        checked(unsafe { ffi::LZ4F_createDecompressionContext(&mut context, ffi::LZ4F_VERSION) })?;
        Ok(Self { context, buffer: vec![0; text_bytes] })
    }

    /// Decompresses one frame; afterwards, but not after an error, the context is ready for the next.
    fn frame(&mut self, stream: &[u8]) -> Result<usize, OpError> {
        let (mut read, mut written) = (0, 0);
        loop {
            let mut source_bytes = stream.len() - read;
            let mut room = self.buffer.len() - written;
            // SAFETY: the context is alive; pointers and lengths describe the rest of the stream and of the buffer.
            let hint = checked(unsafe {
                ffi::LZ4F_decompress(
                    self.context,
                    self.buffer.as_mut_ptr().add(written),
                    &mut room,
                    stream.as_ptr().add(read),
                    &mut source_bytes,
                    ptr::null(),
                )
            })?;
            read += source_bytes;
            written += room;
            if hint == 0 && read == stream.len() {
                return Ok(written);
            }
            if hint == 0 {
                return Err(OpError::new(format!(
                    "{} bytes follow the frame",
                    stream.len() - read
                )));
            }
            if (source_bytes, room) == (0, 0) {
                return Err(OpError::new(format!("the frame stops at byte {read} or is too long")));
            }
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: made by LZ4F_createDecompressionContext, freed once.
        unsafe { ffi::LZ4F_freeDecompressionContext(self.context) };
    }
}

impl Decode for Decoder {
    fn decode(&mut self, stream: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let frame = self.frame(stream);
        if frame.is_err() {
            // SAFETY: the context is alive.
            unsafe { ffi::LZ4F_resetDecompressionContext(self.context) };
        }
        take(&self.buffer[..frame?]);
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// A size, or the library's error name.
fn checked(result: usize) -> Result<usize, OpError> {
    // SAFETY: both take a number; the name is a static text.
    unsafe {
        if ffi::LZ4F_isError(result) == 0 {
            return Ok(result);
        }
        let name = CStr::from_ptr(ffi::LZ4F_getErrorName(result));
        Err(OpError::new(format!("lz4: {}", name.to_string_lossy())))
    }
}
