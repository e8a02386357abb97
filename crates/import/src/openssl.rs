//! Output of `openssl speed`, with or without `-mr`.

use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use regex::Regex;
use serde_json::json;

const LACKS: [&str; 3] = [
    "intervals (openssl speed times each size once)",
    "checked answers",
    "the compiler's flags where `openssl speed` does not print them",
];

/// Reads an output; `threads` are those of `-multi` if the output does not show them.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let version = text.lines().find_map(|line| {
        let found = line.strip_prefix("version: ").or_else(|| line.strip_prefix("OpenSSL "));
        found.map(|found| found.split_whitespace().next().unwrap_or_default().to_owned())
    });
    let tool =
        version.map_or_else(|| "openssl speed".to_owned(), |of| format!("openssl speed {of}"));
    let mut run = ImportedRun::new(label, tool, &LACKS);
    // Each process of -multi reports its results.
    let child = pattern(r"^Got: .* from (\d+)\s*$")?;
    let children = text.lines().filter_map(|line| child.captures(line)?[1].parse::<usize>().ok());
    let threads = children.max().map_or(threads, |last| last + 1);
    if text.lines().any(|line| line.starts_with("+F")) {
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
    let is_authenticated = ["gcm", "ccm", "ocb", "siv", "poly1305"]
        .iter()
        .any(|mode| algorithm.to_lowercase().contains(mode));
    let family = match (is_hash, is_authenticated) {
        (true, _) => Family::Hash,
        (_, true) => Family::Aead,
        _ => Family::Cipher,
    };
    ImportedRow {
        workload: format!("{}-{block_bytes}B/openssl-speed", plain(algorithm)),
        family,
        parameters: json!({}),
        threads,
        is_all: false,
        unit: Unit::Ops,
        per_s: vec![bytes_per_s / block_bytes as f64],
        bytes_per_op: Some(block_bytes),
        cpus: None,
    }
}

