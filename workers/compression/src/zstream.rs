//! A `z_stream` of any library, from its beginning to its end.

use crate::zlib::{Z_OK, Zlib};
use sizeup_kit::OpError;
use std::ffi::c_int;
use std::mem::MaybeUninit;

/// The direction of a stream, with its level.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Direction {
    Deflate { level: c_int },
    Inflate,
}

/// A `z_stream` that is always ended. The library remembers its address, so it must not move once it was begun. Its
/// fields need not be valid for Rust: function pointers are zero, too.
pub(crate) struct Stream<Z: Zlib> {
    z: MaybeUninit<Z::Stream>,
    direction: Direction,
}

impl<Z: Zlib> Stream<Z> {
    pub fn zeroed(direction: Direction) -> Self {
        Self { z: MaybeUninit::zeroed(), direction }
    }

    /// A begun stream that can be reset any number of times ([`again`](Self::again)).
    pub fn kept(direction: Direction) -> Result<Box<Self>, OpError> {
        let mut stream = Box::new(Self::zeroed(direction));
        stream.begin()?;
        Ok(stream)
    }

    /// Allocates the library's state, once.
    pub fn begin(&mut self) -> Result<(), OpError> {
        let z = self.z.as_mut_ptr();
        // SAFETY: the stream is zeros, and stays where it is.
        let (call, status) = unsafe {
            match self.direction {
                Direction::Deflate { level } => ("deflateInit2", Z::deflate_init(z, level)),
                Direction::Inflate => ("inflateInit2", Z::inflate_init(z)),
            }
        };
        if status == Z_OK { Ok(()) } else { Err(failed(call, status)) }
    }

    /// Resets the stream for another text, whatever became of the previous one.
    pub fn again(&mut self) -> Result<&mut Self, OpError> {
        let z = self.z.as_mut_ptr();
        // SAFETY: `kept` has begun it.
        let (call, status) = unsafe {
            match self.direction {
                Direction::Deflate { .. } => ("deflateReset", Z::deflate_reset(z)),
                Direction::Inflate => ("inflateReset", Z::inflate_reset(z)),
            }
        };
        if status == Z_OK { Ok(self) } else { Err(failed(call, status)) }
    }

    /// Input for the next calls; it must live until they have consumed it.
    pub fn give(&mut self, input: &[u8]) -> Result<(), OpError> {
        let bytes = u32::try_from(input.len()).map_err(OpError::new)?;
        // SAFETY: the stream is alive.
        unsafe { Z::set_input(self.z.as_mut_ptr(), input.as_ptr(), bytes) };
        Ok(())
    }

    /// Room for the output of the next call.
    pub fn offer(&mut self, buffer: &mut [u8]) -> Result<(), OpError> {
        let bytes = u32::try_from(buffer.len()).map_err(OpError::new)?;
        // SAFETY: the stream is alive.
        unsafe { Z::set_output(self.z.as_mut_ptr(), buffer.as_mut_ptr(), bytes) };
        Ok(())
    }

    /// Bytes of input and of room that are left.
    pub fn available(&self) -> (usize, usize) {
        // SAFETY: the stream is alive.
        let (input, room) = unsafe { Z::available(self.z.as_ptr()) };
        (input as usize, room as usize)
    }

    /// For the library's own calls.
    pub fn as_mut_ptr(&mut self) -> *mut Z::Stream {
        self.z.as_mut_ptr()
    }
}

impl<Z: Zlib> Drop for Stream<Z> {
    fn drop(&mut self) {
        let z = self.z.as_mut_ptr();
        // SAFETY: ended once; the library ignores a stream that was never begun.
        unsafe {
            match self.direction {
                Direction::Deflate { .. } => Z::deflate_end(z),
                Direction::Inflate => Z::inflate_end(z),
            }
        };
    }
}

pub(crate) fn failed(call: &str, status: c_int) -> OpError {
    OpError::new(format!("{call} returned {status}"))
}
