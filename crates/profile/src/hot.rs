//! Stacks → the functions that they end in, with what the hot code of each holds.

use crate::address_space::{AddressSpace, PlacedFunction};
use crate::code::{HotCode, InstructionSet, hot_code};
use crate::jit_map::JitMap;
use crate::stack::{StackFrame, StackSample};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// The module of the kernel's functions.
pub const KERNEL: &str = "kernel";

/// The most functions of a profile; the others are left out, not their samples.
pub(crate) const MOST_FUNCTIONS: usize = 200;
/// The code of so many functions is looked at.
const MOST_DISASSEMBLED: usize = 30;

/// Where a process spent its time.
#[derive(Debug, Clone, Default)]
pub struct Hotspots {
    /// How many stacks were taken.
    pub samples: u64,
    /// The hottest first, at most 200.
    pub functions: Vec<HotFunction>,
    /// Names of functions, the outermost first, and how many stacks were so.
    pub stacks: BTreeMap<Vec<String>, u64>,
}

/// A function that a thread was in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotFunction {
    /// Demangled, without hashes and suffixes of calling conventions.
    pub name: String,
    /// The name of the program or library that holds it, without folders; `kernel`, or `no file` of JIT-compiled code.
    pub module: String,
    /// In how many samples a thread was in the function itself, not in one that it called.
    pub samples: u64,
    /// Its hot code; `null` in the kernel and beyond the hottest 30 functions.
    pub code: Option<HotCode>,
}

/// Identifies a function at any of its addresses.
type FunctionKey = (String, String);

/// A function with the samples in it.
struct Sampled {
    function: PlacedFunction,
    counts: BTreeMap<u64, u64>,
}

impl Hotspots {
    /// Resolves samples of a process that still exists, with its runtime's names of generated code.
    ///
    /// # Errors
    /// When it is gone.
    pub fn of(pid: u32, samples: &[StackSample], jit_map: JitMap) -> io::Result<Self> {
        let space = AddressSpace::of(Pid::from_raw(pid.cast_signed()))?.with(jit_map);
        let mut sampled: BTreeMap<FunctionKey, Sampled> = BTreeMap::new();
        let mut stacks: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        let mut known: BTreeMap<u64, PlacedFunction> = BTreeMap::new();
        let mut function_at = |address: u64| {
            known.entry(address).or_insert_with(|| space.function_at(address)).clone()
        };
        for sample in samples {
            let mut names = Vec::new();
            for (depth, frame) in sample.frames.iter().enumerate() {
                let (function, address) = match frame {
                    // A caller's address is that behind the call, which may be in the next function.
                    StackFrame::User(at) if depth > 0 => (function_at(at.saturating_sub(1)), None),
                    StackFrame::User(at) => (function_at(*at), Some(*at)),
                    StackFrame::Kernel(name) => (of_kernel(name), None),
                };
                names.push(function.name.clone());
                if depth == 0 {
                    let key = (function.name.clone(), function.module.clone());
                    let new = || Sampled { function, counts: BTreeMap::new() };
                    let counts = &mut sampled.entry(key).or_insert_with(new).counts;
                    *counts.entry(address.unwrap_or_default()).or_default() += 1;
                }
            }
            names.reverse();
            *stacks.entry(names).or_default() += 1;
        }
        Ok(Self { samples: samples.len() as u64, functions: functions(sampled, &space), stacks })
    }
}

fn functions(sampled: BTreeMap<FunctionKey, Sampled>, space: &AddressSpace) -> Vec<HotFunction> {
    let count = |sampled: &Sampled| sampled.counts.values().sum::<u64>();
    let mut sampled: Vec<Sampled> = sampled.into_values().collect();
    sampled.sort_by_key(|sampled| Reverse(count(sampled)));
    sampled.truncate(MOST_FUNCTIONS);
    let function = |(rank, sampled): (usize, Sampled)| {
        let samples = count(&sampled);
        let PlacedFunction { name, module, addresses } = sampled.function;
        let is_looked_at = rank < MOST_DISASSEMBLED && !addresses.is_empty();
        let look = || {
            hot_code(InstructionSet::HERE, &addresses, &sampled.counts, &|range| space.bytes(range))
        };
        HotFunction { name, module, samples, code: is_looked_at.then(look).flatten() }
    };
    sampled.into_iter().enumerate().map(function).collect()
}

fn of_kernel(name: &str) -> PlacedFunction {
    PlacedFunction { name: name.to_owned(), module: KERNEL.to_owned(), addresses: 0..0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn sums_bytes(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0, |sum, byte| black_box(sum) + u64::from(*byte))
    }

    #[test]
    fn samples_of_one_function_are_added_and_its_callers_are_in_the_stacks() {
        assert_eq!(sums_bytes(&[1, 2]), 3);
        let here = sums_bytes as fn(&[u8]) -> u64 as usize as u64;
        let test = samples_of_one_function_are_added_and_its_callers_are_in_the_stacks as fn()
            as usize as u64;
        let sample = |frames: Vec<StackFrame>| StackSample { time_ns: 1, frames };
        let kernel = || StackFrame::Kernel("write\u{1b}[2J".to_owned());
        let samples = [
            sample(vec![StackFrame::User(here), StackFrame::User(test + 5)]),
            sample(vec![StackFrame::User(here + 4), StackFrame::User(test + 9)]),
            sample(vec![kernel(), StackFrame::User(here + 1)]),
        ];
        let hot = Hotspots::of(std::process::id(), &samples, JitMap::default()).unwrap();
        assert_eq!((hot.samples, hot.functions.len(), hot.stacks.len()), (3, 2, 2));
        let [sums, kernel] = &hot.functions[..] else { panic!("{hot:?}") };
        assert!(sums.name.ends_with("sums_bytes"), "{sums:?}");
        assert_eq!((sums.samples, kernel.samples), (2, 1));
        assert!(sums.code.is_some());
        assert_eq!((&kernel.module[..], &kernel.code), ("kernel", &None));
        let stack = hot.stacks.iter().find(|(_, count)| **count == 2).unwrap().0;
        assert!(stack[0].ends_with("in_the_stacks") && stack[1].ends_with("sums_bytes"));
    }
}
