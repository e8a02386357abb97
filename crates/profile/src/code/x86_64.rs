//! Instructions of x86-64, by a disassembler.

use super::{CodeKind, DecodedInstruction};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

pub(super) fn decode(bytes: &[u8], address: u64) -> impl Iterator<Item = DecodedInstruction> + '_ {
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).into_iter().map(|instruction| {
        let name = format!("{:?}", instruction.mnemonic());
        let near = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64;
        let is_call = instruction.mnemonic() == Mnemonic::Call;
        DecodedInstruction {
            address: instruction.ip(),
            vector: vector(&instruction)
                .filter(|_| !is_scalar(&name) && !is_of_registers_only(&instruction, &name)),
            extension: extension(&name),
            jump: (near && !is_call).then(|| instruction.near_branch_target()),
            is_call,
        }
    })
}

/// The widest vector register among its operands.
fn vector(instruction: &Instruction) -> Option<CodeKind> {
    (0..instruction.op_count())
        .filter(|at| instruction.op_kind(*at) == OpKind::Register)
        .filter_map(|at| width(instruction.op_register(at)))
        .max()
}

fn width(register: Register) -> Option<CodeKind> {
    let is_in = |first, last| (first..=last).contains(&register);
    if is_in(Register::XMM0, Register::XMM31) {
        Some(CodeKind::Vector128)
    } else if is_in(Register::YMM0, Register::YMM31) {
        Some(CodeKind::Vector256)
    } else {
        is_in(Register::ZMM0, Register::ZMM31).then_some(CodeKind::Vector512)
    }
}

/// Arithmetic on single floating-point numbers, and moves of single words, which use the same registers.
fn is_scalar(name: &str) -> bool {
    let base = name.strip_prefix('V').unwrap_or(name);
    let is_move = matches!(base, "Movd" | "Movq" | "movd" | "movq");
    let is_integer = base.starts_with('P') || base.starts_with('p');
    is_move
        || (!is_integer && (base.ends_with("ss") || base.ends_with("sd")) || base.contains("2si"))
}

/// A copy between registers, or the zero that a register gets: scalar code does both by instructions for whole vectors.
fn is_of_registers_only(instruction: &Instruction, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let base = lower.strip_prefix('v').unwrap_or(&lower);
    let registers: Vec<Register> = (0..instruction.op_count())
        .filter(|at| instruction.op_kind(*at) == OpKind::Register)
        .map(|at| instruction.op_register(at))
        .collect();
    match registers[..] {
        [_, _] if base.starts_with("mova") || base.starts_with("movdqa") => true,
        [.., one, other] => one == other && base.trim_start_matches('p').starts_with("xor"),
        _ => false,
    }
}

fn extension(name: &str) -> Option<CodeKind> {
    let lower = name.to_ascii_lowercase();
    let base = lower.strip_prefix('v').unwrap_or(&lower);
    if base.starts_with("aes") {
        Some(CodeKind::Aes)
    } else if ["sha1", "sha256", "sha512", "sm3"].iter().any(|name| base.starts_with(name)) {
        Some(CodeKind::Sha)
    } else if base.starts_with("pclmul") {
        Some(CodeKind::CarryLess)
    } else if base == "crc32" {
        Some(CodeKind::Crc32)
    } else {
        None
    }
}
