//! Brotli as a web server uses it: the streaming encoder and decoder, made anew for each page.

use compu_brotli_sys as ffi;
use sizeup_compression::registry::FLUSH_BYTES;
use sizeup_compression::{Compress, Decode, Decompress, Encode, there_and_back};
use sizeup_kit::fingerprint;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::ptr;

/// The output buffer, emptied whenever it is full.
const BUFFER_BYTES: usize = 32 * 1024;

pub fn operations() -> Vec<Operation> {
    // Up to BROTLI_MAX_QUALITY, because the encoder silently clamps higher values, and between BROTLI_MIN_WINDOW_BITS
    // and BROTLI_MAX_WINDOW_BITS.
    const QUALITY: Parameter = Parameter::integer("quality", 0..=11);
    const WINDOW_BITS: Parameter = Parameter::integer("window_bits", 10..=24);
    let operation = |name, setup| Operation::new(name, "brotli", setup).reads(["data"]);
    vec![
        operation("brotli", compress).takes([QUALITY, WINDOW_BITS]),
        operation("brotli-flush", compress_flushing).takes([QUALITY, WINDOW_BITS, FLUSH_BYTES]),
        operation("unbrotli-own", decompress_own).takes([QUALITY, WINDOW_BITS]),
    ]
}

fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Compress::work(encoder(setting), Decoder::new(), setting.input("data")?)
}

/// Flushes after every `flush_bytes` bytes, like a streaming server.
fn compress_flushing(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let flush_bytes = Some(setting.integer("flush_bytes"));
    let flushing = Encoder { flush_bytes, ..encoder(setting) };
    Compress::work(flushing, Decoder::new(), setting.input("data")?)
}

fn decompress_own(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Decompress::work_of(&mut encoder(setting), Decoder::new(), setting.input("data")?)
}

fn encoder(setting: &Setting) -> Encoder {
    Encoder::new(setting.integer("quality"), setting.integer("window_bits"))
}

/// The version as encoder and decoder report it, `major.minor.patch`.
pub fn version() -> String {
    let text = |v: u32| format!("{}.{}.{}", v >> 24, (v >> 12) & 0xfff, v & 0xfff);
    // SAFETY: both only return a constant.
    let (encoder, decoder) =
        unsafe { (text(ffi::BrotliEncoderVersion()), text(ffi::BrotliDecoderVersion())) };
    if encoder == decoder { encoder } else { format!("{encoder}, decoder {decoder}") }
}

/// Proves that this is Google's brotli: its stream for a known text, and its decoder's result.
pub fn self_test() -> Result<(), String> {
    const KNOWN: &str = "2f73e2f4faa8e79095a98c4eba3e173093e131ef7372305d30ec2df55cb58ed0";
    let mut encoder = Encoder::new(5, 22);
    let stream = there_and_back(&mut encoder, &mut Decoder::new(), &fingerprint::sample())
        .map_err(|e| format!("brotli: {e}"))?;
    fingerprint::expect("brotli 5", &stream, KNOWN)
}

/// Compresses at one quality.
struct Encoder {
    quality: u32,
    window_bits: u32,
    flush_bytes: Option<usize>,
    buffer: Vec<u8>,
}

impl Encoder {
    fn new(quality: u32, window_bits: u32) -> Self {
        Self { quality, window_bits, flush_bytes: None, buffer: vec![0; BUFFER_BYTES] }
    }
}

