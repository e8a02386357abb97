//! The compressed inputs, decompressed by other implementations than those that made them.

use std::ffi::c_int;
use std::mem::{MaybeUninit, size_of};
use std::path::Path;

use cloudflare_zlib_sys as zlib;
use sizeup_inputs::{Error, generators};

/// The input `name`, or none where its text is not to be had.
fn made(name: &str) -> Option<Vec<u8>> {
    let generator = generators::find(name).expect("there is such an input");
    match (generator.make)(None) {
        Ok(content) => Some(content),
        Err(Error::Opticks { .. }) => {
            eprintln!("NOTE: THE INPUT {name} IS NOT TESTED: there is no Go distribution here");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn cloudflares_zlib_decompresses_the_gzip_inputs() {
    for (name, plain) in [("page-gz", "page"), ("text-gz", "text")] {
        let Some((stream, plain)) = made(name).zip(made(plain)) else { continue };
        assert!(gunzip(&stream, plain.len()) == plain, "{name}");
    }
}

#[test]
fn the_gzip_header_holds_neither_a_name_nor_a_time() {
    let stream = made("page-gz").expect("the page needs nothing from outside");
    // RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
    assert_eq!(stream[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
}

#[test]
fn the_zstd_input_is_one_frame_that_says_its_length_and_has_no_checksum() {
    let Some((frame, text)) = made("text-zst").zip(made("text")) else { return };
    assert_eq!(frame[..4], [0x28, 0xb5, 0x2f, 0xfd]);
    // RFC 8878, 3.1.1.1: four bytes of content size, one segment, no checksum, no dictionary.
    assert_eq!(frame[4], 0b1010_0000);
    assert_eq!(frame[5..9], (text.len() as u32).to_le_bytes());
    assert!(zstd::bulk::decompress(&frame, text.len()).expect("it decompresses") == text);
}

#[test]
fn a_compressed_text_needs_the_book_too() {
    for name in ["text-gz", "text-zst"] {
        let generator = generators::find(name).expect("there is such an input");
        let error = (generator.make)(Some(Path::new("/nowhere/o.txt"))).unwrap_err();
        assert!(error.to_string().contains("/nowhere/o.txt"), "{error}");
    }
}

/// Decompresses a gzip member of a known content length.
fn gunzip(stream: &[u8], length: usize) -> Vec<u8> {
    // One byte more than is needed, so that too much would be seen.
    let mut output = vec![0u8; length + 1];
    // SAFETY: an all-zero z_stream is what zlib asks for before inflateInit2: no allocator, no buffers.
    let mut state: zlib::z_stream = unsafe { MaybeUninit::zeroed().assume_init() };
    state.next_in = stream.as_ptr().cast_mut();
    state.avail_in = stream.len() as u32;
    state.next_out = output.as_mut_ptr();
    state.avail_out = output.len() as u32;
    let (version, size) = (zlib::zlibVersion, size_of::<zlib::z_stream>() as c_int);
    // SAFETY: the state is initialised before it is used and ended after, and both buffers outlive it.
    unsafe {
        assert_eq!(zlib::inflateInit2_(&mut state, 15 + 16, version(), size), zlib::Z_OK);
        assert_eq!(zlib::inflate(&mut state, zlib::Z_FINISH), zlib::Z_STREAM_END);
        assert_eq!(zlib::inflateEnd(&mut state), zlib::Z_OK);
    }
    assert_eq!(state.avail_in, 0, "something follows the member");
    output.truncate(state.total_out as usize);
    output
}
