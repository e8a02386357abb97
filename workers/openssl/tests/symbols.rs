//! No two of this worker's libraries have a symbol in common.

#[path = "../../symbols.rs"]
mod symbols;

#[test]
fn no_two_libraries_have_a_symbol_in_common() {
    symbols::assert_none_in_common(&[
        ("openssl_sys", "EVP_EncryptUpdate"),
        ("aws_lc_sys", "EVP_AEAD_CTX_seal"),
        ("ring", "ring_core_"),
        ("blake3", "blake3_hash_many"),
    ]);
}
