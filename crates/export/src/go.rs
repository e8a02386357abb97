//! The benchmark format of Go (go.dev/design/14313-benchmark-format), a line a sample: benchstat reads it.

use super::benchmark::{Benchmark, benchmarks};
use catalog::Unit;
use record::Run;
use std::fmt::Write;
use terminal::Printable;

/// A run's samples, with what is known of the machine before them.
pub fn go_bench(run: &Run) -> Vec<Printable> {
    let header = &run.header;
    // Readers pass over it: benchstat sets files side by side only where all `key: value` lines are the same, and here the
    // machines are what differs.
    let cpu = header.machine.cpu.model.known().map_or("an unknown CPU", String::as_str);
    let about = format!("# {}: {cpu}, suite {}", header.label, header.suite);
    let mut lines: Vec<Printable> = vec![about.into(), "goos: linux".into(), "pkg: sizeup".into()];
    for benchmark in benchmarks(run) {
        let name = name(&benchmark);
        for sample in &benchmark.repetitions {
            let (ops, per_s) = (sample.ops, sample.per_s);
            let mut line = format!("{name} {ops}");
            if benchmark.row.unit != Unit::Bytes {
                let _ = write!(line, " {} ns/op {per_s} {}", 1e9 / per_s, benchmark.row.unit);
            }
            if let Some(bytes_per_s) = benchmark.bytes_per_s(per_s) {
                let _ = write!(line, " {} MB/s", bytes_per_s / 1e6);
            }
            if let Some(clock_hz) = sample.clock_hz {
                let _ = write!(line, " {} GHz", clock_hz / 1e9);
            }
            lines.push(line.into());
        }
    }
    lines
}

/// `BenchmarkGzip-6/impl=zlib/threads=all`; threads are no suffix, for machines have different numbers of them.
fn name(benchmark: &Benchmark) -> String {
    let word = |text: &Printable| -> String {
        let plain = |c: char| if c.is_whitespace() || c == '/' { '_' } else { c };
        text.chars().map(plain).collect()
    };
    let (operation, implementation) = benchmark.operation_and_implementation();
    let mut operation = word(&operation);
    if let Some(first) = operation.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut name = format!("Benchmark{operation}/impl={}", word(&implementation));
    if let Some(variant) = &benchmark.row.variant {
        let _ = write!(name, "/variant={}", word(&Printable::from(variant)));
    }
    let _ = write!(name, "/threads={}", benchmark.row.key.threads);
    name
}
