//! Kinds of hot code: how wide its vectors are, and which instructions for ciphers and hashes it uses.

mod aarch64;
mod x86_64;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The part of a loop's instructions that work on vectors for it to be called a loop of vector instructions.
const VECTOR_SHARE: f64 = 1.0 / 8.0;
/// The part of a function's samples that a kind of code needs to be named.
const KIND_SHARE: f64 = 1.0 / 8.0;
/// The longest loop that is looked for, from a sampled instruction to its end.
const LOOP_BYTES: u64 = 16 << 10;
/// How many instructions from a sampled one stand for code that is in no loop.
const STRAIGHT_INSTRUCTIONS: usize = 32;
/// So many sampled instructions of a function are enough to know its loops.
const MOST_ADDRESSES: usize = 64;

/// Instruction sets beyond general registers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum CodeKind {
    /// Instructions for AES.
    #[serde(rename = "AES")]
    Aes,
    /// Instructions for SHA-1, SHA-2, SHA-3 or SM3.
    #[serde(rename = "SHA")]
    Sha,
    /// Carry-less multiplication: GHASH and CRCs.
    #[serde(rename = "carry-less multiplication")]
    CarryLess,
    /// Instructions for CRC-32.
    #[serde(rename = "CRC32")]
    Crc32,
    /// Vectors of 128 bits: SSE, AVX, NEON.
    #[serde(rename = "128-bit vector")]
    Vector128,
    /// Vectors of 256 bits: AVX, AVX2.
    #[serde(rename = "256-bit vector")]
    Vector256,
    /// Vectors of 512 bits: AVX-512.
    #[serde(rename = "512-bit vector")]
    Vector512,
    /// Vectors whose width the CPU decides: SVE.
    #[serde(rename = "SVE vector")]
    VectorScalable,
}

impl CodeKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Aes => "AES",
            Self::Sha => "SHA",
            Self::CarryLess => "carry-less multiplication",
            Self::Crc32 => "CRC32",
            Self::Vector128 => "128-bit vector",
            Self::Vector256 => "256-bit vector",
            Self::Vector512 => "512-bit vector",
            Self::VectorScalable => "SVE vector",
        }
    }

    /// For a cell, as x86-64 names the instructions.
    const fn short(self) -> &'static str {
        match self {
            Self::CarryLess => "CLMUL",
            other => other.name(),
        }
    }
}

/// Instructions in a function's hot code: those sampled and the loops around them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HotCode {
    /// Empty of scalar code.
    pub kinds: Vec<CodeKind>,
    /// Whether most samples lie in loops of the function itself.
    pub in_loop: bool,
}

impl HotCode {
    /// For a cell of a table: `AES, CLMUL, 512-bit vector`.
    pub fn words(&self) -> String {
        match &self.kinds[..] {
            [] => "scalar only".to_owned(),
            kinds => kinds.iter().map(|kind| kind.short()).collect::<Vec<_>>().join(", "),
        }
    }

    /// For a sentence: `a loop of AES and 512-bit vector instructions`.
    pub fn phrase(&self) -> String {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
        let kinds = match &names[..] {
            [] => "scalar".to_owned(),
            [only] => (*only).to_owned(),
            [before @ .., last] => format!("{} and {last}", before.join(", ")),
        };
        let in_loop = if self.in_loop { "a loop of " } else { "" };
        format!("{in_loop}{kinds} instructions")
    }
}

/// An instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    X86_64,
    Aarch64,
}

impl InstructionSet {
    /// That of this program, and so of what it can sample.
    pub const HERE: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    fn decode(
        self,
        bytes: &[u8],
        address: u64,
    ) -> Box<dyn Iterator<Item = DecodedInstruction> + '_> {
        match self {
            Self::X86_64 => Box::new(x86_64::decode(bytes, address)),
            Self::Aarch64 => Box::new(aarch64::decode(bytes, address)),
        }
    }
}

/// The parts of an instruction that classify code.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct DecodedInstruction {
    address: u64,
    /// The vectors that it works on.
    vector: Option<CodeKind>,
    /// A cipher or hash extension.
    extension: Option<CodeKind>,
    /// Where a jump leads; not of calls.
    jump: Option<u64>,
    is_call: bool,
}

