//! What `openssl speed` prints, for people or with `-mr`.

use super::run::{ImportedRow, ImportedRun};
use crate::catalog::Family;
use regex::Regex;
use serde_json::json;

const LACKS: [&str; 3] = [
    "intervals (openssl speed times each size once)",
    "checked answers",
    "the compiler's flags where `openssl speed` does not print them",
];

/// Reads an output; `threads` are those of `-multi` where it does not tell.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let version = text.lines().find_map(|line| {
        let told = line.strip_prefix("version: ").or_else(|| line.strip_prefix("OpenSSL "));
        told.map(|told| told.split_whitespace().next().unwrap_or_default().to_owned())
    });
    let tool =
        version.map_or_else(|| "openssl speed".to_owned(), |of| format!("openssl speed {of}"));
    let mut run = ImportedRun::new(label, tool, &LACKS);
    // Each of the processes of -multi tells what it found.
    let child = pattern(r"^Got: .* from (\d+)\s*$")?;
    let children = text.lines().filter_map(|line| child.captures(line)?[1].parse::<usize>().ok());
    let threads = children.max().map_or(threads, |last| last + 1);
    if text.lines().any(|line| line.starts_with("+F:") || line.starts_with("+F2:")) {
        machine_readable(text, threads, &mut run)?;
    } else {
        for_people(text, threads, &mut run)?;
    }
    Ok(run)
}

fn bulk(algorithm: &str, block_bytes: u64, bytes_per_s: f64, threads: usize) -> ImportedRow {
    let is_hash = ["sha", "md", "blake", "sm3", "rmd", "whirlpool", "hmac", "ghash"]
        .iter()
        .any(|start| algorithm.to_lowercase().starts_with(start));
    ImportedRow {
        workload: format!("{}-{block_bytes}B/openssl-speed", plain(algorithm)),
        family: if is_hash { Family::Hash } else { Family::Aead },
        parameters: json!({}),
        threads,
        is_all: false,
        ops_per_s: vec![bytes_per_s / block_bytes as f64],
        bytes_per_op: Some(block_bytes),
        cpus: None,
    }
}

fn key(name: &str, operation: &str, per_s: f64, threads: usize) -> ImportedRow {
    let is_agreement = ["op", "encaps", "decaps"].contains(&operation);
    ImportedRow {
        workload: format!("{}-{operation}/openssl-speed", plain(name)),
        family: if is_agreement { Family::KeyExchange } else { Family::Pki },
        parameters: json!({}),
        threads,
        is_all: false,
        ops_per_s: vec![per_s],
        bytes_per_op: None,
        cpus: None,
    }
}

