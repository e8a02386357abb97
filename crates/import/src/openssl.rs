//! Output of `openssl speed`, with or without `-mr`.

use super::lines::{Line, lines, pattern};
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use regex::Regex;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

const LACKS: [&str; 3] = [
    "intervals (openssl speed times each size once)",
    "checked answers",
    "the compiler's flags where `openssl speed` does not print them",
];

const RESULT: &str = r"^\s*(?:Doing |Got: |\+F|\+R|type )|\d\.\d\dk(?:\s|$)";
/// Without `-elapsed` a figure is of CPU time. If that is outside of this share of the time for which a loop ran, the work was
/// done elsewhere (an engine, the kernel), or by several threads.
const OWN_TIME: RangeInclusive<f64> = 0.8..=1.3;
/// A larger block takes longer: ops a second at a larger size are no more than this many times those at a smaller one.
const MOST_RISE: f64 = 1.5;
/// OpenSSL has fewer operations with keys.
const MOST_OPERATIONS: usize = 1000;

/// Reads an output; `threads` are those of `-multi` if the output does not show them.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let lines = lines(text, RESULT)?;
    let version = lines.iter().find_map(|line| {
        let text = line.text.trim();
        let found = text.strip_prefix("version: ").or_else(|| text.strip_prefix("OpenSSL "));
        found.map(|found| found.split([' ', ',']).next().unwrap_or_default().to_owned())
    });
    let tool = version
        .map_or_else(|| "openssl speed".to_owned(), |version| format!("openssl speed {version}"));
    let mut run = ImportedRun::new(label, tool, &LACKS);
    // Each process of -multi reports its results.
    let child = pattern(r"^\s*Got: .* from (\d+)\s*$")?;
    let children =
        lines.iter().filter_map(|line| child.captures(&line.text)?[1].parse::<usize>().ok());
    let threads = children.max().map_or(threads, |last| last + 1);
    let timed = Timed::of(&lines, threads)?;
    if lines.iter().any(|line| line.text.trim_start().starts_with("+F")) {
        machine_readable(&lines, threads, &timed, &mut run)?;
    } else {
        for_people(&lines, threads, &timed, &mut run)?;
    }
    Ok(run)
}

/// Counts of loops and how long they took, where the output says so.
#[derive(Default)]
struct Timed {
    /// Algorithm and block size → count and seconds that were used, and seconds that were asked for, of one process.
    blocks: BTreeMap<(String, u64), (f64, f64, f64)>,
    /// Counts and seconds of keys by their operations per second of the time used: their lines have other names than the tables.
    keys: Vec<(f64, (f64, f64, f64))>,
    /// Algorithms of which a process of several used too little time.
    elsewhere: BTreeSet<String>,
}

impl Timed {
    fn of(lines: &[Line], threads: usize) -> Result<Self, String> {
        let block = pattern(
            r"Doing (.+?)(?: ops)? for (\d+)s on (\d+) size blocks: (\d+) .* in (\d+\.\d+)s",
        )?;
        let key = pattern(r"Doing .* for (\d+)s: (\d+) .* in (\d+\.\d+)s")?;
        let asked = pattern(r"^\s*\+DT:([^:]+):(\d+):(\d+)")?;
        let used = pattern(r"^\s*\+R:(\d+):([^:]+):(\d+\.\d+)")?;
        let number = |text: &str| text.parse::<f64>().unwrap_or_default();
        let mut timed = Self::default();
        let mut last: BTreeMap<String, (f64, u64)> = BTreeMap::new();
        for line in lines {
            let text = &line.text;
            if let Some(captured) = block.captures(text) {
                let size = captured[3].parse().unwrap_or_default();
                let found = (number(&captured[4]), number(&captured[5]), number(&captured[2]));
                timed.blocks.insert((captured[1].to_owned(), size), found);
            } else if let Some(captured) = key.captures(text) {
                let (count, used) = (number(&captured[2]), number(&captured[3]));
                if used > 0.0 {
                    timed.keys.push((count / used, (count, used, number(&captured[1]))));
                }
            } else if let Some(captured) = asked.captures(text) {
                last.insert(
                    captured[1].to_owned(),
                    (number(&captured[2]), captured[3].parse().unwrap_or_default()),
                );
            } else if let Some(captured) = used.captures(text) {
                let Some((asked, size)) = last.get(&captured[2]) else { continue };
                let found = (number(&captured[1]), number(&captured[3]), *asked);
                match threads {
                    1 => drop(timed.blocks.insert((captured[2].to_owned(), *size), found)),
                    // Lines of several processes are mixed.
                    _ if is_own(found) => {}
                    _ => drop(timed.elsewhere.insert(captured[2].to_owned())),
                }
            }
        }
        timed.keys.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(timed)
    }

