//! `compile-…`: a compiler on one file, from start to exit. Its target is the same on all machines, so that its work is, too.

use crate::execution::{Execution, MOST_BYTES, no_folder};
use crate::rows::{Row, desk_name, execution, single};
use crate::script::{Step, take_file};
use crate::shared::Shared;
use crate::tools::{CLANG, GO, ZIG};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use sizeup_kit::{Kind, OpError, Setting, WorkerError};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The input.
pub const SOURCE: &str = "source";

/// zstd's own options, but for x86-64 everywhere, and for a preprocessed file, so that no header is read.
const CLANG_OPTIONS: [&str; 9] = [
    "-x",
    "cpp-output",
    "--target=x86_64-unknown-linux-gnu",
    "-O2",
    "-fno-ident",
    "-w",
    "-c",
    "-o",
    OBJECT,
];
const OBJECT: &str = "../out/object.o";

/// The first 20 bytes of a relocatable ELF file for x86-64 (System V ABI, table of the file header).
const ELF: &[u8] = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0";
/// The first bytes of what Go's compiler writes, and its target.
const GO_ARCHIVE: &[u8] = b"!<arch>\n__.PKGDEF ";
const GO_TARGET: &str = "\ngo object linux amd64 ";

/// An object that is known: seen on x86-64 and, in an emulator, on aarch64.
struct Known {
    version: &'static str,
    source: &'static str,
    object: &'static str,
}

/// Objects by version of the compiler and SHA-256 of the source.
const KNOWN: [Known; 3] = [
    Known {
        version: "zig 0.17.1",
        source: "6e5f646c584ae19ddb7d32834d7d159889c314fdc0ce516ddd50f1e7fb6b6d6f",
        object: "42c7d95a89966fd6f75bbbfcbd3d63436c1470e73cd255b2b5da780a5c64af09",
    },
    Known {
        version: "zig 0.17.1",
        source: "057a1b3e559caa5bca73fe95559fb0b5a4c0e2f16b9814c84ed6fdb1f146195a",
        object: "f771ed7db07fd19f2f02c052725f433cf797c9b1a941ab1120086eb61603d774",
    },
    Known {
        version: "go1.26.8",
        source: "ba0163780f518bd62e53664249f2a40a147233e3cb9da5fc38eed69e7f78c911",
        object: "2fa5c82d4088bf2d8e31e00f29acc06ae73adcb4550d0025adccb7d5529b9c9b",
    },
];

/// The pinned Clang, which Zig contains, or else the installed one.
pub fn c(setting: &Setting) -> Row {
    let (tool, first) = if ZIG.is_there() { (&ZIG, Some("clang")) } else { (&CLANG, None) };
    let shared = Shared::of(setting, &[tool], 0)?;
    let arguments: Vec<&str> = first.into_iter().chain(CLANG_OPTIONS).chain(["source.i"]).collect();
    let desk = shared.desk(&desk_name(setting))?;
    let source = setting.input(SOURCE)?;
    fs::write(desk.tree().join("source.i"), &source).map_err(no_folder)?;
    // Fedora's, for example, adds options.
    let run = execution(&shared, &desk, &arguments)?.with("CLANG_NO_DEFAULT_CONFIG", "1");
    let object = desk.tree().join(OBJECT);
    let looks = |made: &[u8]| made.starts_with(ELF) && has(made, b".text\0");
    row(run, &object, &source, shared, looks)
}

/// The compiler itself, which `go build` starts for each package.
pub fn go(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &[&GO], 0)?;
    let desk = shared.desk(&desk_name(setting))?;
    let source = setting.input(SOURCE)?;
    fs::write(desk.tree().join("source.go"), &source).map_err(no_folder)?;
    // Names of folders would be in the object.
    let trim = format!("-trimpath={}=>source", desk.tree().display());
    let arguments =
        ["-p", "syntax", "-complete", "-pack", "-c=1", &trim, "-o", OBJECT, "source.go"];
    let run = execution(&shared, &desk, &arguments)?
        .with("GOOS", "linux")
        .with("GOARCH", "amd64")
        .with("GOMAXPROCS", "1");
    let object = desk.tree().join(OBJECT);
    // Experiments follow it in both places, in other words.
    let version = shared.found.libraries[GO.name].split(' ').next().unwrap_or_default();
    let target = format!("{GO_TARGET}{version} ");
    let looks = |made: &[u8]| made.starts_with(GO_ARCHIVE) && has(made, target.as_bytes());
    row(run, &object, &source, shared, looks)
}

/// A row of a compiler that has made its object once. It must look as one does, and be the known one if one is known.
fn row(
    run: Execution,
    path: &Path,
    source: &[u8],
    shared: Arc<Shared>,
    looks: impl Fn(&[u8]) -> bool,
) -> Row {
    let mut run = run.silent();
    run.run(0)?;
    let name = run.name().to_owned();
    let object = take_file(path, MOST_BYTES)
        .map_err(|e| OpError::new(format!("{name}: it wrote no object: {e}")))?;
    let source = sha256(source);
    let is_its = |known: &&Known| {
        known.source == source && shared.found.libraries.values().any(|is| is == known.version)
    };
    let made = sha256(&object);
    let verified = match KNOWN.iter().find(is_its) {
        Some(known) if known.object != made => {
            let message = format!("{name}: the object's SHA-256 is {made}, not {}", known.object);
            return Err(WorkerError::new(Kind::WrongAnswer, message));
        }
        Some(_) => "each object has the bytes that this version makes on any machine",
        None if !looks(&object) => {
            let message = format!("{name}: what it wrote is no object for Linux on x86-64");
            return Err(WorkerError::new(Kind::WrongAnswer, message));
        }
        None => "each object has the bytes of the first one, which is one for Linux on x86-64",
    };
    single(Step::new(run, "").makes(path.to_owned(), &object), shared, verified)
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|here| here == part)
}

fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
