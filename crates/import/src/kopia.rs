//! Output of `kopia benchmark` for one or more of hashing, encryption, crypto, compression, ecc and splitter.

use super::faults::{KOPIA_HASHING, Version};
use super::lines::{lines, pattern};
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

const LACKS: [&str; 3] = [
    "intervals (kopia times each algorithm once)",
    "checked answers",
    "versions of the libraries and the compiler",
];

const COMPRESS: (&str, Family) = ("compress", Family::Compress);
const SPLIT: (&str, Family) = ("split", Family::Split);

/// A section begins with a line of these words; most specific first.
const SECTIONS: [(&[&str], &str, Family); 6] = [
    (&["Hash", "Encryption", "Throughput"], "crypto", Family::Pipeline),
    (&["Hash", "Throughput"], "hash", Family::Hash),
    (&["Encryption", "Throughput"], "encrypt", Family::Aead),
    (&["Compression", "Throughput"], COMPRESS.0, COMPRESS.1),
    (&["ECC", "Throughput"], "ecc", Family::Erasure),
    (&["splitting", "blocks"], SPLIT.0, SPLIT.1),
];

/// A section's row of names and figures; only those of splitters count pieces.
const PIECES: &str = " count:";

const RESULT: &str = r"[KMGT]?i?B\s*/\s*s(?:econd)?\b";

/// Parameters of figures of an unknown version, which equal those of the same output only.
fn unknown(text: &str) -> Value {
    let mut digest = DefaultHasher::new();
    text.hash(&mut digest);
    json!({ "kopia": format!("unknown version, output {:016x}", digest.finish()) })
}

/// Reads an output; `threads` is the parallelism of sections that don't report it. Kopia prints it to stderr before the
/// section's header, and never for compression. `version` is kopia's, which it does not print: it corrects figures.
pub(super) fn read(
    text: &str,
    label: &str,
    threads: usize,
    version: Option<Version>,
) -> Result<ImportedRun, String> {
    // The rank, one name or two, then amounts: only those a second count. What is no number there is no name.
    let row = pattern(
        r"^\s*(?<rank>\d+\.\s+)?(?<name>[A-Za-z][\w%-]*(?:\s+[A-Z][\w%]*-[\w%-]+)?)\s+(?<rest>\S.*)$",
    )?;
    let rate = pattern(r"(?<number>[^\sKMGTB]+)\s*(?<unit>[KMGT]?i?B)\s*/\s*s(?:econd)?\b")?;
    let parallel = pattern(r"parallelism (\d+)")?;
    let mut run = ImportedRun::new(label, "kopia benchmark", &LACKS);
    let mut section: Option<(&str, Family)> = None;
    let mut parallelism = threads;
    // For the next section.
    let mut announced = None;
    let mut compression_order: VecDeque<(&str, Family)> = VecDeque::new();
    let mut has_compression = false;
    let lines = lines(text, RESULT)?;
    let unknown = unknown(text);
    for numbered in &lines {
        let (number, line) = (numbered.number, numbered.text.as_str());
        if let Some(found) = parallel.captures(line) {
            let wrong = |_| format!("line {number}: {line:?}");
            announced = Some(found[1].parse().map_err(wrong)?);
        }
        if line.contains("ompressing input file") {
            let is_back = line.contains("Decompressing");
            let section = if is_back { ("decompress", Family::Decompress) } else { COMPRESS };
            compression_order.push_back(section);
            announced = None;
        }
        let is_head =
            |words: &&(&[&str], &str, Family)| words.0.iter().all(|word| line.contains(word));
        if let Some(head) = SECTIONS.iter().find(is_head).filter(|_| !rate.is_match(line)) {
            let mut begins = (head.1, head.2.clone());
            if begins == COMPRESS {
                begins = match compression_order.pop_front() {
                    Some(section) => section,
                    None if has_compression => {
                        return Err(format!(
                            "line {number}: a second compression table, which may be decompression: \
                             keep kopia's stderr in the log (2>&1)"
                        ));
                    }
                    None => begins,
                };
                has_compression = true;
            }
            section = Some(begins);
            parallelism = announced.take().unwrap_or(threads);
            continue;
        }
        let Some(found) = row.captures(line) else {
            if rate.is_match(line) {
                run.leave_out("lines that look like figures but are not", number, line);
            }
            continue;
        };
        // The header of splitters goes to stderr.
        if line.contains(PIECES) && section != Some(SPLIT) {
            section = Some(SPLIT);
            parallelism = announced.take().unwrap_or(threads);
        }
        let Some((operation, family)) = section.clone() else {
            if rate.is_match(line) {
                run.leave_out("figures before the head of a table", number, line);
            }
            continue;
        };
        let is_faulty = operation == KOPIA_HASHING.operation;
        let correction =
            version.filter(|_| is_faulty).map_or(1.0, |version| KOPIA_HASHING.correction(version));
        // Encoding comes first; decoding is another operation.
        for (place, amount) in rate.captures_iter(&found["rest"]).enumerate() {
            let amount_of = amount["number"].parse::<f64>().ok();
            let Some(amount_of) = amount_of.filter(|amount| amount.is_normal() && *amount > 0.0)
            else {
                run.leave_out("figures that are no number above zero", number, line);
                continue;
            };
            let bytes_per_s = amount_of * unit_bytes(&amount["unit"]) * correction;
            let decoding = if place > 0 { "-decode" } else { "" };
            let name = found["name"].split_whitespace().collect::<Vec<_>>().join("-");
            let row = ImportedRow {
                workload: format!("{operation}{decoding}-{name}/kopia"),
                family: family.clone(),
                parameters: match (is_faulty, version) {
                    (true, None) => unknown.clone(),
                    _ => json!({}),
                },
                threads: parallelism,
                is_all: false,
                unit: Unit::Bytes,
                per_s: vec![bytes_per_s],
                bytes_per_op: None,
                cpus: None,
            };
            // Splitters are listed again at the end, by rank.
            let is_repeated = line.contains(PIECES) && found.name("rank").is_some();
            if !(is_repeated && run.known(&row).is_some()) {
                run.take_once(numbered, row)?;
            }
            if is_faulty {
                match version {
                    None => run.lack(KOPIA_HASHING.unknown.to_owned()),
                    Some(_) if correction == 1.0 => {}
                    Some(version) => run.lack(format!("hashing figures as kopia {version} prints them, which are multiplied by {correction} here")),
                }
            }
        }
    }
    Ok(run)
}

fn unit_bytes(unit: &str) -> f64 {
    let base: f64 = if unit.contains('i') { 1024.0 } else { 1000.0 };
    let power = "KMGT".find(unit.chars().next().unwrap_or('B')).map_or(0, |place| place + 1);
    base.powi(power as i32)
}