    /// The rate of a block size in bytes a second: by the time for which the loop ran, if it was not the time that was used.
    fn block(&self, name: &str, size: u64, bytes_per_s: f64) -> Option<f64> {
        let found = *self.blocks.get(&(name.to_owned(), size))?;
        let (count, _, asked) = found;
        (!is_own(found) && asked > 0.0)
            .then(|| count * size as f64 / asked)
            .filter(|rate| *rate != bytes_per_s)
    }

    /// Finds a key's operation by its reported rate, and corrects it as `block` does.
    fn key(&self, per_s: f64) -> Option<f64> {
        let from = self.keys.partition_point(|(rate, _)| *rate <= per_s * 0.99);
        let (_, found) = *self.keys.get(from).filter(|(rate, _)| *rate < per_s * 1.01)?;
        (!is_own(found) && found.2 > 0.0).then(|| found.0 / found.2)
    }
}

/// Whether the time that was used is the time for which it ran. The last op may have taken longer.
fn is_own((count, used, asked): (f64, f64, f64)) -> bool {
    let of_last = if count > 0.0 { used / count } else { 0.0 };
    used >= asked * OWN_TIME.start() && used - of_last <= asked * OWN_TIME.end()
}

/// Why figures of an engine were computed anew.
const BY_CLOCK: &str = "CPU time that is the work's own: some loops ran much longer or shorter than they used the CPU, and their \
                        figures are their counts by the time for which they ran";

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
fn machine_readable(
    lines: &[Line],
    threads: usize,
    timed: &Timed,
    run: &mut ImportedRun,
) -> Result<(), String> {
    let mut sizes: Vec<u64> = Vec::new();
    for line in lines {
        let text = line.text.trim();
        match sizes_of(text) {
            Some(Ok(found)) => {
                sizes = found;
                continue;
            }
            Some(Err(_)) => {
                run.leave_out("lines not from openssl speed -mr", line.number, text);
                continue;
            }
            None => {}
        }
        if text.contains("+F") && !text.starts_with("+F") && !text.starts_with("Got: ") {
            run.leave_out("lines with text before a result", line.number, text);
            continue;
        }
        let is_bulk = text.starts_with("+F:");
        let rows = match of_machine_readable(text, &sizes, threads) {
            Ok(rows) => rows,
            Err(Unread::Kind(kind)) => {
                run.lack(format!("lines of kind {kind}"));
                continue;
            }
            Err(Unread::Wrong(why)) => {
                run.leave_out(&format!("lines of openssl speed -mr that {why}"), line.number, text);
                continue;
            }
        };
        let name = if is_bulk { text.split(':').nth(2).unwrap_or_default() } else { "" };
        // Nothing is what a size or an algorithm that was skipped has.
        add(
            rows.into_iter().filter(|row| row.per_s[0] != 0.0).collect(),
            name,
            (line, timed),
            run,
        )?;
    }
    Ok(())
}

