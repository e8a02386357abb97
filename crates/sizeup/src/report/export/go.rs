//! The benchmark format of Go (go.dev/design/14313-benchmark-format), a line a window: benchstat reads it.

use super::benchmark::{Benchmark, benchmarks};
use crate::machine::printable;
use crate::record::Run;
use std::fmt::Write;

/// A run's windows, with what is known of the machine before them.
pub fn go_bench(run: &Run) -> String {
    let mut text = String::new();
    let header = &run.header;
    // benchstat takes a file's lines of these for what its figures have in common.
    let common = [
        ("goos", Some("linux".to_owned())),
        ("goarch", header.machine.cpu.architecture.known().map(|of| goarch(of).to_owned())),
        ("pkg", Some(format!("sizeup/{}", header.suite))),
        ("cpu", header.machine.cpu.model.known().cloned()),
        ("machine", Some(header.label.clone())),
    ];
    for (key, value) in common {
        if let Some(value) = value {
            let _ = writeln!(text, "{key}: {}", printable(&value));
        }
    }
    for benchmark in benchmarks(run) {
        let name = name(&benchmark);
        for window in &benchmark.repetitions {
            let ns_per_op = 1e9 / window.ops_per_s;
            let _ =
                write!(text, "{name} {} {ns_per_op} ns/op {} ops/s", window.ops, window.ops_per_s);
            if let Some(bytes) = benchmark.bytes_per_op {
                let _ = write!(text, " {} MB/s", window.ops_per_s * bytes as f64 / 1e6);
            }
            text.push('\n');
        }
    }
    text
}

/// `BenchmarkGzip-6/impl=zlib/threads=all`; threads are no suffix, for machines have different numbers of them.
fn name(benchmark: &Benchmark) -> String {
    let word = |text: &str| -> String {
        let plain = |c: char| if c.is_whitespace() || c.is_control() || c == '/' { '_' } else { c };
        text.chars().map(plain).collect()
    };
    let mut operation = word(benchmark.operation);
    if let Some(first) = operation.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut name = format!("Benchmark{operation}/impl={}", word(benchmark.implementation));
    if let Some(variant) = benchmark.variant {
        let _ = write!(name, "/variant={}", word(variant));
    }
    let _ = write!(name, "/threads={}", benchmark.spec);
    name
}

/// In Go's words.
fn goarch(architecture: &str) -> &str {
    match architecture {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}
