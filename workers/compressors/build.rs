//! Provides what the worker can't find out at run time: the header versions it was built with, to compare with the
//! linked libraries.

use std::path::Path;
use std::{env, fs};

fn main() {
    // The crates of these libraries set the folders.
    for (library, folder, header, name) in [
        ("ZLIB", "DEP_Z_INCLUDE", "zlib.h", "ZLIB_VERSION"),
        ("ZLIB_NG", "DEP_Z_NG_INCLUDE", "zlib-ng.h", "ZLIBNG_VERSION"),
        ("LIBDEFLATE", "DEP_LIBDEFLATE_INCLUDE", "libdeflate.h", "LIBDEFLATE_VERSION_STRING"),
    ] {
        let version = define(folder, header, name);
        println!("cargo:rustc-env=SIZEUP_{library}_HEADERS={}", version.trim_matches('"'));
    }
    let lz4 = ["MAJOR", "MINOR", "RELEASE"]
        .map(|part| define("DEP_LZ4_INCLUDE", "lz4.h", &format!("LZ4_VERSION_{part}")));
    println!("cargo:rustc-env=SIZEUP_LZ4_HEADERS={}", lz4.join("."));
    println!("cargo:rerun-if-changed=build.rs");
}

/// A header's definition of a name, without spaces. `folder` is the variable that names the header's folder.
fn define(folder: &str, header: &str, name: &str) -> String {
    let folder = env::var(folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let path = Path::new(&folder).join(header);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text.lines()
        .find_map(|line| {
            let mut words = line.split_whitespace();
            let found = words.next() == Some("#define") && words.next() == Some(name);
            words.next().filter(|_| found).map(str::to_owned)
        })
        .unwrap_or_else(|| panic!("{path:?} does not define {name}"))
}