/// Why a line has no rows.
enum Unread {
    /// It is of a kind that has no names.
    Kind(String),
    Wrong(&'static str),
}

fn of_machine_readable(
    text: &str,
    sizes: &[u64],
    threads: usize,
) -> Result<Vec<ImportedRow>, Unread> {
    let fields: Vec<&str> = text.split(':').collect();
    let parsed =
        |text: &str| text.parse::<f64>().map_err(|_| Unread::Wrong("have what is no number"));
    let each = |name: String, rates: &[(&str, &str)]| -> Result<Vec<ImportedRow>, Unread> {
        rates
            .iter()
            .map(|(operation, rate)| Ok(key(&name, operation, parsed(rate)?, threads)))
            .collect()
    };
    let pair = |name: String, sign, verify| each(name, &[("sign", sign), ("verify", verify)]);
    match fields[..] {
        ["+F", _, _, ref rates @ ..] if rates.len() != sizes.len() => {
            Err(Unread::Wrong("have another number of figures than sizes of +H"))
        }
        ["+F", _, name, ref rates @ ..] => {
            let known = rates.iter().zip(sizes).filter(|(_, size)| **size > 0);
            known.map(|(rate, size)| Ok(bulk(name, *size, parsed(rate)?, threads))).collect()
        }
        ["+F2", _, bits, sign, verify] => pair(format!("rsa-{bits}"), sign, verify),
        ["+F2", _, bits, sign, verify, encrypt, decrypt] => each(
            format!("rsa-{bits}"),
            &[("sign", sign), ("verify", verify), ("encrypt", encrypt), ("decrypt", decrypt)],
        ),
        ["+F3", _, bits, sign, verify] => pair(format!("dsa-{bits}"), sign, verify),
        ["+F4", curve, bits, sign, verify] => {
            pair(format!("ecdsa-{bits}-curve-{curve}"), sign, verify)
        }
        ["+F5", curve, bits, per_s, _] => {
            each(format!("ecdh-{bits}-curve-{curve}"), &[("op", per_s)])
        }
        ["+F6" | "+F7", _, _, name, sign, verify] => pair(name.to_owned(), sign, verify),
        // A size in bits follows the number, not a rate.
        ["+F7" | "+F8", _, bits, per_s, _] if bits.parse::<u32>().is_ok() => {
            each(format!("ffdh-{bits}"), &[("op", per_s)])
        }
        [kind, ..] if kind.starts_with("+F") => Err(Unread::Kind(kind.to_owned())),
        _ => Ok(Vec::new()),
    }
}

/// Adds the rows of a line, checked against what is known of their time.
fn add(
    mut rows: Vec<ImportedRow>,
    name: &str,
    (line, timed): (&Line, &Timed),
    run: &mut ImportedRun,
) -> Result<(), String> {
    if timed.elsewhere.contains(name) {
        run.leave_out(
            "lines of figures by CPU time that is not the work's own (measure with -elapsed)",
            line.number,
            &line.text,
        );
        return Ok(());
    }
    let mut is_known = false;
    for row in &mut rows {
        let size = row.bytes_per_op.unwrap_or(1);
        is_known |= timed.blocks.contains_key(&(name.to_owned(), size));
        let by_clock = match row.bytes_per_op {
            Some(size) => {
                timed.block(name, size, row.per_s[0] * size as f64).map(|rate| rate / size as f64)
            }
            None => timed.key(row.per_s[0]),
        };
        if let Some(per_s) = by_clock {
            row.per_s = vec![per_s];
            run.lack(BY_CLOCK.to_owned());
        }
    }
    let mut by_size: Vec<(u64, f64)> =
        rows.iter().filter_map(|row| Some((row.bytes_per_op?, row.per_s[0]))).collect();
    by_size.sort_by_key(|(size, _)| *size);
    let mut least = f64::INFINITY;
    let rises = by_size.iter().any(|(_, per_s)| {
        least = least.min(*per_s);
        *per_s > least * MOST_RISE
    });
    if rises && !is_known {
        run.leave_out(
            "lines with more ops of large blocks than of small ones, so that the time is not the work's own (measure with \
             -elapsed)",
            line.number,
            &line.text,
        );
        return Ok(());
    }
    rows.into_iter().try_for_each(|row| run.take_once(line, row))
}

/// The operations of a head, in the words of `-mr`.
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
/// Below 10,000 bytes a second have no k. Names have blanks and figures, so that rows are read from their end. A table ends at the
/// first line that is no row, but for rows that can be nothing else.
fn for_people(
    lines: &[Line],
    threads: usize,
    timed: &Timed,
    run: &mut ImportedRun,
) -> Result<(), String> {
    let head = pattern(r"^\s*[a-z].*[a-z]\.?/s\s*$")?;
    let size = pattern(r"(\d+) bytes")?;
    let words = Words {
        figure: pattern(r"^-?(?:\d+\.\d+|nan|inf)k?$")?,
        time: pattern(r"^(?:\d+\.\d+s|infs?)$")?,
    };
    let children = children(lines, threads);
    let mut table = Table::default();
    for line in lines {
        let text = line.text.trim();
        if let Some(found) = sizes_of(text) {
            table.sizes = found.unwrap_or_default();
            continue;
        }
        if text.starts_with("type ") {
            let sizes = size.captures_iter(text).map(|found| found[1].parse().unwrap_or_default());
            table = Table { sizes: sizes.collect(), operations: Vec::new(), goes_on: true };
            continue;
        }
        if head.is_match(&line.text) && !text.contains(|c: char| c.is_ascii_digit()) {
            table = Table { sizes: Vec::new(), operations: operations_of(text), goes_on: true };
            continue;
        }
        match table.row(text, &words) {
            Row::None => table.goes_on = false,
            Row::Wrong => run.leave_out("lines with missing or extra figures", line.number, text),
            Row::Of(name, rates) if table.operations.is_empty() => {
                let rows = table.sizes.iter().zip(&rates).filter(|(_, rate)| **rate > 0.0);
                let rows = rows.map(|(size, rate)| bulk(&name, *size, *rate, threads)).collect();
                add(rows, &name, (line, timed), run)?;
            }
            Row::Of(name, rates) => {
                let name = name.replace(" bits", "");
                let mut rates = rates;
                if rates.iter().all(|rate| *rate == 0.0) {
                    match children.iter().find(|child| child.is_of(&name, rates.len())) {
                        Some(child) => {
                            rates.clone_from(&child.rates);
                            run.lack("sums of -multi for some operations, which are those of its processes here".to_owned());
                        }
                        None => {
                            run.leave_out("lines without figures above zero (openssl -multi does not sum all operations)", line.number, text);
                            continue;
                        }
                    }
                }
                let rows = table.operations.iter().zip(&rates).filter(|(_, rate)| **rate > 0.0);
                let rows =
                    rows.map(|(operation, rate)| key(&name, operation, *rate, threads)).collect();
                add(rows, "", (line, timed), run)?;
            }
        }
    }
    Ok(())
}

/// Patterns of a row's words.
struct Words {
    figure: Regex,
    time: Regex,
}

/// The table in which a line stands.
#[derive(Default)]
struct Table {
    sizes: Vec<u64>,
    operations: Vec<String>,
    /// No other line came after its head and rows.
    goes_on: bool,
}

enum Row {
    None,
    Wrong,
    Of(String, Vec<f64>),
}

impl Table {
    fn row(&self, text: &str, patterns: &Words) -> Row {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_figure = |word: &&&str| patterns.figure.is_match(word);
        let is_plain = |word: &&&str| word.ends_with('k') && patterns.figure.is_match(word);
        let times = words.iter().filter(|word| patterns.time.is_match(word)).count();
        // Nothing else has words like 1380401.15k, or two times with as many rates.
        let is_sure =
            words.iter().any(|word| is_plain(&word)) || (times > 0 && !self.operations.is_empty());
        let is_last = words.last().is_some_and(|word| is_figure(&word));
        let figures =
            if self.operations.is_empty() { self.sizes.len() } else { self.operations.len() };
        if figures == 0 || !(is_sure || (self.goes_on && is_last)) {
            return Row::None;
        }
        self.read(&words, figures, patterns)
            .map_or(Row::Wrong, |(name, rates)| Row::Of(name, rates))
    }

