//! Output of Rust's benchmarks: Criterion's `time: [low estimate high]`, and the line `test … bench: … ns/iter` of libtest, which
//! Criterion writes with `--output-format bencher`.

use super::lines::{lines, pattern};
use super::run::{ImportedRow, ImportedRun};
use catalog::{Family, Unit};
use serde_json::json;

const LACKS: [&str; 4] = [
    "its samples (only their estimate is printed)",
    "checked answers",
    "pinned threads",
    "the machine",
];

const RESULT: &str = r"\btime:\s+\[|\bbench:\s+[\d,.]+ ns/iter";

/// Reads an output; `threads` are those that a benchmark has by itself.
pub(super) fn read(text: &str, label: &str, threads: usize) -> Result<ImportedRun, String> {
    let estimate = pattern(
        r"^(?<name>.*?)\s*time:\s+\[\s*(?<low>[\d.]+)\s*(?<u>\S+)\s+(?<mid>[\d.]+)\s*(?<unit>\S+)\s+[\d.]+\s*\S+\s*\]",
    )?;
    let bencher = pattern(r"^test (?<name>.+?)\s+\.\.\. bench:\s+(?<ns>[\d,.]+) ns/iter")?;
    let looks = pattern(RESULT)?;
    let mut run = ImportedRun::new(label, "Criterion", &LACKS);
    // A long name has a line of its own.
    let mut above = String::new();
    for line in lines(text, RESULT)? {
        let text = line.text.trim();
        let found = match (estimate.captures(text), bencher.captures(text)) {
            (Some(captured), _) => {
                let name = if captured["name"].is_empty() {
                    above.clone()
                } else {
                    captured["name"].to_owned()
                };
                let time = captured["mid"].parse::<f64>().ok().zip(seconds(&captured["unit"]));
                time.map(|(time, unit)| (name, time * unit))
            }
            (None, Some(captured)) => {
                let ns = captured["ns"].replace(',', "").parse::<f64>().ok();
                ns.map(|ns| (captured["name"].to_owned(), ns / 1e9))
            }
            _ => None,
        };
        let Some((name, seconds)) = found else {
            if looks.is_match(text) {
                run.leave_out("lines that look like results but are not", line.number, text);
            }
            above = text.to_owned();
            continue;
        };
        if name.is_empty() || seconds == 0.0 {
            run.leave_out("results without a name or a time", line.number, text);
            continue;
        }
        let words: Vec<&str> = name.split_whitespace().collect();
        let row = ImportedRow {
            workload: format!("{}/criterion", words.join("-").replace('/', ".")),
            family: Family::Unknown,
            parameters: json!({}),
            threads,
            is_all: false,
            unit: Unit::Ops,
            per_s: vec![1.0 / seconds],
            bytes_per_op: None,
            cpus: None,
        };
        run.take_once(&line, row)?;
    }
    Ok(run)
}

fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ps" => 1e-12,
        "ns" => 1e-9,
        "µs" | "us" | "\u{3bc}s" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_read_with_their_names() {
        let run = read(
            "fib 20                  time:   [26.029 µs 25.000 µs 26.505 µs]\n\
             \x20                       change: [-1.2% -0.5% +0.1%] (p = 0.1 > 0.05)\n\
             a group/with a long name of its own\n\
             \x20                       time:   [1.9 ms 2.0 ms 2.1 ms]\n\
             \x20                       thrpt:  [1 GiB/s 2 GiB/s 3 GiB/s]\n\
             test sum::small ... bench:       1,250 ns/iter (+/- 56)\n\
             test other ... bench:  many ns/iter\nx time: [odd]\n",
            "here",
            1,
        )
        .unwrap();
        let rows: Vec<(&str, f64)> =
            run.rows.iter().map(|row| (row.workload.as_str(), row.per_s[0].round())).collect();
        let expected = [
            ("fib-20/criterion", 40_000.0),
            ("a-group.with-a-long-name-of-its-own/criterion", 500.0),
            ("sum::small/criterion", 800_000.0),
        ];
        assert_eq!(rows, expected);
        assert_eq!(run.left_out.len(), 1);
    }
}
