//! zstd as a web server uses it: reused contexts, one call for a page of known length.

use sizeup_compression::{Compress, Decode, Decompress, Encode, there_and_back};
use sizeup_kit::fingerprint;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::ffi::CStr;
use std::ptr::NonNull;
use zstd_sys as ffi;

pub fn operations() -> Vec<Operation> {
    // zstd itself silently clamps a higher level to the highest one.
    const LEVEL: Parameter = Parameter::integer("level", 1..=22);
    let operation = |name, setup| Operation::new(name, "zstd", setup);
    vec![
        operation("zstd", compress).takes([LEVEL]).reads(["data"]),
        operation("unzstd-own", decompress_own).takes([LEVEL]).reads(["data"]),
        operation("unzstd", decompress).reads(["stream", "data"]),
    ]
}

fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    let encoder = Encoder::new(setting.integer("level"), text.len())?;
    Compress::work(encoder, Decoder::new(text.len())?, text)
}

fn decompress_own(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    let mut encoder = Encoder::new(setting.integer("level"), text.len())?;
    Decompress::work_of(&mut encoder, Decoder::new(text.len())?, text)
}

fn decompress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    Ok(Decompress::work(Decoder::new(text.len())?, setting.input("stream")?, text))
}

/// The instruction sets that its entropy coders look for (`lib/common/cpu.h`) and that this CPU has, if any: it does not report them.
#[cfg(target_arch = "x86_64")]
pub fn path() -> Option<String> {
    let sets =
        [("bmi1", is_x86_feature_detected!("bmi1")), ("bmi2", is_x86_feature_detected!("bmi2"))];
    let found: Vec<_> =
        sets.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
    (!found.is_empty()).then(|| found.join(" "))
}

/// It looks for none there.
#[cfg(target_arch = "aarch64")]
pub fn path() -> Option<String> {
    None
}

/// The version as the library reports it.
pub fn version() -> String {
    // SAFETY: returns a static text.
    unsafe { CStr::from_ptr(ffi::ZSTD_versionString()) }.to_string_lossy().into_owned()
}

/// Proves that this is zstd of the bindings' version: its stream for a known text.
pub fn self_test() -> Result<(), String> {
    const KNOWN: &str = "d7ca6adc1cf143c3656b2e9da67ca2d8550c08acc19f7cc20cdbc0810f6fb30e";
    let headers = format!(
        "{}.{}.{}",
        ffi::ZSTD_VERSION_MAJOR,
        ffi::ZSTD_VERSION_MINOR,
        ffi::ZSTD_VERSION_RELEASE
    );
    if version() != headers {
        return Err(format!("zstd reports version {}; its headers are {headers}", version()));
    }
    let text = fingerprint::sample();
    let mut encoder = Encoder::new(3, text.len()).map_err(|e| e.to_string())?;
    let mut decoder = Decoder::new(text.len()).map_err(|e| e.to_string())?;
    let stream =
        there_and_back(&mut encoder, &mut decoder, &text).map_err(|e| format!("zstd: {e}"))?;
    fingerprint::expect("zstd 3", &stream, KNOWN)
}

/// A context of one level, and room for its output.
struct Encoder {
    context: NonNull<ffi::ZSTD_CCtx>,
    buffer: Vec<u8>,
}

impl Encoder {
    fn new(level: u8, text_bytes: usize) -> Result<Self, OpError> {
        // SAFETY: takes nothing, gives null if there is no memory.
        let context = NonNull::new(unsafe { ffi::ZSTD_createCCtx() })
            .ok_or_else(|| OpError::new("zstd has no memory for a context"))?;
        // SAFETY: pure arithmetic.
        let bound = unsafe { ffi::ZSTD_compressBound(text_bytes) };
        let encoder = Self { context, buffer: vec![0; bound] };
        let parameter = ffi::ZSTD_cParameter::ZSTD_c_compressionLevel;
        // SAFETY: the context is alive and has not started yet.
        checked(unsafe { ffi::ZSTD_CCtx_setParameter(context.as_ptr(), parameter, level.into()) })?;
        Ok(encoder)
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: made by ZSTD_createCCtx, freed once.
        unsafe { ffi::ZSTD_freeCCtx(self.context.as_ptr()) };
    }
}

impl Encode for Encoder {
    fn encode(&mut self, text: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        // SAFETY: the context is alive; pointers and lengths describe the buffer and the text.
        let bytes = checked(unsafe {
            ffi::ZSTD_compress2(
                self.context.as_ptr(),
                self.buffer.as_mut_ptr().cast(),
                self.buffer.len(),
                text.as_ptr().cast(),
                text.len(),
            )
        })?;
        take(&self.buffer[..bytes]);
        Ok(())
    }

    fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }
}

/// A context, and room for a text.
struct Decoder {
    context: NonNull<ffi::ZSTD_DCtx>,
    buffer: Vec<u8>,
}

impl Decoder {
    fn new(text_bytes: usize) -> Result<Self, OpError> {
        // SAFETY: takes nothing, gives null if there is no memory.
        let context = NonNull::new(unsafe { ffi::ZSTD_createDCtx() })
            .ok_or_else(|| OpError::new("zstd has no memory for a context"))?;
        Ok(Self { context, buffer: vec![0; text_bytes] })
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: made by ZSTD_createDCtx, freed once.
        unsafe { ffi::ZSTD_freeDCtx(self.context.as_ptr()) };
    }
}

impl Decode for Decoder {
    fn decode(&mut self, stream: &[u8], mut take: impl FnMut(&[u8])) -> Result<(), OpError> {
        // SAFETY: the context is alive; pointers and lengths describe the buffer and the stream.
        let bytes = checked(unsafe {
            ffi::ZSTD_decompressDCtx(
                self.context.as_ptr(),
                self.buffer.as_mut_ptr().cast(),
                self.buffer.len(),
                stream.as_ptr().cast(),
                stream.len(),
            )
        })?;
        take(&self.buffer[..bytes]);
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
        if ffi::ZSTD_isError(result) == 0 {
            return Ok(result);
        }
        let name = CStr::from_ptr(ffi::ZSTD_getErrorName(result));
        Err(OpError::new(format!("zstd: {}", name.to_string_lossy())))
    }
}
