//! Bytes as assemblers (LLVM's) made them.

use super::CodeKind::{
    Aes, CarryLess, Crc32, Sha, Vector128, Vector256, Vector512, VectorScalable,
};
use super::*;

type Expected = (Option<CodeKind>, Option<CodeKind>);

fn one(set: InstructionSet, bytes: &[u8]) -> DecodedInstruction {
    let all: Vec<_> = set.decode(bytes, 0x1000).collect();
    assert_eq!(all.len(), 1, "{bytes:x?}: {all:?}");
    all[0]
}

#[test]
fn instructions_of_x86_64_are_known_by_width_and_purpose() {
    let cases: &[(&[u8], &str, Expected)] = &[
        (&[0x66, 0x0f, 0x38, 0xdc, 0xc1], "aesenc xmm0, xmm1", (Some(Vector128), Some(Aes))),
        (
            &[0x62, 0xf2, 0x75, 0x48, 0xdc, 0xc2],
            "vaesenc zmm0, zmm1, zmm2",
            (Some(Vector512), Some(Aes)),
        ),
        (&[0x0f, 0x38, 0xcb, 0xc1], "sha256rnds2 xmm0, xmm1", (Some(Vector128), Some(Sha))),
        (
            &[0x66, 0x0f, 0x3a, 0x44, 0xc1, 0],
            "pclmulqdq xmm0, xmm1, 0",
            (Some(Vector128), Some(CarryLess)),
        ),
        (
            &[0xc4, 0xe3, 0x75, 0x44, 0xc2, 1],
            "vpclmulqdq ymm0, ymm1, ymm2, 1",
            (Some(Vector256), Some(CarryLess)),
        ),
        (&[0xf2, 0x0f, 0x38, 0xf1, 0xc1], "crc32 eax, ecx", (None, Some(Crc32))),
        (&[0x66, 0x0f, 0xfe, 0xc1], "paddd xmm0, xmm1", (Some(Vector128), None)),
        (&[0xc5, 0xf5, 0xfe, 0xc2], "vpaddd ymm0, ymm1, ymm2", (Some(Vector256), None)),
        (&[0x62, 0xf1, 0x7d, 0x48, 0x72, 0xc1, 7], "vprord zmm0, zmm1, 7", (Some(Vector512), None)),
        (
            &[0x62, 0xe1, 0x75, 0x49, 0xfe, 0],
            "vpaddd zmm16{k1}, zmm1, [rax]",
            (Some(Vector512), None),
        ),
        (&[0xf3, 0x0f, 0x6f, 0x07], "movdqu xmm0, [rdi]", (Some(Vector128), None)),
        (&[0x66, 0x0f, 0x38, 0x1e, 0xc1], "pabsd xmm0, xmm1", (Some(Vector128), None)),
        (&[0x0f, 0x28, 0xc1], "movaps xmm0, xmm1", (None, None)),
        (&[0x0f, 0x28, 0x07], "movaps xmm0, [rdi]", (Some(Vector128), None)),
        (&[0x0f, 0x57, 0xc0], "xorps xmm0, xmm0", (None, None)),
        (&[0xc5, 0xf5, 0xef, 0xc1], "vpxor ymm0, ymm1, ymm1", (None, None)),
        (&[0xc5, 0xf5, 0xef, 0xc2], "vpxor ymm0, ymm1, ymm2", (Some(Vector256), None)),
        (&[0xf2, 0x0f, 0x58, 0xc1], "addsd xmm0, xmm1", (None, None)),
        (&[0xc4, 0xe2, 0xf1, 0xb9, 0xc2], "vfmadd231sd xmm0, xmm1, xmm2", (None, None)),
        (&[0xf2, 0x48, 0x0f, 0x2a, 0xc0], "cvtsi2sd xmm0, rax", (None, None)),
        (&[0xf2, 0x48, 0x0f, 0x2c, 0xc0], "cvttsd2si rax, xmm0", (None, None)),
        (&[0x66, 0x0f, 0x6e, 0xc0], "movd xmm0, eax", (None, None)),
        (&[0xc4, 0xe1, 0xf9, 0x7e, 0xc0], "vmovq rax, xmm0", (None, None)),
        (&[0x48, 0x01, 0xc8], "add rax, rcx", (None, None)),
        (&[0xc4, 0xe2, 0xf3, 0xf6, 0xc2], "mulx rax, rcx, rdx", (None, None)),
        (&[0xc5, 0xf8, 0x77], "vzeroupper", (None, None)),
    ];
    for (bytes, text, expected) in cases {
        let decoded = one(InstructionSet::X86_64, bytes);
        assert_eq!((decoded.vector, decoded.extension), *expected, "{text}");
    }
}

