//! The project's words: what docs/glossary.md replaced is written nowhere.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that performance engineers do not use, with the field's own.
const REPLACED: &[(&str, &str)] = &[
    (r"half-widths?", "margin"),
    (r"\bon (its|their) own cores?\b", "uncontended"),
    (r"\brestless", "noisy"),
    (r"\bglances?\b", "preflight check"),
    (r"\breceipts?\b", "manifest"),
    (r"plant-wrong|\bplant(s|ed)? a wrong", "inject"),
    (r"can't be told|cannot be told", "unknown or undetermined"),
    (r"\bseen from\b", "detectable"),
    (r"\b(tells?|told) apart\b", "distinguishable, detected"),
    (r"overtakes? whom", "crossover"),
    (r"\bnarrow enough\b", "converged"),
    (r"(does|do) [0-9.]* ?times the work of", "is …× faster than"),
    (r"\bof the work of\b", "is … % slower than"),
    (r"what (stands|speaks) against", "problems found"),
    (r"--settle\b|\bsettle_ns\b", "warm-up"),
    (r"\bwindow_ns\b|--window\b", "sample"),
];

const FOLDERS: [&str; 11] = [
    "crates",
    "workers",
    "fleet",
    "report/src",
    "report/tests",
    "bench",
    "docs",
    "suites",
    "mixes",
    "workloads",
    "inputs",
];

const ENDINGS: [&str; 13] =
    ["c", "css", "go", "h", "java", "js", "json", "md", "py", "rs", "toml", "ts", "tsx"];

/// Texts that users or contributors read: sources, pages, tables.
fn texts(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &mut found);
    }
    found.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    found
}

/// `FILE:LINE` of the lines that scans find, one scan for each ending of files. Each ending must occur.
pub fn places<S>(
    scans: &BTreeMap<&'static str, S>,
    lines: impl Fn(&S, &str) -> Vec<usize>,
) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut found, mut scanned) = (Vec::new(), BTreeSet::new());
    for path in texts(&root) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let Some((extension, scan)) = extension.and_then(|end| scans.get_key_value(end)) else {
            continue;
        };
        let lines = lines(scan, &fs::read_to_string(&path).expect("text"));
        let place = path.strip_prefix(&root).unwrap_or(&path).display();
        found.extend(lines.iter().map(|line| format!("{place}:{line}")));
        scanned.insert(*extension);
    }
    assert_eq!(scanned, scans.keys().copied().collect());
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_text =
            ENDINGS.iter().any(|end| path.extension().is_some_and(|extension| extension == *end));
        // Decisions are records of their time; fixtures are other programs' words.
        if path.is_dir()
            && !["decisions", "fixtures", "target", "node_modules", "dist"].contains(&name)
        {
            collect(&path, found);
        } else if is_text && name != "words.rs" {
            found.push(path);
        }
    }
}

#[test]
fn words_that_were_replaced_are_written_nowhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let patterns: Vec<(Regex, &str)> = REPLACED
        .iter()
        .map(|(old, new)| (Regex::new(&format!("(?i){old}")).expect("a pattern"), *new))
        .collect();
    let mut found = Vec::new();
    for path in texts(&root) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            for (old, new) in &patterns {
                if let Some(word) = old.find(line) {
                    let place = path.strip_prefix(&root).unwrap_or(&path).display();
                    found.push(format!("{place}:{}: {:?}: say {new}", number + 1, word.as_str()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
