//! The functions of a program or library, from its own symbol table: Go's, C's and Rust's are of one form.

use cpp_demangle::Symbol as CppSymbol;
use object::{
    Object, ObjectKind, ObjectSection, ObjectSegment, ObjectSymbol, SectionFlags, SymbolKind, elf,
};
use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;

/// The longest name that is kept, in characters: those of templates grow without bound.
const LONGEST_NAME: usize = 200;

/// The functions of a file, by address.
#[derive(Debug, Default)]
pub(crate) struct SymbolTable {
    functions: Vec<FileFunction>,
    segments: Vec<LoadedSegment>,
}

/// A function as its file places it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileFunction {
    pub name: String,
    /// Addresses as the file has them, before it is loaded anywhere.
    pub addresses: Range<u64>,
}

/// Which part of the file is loaded to which address.
#[derive(Debug)]
struct LoadedSegment {
    file: Range<u64>,
    address: u64,
}

impl SymbolTable {
    /// The functions of an ELF file, and those that its debug file knows; none of a file that is none or has no symbols.
    pub fn of(bytes: &[u8], debug: &[u8]) -> Self {
        let Ok(file) = object::File::parse(bytes) else { return Self::default() };
        if !matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic) {
            return Self::default();
        }
        let segments = file.segments().map(|segment| {
            let (start, bytes) = segment.file_range();
            LoadedSegment { file: start..start.saturating_add(bytes), address: segment.address() }
        });
        let mut found = candidates(&file);
        if let Ok(debug) = object::File::parse(debug) {
            found.extend(candidates(&debug));
        }
        Self { functions: functions(found), segments: segments.collect() }
    }

    /// The address at which the file places what is so far behind its begin.
    pub fn address_of(&self, file_offset: u64) -> Option<u64> {
        let segment = self.segments.iter().find(|segment| segment.file.contains(&file_offset))?;
        segment.address.checked_add(file_offset - segment.file.start)
    }

    /// The function that holds an address of the file.
    pub fn function_at(&self, address: u64) -> Option<&FileFunction> {
        let after = self.functions.partition_point(|function| function.addresses.start <= address);
        let function = self.functions[..after].last()?;
        function.addresses.contains(&address).then_some(function)
    }
}

/// A symbol with what chooses among several at one address.
struct SymbolCandidate {
    start: u64,
    bytes: u64,
    is_function: bool,
    is_global: bool,
    name: String,
    section_end: u64,
}

/// Where a distribution's debug packages have the symbols of a stripped library.
pub(crate) fn debug_file(bytes: &[u8]) -> Option<PathBuf> {
    let file = object::File::parse(bytes).ok()?;
    let id = file.build_id().ok()??;
    let hex = id.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    let (folder, name) = hex.split_at_checked(2)?;
    Some(format!("/usr/lib/debug/.build-id/{folder}/{name}.debug").into())
}

fn candidates(file: &object::File) -> Vec<SymbolCandidate> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    symbols.filter_map(|symbol| candidate(file, &symbol)).collect()
}

fn functions(mut found: Vec<SymbolCandidate>) -> Vec<FileFunction> {
    // The best name of each address first.
    found.sort_by(|a, b| {
        let rank = |candidate: &SymbolCandidate| {
            (
                !candidate.is_function,
                candidate.bytes == 0,
                candidate.name.starts_with('_'),
                !candidate.is_global,
            )
        };
        (a.start, rank(a), &a.name).cmp(&(b.start, rank(b), &b.name))
    });
    found.dedup_by_key(|candidate| candidate.start);
    let nexts = found.iter().skip(1).map(|candidate| candidate.start).chain([u64::MAX]);
    let ends: Vec<u64> = found
        .iter()
        .zip(nexts)
        .map(|(candidate, next)| match candidate.bytes {
            // Hand-written code may have no size: up to the next function.
            0 => next.min(candidate.section_end),
            bytes => candidate.start.saturating_add(bytes).min(candidate.section_end),
        })
        .collect();
    let named = found.into_iter().zip(ends);
    named
        .map(|(candidate, end)| FileFunction {
            name: demangled(&candidate.name),
            addresses: candidate.start..end,
        })
        .collect()
}