#[test]
fn instructions_of_aarch64_are_known_by_width_and_purpose() {
    let cases: &[(u32, &str, Expected)] = &[
        (0x4e28_4820, "aese v0.16b, v1.16b", (Some(Vector128), Some(Aes))),
        (0x4e28_6800, "aesmc v0.16b, v0.16b", (Some(Vector128), Some(Aes))),
        (0x4522_e020, "aese z0.b, z0.b, z1.b", (Some(VectorScalable), Some(Aes))),
        (0x5e02_4020, "sha256h q0, q1, v2.4s", (Some(Vector128), Some(Sha))),
        (0x5e28_2820, "sha256su0 v0.4s, v1.4s", (Some(Vector128), Some(Sha))),
        (0x5e02_0020, "sha1c q0, s1, v2.4s", (Some(Vector128), Some(Sha))),
        (0xce62_8020, "sha512h q0, q1, v2.2d", (Some(Vector128), Some(Sha))),
        (0xcec0_8020, "sha512su0 v0.2d, v1.2d", (Some(Vector128), Some(Sha))),
        (0xce42_9020, "sm3tt1a v0.4s, v1.4s, v2.s[1]", (Some(Vector128), Some(Sha))),
        (0xcec0_8420, "sm4e v0.4s, v1.4s", (Some(Vector128), None)),
        (0xce02_0c20, "eor3 v0.16b, v1.16b, v2.16b, v3.16b", (Some(Vector128), None)),
        (0x0ee2_e020, "pmull v0.1q, v1.1d, v2.1d", (Some(Vector128), Some(CarryLess))),
        (0x4ee2_e020, "pmull2 v0.1q, v1.2d, v2.2d", (Some(Vector128), Some(CarryLess))),
        (0x9ac2_5c20, "crc32cx w0, w1, x2", (None, Some(Crc32))),
        (0x1ac2_4020, "crc32b w0, w1, w2", (None, Some(Crc32))),
        (0x4ea2_8420, "add v0.4s, v1.4s, v2.4s", (Some(Vector128), None)),
        (0x4e02_0020, "tbl v0.16b, { v1.16b }, v2.16b", (Some(Vector128), None)),
        (0x3dc0_0000, "ldr q0, [x0]", (Some(Vector128), None)),
        (0x3d80_0400, "str q0, [x0, #16]", (Some(Vector128), None)),
        (0x3ce1_6800, "ldr q0, [x0, x1]", (Some(Vector128), None)),
        (0x3cc0_3000, "ldur q0, [x0, #3]", (Some(Vector128), None)),
        (0xacc1_0400, "ldp q0, q1, [x0], #32", (Some(Vector128), None)),
        (0xad00_0400, "stp q0, q1, [x0]", (Some(Vector128), None)),
        (0x4cdf_2000, "ld1 { v0.16b-v3.16b }, [x0], #64", (Some(Vector128), None)),
        (0x0d00_0400, "st1 { v0.b }[1], [x0]", (Some(Vector128), None)),
        (0x04a2_0020, "add z0.s, z1.s, z2.s", (Some(VectorScalable), None)),
        (0xa400_a000, "ld1b { z0.b }, p0/z, [x0]", (Some(VectorScalable), None)),
        (0x4ea1_1c20, "mov v0.16b, v1.16b", (None, None)),
        (0x4ea2_1c20, "orr v0.16b, v1.16b, v2.16b", (Some(Vector128), None)),
        (0x2f00_e400, "movi d0, #0", (None, None)),
        (0x6f00_e400, "movi v0.2d, #0", (None, None)),
        (0x4f00_0400, "movi v0.4s, #0", (None, None)),
        (0x1e62_2820, "fadd d0, d1, d2", (None, None)),
        (0x1f42_0c20, "fmadd d0, d1, d2, d3", (None, None)),
        (0x9e78_0000, "fcvtzs x0, d0", (None, None)),
        (0x9e62_0000, "scvtf d0, x0", (None, None)),
        (0xfd40_0000, "ldr d0, [x0]", (None, None)),
        (0x6d41_27e8, "ldp d8, d9, [sp, #16]", (None, None)),
        (0xbd00_0000, "str s0, [x0]", (None, None)),
        (0x9e66_0000, "fmov x0, d0", (None, None)),
        (0x8b02_0020, "add x0, x1, x2", (None, None)),
        (0x9b02_7c20, "mul x0, x1, x2", (None, None)),
        (0xf940_0000, "ldr x0, [x0]", (None, None)),
        (0xa8c1_7bfd, "ldp x29, x30, [sp], #16", (None, None)),
    ];
    for (word, text, expected) in cases {
        let decoded = one(InstructionSet::Aarch64, &word.to_le_bytes());
        assert_eq!((decoded.vector, decoded.extension), *expected, "{text}");
    }
}