fn key(name: &str, operation: &str, per_s: f64, threads: usize) -> ImportedRow {
    let is_agreement = ["op", "keygen", "encaps", "decaps"].contains(&operation);
    ImportedRow {
        workload: format!("{}-{operation}/openssl-speed", plain(name)),
        family: if is_agreement { Family::KeyExchange } else { Family::Pki },
        parameters: json!({}),
        threads,
        is_all: false,
        unit: Unit::Ops,
        per_s: vec![per_s],
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

/// Sizes of a line of `+H`. With -multi, only the processes print them (`Got: +H:16 from 0`).
fn sizes_of(line: &str) -> Option<Result<Vec<u64>, std::num::ParseIntError>> {
    let line = line.strip_prefix("Got: ").unwrap_or(line);
    let found = line.strip_prefix("+H:")?.split_whitespace().next()?;
    Some(found.split(':').map(str::parse).collect())
}

/// Lines of `+H` with the sizes, `+F` with bytes a second, `+F2` and on with operations a second. Curves have no name but
/// their number in OpenSSL's table. `+F7` is of SM2 in OpenSSL 3, which prints its name, and of FFDH since; `+F8` of FFDH in
/// OpenSSL 3, and of what has no name since, like `+F9` and `+F10`, which are indistinguishable.
fn machine_readable(text: &str, threads: usize, run: &mut ImportedRun) -> Result<(), String> {
    let mut sizes: Vec<u64> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("line {}: {line:?} is not output of openssl speed -mr", number + 1);
        if let Some(found) = sizes_of(line) {
            sizes = found.map_err(|_| wrong())?;
            continue;
        }
        let fields: Vec<&str> = line.trim().split(':').collect();
        let parsed = |text: &str| text.parse::<f64>().map_err(|_| wrong());
        let each = |name: String, rates: &[(&str, &str)]| -> Result<Vec<ImportedRow>, String> {
            rates.iter().map(|(of, rate)| Ok(key(&name, of, parsed(rate)?, threads))).collect()
        };
        let pair = |name: String, sign, verify| each(name, &[("sign", sign), ("verify", verify)]);
        let rows: Vec<ImportedRow> = match fields[..] {
            ["+F", _, name, ref rates @ ..] => {
                if rates.len() != sizes.len() {
                    return Err(format!(
                        "{}: the number of figures differs from the sizes of +H",
                        wrong()
                    ));
                }
                let mut rows = Vec::new();
                for (rate, size) in rates.iter().zip(&sizes).filter(|(_, size)| **size > 0) {
                    rows.push(bulk(name, *size, parsed(rate)?, threads));
                }
                rows
            }
            ["+F2", _, bits, sign, verify] => pair(format!("rsa-{bits}"), sign, verify)?,
            ["+F2", _, bits, sign, verify, encrypt, decrypt] => each(
                format!("rsa-{bits}"),
                &[("sign", sign), ("verify", verify), ("encrypt", encrypt), ("decrypt", decrypt)],
            )?,
            ["+F3", _, bits, sign, verify] => pair(format!("dsa-{bits}"), sign, verify)?,
            ["+F4", curve, bits, sign, verify] => {
                pair(format!("ecdsa-{bits}-curve-{curve}"), sign, verify)?
            }
            ["+F5", curve, bits, per_s, _] => {
                each(format!("ecdh-{bits}-curve-{curve}"), &[("op", per_s)])?
            }
            ["+F6" | "+F7", _, _, name, sign, verify] => pair(name.to_owned(), sign, verify)?,
            // What follows the number is a size in bits, not a rate.
            ["+F7" | "+F8", _, bits, per_s, _] if bits.parse::<u32>().is_ok() => {
                each(format!("ffdh-{bits}"), &[("op", per_s)])?
            }
            [kind, ..] if kind.starts_with("+F") => {
                run.lack(format!("lines of kind {kind}"));
                Vec::new()
            }
            _ => Vec::new(),
        };
        // Nothing is what a size or an algorithm that was skipped has.
        for row in rows.into_iter().filter(|row| row.per_s[0] != 0.0) {
            run.add(row).map_err(|what| format!("line {}: {what}", number + 1))?;
        }
    }
    Ok(())
}

fn pattern(of: &str) -> Result<Regex, String> {
    Regex::new(of).map_err(|e| e.to_string())
}

/// What a head calls its operations, in the words of `-mr`.
fn operations_of(head: &str) -> Vec<String> {
    let found: Vec<&str> =
        head.split_whitespace().filter_map(|word| word.strip_suffix("/s")).collect();
    // Keys of the same kind are made for signing and for agreement, and timed each time.
    let for_signing = found.contains(&"sign");
    let in_words = |word: &str| match word.trim_end_matches('.') {
        "encr" => "encrypt".to_owned(),
        "decr" => "decrypt".to_owned(),
        "keygens" if for_signing => "sign-keygen".to_owned(),
        "keygens" => "keygen".to_owned(),
        other => other.to_owned(),
    };
    found.into_iter().map(in_words).collect()
}

/// Tables: of sizes with thousands of bytes a second, of keys with a time and then operations a second for each operation.
/// Below 10,000 bytes a second have no k. Names have blanks and figures, so that rows are read from their end.
fn for_people(text: &str, threads: usize, run: &mut ImportedRun) -> Result<(), String> {
    let (size, head) = (pattern(r"(\d+) bytes")?, pattern(r"^\s+[a-z].*[a-z]\.?/s\s*$")?);
    let figure = pattern(r"^-?(?:\d+\.\d+|nan|inf)k?$")?;
    let time = pattern(r"^(?:\d+\.\d+|inf)s$")?;
    let mut sizes: Vec<u64> = Vec::new();
    let mut operations: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("line {}: {line:?} has missing or extra figures", number + 1);
        if let Some(found) = sizes_of(line) {
            sizes = found.map_err(|_| wrong())?;
            continue;
        }
        if line.starts_with("type ") {
            let found = size.captures_iter(line).map(|found| found[1].parse().map_err(|_| wrong()));
            sizes = found.collect::<Result<_, _>>()?;
            operations.clear();
            continue;
        }
        if head.is_match(line) {
            (operations, sizes) = (operations_of(line), Vec::new());
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_last = words.last().is_some_and(|word| figure.is_match(word));
        let is_row =
            is_last || words.iter().any(|word| word.ends_with('k') && figure.is_match(word));
        let figures = if operations.is_empty() { sizes.len() } else { operations.len() };
        if !is_row || figures == 0 {
            continue;
        }
        let (start, rates) =
            words.split_at_checked(words.len().wrapping_sub(figures)).ok_or_else(wrong)?;
        let rates: Vec<f64> =
            rates.iter().map(|word| rate(word).ok_or_else(wrong)).collect::<Result<_, _>>()?;
        let times = if operations.is_empty() { 0 } else { figures };
        let (name, times) =
            start.split_at_checked(start.len().wrapping_sub(times)).ok_or_else(wrong)?;
        if name.is_empty()
            || name.iter().any(|word| figure.is_match(word) || *word == "-")
            || !times.iter().all(|word| time.is_match(word))
        {
            return Err(wrong());
        }
        let name = name.join(" ");
        let rows: Vec<ImportedRow> = if operations.is_empty() {
            sizes
                .iter()
                .zip(&rates)
                .map(|(size, rate)| bulk(&name, *size, *rate, threads))
                .collect()
        } else {
            let name = name.replace(" bits", "");
            operations.iter().zip(&rates).map(|(of, rate)| key(&name, of, *rate, threads)).collect()
        };
        for row in rows.into_iter().filter(|row| row.per_s[0] > 0.0) {
            run.add(row).map_err(|what| format!("line {}: {what}", number + 1))?;
        }
    }
    Ok(())
}

/// Of a word of a table, where a k is a thousand.
fn rate(word: &str) -> Option<f64> {
    let (digits, factor) = word.strip_suffix('k').map_or((word, 1.0), |digits| (digits, 1000.0));
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    digits
        .parse::<f64>()
        .ok()
        .filter(|number| is_number && number.is_finite())
        .map(|number| number * factor)
}
