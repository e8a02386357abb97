//! Private keys in PKCS #8 (RFC 5958) from their secret bytes, in the form without a public key.

use data_encoding::HEXLOWER;

/// RFC 8410, of the 32 bytes of a secret key in hex.
pub fn ed25519(hex: &str) -> Vec<u8> {
    let secret = HEXLOWER.decode(hex.as_bytes()).expect("a constant of this program is hex");
    [&b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"[..], &secret].concat()
}

/// RFC 9881, of a seed of 32 bytes.
pub fn ml_dsa_65(seed: &[u8]) -> Vec<u8> {
    let head =
        b"\x30\x34\x02\x01\x00\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x12\x04\x22\x80\x20";
    [&head[..], seed].concat()
}

/// RFC 9935, of a seed of 64 bytes.
pub fn ml_kem_768(seed: &[u8]) -> Vec<u8> {
    let head =
        b"\x30\x54\x02\x01\x00\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x04\x02\x04\x42\x80\x40";
    [&head[..], seed].concat()
}
