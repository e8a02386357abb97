//! libdeflate: whole texts and whole streams, one call each, with reused objects.

use libdeflate_sys as ffi;
use sizeup_compression::{Compress, Decode, Decompress, Encode, checksum, there_and_back};
use sizeup_kit::fingerprint;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::ptr::NonNull;

pub fn operations() -> Vec<Operation> {
    let operation = |name, setup| Operation::new(name, "libdeflate", setup);
    vec![
        operation("gzip-reused", compress)
            .takes([Parameter::integer("level", 0..=12)])
            .reads(["data"]),
        operation("gunzip-reused", decompress).reads(["stream", "data"]),
        operation("crc32", |setting| checksum::crc32(setting, crc32))
            .takes([checksum::MESSAGE_BYTES]),
    ]
}

fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    let encoder = Encoder::new(setting.integer("level"), text.len())?;
    Compress::work(encoder, Decoder::new(text.len())?, text)
}

fn decompress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    Ok(Decompress::work(Decoder::new(text.len())?, setting.input("stream")?, text))
}

fn crc32(so_far: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the pointer and the length describe the slice.
    unsafe { ffi::libdeflate_crc32(so_far, bytes.as_ptr().cast(), bytes.len()) }
}

/// The version of the headers it was built with: libdeflate itself does not report one.
pub fn version() -> String {
    env!("SIZEUP_LIBDEFLATE_HEADERS").to_owned()
}

/// Proves that libdeflate is linked: its stream for a known text.
pub fn self_test() -> Result<(), String> {
    const KNOWN: &str = "2f2eba913077fadc25f86de24405fff80be1376e8deec5c3bb4ee17869b60315";
    let text = fingerprint::sample();
    let mut encoder = Encoder::new(6, text.len()).map_err(|e| e.to_string())?;
    let mut decoder = Decoder::new(text.len()).map_err(|e| e.to_string())?;
    let stream = there_and_back(&mut encoder, &mut decoder, &text)
        .map_err(|e| format!("libdeflate: {e}"))?;
    fingerprint::expect("libdeflate 6", &stream, KNOWN)
}

/// A compressor of one level, and room for its output.
struct Encoder {
    compressor: NonNull<ffi::libdeflate_compressor>,
    buffer: Vec<u8>,
}

impl Encoder {
    fn new(level: u8, text_bytes: usize) -> Result<Self, OpError> {
        // SAFETY: an invalid level gives null.
        let compressor = NonNull::new(unsafe { ffi::libdeflate_alloc_compressor(level.into()) })
            .ok_or_else(|| OpError::new("libdeflate has no memory for a compressor"))?;
        // SAFETY: the compressor is alive.
        let bound = unsafe { ffi::libdeflate_gzip_compress_bound(compressor.as_ptr(), text_bytes) };
        Ok(Self { compressor, buffer: vec![0; bound] })
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: made by libdeflate_alloc_compressor, freed once.
        unsafe { ffi::libdeflate_free_compressor(self.compressor.as_ptr()) }
    }
}

impl Encode for Encoder {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        // SAFETY: the compressor is alive; pointers and lengths describe the text and the buffer.
        let bytes = unsafe {
            ffi::libdeflate_gzip_compress(
                self.compressor.as_ptr(),
                text.as_ptr().cast(),
                text.len(),
                self.buffer.as_mut_ptr().cast(),
                self.buffer.len(),
            )
        };
        if bytes == 0 {
            return Err(OpError::new("libdeflate's stream does not fit into its own bound"));
        }
        take(&self.buffer[..bytes]);
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// A decompressor, and room for a text.
struct Decoder {
    decompressor: NonNull<ffi::libdeflate_decompressor>,
    buffer: Vec<u8>,
}

impl Decoder {
    fn new(text_bytes: usize) -> Result<Self, OpError> {
        // SAFETY: takes nothing, gives null if there is no memory.
        let decompressor = NonNull::new(unsafe { ffi::libdeflate_alloc_decompressor() })
            .ok_or_else(|| OpError::new("libdeflate has no memory for a decompressor"))?;
        Ok(Self { decompressor, buffer: vec![0; text_bytes] })
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: made by libdeflate_alloc_decompressor, freed once.
        unsafe { ffi::libdeflate_free_decompressor(self.decompressor.as_ptr()) }
    }
}

impl Decode for Decoder {
    fn decode(&mut self, stream: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        let (mut read, mut written) = (0, 0);
        // SAFETY: the decompressor is alive; pointers and lengths describe the stream and the buffer, the last two are
        // for writing.
        let result = unsafe {
            ffi::libdeflate_gzip_decompress_ex(
                self.decompressor.as_ptr(),
                stream.as_ptr().cast(),
                stream.len(),
                self.buffer.as_mut_ptr().cast(),
                self.buffer.len(),
                &raw mut read,
                &raw mut written,
            )
        };
        if result != ffi::libdeflate_result_LIBDEFLATE_SUCCESS {
            return Err(OpError::new(format!("libdeflate_gzip_decompress_ex returned {result}")));
        }
        if read != stream.len() {
            return Err(OpError::new(format!("{} bytes follow the stream", stream.len() - read)));
        }
        take(&self.buffer[..written]);
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}
