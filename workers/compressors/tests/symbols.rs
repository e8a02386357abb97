//! No two of this worker's libraries have a symbol in common.

#[path = "../../symbols.rs"]
mod symbols;

#[test]
fn no_two_libraries_have_a_symbol_in_common() {
    symbols::assert_none_in_common(&[
        ("compu_brotli_sys", "BrotliEncoderCompress"),
        ("libz_sys", "deflate"),
        ("libz_ng_sys", "zng_deflate"),
        ("libdeflate_sys", "libdeflate_gzip_compress"),
        ("lz4_sys", "LZ4F_compressBegin"),
    ]);
}
