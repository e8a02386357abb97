use super::*;
use proptest::prelude::*;

/// One thread where the source does not say how many.
const ONE: UserFacts<'static> = UserFacts { label: None, threads: 1, version: None };

fn openssl(text: &str) -> ImportedRun {
    super::openssl::read(text, "here", 1).unwrap()
}

fn row<'a>(run: &'a ImportedRun, workload: &str) -> &'a ImportedRow {
    let names: Vec<&str> = run.rows.iter().map(|row| row.workload.as_str()).collect();
    let place = names.iter().position(|name| *name == workload);
    &run.rows[place.unwrap_or_else(|| panic!("{workload} is none of {names:?}"))]
}

const SPEED: &str = "\
version: 3.0.19
built on: Fri Apr  3 12:29:32 2026 UTC
options: bn(64,64)
compiler: gcc -fPIC -pthread -m64 -O2 -DOPENSSL_BUILDING_OPENSSL
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
AES-128-GCM      29167.56k   101333.06k   392744.69k  1111808.81k  2807490.89k  3886914.95k
                  sign    verify    sign/s verify/s
rsa 2048 bits 0.000308s 0.000021s   3245.2  48333.3
                              sign    verify    sign/s verify/s
 256 bits ecdsa (nistp256)   0.0000s   0.0001s  41071.4  13840.0
                              op      op/s
 253 bits ecdh (X25519)   0.0000s  29752.1
";

#[test]
fn the_tables_of_openssl_speed_are_read() {
    let run = openssl(SPEED);
    assert_eq!(run.tool, "openssl speed 3.0.19");
    let sealed = row(&run, "aes-128-gcm-16384B/openssl-speed");
    assert!((sealed.per_s[0] * 16_384.0 - 3_886_914_950.0).abs() < 1.0);
    assert_eq!((sealed.bytes_per_op, sealed.threads), (Some(16_384), 1));
    assert_eq!(row(&run, "rsa-2048-sign/openssl-speed").per_s, [3245.2]);
    assert_eq!(row(&run, "rsa-2048-verify/openssl-speed").per_s, [48333.3]);
    assert_eq!(row(&run, "256-ecdsa-nistp256-verify/openssl-speed").per_s, [13840.0]);
    assert_eq!(row(&run, "253-ecdh-x25519-op/openssl-speed").per_s, [29752.1]);
    assert_eq!(run.rows.len(), 6 + 2 + 2 + 1);
}

#[test]
fn openssl_speed_for_machines_is_read() {
    let run = openssl(
        "+H:16:64:256:1024:8192:16384\n\
         +F:6:sha256:110055393.10:344843870.97:826411988.73:1435349577.14:1770446744.30:0.00\n\
         +F2:2:2048:3520.270270:50948.611111\n+F4:3:256:40055.384615:16157.142857\n\
         +F5:22:253:31759.090909:0.000031\n+F6:0:253:Ed25519:26739.705882:8057.692308\n",
    );
    let hashed = row(&run, "sha256-16B/openssl-speed");
    assert!((hashed.per_s[0] - 110_055_393.10 / 16.0).abs() < 1e-3);
    assert_eq!(row(&run, "rsa-2048-sign/openssl-speed").per_s, [3520.270270]);
    assert_eq!(row(&run, "ecdsa-256-curve-3-verify/openssl-speed").per_s, [16157.142857]);
    assert_eq!(row(&run, "ecdh-253-curve-22-op/openssl-speed").per_s, [31759.090909]);
    assert_eq!(row(&run, "ed25519-sign/openssl-speed").per_s, [26739.705882]);
    // Sizes that took no time are not there.
    assert_eq!(run.rows.len(), 5 + 2 + 2 + 1 + 2);
}

#[test]
fn the_processes_of_multi_are_counted() {
    let run = openssl(
        "Got: +H:1024 from 0\nGot: +F:6:sha256:594176000.00 from 0\nGot: +H:1024 from 1\n\
         Got: +F:6:sha256:594176000.00 from 1\nversion: 3.0.19\n\
         type           1024 bytes\nsha256         1227057.15k\n",
    );
    let hashed = row(&run, "sha256-1024B/openssl-speed");
    assert_eq!((hashed.threads, run.rows.len()), (2, 1));
}

