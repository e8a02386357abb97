//! The program as its user meets it, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sizeup_inputs::manifest::Manifest;
use sizeup_inputs::{Outcome, write_all};

/// A new, empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    match fs::remove_dir_all(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => panic!("{}: {error}", folder.display()),
    }
    folder
}

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sizeup-inputs")).args(arguments).output().unwrap()
}

fn said(stream: &[u8]) -> String {
    String::from_utf8_lossy(stream).into_owned()
}

/// Whether Newton's Opticks is to be had here; says so loudly when not.
fn has_opticks() -> bool {
    let goroot = Command::new("go").args(["env", "GOROOT"]).output();
    let found = goroot.is_ok_and(|answer| {
        let root = said(&answer.stdout);
        Path::new(root.trim()).join("src/testdata/Isaac.Newton-Opticks.txt").is_file()
    });
    if !found {
        eprintln!("NOTE: THE INPUT text IS NOT TESTED: there is no Go distribution here");
    }
    found
}

#[test]
fn it_writes_all_inputs_and_leaves_right_ones_alone() {
    let folder = folder("writes_all");
    let path = folder.to_str().unwrap();
    let expected = if has_opticks() { 0 } else { 1 };

    let first = program(&[path]);
    assert_eq!(first.status.code(), Some(expected), "{}", said(&first.stderr));
    let page = folder.join("page.html");
    let written = fs::metadata(&page).unwrap().modified().unwrap();

    fs::write(folder.join("escape.txt"), "damaged").unwrap();
    let second = program(&[path]);
    assert_eq!(second.status.code(), Some(expected), "{}", said(&second.stderr));
    let report = said(&second.stdout);
    assert!(report.lines().any(|line| line.starts_with("page ") && line.contains("already right")));
    assert!(report.lines().any(|line| line.starts_with("escape ") && line.contains("written")));
    assert_eq!(fs::metadata(&page).unwrap().modified().unwrap(), written);

    for entry in Manifest::built_in().unwrap().inputs {
        if entry.name != "text" || expected == 0 {
            let content = fs::read(folder.join(&entry.file)).unwrap();
            assert!(entry.is_met_by(&content), "{} differs", entry.file);
        }
    }
    let leftovers = fs::read_dir(&folder).unwrap().flatten();
    let mut leftovers =
        leftovers.filter(|file| said(file.file_name().as_encoded_bytes()).contains("tmp"));
    assert!(leftovers.next().is_none(), "a temporary file was left");
}

#[test]
fn a_missing_book_is_named_with_the_remedy() {
    let folder = folder("missing_book");
    let manifest = only("text");
    let results: Vec<_> =
        write_all(&manifest, &folder, Some(Path::new("/nowhere/o.txt"))).collect();
    let message = results[0].1.as_ref().unwrap_err().to_string();
    assert!(message.contains("/nowhere/o.txt") && message.contains("--opticks"), "{message}");
}

#[test]
fn another_edition_of_the_book_ends_with_1_and_the_remedy() {
    let folder = folder("other_edition");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = program(&[folder.to_str().unwrap(), "--opticks", book.to_str().unwrap()]);
    let complaint = said(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.starts_with("sizeup-inputs: text: "), "{complaint}");
    assert!(complaint.contains("another edition"), "{complaint}");
    assert!(!folder.join("opticks.txt").exists());
    assert!(folder.join("page.html").exists(), "the other inputs are made all the same");
}

#[test]
fn an_input_that_differs_from_the_manifest_is_refused_and_not_written() {
    let folder = folder("differs");
    let mut manifest = only("escape");
    let right = manifest.inputs[0].sha256.clone();
    manifest.inputs[0].sha256 = "0".repeat(64);
    let results: Vec<_> = write_all(&manifest, &folder, None).collect();
    let message = results[0].1.as_ref().unwrap_err().to_string();
    assert!(message.contains("escape: ") && message.contains("escape.txt"), "{message}");
    assert!(message.contains(&right) && message.contains(&"0".repeat(64)), "{message}");
    assert!(!folder.join("escape.txt").exists());
}

#[test]
fn a_manifest_for_another_version_is_refused() {
    let folder = folder("version");
    let mut manifest = only("escape");
    manifest.inputs[0].version += 1;
    let results: Vec<_> = write_all(&manifest, &folder, None).collect();
    let message = results[0].1.as_ref().unwrap_err().to_string();
    assert!(message.contains("version 2"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
    let manifest = only("escape");
    let below_a_file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/out");
    let results: Vec<_> = write_all(&manifest, &below_a_file, None).collect();
    let message = results[0].1.as_ref().unwrap_err().to_string();
    assert!(
        message.contains("Cargo.toml/out") && message.contains("cannot be written"),
        "{message}"
    );
}

#[test]
fn a_second_pass_over_the_same_folder_writes_nothing() {
    let folder = folder("second_pass");
    let manifest = only("regex-text-32KiB");
    for expected in [Outcome::Written, Outcome::AlreadyRight] {
        let results: Vec<_> = write_all(&manifest, &folder, None).collect();
        assert_eq!(*results[0].1.as_ref().unwrap(), expected);
    }
}

#[test]
fn wrong_arguments_end_with_2_and_the_usage() {
    for arguments in [&[][..], &["a", "b"], &["--fast"]] {
        let output = program(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said(&output.stderr).contains("Usage: sizeup-inputs OUT_DIR"), "{arguments:?}");
    }
    let help = program(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(said(&help.stdout).contains("--opticks FILE"));
}

/// The built-in manifest with nothing but the input `name`.
fn only(name: &str) -> Manifest {
    let mut manifest = Manifest::built_in().unwrap();
    manifest.inputs.retain(|entry| entry.name == name);
    assert_eq!(manifest.inputs.len(), 1);
    manifest
}
