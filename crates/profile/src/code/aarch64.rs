//! Instructions of aarch64. Each is one word, and its class is in fixed bits: section C4.1 of the Arm Architecture
//! Reference Manual for A-profile (DDI 0487), whose tables are named below.

use super::{CodeKind, DecodedInstruction};

pub(super) fn decode(bytes: &[u8], address: u64) -> impl Iterator<Item = DecodedInstruction> + '_ {
    let words = bytes.chunks_exact(4).zip((address..).step_by(4));
    words.map(|(word, address)| {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        DecodedInstruction {
            address,
            vector: vector(word),
            extension: extension(word),
            jump: jump(word).map(|by| address.wrapping_add_signed(by)),
            // Branch with link, to a label or a register.
            is_call: is(word, 0xfc00_0000, 0x9400_0000) || is(word, 0xffff_fc1f, 0xd63f_0000),
        }
    })
}

const fn is(word: u32, mask: u32, value: u32) -> bool {
    word & mask == value
}

/// How far a jump leads, in bytes: B, B.cond, CBZ and CBNZ, TBZ and TBNZ.
fn jump(word: u32) -> Option<i64> {
    let signed = |low: u32, bits: u32| {
        let field = (word >> low) << (32 - bits);
        i64::from(field.cast_signed() >> (32 - bits)) * 4
    };
    if is(word, 0xfc00_0000, 0x1400_0000) {
        Some(signed(0, 26))
    } else if is(word, 0xff00_0000, 0x5400_0000) || is(word, 0x7e00_0000, 0x3400_0000) {
        Some(signed(5, 19))
    } else if is(word, 0x7e00_0000, 0x3600_0000) {
        Some(signed(5, 14))
    } else {
        None
    }
}

fn vector(word: u32) -> Option<CodeKind> {
    let op0 = (word >> 25) & 0b1111;
    // In the class "Data processing: scalar floating-point and Advanced SIMD", bit 28 is clear in vectors; bit 31 is set in
    // "Cryptographic three- and four-register" (SHA-512, SHA-3, SM3, SM4).
    let is_copy = is(word, 0xbfe0_fc00, 0x0ea0_1c00) && (word >> 5) & 31 == (word >> 16) & 31;
    // MOVI of 0, by which scalar code makes one.
    let is_zero = is(word, 0x9fff_fce0, 0x0f00_0400) || is(word, 0x9fff_fce0, 0x0f00_e400);
    if is_copy || is_zero {
        return None;
    }
    let is_arithmetic = op0 & 0b0111 == 0b0111 && (word >> 28) & 1 == 0 && (word >> 31) & 1 == 0;
    let is_cipher = is_crypto(word) || is(word, 0xfe00_0000, 0xce00_0000);
    // "Loads and stores" of whole registers: LD1 to LD4 and ST1 to ST4, one or pairs of 128 bits.
    let is_structure = is(word, 0xbe00_0000, 0x0c00_0000);
    let is_pair = is(word, 0xfc00_0000, 0xac00_0000);
    let is_single = is(word, 0xff00_0000, 0x3d00_0000) || is(word, 0xff00_0000, 0x3c00_0000);
    let is_quad = is_single && (word >> 23) & 1 == 1;
    if op0 == 0b0010 {
        // "SVE encodings".
        Some(CodeKind::VectorScalable)
    } else if is_arithmetic || is_cipher || is_structure || is_pair || is_quad {
        Some(CodeKind::Vector128)
    } else {
        None
    }
}

/// "Cryptographic AES", "Cryptographic three-register SHA" and "two-register SHA".
const fn is_crypto(word: u32) -> bool {
    is(word, 0xff3e_0c00, 0x4e28_0800)
        || is(word, 0xff20_8c00, 0x5e00_0000)
        || is(word, 0xff3e_0c00, 0x5e28_0800)
}

fn extension(word: u32) -> Option<CodeKind> {
    let is_sve_aes = is(word, 0xffff_f800, 0x4520_e000) || is(word, 0xffff_f800, 0x4522_e000);
    if is(word, 0xff3e_0c00, 0x4e28_0800) || is_sve_aes {
        Some(CodeKind::Aes)
    } else if is_crypto(word) || is_long_hash(word) {
        Some(CodeKind::Sha)
    } else if is(word, 0xbf20_fc00, 0x0e20_e000) && matches!((word >> 22) & 3, 0 | 3) {
        // PMULL of bytes, and of 64 bits.
        Some(CodeKind::CarryLess)
    } else if is(word, 0x7fe0_e000, 0x1ac0_4000) {
        Some(CodeKind::Crc32)
    } else {
        None
    }
}

/// "Cryptographic three-register, imm2" (SM3), "three-register SHA 512" and "two-register SHA 512", without SM4. EOR3, BCAX
/// and the like are of SHA-3 by name, but are used by many as plain logic.
const fn is_long_hash(word: u32) -> bool {
    is(word, 0xffe0_c000, 0xce40_8000)
        || is(word, 0xffe0_f000, 0xce60_8000)
        || is(word, 0xffff_fc00, 0xcec0_8000)
}
