//! Libraries that are linked into one program must not share a symbol: the linker would silently resolve one
//! library's symbol to the other's. A module of the tests of workers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fails if two of these libraries define one symbol. Each is the crate whose archive holds it, and a part of one of its symbols.
pub fn assert_none_in_common(libraries: &[(&str, &str)]) {
    let mut owners = BTreeMap::new();
    let mut common = Vec::new();
    for (library, known) in libraries {
        let symbols = symbols(&archive(library));
        let has_known = symbols.iter().any(|symbol| symbol.contains(known));
        assert!(has_known, "{known} is not among the {} symbols of {library}", symbols.len());
        for symbol in symbols {
            if let Some(other) = owners.insert(symbol.clone(), library) {
                common.push(format!("{symbol}: {other} and {library}"));
            }
        }
    }
    assert!(common.is_empty(), "{} symbols:\n{}", common.len(), common.join("\n"));
}

/// The archive of a crate that Cargo made last, next to this test.
fn archive(library: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.parent().expect("the test lies in a folder");
    let prefix = format!("lib{library}-");
    let is_its = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(&prefix) && name.ends_with(".rlib")
    };
    let entries = folder.read_dir().expect("the test's folder can be read");
    let archives = entries.map(|entry| entry.expect("an entry of a folder").path()).filter(is_its);
    let made = |path: &PathBuf| path.metadata().and_then(|about| about.modified()).ok();
    archives.max_by_key(made).unwrap_or_else(|| panic!("no archive of {library} in {folder:?}"))
}

/// The global C symbols that an archive defines, without duplicates, weak ones included.
fn symbols(archive: &Path) -> Vec<String> {
    let output = Command::new("nm")
        .args(["--extern-only", "--defined-only", "--format=just-symbols"])
        .arg(archive)
        .output()
        .expect("nm, of the binutils that the C compiler needs, can be started");
    let text = String::from_utf8(output.stdout).expect("nm writes UTF-8");
    // Names of members end with a colon, and lines between them are empty; Rust's own symbols contain a hash.
    let is_of_c = |line: &&str| {
        !line.is_empty()
            && !line.ends_with(':')
            && !line.starts_with("_R")
            && !line.starts_with("_ZN")
    };
    let mut symbols: Vec<String> = text.lines().filter(is_of_c).map(str::to_owned).collect();
    symbols.sort();
    symbols.dedup();
    symbols
}
