//! Libraries that are linked into one program must not have a symbol in common: the linker would let one answer for the
//! other, without a word.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn no_two_libraries_have_a_symbol_in_common() {
    let archives: Vec<PathBuf> =
        env!("SIZEUP_ARCHIVES").split(':').flat_map(|root| archives(Path::new(root))).collect();
    let mut owners = BTreeMap::new();
    let mut common = Vec::new();
    for archive in &archives {
        let symbols = symbols(archive);
        assert!(symbols.len() > 10, "{archive:?} has the symbols {symbols:?} only");
        for symbol in symbols {
            if let Some(other) = owners.insert(symbol.clone(), archive) {
                common.push(format!("{symbol}: {other:?} and {archive:?}"));
            }
        }
    }
    let zlib_like = ["deflate", "zng_deflate", "libdeflate_gzip_compress", "ZSTD_compress2"];
    for symbol in zlib_like.into_iter().chain(["LZ4F_compressBegin"]) {
        assert!(owners.contains_key(symbol), "{symbol} is in none of {archives:?}");
    }
    assert!(common.is_empty(), "{} symbols:\n{}", common.len(), common.join("\n"));
}

/// All archives in a folder where a crate put what it built, and in its folder `lib`.
fn archives(root: &Path) -> Vec<PathBuf> {
    [root.to_owned(), root.join("lib")]
        .iter()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .map(|entry| entry.expect("an entry of a folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "a"))
        .collect()
}

/// The global symbols that an archive defines, each once, weak ones too.
fn symbols(archive: &Path) -> Vec<String> {
    let output = Command::new("nm")
        .args(["--extern-only", "--defined-only", "--format=just-symbols"])
        .arg(archive)
        .output()
        .expect("nm, of the binutils that the C compiler needs, can be started");
    assert!(output.status.success(), "{archive:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("nm writes UTF-8");
    // Names of members end with a colon, and lines between them are empty.
    let lines = text.lines().filter(|line| !line.is_empty() && !line.ends_with(':'));
    let mut symbols: Vec<String> = lines.map(str::to_owned).collect();
    symbols.sort();
    symbols.dedup();
    symbols
}