#[test]
fn jumps_and_calls_of_both_architectures_are_told_apart() {
    let x86: &[(&[u8], Option<u64>, bool)] = &[
        (&[0x75, 0xfe], Some(0x1000), false),
        (&[0xe9, 0xfb, 0xff, 0xff, 0xff], Some(0x1000), false),
        (&[0xe8, 0, 0, 0, 0], None, true),
        (&[0xff, 0xd0], None, true),
        (&[0xc3], None, false),
    ];
    for (bytes, jump, is_call) in x86 {
        let decoded = one(InstructionSet::X86_64, bytes);
        assert_eq!((decoded.jump, decoded.is_call), (*jump, *is_call), "{bytes:x?}");
    }
    // b .-8, b.ne .-16, cbz x0, .+32, tbnz w0, #3, .-4, bl .+16, blr x3, br x3, ret
    let arm: &[(u32, Option<u64>, bool)] = &[
        (0x17ff_fffe, Some(0xff8), false),
        (0x54ff_ff81, Some(0xff0), false),
        (0xb400_0100, Some(0x1020), false),
        (0x371f_ffe0, Some(0xffc), false),
        (0x9400_0004, None, true),
        (0xd63f_0060, None, true),
        (0xd61f_0060, None, false),
        (0xd65f_03c0, None, false),
    ];
    for (word, jump, is_call) in arm {
        let decoded = one(InstructionSet::Aarch64, &word.to_le_bytes());
        assert_eq!((decoded.jump, decoded.is_call), (*jump, *is_call), "{word:x}");
    }
}

/// The kinds of a function's code that was sampled at these places of it.
fn kinds(set: InstructionSet, code: &[u8], sampled: &[(u64, u64)]) -> HotCode {
    const START: u64 = 0x4000;
    let function = START..START + code.len() as u64;
    let counts = sampled.iter().map(|(at, count)| (START + at, *count)).collect();
    let read = |range: Range<u64>| {
        let [from, to] = [range.start, range.end].map(|at| (at - START) as usize);
        code[from..to.min(code.len())].to_vec()
    };
    hot_code(set, &function, &counts, &read).expect("code")
}

/// A loop of `vpaddd zmm`, then one of `add rax, rcx`, each with its jump back.
const TWO_LOOPS: [u8; 13] =
    [0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2, 0x75, 0xf8, 0x48, 0x01, 0xc8, 0x75, 0xfb];

#[test]
fn of_a_function_only_the_loops_that_were_sampled_count() {
    let vectors = kinds(InstructionSet::X86_64, &TWO_LOOPS, &[(0, 100), (8, 2)]);
    assert_eq!(vectors, HotCode { kinds: vec![Vector512], in_loop: true });
    assert_eq!(vectors.phrase(), "a loop of 512-bit vector instructions");
    let scalar = kinds(InstructionSet::X86_64, &TWO_LOOPS, &[(11, 100), (0, 2)]);
    assert_eq!((scalar.words(), scalar.in_loop), ("scalar only".to_owned(), true));
    assert_eq!(scalar.phrase(), "a loop of scalar instructions");
}

#[test]
fn code_without_a_loop_is_judged_by_what_follows() {
    // aesenc, add, ret
    let code = [0x66, 0x0f, 0x38, 0xdc, 0xc1, 0x48, 0x01, 0xc8, 0xc3];
    let hot = kinds(InstructionSet::X86_64, &code, &[(0, 1)]);
    assert_eq!(hot, HotCode { kinds: vec![Aes, Vector128], in_loop: false });
    assert_eq!(hot.phrase(), "AES and 128-bit vector instructions");
}

#[test]
fn the_jump_with_which_a_go_function_grows_its_stack_is_no_loop() {
    // paddd, ret, call, and back to the begin.
    let code = [0x66, 0x0f, 0xfe, 0xc1, 0xc3, 0xe8, 0, 0, 0, 0, 0xeb, 0xf4];
    assert!(!kinds(InstructionSet::X86_64, &code, &[(0, 1)]).in_loop);
    // Without the call before it the jump is a loop.
    let code = [0x66, 0x0f, 0xfe, 0xc1, 0xc3, 0x48, 0x01, 0xc8, 0x90, 0x90, 0xeb, 0xf4];
    assert!(kinds(InstructionSet::X86_64, &code, &[(0, 1)]).in_loop);
}

#[test]
fn bytes_that_are_no_code_do_no_harm() {
    let noise: Vec<u8> =
        (0..4096_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for set in [InstructionSet::X86_64, InstructionSet::Aarch64] {
        for at in 0..64 {
            kinds(set, &noise, &[(at * 4, 1)]);
        }
    }
}