    fn read(&self, words: &[&str], figures: usize, patterns: &Words) -> Option<(String, Vec<f64>)> {
        let (start, rates) = words.split_at_checked(words.len().checked_sub(figures)?)?;
        let rates = rates.iter().map(|word| rate(word)).collect::<Option<Vec<f64>>>()?;
        let times = if self.operations.is_empty() { 0 } else { figures };
        let (name, times) = start.split_at_checked(start.len().checked_sub(times)?)?;
        let begins = name.first()?.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '{');
        let is_name = !name.iter().any(|word| patterns.figure.is_match(word) || *word == "-");
        let are_times = times.iter().all(|word| patterns.time.is_match(word));
        (begins && is_name && are_times).then(|| (name.join(" "), rates))
    }
}

/// An operation's rates, added up over all processes of -multi.
struct Child {
    /// The name that a process prints, if it does.
    name: String,
    bits: String,
    rates: Vec<f64>,
    processes: usize,
}

impl Child {
    /// Whether a row of the table is this.
    fn is_of(&self, row: &str, rates: usize) -> bool {
        let row = row.to_lowercase();
        let has_bits = row.split_whitespace().any(|word| word == self.bits);
        rates == self.rates.len() && has_bits && row.contains(&self.name.to_lowercase())
    }
}

/// Operations in lines like `Got: +F6:0:256:CurveSM2:1137.3:1175.4 from 0`; those that not every process reports are left out.
fn children(lines: &[Line], threads: usize) -> Vec<Child> {
    let mut all: Vec<Child> = Vec::new();
    for line in lines {
        let Some(text) = line.text.trim().strip_prefix("Got: +F") else { continue };
        let Some((text, _)) = text.rsplit_once(" from ") else { continue };
        let fields: Vec<&str> = text.split(':').collect();
        let (bits, name, rates) = match fields[..] {
            [_, _, bits, name, ref rates @ ..] if name.parse::<f64>().is_err() => {
                (bits, name, rates)
            }
            [_, _, bits, ref rates @ ..] => (bits, "", rates),
            _ => continue,
        };
        let Some(rates) = rates.iter().map(|rate| rate.parse().ok()).collect::<Option<Vec<f64>>>()
        else {
            continue;
        };
        let is_same = |child: &&mut Child| {
            child.name == name && child.bits == bits && child.rates.len() == rates.len()
        };
        let is_full = all.len() >= MOST_OPERATIONS;
        match all.iter_mut().find(is_same) {
            Some(known) => {
                known.rates.iter_mut().zip(&rates).for_each(|(sum, rate)| *sum += rate);
                known.processes += 1;
            }
            None if is_full => {}
            None => all.push(Child {
                name: name.to_owned(),
                bits: bits.to_owned(),
                rates,
                processes: 1,
            }),
        }
    }
    all.retain(|child| child.processes == threads);
    all
}

/// A word of a table as a number; a k is a thousand.
fn rate(word: &str) -> Option<f64> {
    let (digits, factor) = word.strip_suffix('k').map_or((word, 1.0), |digits| (digits, 1000.0));
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    digits
        .parse::<f64>()
        .ok()
        .filter(|number| is_number && number.is_finite())
        .map(|number| number * factor)
}
