//! The page against the studies' page: its size, and what compressors make of it.

use std::ffi::c_int;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

use cloudflare_zlib_sys as zlib;
use compu_brotli_sys as brotli;
use sizeup_inputs::generators;

/// Compressed sizes in bytes that the studies report for their page, by level.
const GZIP: [(c_int, usize); 4] = [(4, 8_365), (5, 8_231), (6, 8_203), (8, 8_187)];
const BROTLI: [(u32, usize); 5] = [(4, 8_010), (5, 7_539), (9, 7_476), (10, 6_710), (11, 6_537)];

/// How far a size may be off, in percent.
const TOLERANCE: f64 = 10.0;

fn page() -> Vec<u8> {
    let generator = generators::find("page").expect("there is a page");
    (generator.make)(None).expect("the page needs nothing from outside")
}

#[test]
fn the_page_is_29329_bytes_and_the_same_twice() {
    assert_eq!(page().len(), 29_329);
    assert!(page() == page());
}

#[test]
fn the_page_is_one_whole_html_document_with_ten_articles() {
    let page = String::from_utf8(page()).expect("the page is UTF-8");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\""));
    assert_eq!(page.matches("<article class=\"card\"").count(), 10);
    assert!(!page.contains("{{"), "a place in a template was not filled");
    for element in ["html", "head", "body", "main", "article", "section", "div", "p", "a", "li"] {
        let opened = page.matches(&format!("<{element} ")).count()
            + page.matches(&format!("<{element}>")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "<{element}>");
    }
    let (_, stamp) = page.split_once("</html>\n").expect("the document is closed");
    assert!(stamp.len() < 100, "filler instead of a build stamp: {stamp}");
}

#[test]
fn the_page_compresses_by_cloudflares_zlib_as_the_studies_page_did() {
    let page = page();
    for (level, expected) in GZIP {
        check(&format!("gzip {level}"), gzip(&page, level).len(), expected);
    }
}

#[test]
fn the_page_compresses_by_brotli_as_the_studies_page_did() {
    let page = page();
    for (quality, expected) in BROTLI {
        check(&format!("brotli {quality}"), compress_brotli(&page, quality).len(), expected);
    }
}

fn check(what: &str, bytes: usize, expected: usize) {
    let off = 100.0 * (bytes as f64 / expected as f64 - 1.0);
    println!("{what:<10} {bytes:>6} bytes, the studies' {expected:>6} bytes, {off:+.1} %");
    assert!(off.abs() <= TOLERANCE, "{what}: {bytes} bytes are {off:+.1} % off {expected}");
}

/// Compresses by deflate with a gzip header, window 15, memory level 8.
fn gzip(content: &[u8], level: c_int) -> Vec<u8> {
    let mut output = vec![0u8; content.len()];
    // SAFETY: an all-zero z_stream is what zlib asks for before deflateInit2: no allocator, no buffers.
    let mut stream: zlib::z_stream = unsafe { MaybeUninit::zeroed().assume_init() };
    stream.next_in = content.as_ptr().cast_mut();
    stream.avail_in = content.len() as u32;
    stream.next_out = output.as_mut_ptr();
    stream.avail_out = output.len() as u32;
    // SAFETY: the stream is initialised before it is used and ended after, and both buffers outlive it.
    unsafe {
        let (method, window, memory, strategy) = (zlib::Z_DEFLATED, 15 + 16, 8, 0);
        let (version, size) = (zlib::zlibVersion(), size_of::<zlib::z_stream>() as c_int);
        let started = zlib::deflateInit2_(
            &mut stream,
            level,
            method,
            window,
            memory,
            strategy,
            version,
            size,
        );
        assert_eq!(started, zlib::Z_OK);
        assert_eq!(zlib::deflate(&mut stream, zlib::Z_FINISH), zlib::Z_STREAM_END);
        assert_eq!(zlib::deflateEnd(&mut stream), zlib::Z_OK);
    }
    output.truncate(stream.total_out as usize);
    output
}

/// Compresses by brotli's streaming interface, window 22.
fn compress_brotli(content: &[u8], quality: u32) -> Vec<u8> {
    let mut output = vec![0u8; content.len()];
    let (mut in_left, mut next_in) = (content.len(), content.as_ptr());
    let (mut out_left, mut next_out) = (output.len(), output.as_mut_ptr());
    // SAFETY: the encoder is checked before it is used and destroyed after; the pointers and the counts
    // describe the two buffers, which outlive it.
    unsafe {
        let encoder = brotli::BrotliEncoderCreateInstance(None, None, ptr::null_mut());
        assert!(!encoder.is_null());
        let (param_quality, param_window) = (
            brotli::BrotliEncoderParameter_BROTLI_PARAM_QUALITY,
            brotli::BrotliEncoderParameter_BROTLI_PARAM_LGWIN,
        );
        assert_eq!(brotli::BrotliEncoderSetParameter(encoder, param_quality, quality), 1);
        assert_eq!(brotli::BrotliEncoderSetParameter(encoder, param_window, 22), 1);
        let done = brotli::BrotliEncoderCompressStream(
            encoder,
            brotli::BrotliEncoderOperation_BROTLI_OPERATION_FINISH,
            &mut in_left,
            &mut next_in,
            &mut out_left,
            &mut next_out,
            ptr::null_mut(),
        );
        assert_eq!((done, brotli::BrotliEncoderIsFinished(encoder)), (1, 1));
        brotli::BrotliEncoderDestroyInstance(encoder);
    }
    output.truncate(content.len() - out_left);
    output
}