#[test]
fn go_benchmarks_are_read_with_all_their_repetitions() {
    let text = "goos: linux\ngoarch: arm64\npkg: example.com/sum\ncpu: Neoverse-N1\n\
                BenchmarkSum/1K-8   \t  100\t  500.0 ns/op\t2048.00 MB/s\t 0 B/op\t 0 allocs/op\n\
                BenchmarkSum/1K-8   \t  100\t  510.0 ns/op\t2007.84 MB/s\n\
                BenchmarkAlone-8 \t 7 \t 1e+06 ns/op\nBenchmarkTalks\nsome words\nPASS\n";
    let run = super::go::read(text, "here").unwrap();
    let sum = row(&run, "Sum.1K/go-bench");
    assert_eq!((sum.threads, sum.bytes_per_op), (8, Some(1024)));
    assert_eq!(sum.per_s, [2e6, 1e9 / 510.0]);
    assert_eq!(row(&run, "Alone/go-bench").per_s, [1000.0]);
    assert_eq!(run.machine.cpu.model.known().map(String::as_str), Some("Neoverse-N1"));
    assert_eq!(run.machine.cpu.architecture.known().map(String::as_str), Some("aarch64"));
    let wrong = super::go::read("BenchmarkSum 5 fast ns/op x\n", "here").unwrap();
    assert_eq!(wrong.left_out[0].what, "incomplete results");
}

#[test]
fn what_kopia_benchmark_prints_is_read() {
    let text = "\
Benchmarking hash 'BLAKE2B-256' (100 x 1048576 bytes, parallelism 4)
     Hash                 Throughput
-----------------------------------------------------------------
  0. BLAKE3-256           2.9 GB / second
  1. HMAC-SHA256          424.1 MB / second
-----------------------------------------------------------------
Fastest option for this machine is: --block-hash=BLAKE3-256
     Hash                 Encryption                     Throughput
  0. BLAKE2B-256-128      AES256-GCM-HMAC-SHA256         1.1 GB / second
     Compression                Compressed   Throughput   Allocs   Memory Usage
  0. s2-default                 127.1 MB      4.3 GB/s     3676     376.3 MB
  1. pgzip-best-speed           99 MiB        512 MiB/s    10       1 MB (deprecated)
splitting 16 blocks of 32MiB each, parallelism 1
DYNAMIC-128K-RABINKARP      164.4 MB/s count:3160 min:9667 10th:80098 25th:106626
     ECC                                Throughput     Throughput       Growth
                                          Encoding       Decoding
  0. REED-SOLOMON-CRC32-1%              3.2 GB/s       1.5 GB/s        2% [10.7 MB]
";
    let run = super::kopia::read(text, "here", 1, None).unwrap();
    let row_of = |name: &str| {
        let row = row(&run, name);
        ((row.per_s[0] / 1e5).round() as u64, row.threads)
    };
    assert_eq!(row_of("hash-BLAKE3-256/kopia"), (29_000, 4));
    assert_eq!(row_of("hash-HMAC-SHA256/kopia"), (4_241, 4));
    assert_eq!(row_of("crypto-BLAKE2B-256-128-AES256-GCM-HMAC-SHA256/kopia"), (11_000, 1));
    // Crypto and compression print no parallelism here, so the given one applies.
    assert_eq!(row_of("compress-s2-default/kopia"), (43_000, 1));
    assert_eq!(row_of("compress-pgzip-best-speed/kopia"), (5_369, 1));
    assert_eq!(row_of("split-DYNAMIC-128K-RABINKARP/kopia"), (1_644, 1));
    assert_eq!(row_of("ecc-REED-SOLOMON-CRC32-1%/kopia"), (32_000, 1));
    assert_eq!(row_of("ecc-decode-REED-SOLOMON-CRC32-1%/kopia"), (15_000, 1));
    for number in ["3,7", "nan", "-1", "1e400", "0"] {
        let text =
            format!("     Hash       Throughput\n  0. BLAKE3-256    {number} GiB / second\n");
        let run = super::kopia::read(&text, "here", 1, None).unwrap();
        assert_eq!((run.rows.len(), run.left_out[0].count), (0, 1), "{number}");
    }
    assert_eq!(run.rows.len(), 8);
}