impl Encode for Encoder {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        const FLUSH: ffi::BrotliEncoderOperation =
            ffi::BrotliEncoderOperation_BROTLI_OPERATION_FLUSH;
        const FINISH: ffi::BrotliEncoderOperation =
            ffi::BrotliEncoderOperation_BROTLI_OPERATION_FINISH;
        let encoder = EncoderState::new(self.quality, self.window_bits)?;
        let mut rest = text;
        if let Some(bytes) = self.flush_bytes {
            for chunk in text.chunks(bytes) {
                encoder.process(FLUSH, chunk, &mut self.buffer, &mut take)?;
            }
            rest = &[];
        }
        encoder.process(FINISH, rest, &mut self.buffer, &mut take)
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// An encoder that is always destroyed.
struct EncoderState(*mut ffi::BrotliEncoderState);

impl Drop for EncoderState {
    fn drop(&mut self) {
        // SAFETY: made by BrotliEncoderCreateInstance, destroyed once.
        unsafe { ffi::BrotliEncoderDestroyInstance(self.0) }
    }
}

impl EncoderState {
    fn new(quality: u32, window_bits: u32) -> Result<Self, OpError> {
        // SAFETY: no allocator of our own means malloc and free, as users have it.
        let encoder =
            Self(unsafe { ffi::BrotliEncoderCreateInstance(None, None, ptr::null_mut()) });
        if encoder.0.is_null() {
            return Err(OpError::new("brotli has no memory for an encoder"));
        }
        for (parameter, value) in [
            (ffi::BrotliEncoderParameter_BROTLI_PARAM_QUALITY, quality),
            (ffi::BrotliEncoderParameter_BROTLI_PARAM_LGWIN, window_bits),
        ] {
            // SAFETY: the encoder is alive and has not started yet.
            if unsafe { ffi::BrotliEncoderSetParameter(encoder.0, parameter, value) } == 0 {
                return Err(OpError::new(format!(
                    "brotli refuses parameter {parameter} = {value}"
                )));
            }
        }
        Ok(encoder)
    }

    /// Takes a whole part of the text and hands out all the output of the operation.
    fn process(
        &self,
        operation: ffi::BrotliEncoderOperation,
        part: &[u8],
        buffer: &mut [u8],
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), OpError> {
        let mut next_in = part.as_ptr();
        let mut available_in = part.len();
        // SAFETY: the encoder is alive; next_in and available_in always describe the rest of the part, next_out and
        // available_out the free part of the buffer; both outlive the call.
        unsafe {
            loop {
                let mut next_out = buffer.as_mut_ptr();
                let mut available_out = buffer.len();
                let status = ffi::BrotliEncoderCompressStream(
                    self.0,
                    operation,
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
                if available_in == 0 && ffi::BrotliEncoderHasMoreOutput(self.0) == 0 {
                    return Ok(());
                }
            }
        }
    }
}

/// Decompresses.
struct Decoder {
    buffer: Vec<u8>,
}

impl Decoder {
    fn new() -> Self {
        Self { buffer: vec![0; BUFFER_BYTES] }
    }
}

/// A decoder that is always destroyed.
struct DecoderState(*mut ffi::BrotliDecoderState);

impl Drop for DecoderState {
    fn drop(&mut self) {
        // SAFETY: made by BrotliDecoderCreateInstance, destroyed once.
        unsafe { ffi::BrotliDecoderDestroyInstance(self.0) }
    }
}

impl Decode for Decoder {
    fn decode(&mut self, stream: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        // SAFETY: no allocator of our own means malloc and free, as users have it.
        let decoder =
            DecoderState(unsafe { ffi::BrotliDecoderCreateInstance(None, None, ptr::null_mut()) });
        if decoder.0.is_null() {
            return Err(OpError::new("brotli has no memory for a decoder"));
        }
        let mut next_in = stream.as_ptr();
        let mut available_in = stream.len();
        loop {
            let mut next_out = self.buffer.as_mut_ptr();
            let mut available_out = self.buffer.len();
            // SAFETY: the decoder is alive; next_in and available_in always describe the rest of the stream, next_out
            // and available_out the free part of the buffer; both outlive the call.
            let result = unsafe {
                ffi::BrotliDecoderDecompressStream(
                    decoder.0,
                    &raw mut available_in,
                    &raw mut next_in,
                    &raw mut available_out,
                    &raw mut next_out,
                    ptr::null_mut(),
                )
            };
            take(&self.buffer[..self.buffer.len() - available_out]);
            match result {
                ffi::BrotliDecoderResult_BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT => {}
                ffi::BrotliDecoderResult_BROTLI_DECODER_RESULT_SUCCESS if available_in == 0 => {
                    return Ok(());
                }
                ffi::BrotliDecoderResult_BROTLI_DECODER_RESULT_SUCCESS => {
                    return Err(OpError::new(format!("{available_in} bytes follow the stream")));
                }
                _ => return Err(OpError::new(format!("brotli's decoder returned {result}"))),
            }
        }
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}
