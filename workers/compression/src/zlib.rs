//! zlib's interface. zlib, zlib-ng and Cloudflare's fork share it, each with its own types.

use std::ffi::c_int;

/// The largest sample, and 16 more for a gzip header and trailer.
pub const WINDOW_BITS_GZIP: c_int = 15 + 16;
/// The default.
pub const MEM_LEVEL: c_int = 8;

// From zlib.h; the same in each library.
pub(crate) const Z_NO_FLUSH: c_int = 0;
pub(crate) const Z_SYNC_FLUSH: c_int = 2;
pub(crate) const Z_FINISH: c_int = 4;
pub(crate) const Z_OK: c_int = 0;
pub(crate) const Z_STREAM_END: c_int = 1;

/// A library with zlib's interface; [`zlib_interface!`](crate::zlib_interface) generates the implementation.
pub trait Zlib: 'static {
    /// The library's `z_stream`, which may not move between `init` and `end`.
    type Stream;
    /// The library's name, in operations and versions.
    const NAME: &'static str;

    /// The version as the library reports it.
    fn version() -> String;

    /// `crc32`, which continues from the CRC-32 of the preceding bytes, 0 at first.
    fn crc32(so_far: u32, bytes: &[u8]) -> u32;

    /// `deflateInit2` for gzip.
    ///
    /// # Safety
    /// `stream` points to zeros, which mean malloc, free and no input.
    unsafe fn deflate_init(stream: *mut Self::Stream, level: c_int) -> c_int;

    /// `deflate`.
    ///
    /// # Safety
    /// After `deflate_init` of this stream; its input and output are alive.
    unsafe fn deflate(stream: *mut Self::Stream, flush: c_int) -> c_int;

    /// `deflateReset`.
    ///
    /// # Safety
    /// After `deflate_init` of this stream.
    unsafe fn deflate_reset(stream: *mut Self::Stream) -> c_int;

    /// `deflateEnd`.
    ///
    /// # Safety
    /// The stream is zeros, or `deflate_init` was called.
    unsafe fn deflate_end(stream: *mut Self::Stream) -> c_int;

    /// `inflateInit2` for gzip.
    ///
    /// # Safety
    /// `stream` points to zeros, which mean malloc, free and no input.
    unsafe fn inflate_init(stream: *mut Self::Stream) -> c_int;

    /// `inflate`.
    ///
    /// # Safety
    /// After `inflate_init` of this stream; its input and output are alive.
    unsafe fn inflate(stream: *mut Self::Stream, flush: c_int) -> c_int;

    /// `inflateReset`.
    ///
    /// # Safety
    /// After `inflate_init` of this stream.
    unsafe fn inflate_reset(stream: *mut Self::Stream) -> c_int;

    /// `inflateEnd`.
    ///
    /// # Safety
    /// The stream is zeros, or `inflate_init` was called.
    unsafe fn inflate_end(stream: *mut Self::Stream) -> c_int;

    /// Sets `next_in` and `avail_in`.
    ///
    /// # Safety
    /// `stream` points to a stream, initialised or zeros.
    unsafe fn set_input(stream: *mut Self::Stream, input: *const u8, bytes: u32);

    /// Sets `next_out` and `avail_out`.
    ///
    /// # Safety
    /// `stream` points to a stream, initialised or zeros.
    unsafe fn set_output(stream: *mut Self::Stream, output: *mut u8, bytes: u32);

    /// `avail_in` and `avail_out`.
    ///
    /// # Safety
    /// `stream` points to a stream, initialised or zeros.
    unsafe fn available(stream: *const Self::Stream) -> (u32, u32);
}

/// Implements [`Zlib`] for a crate of bindings: `zlib_interface!(Library, "name", bindings)`.
#[macro_export]
macro_rules! zlib_interface {
    ($library:ident, $name:literal, $ffi:ident) => {
        #[doc = concat!($name, ", called through its bindings.")]
        pub struct $library;

        impl $crate::Zlib for $library {
            type Stream = $ffi::z_stream;
            const NAME: &'static str = $name;

            fn version() -> String {
                // SAFETY: returns a static text.
                let version = unsafe { std::ffi::CStr::from_ptr($ffi::zlibVersion()) };
                version.to_string_lossy().into_owned()
            }

            fn crc32(so_far: u32, bytes: &[u8]) -> u32 {
                let length = u32::try_from(bytes.len()).expect("less than 4 GiB");
                // SAFETY: the pointer and the length describe the slice.
                unsafe { $ffi::crc32(so_far as _, bytes.as_ptr(), length) as u32 }
            }

            unsafe fn deflate_init(stream: *mut Self::Stream, level: i32) -> i32 {
                // SAFETY: demanded of the caller. The self-test compares versions.
                unsafe {
                    $ffi::deflateInit2_(
                        stream,
                        level,
                        $ffi::Z_DEFLATED,
                        $crate::gzip::WINDOW_BITS_GZIP,
                        $crate::gzip::MEM_LEVEL,
                        $ffi::Z_DEFAULT_STRATEGY,
                        $ffi::zlibVersion(),
                        size_of::<Self::Stream>() as i32,
                    )
                }
            }

            unsafe fn deflate(stream: *mut Self::Stream, flush: i32) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::deflate(stream, flush) }
            }

            unsafe fn deflate_reset(stream: *mut Self::Stream) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::deflateReset(stream) }
            }

            unsafe fn deflate_end(stream: *mut Self::Stream) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::deflateEnd(stream) }
            }

            unsafe fn inflate_init(stream: *mut Self::Stream) -> i32 {
                // SAFETY: demanded of the caller. The self-test compares versions.
                unsafe {
                    $ffi::inflateInit2_(
                        stream,
                        $crate::gzip::WINDOW_BITS_GZIP,
                        $ffi::zlibVersion(),
                        size_of::<Self::Stream>() as i32,
                    )
                }
            }

            unsafe fn inflate(stream: *mut Self::Stream, flush: i32) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::inflate(stream, flush) }
            }

            unsafe fn inflate_reset(stream: *mut Self::Stream) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::inflateReset(stream) }
            }

            unsafe fn inflate_end(stream: *mut Self::Stream) -> i32 {
                // SAFETY: demanded of the caller.
                unsafe { $ffi::inflateEnd(stream) }
            }

            unsafe fn set_input(stream: *mut Self::Stream, input: *const u8, bytes: u32) {
                // SAFETY: demanded of the caller. The library does not write to its input.
                unsafe {
                    (*stream).next_in = input.cast_mut();
                    (*stream).avail_in = bytes;
                }
            }

            unsafe fn set_output(stream: *mut Self::Stream, output: *mut u8, bytes: u32) {
                // SAFETY: demanded of the caller.
                unsafe {
                    (*stream).next_out = output;
                    (*stream).avail_out = bytes;
                }
            }

            unsafe fn available(stream: *const Self::Stream) -> (u32, u32) {
                // SAFETY: demanded of the caller.
                unsafe { ((*stream).avail_in, (*stream).avail_out) }
            }
        }
    };
}
