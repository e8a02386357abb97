//! Each line of each source's input is dropped, doubled, indented, prefixed, and the whole is written in another encoding. What was
//! imported before is imported still, or counted among what was left out; nothing is imported twice as one figure.

use super::*;
use std::fs;
use std::path::Path;

const INPUTS: [(Source, &str, &str); 6] = [
    (Source::OpensslSpeed, SPEED, r"\d\.\dk?\s*$|\d\.\d\dk"),
    (
        Source::GoBench,
        "goos: linux\npkg: x\nBenchmarkA-8  9 500 ns/op\nBenchmarkA-8  9 510 ns/op\nBenchmarkB/n-1-8 9 7 ns/op 3 B/op\nPASS\n",
        "^Benchmark",
    ),
    (
        Source::Kopia,
        "     Encryption     Throughput\n-----\n  0. AES256-GCM-HMAC-SHA256  1.1 GB / second\n  1. CHACHA20-POLY1305-HMAC-SHA256  0.9 GB / second\n",
        "second",
    ),
    (
        Source::Criterion,
        "fib 20   time:   [26.0 µs 25.0 µs 26.5 µs]\nlong/name\n     time:   [1.9 ms 2.0 ms 2.1 ms]\n",
        "time:",
    ),
    (
        Source::Csv,
        "machine,workload,threads,value,unit\na,sum,1,2,MiB/s\na,copy,1,3,MiB/s\na,sum,1,2.5,MiB/s\n",
        "^a,",
    ),
    (
        Source::Hyperfine,
        "command,mean,stddev,median\nsort f,0.2,0.1,0.2\nls,0.1,0.1,0.1\n",
        r"^\w+( \w+)?,[\d.]+",
    ),
];

/// Figures and what was left out; `None` if it is refused, with a reason.
fn read(source: Source, content: &[u8], folder: &Path) -> Option<(usize, usize)> {
    let path = folder.join("input");
    fs::write(&path, content).unwrap();
    match source.read(&path, &ONE) {
        Ok(runs) => {
            let figures = runs.iter().flat_map(|run| &run.rows).map(|row| row.per_s.len()).sum();
            let left_out = runs.iter().flat_map(|run| &run.left_out).map(|of| of.count).sum();
            Some((figures, left_out))
        }
        Err(why) => {
            assert!(!why.to_string().is_empty());
            None
        }
    }
}

#[test]
fn nothing_is_lost_without_a_count() {
    let folder = tempfile::tempdir().unwrap();
    for (source, text, result) in INPUTS {
        let result = regex::Regex::new(result).unwrap();
        let (whole, nothing) = read(source, text.as_bytes(), folder.path()).unwrap();
        assert!(whole > 1 && nothing == 0, "{source}");
        let utf16: Vec<u8> =
            format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for form in
            [text.replace('\n', "\r\n").into_bytes(), format!("\u{feff}{text}").into_bytes(), utf16]
        {
            assert_eq!(read(source, &form, folder.path()), Some((whole, 0)), "{source}");
        }
        let lines: Vec<&str> = text.lines().collect();
        for (place, line) in lines.iter().enumerate() {
            let with = |new: &str| {
                let before = lines[..place].iter().map(|line| format!("{line}\n"));
                let after = lines[place + 1..].iter().map(|line| format!("{line}\n"));
                before.chain([new.to_owned()]).chain(after).collect::<String>()
            };
            let figures_of_line = match source {
                Source::OpensslSpeed if result.is_match(line) => {
                    line.matches('k').count().max(line.matches("s ").count())
                }
                _ => usize::from(result.is_match(line)),
            };
            for (change, new) in [
                ("dropped", String::new()),
                ("doubled", format!("{line}\n{line}\n")),
                ("indented", format!("    {line}\n")),
                ("prefixed", format!("!!! {line}\n")),
            ] {
                let Some((figures, left_out)) = read(source, with(&new).as_bytes(), folder.path())
                else {
                    continue;
                };
                let most = if change == "doubled" { whole * 2 } else { whole };
                assert!(figures <= most, "{source}: {line:?} {change}: {figures} of {whole}");
                let is_head = figures_of_line == 0;
                let lost = whole.saturating_sub(figures);
                let is_told = lost == 0 || left_out > 0 || change == "dropped";
                // Without its head a table is text.
                assert!(
                    is_told || is_head,
                    "{source}: {line:?} {change}: {figures} of {whole}, {left_out} left out"
                );
            }
        }
    }
}
