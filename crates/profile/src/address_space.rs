//! A live process: which function holds an address, and its code as it lies in memory.

use crate::jit_map::JitMap;
use crate::mapping::Mapping;
use crate::symbols::{SymbolTable, debug_file};
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, IoSliceMut};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

/// Programs larger than this get no names: none that we know of is.
const LARGEST_FILE_BYTES: u64 = 1 << 30;
/// A process may have 65,530 mappings, with paths of 4 KiB at most.
const LARGEST_MAPS_BYTES: u64 = 1 << 28;
/// The name of code that its process has made itself.
const JIT_CODE: &str = "JIT-compiled code";
/// The name of a file's code that its symbol table does not name.
const NO_SYMBOL: &str = "code without a symbol";

/// A process's mappings when it was looked at, and the functions of their files.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    pid: Pid,
    mappings: Vec<Mapping>,
    tables: RefCell<BTreeMap<String, Rc<SymbolTable>>>,
    /// Names of code that its runtime generated.
    jit_map: JitMap,
}

/// A function in a process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedFunction {
    pub name: String,
    /// The name of its file.
    pub module: String,
    /// Where its code is in the process; empty in the kernel.
    pub addresses: Range<u64>,
}

impl AddressSpace {
    /// Looks at a process.
    ///
    /// # Errors
    /// When it is gone or may not be looked at.
    pub fn of(pid: Pid) -> io::Result<Self> {
        let maps = foreign::read(Path::new(&format!("/proc/{pid}/maps")), LARGEST_MAPS_BYTES)?;
        let mappings = Mapping::of(&String::from_utf8_lossy(&maps));
        Ok(Self { pid, mappings, tables: RefCell::default(), jit_map: JitMap::default() })
    }

    /// With names for code that it made itself.
    pub fn with(self, jit_map: JitMap) -> Self {
        Self { jit_map, ..self }
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> PlacedFunction {
        let Some(mapping) = self.mapping_at(address) else {
            return PlacedFunction {
                name: "unknown code".to_owned(),
                module: "unknown".to_owned(),
                addresses: address..address,
            };
        };
        if mapping.is_made_at_run_time() {
            let whole = || (JIT_CODE, mapping.start..mapping.end);
            let (name, addresses) = self.jit_map.function_at(address).unwrap_or_else(whole);
            return PlacedFunction {
                name: name.to_owned(),
                module: "no file".to_owned(),
                addresses,
            };
        }
        let module = mapping.module().to_owned();
        let offset = address - mapping.start + mapping.file_offset;
        let table = self.table(&mapping.path);
        let found = table.address_of(offset).and_then(|in_file| {
            let function = table.function_at(in_file)?;
            let start = address - (in_file - function.addresses.start);
            let bytes = function.addresses.end - function.addresses.start;
            Some((function.name.clone(), start..start + bytes))
        });
        let (name, addresses) =
            found.unwrap_or_else(|| (NO_SYMBOL.to_owned(), mapping.start..mapping.end));
        PlacedFunction { name, module, addresses }
    }

    /// Where in the process a place of a file is.
    pub fn address_of(&self, path: &str, file_offset: u64) -> Option<u64> {
        let mapping = self.mappings.iter().find(|mapping| {
            let bytes = mapping.end - mapping.start;
            let is_there = file_offset >= mapping.file_offset;
            mapping.path == path && is_there && file_offset - mapping.file_offset < bytes
        })?;
        Some(mapping.start + (file_offset - mapping.file_offset))
    }

    /// Whether an instruction can lie there.
    pub fn is_code(&self, address: u64) -> bool {
        self.mapping_at(address).is_some()
    }

    /// As much of a part of its memory as can be read, from the begin.
    pub fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = vec![0; (range.end.saturating_sub(range.start)) as usize];
        let read = read_memory(self.pid, range.start, &mut bytes);
        bytes.truncate(read);
        bytes
    }

    fn mapping_at(&self, address: u64) -> Option<&Mapping> {
        let after = self.mappings.partition_point(|mapping| mapping.start <= address);
        self.mappings[..after].last().filter(|mapping| address < mapping.end)
    }

    fn table(&self, path: &str) -> Rc<SymbolTable> {
        let mut tables = self.tables.borrow_mut();
        let table = tables.entry(path.to_owned()).or_insert_with(|| Rc::new(read_table(path)));
        Rc::clone(table)
    }
}

/// Reads memory of a process and returns how many bytes could be read.
pub(crate) fn read_memory(pid: Pid, address: u64, into: &mut [u8]) -> usize {
    let len = into.len();
    let remote = [RemoteIoVec { base: address as usize, len }];
    process_vm_readv(pid, &mut [IoSliceMut::new(into)], &remote).unwrap_or(0)
}

/// The symbols of a file and of its debug file; none if it can't be read, as of a file that was deleted.
fn read_table(path: &str) -> SymbolTable {
    let bytes = read_program(Path::new(path));
    let debug = debug_file(&bytes).map(|path| read_program(&path)).unwrap_or_default();
    SymbolTable::of(&bytes, &debug)
}

fn read_program(path: &Path) -> Vec<u8> {
    foreign::read(path, LARGEST_FILE_BYTES).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn a_function_in_memory() -> u64 {
        std::hint::black_box(8)
    }

    #[test]
    fn this_process_finds_its_own_functions_and_their_bytes() {
        let space = AddressSpace::of(Pid::this()).unwrap();
        let address = a_function_in_memory as fn() -> u64 as usize as u64;
        assert_eq!(a_function_in_memory(), 8);
        let function = space.function_at(address);
        assert!(function.name.ends_with("a_function_in_memory"), "{function:?}");
        assert_eq!(function.addresses.start, address);
        let bytes = space.bytes(function.addresses.clone());
        assert_eq!(bytes.len() as u64, function.addresses.end - address);
        assert!(bytes.iter().any(|byte| *byte != 0));
    }

    #[test]
    fn where_no_code_is_nothing_is_named_or_read() {
        let space = AddressSpace::of(Pid::this()).unwrap();
        assert_eq!(space.function_at(8).name, "unknown code");
        assert_eq!(space.bytes(8..80), [0; 0]);
        assert!(!space.is_code(8));
    }
}
