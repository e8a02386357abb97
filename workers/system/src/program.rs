//! The smallest program: it exits with the first byte of its argument as its status. Without a library, a linker or an
//! assembler at run time, its instructions stand here.

/// Where it is in memory, and in the file as well.
const BASE: u64 = 0x40_0000;
/// Lengths of an ELF header and of its one program header (elf(5)).
const HEADER: u64 = 64;
const SEGMENT: u64 = 56;

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = 62;
/// `mov rax, [rsp+16]` (the argument); `movzx edi, byte [rax]`; `mov eax, 60` (exit); `syscall`.
#[cfg(target_arch = "x86_64")]
const CODE: &[u8] =
    &[0x48, 0x8b, 0x44, 0x24, 0x10, 0x0f, 0xb6, 0x38, 0xb8, 60, 0, 0, 0, 0x0f, 0x05];

#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;
/// `ldr x1, [sp, #16]` (the argument); `ldrb w0, [x1]`; `mov x8, #93` (exit); `svc #0`.
#[cfg(target_arch = "aarch64")]
const CODE: &[u8] = &[
    0xe1, 0x0b, 0x40, 0xf9, 0x20, 0x00, 0x40, 0x39, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,
];

/// The file: an ELF executable of one segment, which holds headers and code.
pub fn elf() -> Vec<u8> {
    let bytes = HEADER + SEGMENT + CODE.len() as u64;
    // 64 bits, little-endian, version 1, System V.
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |number: u16| number.to_le_bytes().to_vec();
    let word = |number: u32| number.to_le_bytes().to_vec();
    let long = |number: u64| number.to_le_bytes().to_vec();
    let header = [
        half(2), // executable
        half(MACHINE),
        word(1),
        long(BASE + HEADER + SEGMENT), // entry
        long(HEADER),                  // where program headers begin
        long(0),                       // no sections
        word(0),
        half(HEADER as u16),
        half(SEGMENT as u16),
        half(1), // of them
        half(64),
        half(0),
        half(0),
    ];
    let segment = [
        word(1),     // loaded
        word(4 | 1), // to read and to execute
        long(0),     // from the file's begin
        long(BASE),
        long(BASE),
        long(bytes),
        long(bytes),
        long(1 << 16), // aligned to the largest pages
    ];
    file.extend(header.concat());
    file.extend(segment.concat());
    file.extend(CODE);
    file
}
