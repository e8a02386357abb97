//! Each line of each source's input is dropped, doubled, indented, prefixed, and the whole is written in another encoding. What was
//! imported before is imported still, or counted among what was left out; nothing is imported twice as one figure.

use super::*;
use std::fs;
use std::path::Path;

/// Figures, and what was left out; an error is why it was refused.
pub(crate) type Read = Result<(usize, usize), String>;

/// Changes each line of an input, which `read` reads in a folder. `result` matches the lines with figures; others may be heads,
/// without which a table is text.
pub(crate) fn nothing_is_lost(
    name: &str,
    files: &[(&str, &str)],
    result: &str,
    read: impl Fn(&Path) -> Read,
) {
    let result = regex::Regex::new(result).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, content: &[u8]| {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    files.iter().for_each(|(file, text)| write(file, text.as_bytes()));
    let (whole, nothing) = read(folder.path()).unwrap();
    assert!(whole > 1 && nothing == 0, "{name}: {whole} figures, {nothing} left out");
    for (file, text) in files {
        let marked = format!("\u{feff}{text}");
        let utf16 = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for form in [text.replace('\n', "\r\n").into_bytes(), marked.into_bytes(), utf16] {
            write(file, &form);
            assert_eq!(read(folder.path()), Ok((whole, 0)), "{name}: {file}");
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for (place, line) in lines.iter().enumerate() {
            for (change, new) in [
                ("dropped", String::new()),
                ("doubled", format!("{line}{line}")),
                ("indented", format!("    {line}")),
                ("prefixed", format!("!!! {line}")),
            ] {
                let (before, after) = (lines[..place].concat(), lines[place + 1..].concat());
                write(file, format!("{before}{new}{after}").as_bytes());
                let (figures, left_out) = match read(folder.path()) {
                    Ok(found) => found,
                    Err(why) => {
                        assert!(!why.is_empty());
                        continue;
                    }
                };
                let what = format!(
                    "{name}: {line:?} {change}: {figures} of {whole} figures, {left_out} left out"
                );
                let most = if change == "doubled" { whole * 2 } else { whole };
                assert!(figures <= most, "{what}");
                let is_told = figures >= whole || left_out > 0 || change == "dropped";
                assert!(is_told || !result.is_match(line), "{what}");
            }
        }
        write(file, text.as_bytes());
    }
}

fn check(source: Source, files: &[(&str, &str)], result: &str) {
    // A server is a folder of files.
    let place = if files.len() == 1 { files[0].0 } else { "" };
    nothing_is_lost(&source.to_string(), files, result, |folder| {
        let runs = source.read(&folder.join(place), &ONE).map_err(|e| e.to_string())?;
        let figures = runs.iter().flat_map(|run| &run.rows).map(|row| row.per_s.len()).sum();
        let left_out = |run: &ImportedRun| {
            run.left_out.iter().map(|loss| loss.count).sum::<usize>() + run.failed.len()
        };
        Ok((figures, runs.iter().map(left_out).sum()))
    });
}

const GO_TEST: &str = r#"{"Action":"output","Package":"x","Output":"goos: linux\n"}
{"Action":"output","Package":"x","Output":"BenchmarkA-8 \t"}
{"Action":"output","Package":"x","Output":"  9\t 500 ns/op\n"}
{"Action":"output","Package":"x","Output":"BenchmarkB-8 \t 9\t 500 ns/op\n"}
{"Action":"pass","Package":"x"}
"#;
const HYPERFINE: &str = r#"{
  "results": [
    {
      "command": "sort f",
      "mean": 0.2,
      "times": [
        0.2,
        0.21
      ],
      "exit_codes": [
        0,
        0
      ]
    }
  ]
}
"#;
const GOOGLE: &str = r#"{
  "context": {
    "num_cpus": 8
  },
  "benchmarks": [
    {
      "name": "BM_A/64/threads:4",
      "run_name": "BM_A/64/threads:4",
      "run_type": "iteration",
      "threads": 4,
      "real_time": 1726.0,
      "time_unit": "ns"
    },
    {
      "name": "BM_A/64/threads:4",
      "real_time": 1730.0
    },
    {
      "name": "BM_A/64/threads:4_mean",
      "run_name": "BM_A/64/threads:4",
      "run_type": "aggregate",
      "aggregate_name": "mean",
      "real_time": 1728.0
    },
    {
      "name": "BM_B",
      "real_time": 5.0
    }
  ]
}
"#;
const META: &str = r#"{
  "start": "2026-06-17T04:13:10.7",
  "exit_code": 0,
  "version": "1"
}
"#;
const LSCPU: &str = r#"{
  "lscpu": [
    {
      "field": "CPU(s):",
      "data": "2"
    },
    {
      "field": "Model name:",
      "data": "Neoverse-N1"
    }
  ]
}
"#;
const OPENSSL: &str = r#"[
  {
    "algo": "SHA256",
    "block_size": 16,
    "speed": 1e8
  },
  {
    "algo": "AES-256-CBC",
    "block_size": 16,
    "speed": 2e8
  }
]
"#;
const COMPRESSION: &str = r#"{
  "zstd": {
    "1": [
      {
        "threads": 1,
        "extra_args": {},
        "compress": 302000000.0,
        "decompress": 905000000.0
      }
    ]
  }
}
"#;

#[test]
fn nothing_of_a_tools_output_is_lost_without_a_count() {
    for (source, text, result) in [
        (Source::OpensslSpeed, SPEED, r"\d\.\dk?\s*$|\d\.\d\dk"),
        (
            Source::OpensslSpeed,
            "+H:16:64\n+F:6:sha256:110055393.10:344843870.97\n+F2:2:2048:3520.27:50948.61\n",
            r"^\+F",
        ),
        (
            Source::GoBench,
            "goos: linux\npkg: x\nBenchmarkA-8  9 500 ns/op\nBenchmarkA-8  9 510 ns/op\nBenchmarkB/n-1-8 9 7 ns/op 3 B/op\nPASS\n",
            "^Benchmark",
        ),
        (Source::GoBench, GO_TEST, "ns/op"),
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
        (Source::Hyperfine, HYPERFINE, r"\d"),
        (Source::GoogleBenchmark, GOOGLE, r"\d"),
    ] {
        check(source, &[("input", text)], result);
    }
    let server = [
        ("lscpu/stdout", LSCPU),
        ("stressngfull/meta.json", META),
        ("stressngfull/stdout", "1,1312.39\n2,1746.48\n"),
        ("openssl/meta.json", META),
        ("openssl/parsed.json", OPENSSL),
        ("compression_text/meta.json", META),
        ("compression_text/stdout", COMPRESSION),
    ];
    check(Source::SpareCores, &server, r"\d");
}