#[test]
fn a_table_has_machines_in_its_order_and_figures_in_any_unit() {
    let text = "machine,workload,threads,value,unit,cpus\na,sum,1,2,MiB/s,64\nb,sum,64,4,ns/op,64\na,sum,1,3,MiB/s,64\n";
    let runs = table::read(text).unwrap();
    assert_eq!(runs.iter().map(|run| run.label.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(runs[0].rows[0].per_s, [2.0 * 1_048_576.0, 3.0 * 1_048_576.0]);
    assert_eq!((runs[1].rows[0].per_s[0], runs[1].rows[0].is_all), (2.5e8, true));
    for (line, says) in [
        ("a,sum,1,-2,MB/s", "line 2: sum/table: throughput -2e6 bytes/s"),
        ("a,sum,1,NaN,MB/s", "line 2: value is \"NaN\": use a number"),
        ("a,sum,1,2,furlongs", "line 2: the unit \"furlongs\""),
        ("a,sum,one,2,MB/s", "line 2"),
        ("a,sum,1,2", "line 2: 4 fields, but the header has 5"),
    ] {
        let said =
            table::read(&format!("machine,workload,threads,value,unit\n{line}\n")).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
    assert!(table::read("machine,workload,threads,value,unit\n").is_err());
    assert!(table::read("").is_err());
}

#[test]
fn what_holds_no_figure_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.txt");
    std::fs::write(&path, "nothing\n").unwrap();
    for source in [Source::OpensslSpeed, Source::GoBench, Source::Kopia] {
        let said = source.read(&path, &ONE).unwrap_err().to_string();
        assert!(said.contains("no figures found"), "{said}");
    }
    assert!(Source::SpareCores.read(folder.path(), &ONE).is_err());
    std::fs::write(&path, [b'a', 0xff]).unwrap();
    let said = Source::GoBench.read(&path, &ONE).unwrap_err().to_string();
    assert!(said.contains("it is not UTF-8"), "{said}");
    let said = Source::Csv.read(folder.path(), &ONE).unwrap_err().to_string();
    assert!(said.contains("is not a regular file"), "{said}");
}

#[test]
fn an_imported_run_is_a_run_file_that_says_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("speed.txt"), folder.path().join("x.run.jsonl"));
    std::fs::write(&from, SPEED).unwrap();
    let runs =
        Source::OpensslSpeed.read(&from, &UserFacts { label: Some("altra"), ..ONE }).unwrap();
    runs[0].write(&to, 1).unwrap();
    let run = record::read(&to).unwrap();
    let origin = run.header.origin.as_ref().unwrap();
    assert_eq!(
        (origin.tool.as_str(), &origin.sources[..]),
        ("openssl speed 3.0.19", &["speed.txt".to_owned()][..])
    );
    assert_eq!((run.header.label.as_str(), run.imported.len()), ("altra", 11));
    let notes: Vec<String> = run.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with(
        "imported from openssl speed 3.0.19, not measured by sizeup; it lacks: intervals"
    ));
}

#[test]
fn an_import_that_was_cut_off_is_to_be_made_again_for_nothing_resumes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("speed.txt"), folder.path().join("x.run.jsonl"));
    std::fs::write(&from, SPEED).unwrap();
    Source::OpensslSpeed.read(&from, &ONE).unwrap()[0].write(&to, 1).unwrap();
    let whole = std::fs::read_to_string(&to).unwrap();
    let end = whole.trim_end().rfind('\n').unwrap() + 1;
    for left in [&whole[..end], &whole[..end + 9]] {
        std::fs::write(&to, left).unwrap();
        let notes = record::read(&to).unwrap().notes;
        let last = notes.last().unwrap().to_string();
        assert_eq!(last, "the import is incomplete: import it again");
    }
}

mod changed;
mod field;
mod hostile;
mod mutated;

pub(crate) use mutated::nothing_is_lost;

proptest! {
    #[test]
    fn whatever_a_text_holds_is_read_or_refused(text in "(\\+?[A-Za-z0-9:,./% \\-]{0,40}\n){0,12}") {
        let _ = super::openssl::read(&text, "x", 1);
        let _ = super::go::read(&format!("Benchmark{text}"), "x");
        let _ = super::kopia::read(&format!("Hash Throughput\n{text}"), "x", 1, None);
        let _ = table::read(&format!("machine,workload,threads,value,unit\n{text}"));
    }
}