/// Classifies hot code by how often each instruction of a function was sampled; `None` if its bytes can't be read.
pub(crate) fn hot_code(
    set: InstructionSet,
    function: &Range<u64>,
    counts: &BTreeMap<u64, u64>,
    read: &dyn Fn(Range<u64>) -> Vec<u8>,
) -> Option<HotCode> {
    let mut hottest: Vec<(u64, u64)> = counts.iter().map(|(at, count)| (*at, *count)).collect();
    hottest.sort_by_key(|(at, count)| (std::cmp::Reverse(*count), *at));
    hottest.truncate(MOST_ADDRESSES);
    let mut of_kind: BTreeMap<CodeKind, u64> = BTreeMap::new();
    let (mut total, mut in_loops) = (0, 0);
    for (address, count) in hottest {
        let Some(body) = LoopBody::around(set, function, address, read) else { continue };
        total += count;
        in_loops += if body.is_loop { count } else { 0 };
        for kind in body.kinds() {
            *of_kind.entry(kind).or_default() += count;
        }
    }
    let is_notable = |count: u64| count as f64 >= total as f64 * KIND_SHARE;
    let kinds = of_kind.into_iter().filter(|(_, count)| is_notable(*count)).map(|(kind, _)| kind);
    let kinds = widest(kinds.collect());
    (total > 0).then_some(HotCode { kinds, in_loop: 2 * in_loops > total })
}

/// Without vectors narrower than the widest.
fn widest(mut kinds: Vec<CodeKind>) -> Vec<CodeKind> {
    let widest = kinds.iter().copied().filter(|kind| *kind >= CodeKind::Vector128).max();
    kinds.retain(|kind| *kind < CodeKind::Vector128 || Some(*kind) == widest);
    kinds
}

/// The smallest loop around an instruction, or what follows one that is in none.
struct LoopBody {
    instructions: Vec<DecodedInstruction>,
    is_loop: bool,
}

impl LoopBody {
    /// From the instruction on to the first jump back to or before it, then from where that leads.
    fn around(
        set: InstructionSet,
        function: &Range<u64>,
        address: u64,
        read: &dyn Fn(Range<u64>) -> Vec<u8>,
    ) -> Option<Self> {
        let end = function.end.min(address.saturating_add(LOOP_BYTES));
        let bytes = read(address..end);
        let mut after_call = false;
        let mut straight = Vec::new();
        for instruction in set.decode(&bytes, address) {
            let to = instruction.jump.filter(|to| function.contains(to) && *to <= address);
            // Go's functions end with a call that grows the stack, and a jump to their begin.
            let is_restart = after_call && instruction.jump == Some(function.start);
            if let Some(to) = to.filter(|to| address - to <= LOOP_BYTES && !is_restart) {
                let bytes = read(to..instruction.address + 1);
                let mut instructions: Vec<_> = set.decode(&bytes, to).collect();
                // The jump itself was cut.
                instructions.retain(|each| each.address < instruction.address);
                instructions.push(instruction);
                return Some(Self { instructions, is_loop: true });
            }
            after_call = instruction.is_call;
            if straight.len() < STRAIGHT_INSTRUCTIONS {
                straight.push(instruction);
            }
        }
        (!straight.is_empty()).then_some(Self { instructions: straight, is_loop: false })
    }

    fn kinds(&self) -> Vec<CodeKind> {
        let mut kinds: Vec<CodeKind> =
            self.instructions.iter().filter_map(|instruction| instruction.extension).collect();
        let vectors: Vec<CodeKind> =
            self.instructions.iter().filter_map(|instruction| instruction.vector).collect();
        let enough = self.instructions.len() as f64 * VECTOR_SHARE;
        let widths = [
            CodeKind::VectorScalable,
            CodeKind::Vector512,
            CodeKind::Vector256,
            CodeKind::Vector128,
        ];
        let is_common = |width: &CodeKind| {
            vectors.iter().filter(|vector| *vector >= width).count() as f64 >= enough
        };
        kinds.extend(widths.into_iter().find(|width| vectors.contains(width) && is_common(width)));
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

#[cfg(test)]
mod tests;