fn candidate<'a>(file: &object::File, symbol: &impl ObjectSymbol<'a>) -> Option<SymbolCandidate> {
    let is_function = symbol.kind() == SymbolKind::Text;
    let is_label = matches!(symbol.kind(), SymbolKind::Label | SymbolKind::Unknown);
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let name = symbol.name().ok()?;
    // `$x` and `$d` mark code and data on aarch64.
    let is_mark = name.is_empty() || name.starts_with('$') || name.starts_with(".L");
    // In a debug file the section is empty, and only its flags are left.
    let is_code = matches!(section.flags(), SectionFlags::Elf { sh_flags }
        if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0);
    if !is_code || !(is_function || is_label) || is_mark {
        return None;
    }
    Some(SymbolCandidate {
        start: symbol.address(),
        bytes: symbol.size(),
        is_function,
        is_global: symbol.is_global(),
        name: name.to_owned(),
        section_end: section.address().saturating_add(section.size()),
    })
}

/// A symbol as its author wrote it: without hash, without suffixes of calling conventions.
pub(crate) fn demangled(symbol: &str) -> String {
    let symbol = symbol.split('@').next().unwrap_or(symbol);
    let of_rust = || rustc_demangle::try_demangle(symbol).ok().map(|name| format!("{name:#}"));
    let of_cpp = || {
        let parsed = symbol.starts_with("_Z").then(|| CppSymbol::new(symbol).ok())??;
        parsed.demangle().ok()
    };
    // Go's assembly has the older ABI, which nobody would look for.
    let of_go = || symbol.strip_suffix(".abi0").map(str::to_owned);
    let name = of_rust().or_else(of_cpp).or_else(of_go).unwrap_or_else(|| symbol.to_owned());
    name.chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_their_authors_wrote_them() {
        let cases = [
            (
                "_ZN6blake38portable17compress_in_place17h0123456789abcdefE",
                "blake3::portable::compress_in_place",
            ),
            ("_ZN3foo3barEi", "foo::bar(int)"),
            ("internal/bytealg.IndexByte.abi0", "internal/bytealg.IndexByte"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("sha512_block_data_order_avx2", "sha512_block_data_order_avx2"),
            ("_Zbroken", "_Zbroken"),
        ];
        for (symbol, name) in cases {
            assert_eq!(demangled(symbol), name);
        }
        assert_eq!(demangled(&"x".repeat(10_000)).len(), LONGEST_NAME);
    }

    #[inline(never)]
    fn a_function_of_this_test() -> u64 {
        std::hint::black_box(7)
    }

    #[test]
    fn an_address_of_this_program_is_found_in_its_own_file() {
        assert_eq!(a_function_of_this_test(), 7);
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let table = SymbolTable::of(&bytes, b"");
        let find =
            |name: &str| table.functions.iter().find(|function| function.name.ends_with(name));
        let function = find("a_function_of_this_test").expect("our own symbols").clone();
        let inside = function.addresses.start + 1;
        assert_eq!(table.function_at(inside), Some(&function));
        assert_ne!(table.function_at(function.addresses.end), Some(&function));
    }

    #[test]
    fn a_stripped_program_has_the_names_of_its_debug_file() {
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let whole = SymbolTable::of(&bytes, b"");
        let function = whole
            .functions
            .iter()
            .find(|function| function.name.ends_with("of_this_test"))
            .unwrap();
        // No table of symbols: the section headers begin nowhere.
        let mut stripped = bytes.clone();
        stripped[40..48].fill(0);
        stripped[58..64].fill(0);
        let inside = function.addresses.start + 1;
        assert_eq!(SymbolTable::of(&stripped, b"").function_at(inside), None);
        assert_eq!(SymbolTable::of(&stripped, &bytes).function_at(inside), Some(function));
    }

    #[test]
    fn bytes_that_are_no_program_have_no_functions() {
        let mut torn = std::fs::read("/proc/self/exe").unwrap();
        torn.truncate(300);
        for bytes in [&b""[..], b"\x7fELF", &torn] {
            let table = SymbolTable::of(bytes, bytes);
            assert_eq!((table.function_at(0x1000), table.address_of(0x1000)), (None, None));
        }
    }
}
