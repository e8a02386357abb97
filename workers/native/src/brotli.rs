//! Brotli as a web server uses it: the streaming encoder, made anew for each page.

use crate::fingerprint;
use compu_brotli_sys as ffi;
use serde::Deserialize;
use sizeup_kit::{Kind, OpError, Setting, Work, WorkerError};
use std::ptr;

/// Room for the encoder's output, emptied as often as it fills.
const BUFFER_BYTES: usize = 32 * 1024;
/// `BROTLI_MAX_QUALITY`; the encoder itself would quietly take a higher one for this.
const MAX_QUALITY: u32 = 11;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    quality: u32,
    window_bits: u32,
}

/// Compresses the page at the quality of the parameters.
pub fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { quality, window_bits } = setting.parameters()?;
    if quality > MAX_QUALITY {
        return Err(WorkerError::new(Kind::BadRequest, format!("brotli has no quality {quality}")));
    }
    let mut work = Compress {
        page: setting.input("page")?,
        quality,
        window_bits,
        buffer: vec![0; BUFFER_BYTES],
        first: Vec::new(),
    };
    work.first = work.output()?;
    Ok(Box::new(work))
}

/// The version as encoder and decoder report it, `major.minor.patch`.
pub fn version() -> String {
    let text = |v: u32| format!("{}.{}.{}", v >> 24, (v >> 12) & 0xfff, v & 0xfff);
    // SAFETY: both only return a constant.
    let (encoder, decoder) =
        unsafe { (text(ffi::BrotliEncoderVersion()), text(ffi::BrotliDecoderVersion())) };
    if encoder == decoder { encoder } else { format!("{encoder}, decoder {decoder}") }
}

/// Proves that this is Google's brotli: its stream for a known text, and its decoder's answer.
pub fn self_test() -> Result<(), String> {
    const KNOWN: &str = "2f73e2f4faa8e79095a98c4eba3e173093e131ef7372305d30ec2df55cb58ed0";
    let text = fingerprint::sample();
    let mut stream = Vec::new();
    encode(&text, 5, 22, &mut vec![0; BUFFER_BYTES], |piece| stream.extend_from_slice(piece))
        .map_err(|e| format!("a known text does not compress: {e}"))?;
    if decode(&stream, text.len()).as_deref() != Some(&text[..]) {
        return Err("brotli does not give a known text back".to_owned());
    }
    fingerprint::expect("brotli 5", &stream, KNOWN)
}

/// One op is the page, compressed.
struct Compress {
    page: Vec<u8>,
    quality: u32,
    window_bits: u32,
    buffer: Vec<u8>,
    first: Vec<u8>,
}

impl Work for Compress {
    fn op(&mut self) -> Result<(), OpError> {
        encode(&self.page, self.quality, self.window_bits, &mut self.buffer, |_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut stream = Vec::new();
        encode(&self.page, self.quality, self.window_bits, &mut self.buffer, |piece| {
            stream.extend_from_slice(piece);
        })?;
        Ok(stream)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match decode(output, self.page.len()) {
            None => Err("the stream does not decompress".to_owned()),
            Some(page) if page != self.page => {
                Err("the round trip does not give the page".to_owned())
            }
            // What the round trip does not see, such as the bits that pad the last byte.
            Some(_) => fingerprint::same_as_first(output, &self.first),
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.page.len() as u64)
    }
}

/// An encoder that is destroyed whatever happens.
struct Encoder(*mut ffi::BrotliEncoderState);

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: made by BrotliEncoderCreateInstance, destroyed once.
        unsafe { ffi::BrotliEncoderDestroyInstance(self.0) }
    }
}

/// One page through a new encoder; `take` gets each piece of the stream.
fn encode(
    page: &[u8],
    quality: u32,
    window_bits: u32,
    buffer: &mut [u8],
    mut take: impl FnMut(&[u8]),
) -> Result<(), OpError> {
    // SAFETY: no allocator of our own means malloc and free, as users have it.
    let encoder = Encoder(unsafe { ffi::BrotliEncoderCreateInstance(None, None, ptr::null_mut()) });
    if encoder.0.is_null() {
        return Err(OpError::new("brotli has no memory for an encoder"));
    }
    for (parameter, value) in [
        (ffi::BrotliEncoderParameter_BROTLI_PARAM_QUALITY, quality),
        (ffi::BrotliEncoderParameter_BROTLI_PARAM_LGWIN, window_bits),
    ] {
        // SAFETY: the encoder is alive and has not started yet.
        if unsafe { ffi::BrotliEncoderSetParameter(encoder.0, parameter, value) } == 0 {
            return Err(OpError::new(format!("brotli refuses parameter {parameter} = {value}")));
        }
    }
    let mut next_in = page.as_ptr();
    let mut available_in = page.len();
    // SAFETY: next_in and available_in always describe the rest of the page, next_out and
    // available_out the free part of the buffer; both outlive the call.
    unsafe {
        while ffi::BrotliEncoderIsFinished(encoder.0) == 0 {
            let mut next_out = buffer.as_mut_ptr();
            let mut available_out = buffer.len();
            let status = ffi::BrotliEncoderCompressStream(
                encoder.0,
                ffi::BrotliEncoderOperation_BROTLI_OPERATION_FINISH,
                &raw mut available_in,
                &raw mut next_in,
                &raw mut available_out,
                &raw mut next_out,
                ptr::null_mut(),
            );
            if status == 0 {
                return Err(OpError::new("brotli failed inside a stream"));
            }
            take(&buffer[..buffer.len() - available_out]);
        }
    }
    Ok(())
}

/// The text that a stream stands for, if it is a whole stream of at most `bytes` bytes.
fn decode(stream: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let mut text = vec![0; bytes];
    let mut length = bytes;
    // SAFETY: both slices are valid for the lengths given, and `length` for writing.
    let result = unsafe {
        ffi::BrotliDecoderDecompress(
            stream.len(),
            stream.as_ptr(),
            &raw mut length,
            text.as_mut_ptr(),
        )
    };
    text.truncate(length);
    (result == ffi::BrotliDecoderResult_BROTLI_DECODER_RESULT_SUCCESS).then_some(text)
}
