//! What `kopia benchmark` prints: of hashing, encryption, crypto, compression, ecc and splitter, one or more of them.

use super::run::{ImportedRow, ImportedRun};
use crate::catalog::Family;
use regex::Regex;
use serde_json::json;

const LACKS: [&str; 3] = [
    "intervals (kopia times each algorithm once)",
    "checked answers",
    "versions of the libraries and the compiler",
];

/// A section begins with a line of these words; most specific first.
const SECTIONS: [(&[&str], &str, Family); 6] = [
    (&["Hash", "Encryption", "Throughput"], "crypto", Family::Pipeline),
    (&["Hash", "Throughput"], "hash", Family::Hash),
    (&["Encryption", "Throughput"], "encrypt", Family::Aead),
    (&["Compression", "Throughput"], "compress", Family::Compress),
    (&["ECC", "Throughput"], "ecc", Family::Erasure),
    (&["splitting", "blocks"], "split", Family::Split),
];

/// Reads an output; `threads` is the parallelism where it does not tell.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let pattern = |of: &str| Regex::new(of).map_err(|e| e.to_string());
    // The rank, one name or two, then amounts: only those a second count.
    let row = pattern(
        r"^\s*(?:\d+\.\s+)?(?<name>[A-Za-z][\w%-]*(?:\s+[A-Za-z][\w%-]+)?)\s+(?<rest>\S.*)$",
    )?;
    let rate = pattern(r"(?<number>[^\sKMGTB]+)\s*(?<unit>[KMGT]?i?B)\s*/\s*s(?:econd)?\b")?;
    let parallel = pattern(r"parallelism (\d+)")?;
    let mut run = ImportedRun::new(label, "kopia benchmark", &LACKS);
    let mut section = None;
    let mut threads = threads;
    for (number, line) in text.lines().enumerate() {
        if let Some(told) = parallel.captures(line) {
            threads = told[1].parse().map_err(|_| format!("line {}: {line:?}", number + 1))?;
        }
        let is_head =
            |words: &&(&[&str], &str, Family)| words.0.iter().all(|word| line.contains(word));
        if let Some(head) = SECTIONS.iter().find(is_head).filter(|_| !rate.is_match(line)) {
            section = Some(*head);
            continue;
        }
        let (Some((_, operation, family)), Some(found)) = (section, row.captures(line)) else {
            continue;
        };
        // Encoding comes first; decoding is another operation.
        for (place, amount) in rate.captures_iter(&found["rest"]).enumerate() {
            let wrong = || format!("line {}: {:?} is no number", number + 1, &amount["number"]);
            let amount_of = amount["number"].parse::<f64>().map_err(|_| wrong())?;
            if !(amount_of.is_normal() && amount_of > 0.0) {
                return Err(wrong());
            }
            let bytes_per_s = amount_of * unit_bytes(&amount["unit"]);
            let decoding = if place > 0 { "-decode" } else { "" };
            let name = found["name"].split_whitespace().collect::<Vec<_>>().join("-");
            run.add(ImportedRow {
                workload: format!("{operation}{decoding}-{name}/kopia"),
                family,
                parameters: json!({}),
                threads,
                is_all: false,
                ops_per_s: vec![bytes_per_s],
                bytes_per_op: Some(1),
                cpus: None,
            })?;
        }
    }
    Ok(run)
}

fn unit_bytes(unit: &str) -> f64 {
    let base: f64 = if unit.contains('i') { 1024.0 } else { 1000.0 };
    let power = "KMGT".find(unit.chars().next().unwrap_or('B')).map_or(0, |place| place + 1);
    base.powi(power as i32)
}
