//! Each promise of SECURITY.md names the test that keeps it.

use std::fs;
use std::path::{Path, PathBuf};

/// Names of tests are sentences; no other word in backquotes has so many underscores.
const LEAST_UNDERSCORES: usize = 5;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn the_tests_that_security_md_names_are_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let is_test = |word: &&str| word.matches('_').count() >= LEAST_UNDERSCORES;
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 9, "SECURITY.md names {} tests", named.len());
    let mut sources = Vec::new();
    rust_files(&root().join("crates"), &mut sources);
    for test in named {
        let definition = format!("fn {test}()");
        assert!(sources.iter().any(|text| text.contains(&definition)), "there is no test {test}");
    }
}
