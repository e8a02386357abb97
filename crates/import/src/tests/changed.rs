//! Fuzz targets: what other tools print, changed. What is imported can be written, and what is written can be read.

use super::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testkit::{Choices, changed_text, edit};

const GO: &str = "goos: linux\ngoarch: arm64\npkg: example.com/sum\ncpu: Neoverse-N1\n\
                  BenchmarkSum/1K-8   \t  100\t  500.0 ns/op\t2048.00 MB/s\t 0 B/op\t 0 allocs/op\n\
                  BenchmarkSum/1K-8   \t  100\t  510.0 ns/op\t2007.84 MB/s\nBenchmarkAlone-8 \t 7 \t 1e+06 ns/op\nPASS\n";
const KOPIA: &str = "\
Benchmarking hash 'BLAKE2B-256' (100 x 1048576 bytes, parallelism 4)
     Hash                 Throughput
-----------------------------------------------------------------
  0. BLAKE3-256           2.9 GB / second
     Hash                 Encryption                     Throughput
  0. BLAKE2B-256-128      AES256-GCM-HMAC-SHA256         1.1 GB / second
     Compression                Compressed   Throughput   Allocs   Memory Usage
  0. s2-default                 127.1 MB      4.3 GB/s     3676     376.3 MB
splitting 16 blocks of 32MiB each, parallelism 1
DYNAMIC-128K-RABINKARP      164.4 MB/s count:3160 min:9667 10th:80098 25th:106626
     ECC                                Throughput     Throughput       Growth
                                          Encoding       Decoding
  0. REED-SOLOMON-CRC32-1%              3.2 GB/s       1.5 GB/s        2% [10.7 MB]
";
const MR: &str = "+H:16:64:256:1024:8192:16384\n\
                  +F:6:sha256:110055393.10:344843870.97:826411988.73:1435349577.14:1770446744.30:0.00\n\
                  +F2:2:2048:3520.270270:50948.611111\n+F4:3:256:40055.384615:16157.142857\n\
                  +F5:22:253:31759.090909:0.000031\n+F6:0:253:Ed25519:26739.705882:8057.692308\n";
const TABLE: &str = "machine,workload,threads,value,unit,cpus\na,sum,1,2,MiB/s,64\nb,sum/c,64,4,ns/op,64\n\
                     \"a\",sum,1,3,MiB/s,64\nb,copy/go,2,1e9,B/s,64\n";

/// Imports what lies at a path, if it can be imported, and reads what is written of it.
fn import(source: Source, path: &Path, folder: &Path) {
    let Ok(runs) = source.read(path, &UserFacts { threads: 3, ..ONE }) else { return };
    for (number, run) in runs.iter().enumerate() {
        let to = folder.join(format!("{number}.run.jsonl"));
        run.write(&to, 1).unwrap();
        let read = record::read(&to).unwrap_or_else(|e| panic!("what was imported: {e}"));
        assert_eq!(read.imported.len(), run.rows.iter().map(|row| row.per_s.len()).sum::<usize>());
    }
}

fn check(name: &str, source: Source, samples: &[&str]) {
    testkit::check(name, 600, |input| {
        let folder = testkit::folder();
        let path = folder.path().join("output.txt");
        fs::write(&path, changed_text(samples, &mut Choices::new(input))).unwrap();
        import(source, &path, folder.path());
    });
}

#[test]
fn changed_output_of_openssl_is_refused_or_imported() {
    check("import-openssl", Source::OpensslSpeed, &[SPEED, MR]);
}

#[test]
fn changed_output_of_go_is_refused_or_imported() {
    check(
        "import-go",
        Source::GoBench,
        &[
            GO,
            include_str!("../../fixtures/go-test.json"),
            include_str!("../../fixtures/go-log-gh.txt"),
        ],
    );
}

#[test]
fn changed_output_of_kopia_is_refused_or_imported() {
    check("import-kopia", Source::Kopia, &[KOPIA]);
}

#[test]
fn changed_exports_of_hyperfine_are_refused_or_imported() {
    check(
        "import-hyperfine",
        Source::Hyperfine,
        &[
            include_str!("../../fixtures/hyperfine.json"),
            include_str!("../../fixtures/hyperfine.csv"),
        ],
    );
}

#[test]
fn changed_json_of_google_benchmark_is_refused_or_imported() {
    check(
        "import-google-benchmark",
        Source::GoogleBenchmark,
        &[include_str!("../../fixtures/google-benchmark.json")],
    );
}

#[test]
fn changed_output_of_criterion_is_refused_or_imported() {
    check(
        "import-criterion",
        Source::Criterion,
        &[
            "fib 20   time:   [26.0 µs 25.0 µs 26.5 µs]\ntest a::b ... bench:  1,250 ns/iter (+/- 5)\n",
        ],
    );
}

#[test]
fn a_changed_table_is_refused_or_imported() {
    check("import-table", Source::Csv, &[TABLE]);
}

#[test]
fn a_changed_folder_of_the_inspector_is_refused_or_imported() {
    let meta = json!({ "start": "2024-10-01T00:00:00", "exit_code": 0, "version": "0.17.8" });
    let lscpu = json!({ "lscpu": [
        { "field": "CPU(s):", "data": "2" }, { "field": "Model name:", "data": "A CPU" },
        { "field": "Architecture:", "data": "aarch64" }, { "field": "Thread(s) per core:", "data": "1" },
    ] });
    let openssl = json!([
        { "algo": "sha256", "block_size": 16_384, "speed": 5e8 },
        { "algo": "AES-256-CBC", "block_size": 16, "speed": 1e8 },
    ]);
    let level =
        json!([{ "threads": 2, "extra_args": { "x": 1 }, "compress": 1e8, "decompress": 2e8 }]);
    let compression = json!({ "zstd": { "1": level }, "bz2": { "null": level } });
    let files = [
        ("lscpu/stdout", lscpu),
        ("openssl/meta.json", meta.clone()),
        ("openssl/parsed.json", openssl),
        ("compression_text/meta.json", meta.clone()),
        ("compression_text/stdout", compression),
        ("stressngfull/meta.json", meta),
        ("stressngfull/stdout", Value::Null),
    ];
    testkit::check("import-sparecores", 400, |input| {
        let folder = testkit::folder();
        let choices = &mut Choices::new(input);
        let mut files = files.clone();
        for _ in 0..=choices.below(3) {
            let place = choices.below(files.len());
            edit(&mut files[place].1, choices);
        }
        for (name, value) in &files {
            let path = folder.path().join("server").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = match value {
                Value::Null => changed_text(&["1,1000.5\n2,1900\n"], choices),
                value => value.to_string(),
            };
            fs::write(path, text).unwrap();
        }
        import(Source::SpareCores, &folder.path().join("server"), folder.path());
    });
}