/// A name without blanks and slashes.
fn plain(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| c.is_whitespace() || "/()".contains(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// Lines of `+H` with the sizes, `+F` with bytes a second, `+F2` and on with operations a second. Curves have no name but
/// their number in OpenSSL's table.
fn machine_readable(text: &str, threads: usize, run: &mut ImportedRun) -> Result<(), String> {
    let mut sizes: Vec<u64> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("line {}: {line:?} is not of openssl speed -mr", number + 1);
        let fields: Vec<&str> = line.trim().split(':').collect();
        let parsed = |text: &str| text.parse::<f64>().map_err(|_| wrong());
        let pair = |name: String, sign: &str, verify: &str| -> Result<[ImportedRow; 2], String> {
            Ok([
                key(&name, "sign", parsed(sign)?, threads),
                key(&name, "verify", parsed(verify)?, threads),
            ])
        };
        let rows: Vec<ImportedRow> = match fields[..] {
            ["+H", ref of @ ..] => {
                let size = |size: &&str| size.parse().map_err(|_| wrong());
                sizes = of.iter().map(size).collect::<Result<_, _>>()?;
                Vec::new()
            }
            ["+F", _, name, ref rates @ ..] => {
                let mut rows = Vec::new();
                for (rate, size) in rates.iter().zip(&sizes).filter(|(_, size)| **size > 0) {
                    rows.push(bulk(name, *size, parsed(rate)?, threads));
                }
                rows
            }
            ["+F2", _, bits, sign, verify] => pair(format!("rsa-{bits}"), sign, verify)?.into(),
            ["+F3", _, bits, sign, verify] => pair(format!("dsa-{bits}"), sign, verify)?.into(),
            ["+F4", curve, bits, sign, verify] => {
                pair(format!("ecdsa-{bits}-curve-{curve}"), sign, verify)?.into()
            }
            ["+F5", curve, bits, per_s, _] => {
                vec![key(&format!("ecdh-{bits}-curve-{curve}"), "op", parsed(per_s)?, threads)]
            }
            ["+F6", _, _, name, sign, verify] => pair(name.to_owned(), sign, verify)?.into(),
            _ => Vec::new(),
        };
        // Nothing is what a size or an algorithm that was skipped has.
        rows.into_iter().filter(|row| row.ops_per_s[0] > 0.0).try_for_each(|row| run.add(row))?;
    }
    Ok(())
}

fn pattern(of: &str) -> Result<Regex, String> {
    Regex::new(of).map_err(|e| e.to_string())
}

/// Whether what stands before the first figure holds what may have been one.
fn has_nonsense(name: &str) -> bool {
    name.split_whitespace()
        .any(|word| matches!(word.to_lowercase().as_str(), "nan" | "inf" | "-nan" | "-inf" | "-"))
}

/// Tables: of sizes with thousands of bytes a second, of keys with operations a second.
fn for_people(text: &str, threads: usize, run: &mut ImportedRun) -> Result<(), String> {
    let (size, rate) = (pattern(r"(\d+) bytes")?, pattern(r"(\d+(?:\.\d+)?)k\b")?);
    let (operation, number) = (pattern(r"(\w+)/s")?, pattern(r"\s(\d+(?:\.\d+)?)(?:\s|$)")?);
    let seconds = pattern(r"\s\d+(?:\.\d+)?s")?;
    let mut sizes: Vec<u64> = Vec::new();
    let mut operations: Vec<String> = Vec::new();
    for (line_number, line) in text.lines().enumerate() {
        let wrong = |_| format!("line {}: {line:?} has no number", line_number + 1);
        if line.starts_with("type ") {
            let of_head =
                size.captures_iter(line).map(|found| found[1].parse().map_err(|_| wrong(())));
            sizes = of_head.collect::<Result<_, _>>()?;
        } else if operation.is_match(line) && !seconds.is_match(line) {
            operations = operation.captures_iter(line).map(|found| found[1].to_owned()).collect();
        } else if let Some(first) = rate.find(line).filter(|_| !sizes.is_empty()) {
            let name = &line[..first.start()];
            // What is no number in the place of one: what follows would be taken for another size.
            if line[first.start()..].split_whitespace().any(|word| !rate.is_match(word))
                || has_nonsense(name)
            {
                return Err(wrong(()));
            }
            for (found, size) in rate.captures_iter(line).zip(&sizes) {
                let thousands: f64 = found[1].parse().map_err(|_| wrong(()))?;
                if thousands > 0.0 && *size > 0 && !name.trim().is_empty() {
                    run.add(bulk(name, *size, thousands * 1000.0, threads))?;
                }
            }
        } else if let Some(first) = seconds.find(line).filter(|_| !operations.is_empty()) {
            let name = line[..first.start()].replace(" bits", "");
            // Times end with an s; what is left are numbers a second, in the order of the head.
            let rates = seconds.replace_all(&line[first.start()..], " ").replace(' ', "  ");
            for (found, operation) in number.captures_iter(&rates).zip(&operations) {
                let per_s: f64 = found[1].parse().map_err(|_| wrong(()))?;
                if per_s > 0.0 {
                    run.add(key(&name, operation, per_s, threads))?;
                }
            }
        }
    }
    Ok(())
}
