//! Files that people really have, and the figures in them.

use super::*;

/// Imports a text as a file.
fn import(source: Source, text: &str, facts: &UserFacts) -> ImportedRun {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    std::fs::write(&path, text).unwrap();
    source.read(&path, facts).unwrap().remove(0)
}

/// Workload and threads → the mean figure.
fn figures(run: &ImportedRun) -> Vec<(String, usize, f64)> {
    let mean = |row: &ImportedRow| row.per_s.iter().sum::<f64>() / row.per_s.len() as f64;
    run.rows.iter().map(|row| (row.workload.clone(), row.threads, mean(row))).collect()
}

#[track_caller]
fn assert_figures(run: &ImportedRun, expected: &[(&str, usize, f64)]) {
    let found = figures(run);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, threads, per_s), expected) in found.iter().zip(expected) {
        assert_eq!((name.as_str(), *threads), (expected.0, expected.1));
        assert!((per_s / expected.2 - 1.0).abs() < 0.005, "{name}: {per_s}, not {}", expected.2);
    }
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/", $name))
    };
}

#[test]
fn hashing_of_kopia_is_right_by_its_version_and_compared_with_nothing_without() {
    let version = |text: &str| UserFacts { version: Some(text.parse().unwrap()), ..ONE };
    let (old, new) = (fixture!("kopia-hashing-0.17.txt"), fixture!("kopia-hashing-0.18.txt"));
    let of_old = import(Source::Kopia, old, &version("0.17.0"));
    let of_new = import(Source::Kopia, new, &version("0.18.2"));
    assert_figures(
        &of_old,
        &[("hash-BLAKE3-256/kopia", 1, 4.896e9), ("hash-BLAKE3-256-128/kopia", 1, 4.832e9)],
    );
    assert_figures(
        &of_new,
        &[("hash-BLAKE3-256/kopia", 1, 3.971e9), ("hash-BLAKE3-256-128/kopia", 1, 3.965e9)],
    );
    assert_eq!(of_old.rows[0].parameters, of_new.rows[0].parameters);
    let (unknown, other) = (import(Source::Kopia, old, &ONE), import(Source::Kopia, new, &ONE));
    assert!(unknown.own_lacks()[0].starts_with("the version of kopia"), "{:?}", unknown.lacks);
    assert_ne!(unknown.rows[0].parameters, other.rows[0].parameters);
    assert_ne!(unknown.rows[0].parameters, of_old.rows[0].parameters);
    // Other sections were always right.
    let text = "     Encryption     Throughput\n  0. AES256-GCM-HMAC-SHA256  1.1 GB / second\n";
    assert_eq!(import(Source::Kopia, text, &ONE).own_lacks().len(), 0);
}

#[test]
fn work_that_openssl_did_not_time_is_computed_from_its_counts() {
    let run = import(Source::OpensslSpeed, fixture!("openssl-engine.txt"), &ONE);
    let mib = |size: f64, mib_per_s: f64| mib_per_s * 1_048_576.0 / size;
    assert_figures(
        &run,
        &[
            ("aes-128-cbc-16B/openssl-speed", 1, mib(16.0, 0.564)),
            ("aes-128-cbc-64B/openssl-speed", 1, mib(64.0, 2.178)),
            ("aes-128-cbc-256B/openssl-speed", 1, mib(256.0, 7.524)),
            ("aes-128-cbc-1024B/openssl-speed", 1, mib(1024.0, 19.155)),
            ("aes-128-cbc-8192B/openssl-speed", 1, mib(8192.0, 31.383)),
        ],
    );
    assert!(run.own_lacks()[0].starts_with("CPU time that is the work's own"));
    // Without the lines of its loops the figures can't be right, and can't be mended.
    let table: Vec<&str> =
        fixture!("openssl-engine.txt").lines().filter(|line| !line.starts_with("Doing")).collect();
    let alone = crate::openssl::read(&table.join("\n"), "x", 1).unwrap();
    assert_eq!((alone.rows.len(), alone.left_out[0].count), (0, 1));
    let run = import(Source::OpensslSpeed, fixture!("openssl-software.txt"), &ONE);
    assert_eq!((run.rows.len(), run.own_lacks().len()), (5, 0));
    // -mr says the same in other words, of one process and of several.
    let mr =
        "+DT:aes-128-cbc:3:16\n+R:110894:aes-128-cbc:0.10\n+H:16\n+F:20:aes-128-cbc:17743040.00\n";
    let run = crate::openssl::read(mr, "x", 1).unwrap();
    assert!((run.rows[0].per_s[0] - 110_894.0 / 3.0).abs() < 1.0, "{:?}", run.rows);
    let multi = format!("Got: +H:16 from 0\nGot: +H:16 from 1\n{mr}");
    assert!(crate::openssl::read(&multi, "x", 1).unwrap().rows.is_empty());
    // A long op that ends after its time is no such thing.
    let long = "Doing 15360 bits private rsa's for 10s: 2 15360 bits private RSA's in 15.00s\n\
                \x20                 sign    verify    sign/s verify/s\nrsa 15360 bits 7.500000s 0.001000s      0.1   1000.0\n";
    assert_eq!(crate::openssl::read(long, "x", 1).unwrap().own_lacks().len(), 0);
}

#[test]
fn a_name_that_openssl_prints_twice_is_not_averaged() {
    let twice = "type 16 bytes\nmd5 100.00k\nmd5 300.00k\ntype 16 bytes\nmd5 200.00k\n";
    let run = crate::openssl::read(twice, "x", 1).unwrap();
    assert_figures(
        &run,
        &[
            ("md5-16B/openssl-speed", 1, 6_250.0),
            ("md5-16B-2/openssl-speed", 1, 18_750.0),
            ("md5-16B-3/openssl-speed", 1, 12_500.0),
        ],
    );
}

#[test]
fn thread_counts_of_go_are_told_from_names_by_the_whole_file() {
    let run = import(Source::GoBench, fixture!("go-cpu-list.txt"), &ONE);
    let add = "Store.Add-1/go-bench";
    assert_figures(&run, &[(add, 1, 1.22e6), (add, 2, 1.28e6), (add, 4, 1.28e6)]);
    let names = |text: &str| -> Vec<(String, usize)> {
        let lines: String =
            text.split(' ').map(|name| format!("Benchmark{name} 9 100 ns/op\n")).collect();
        let run = crate::go::read(&lines, "x").unwrap();
        run.rows
            .iter()
            .map(|row| (row.workload.trim_end_matches("/go-bench").to_owned(), row.threads))
            .collect()
    };
    let named = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
        all.iter().map(|(name, threads)| ((*name).to_owned(), *threads)).collect()
    };
    assert_eq!(names("A-8 B/n-10-8"), named(&[("A", 8), ("B.n-10", 8)]));
    // On one thread nothing is behind names.
    assert_eq!(names("A B/n-10 B/n-100"), named(&[("A", 1), ("B.n-10", 1), ("B.n-100", 1)]));
    assert_eq!(
        names("A A-2 B B-2 C-2"),
        named(&[("A", 1), ("A", 2), ("B", 1), ("B", 2), ("C", 2)])
    );
    assert_eq!(names("B/size-1024 B/size-4096"), named(&[("B.size-1024", 1), ("B.size-4096", 1)]));
    assert_eq!(names("A-4 A-8"), named(&[("A", 4), ("A", 8)]));
}

#[test]
fn settings_of_go_keep_apart_and_two_machines_are_refused() {
    let run = import(Source::GoBench, fixture!("go-settings.txt"), &ONE);
    assert_figures(
        &run,
        &[
            ("FloatSub.100[note=before]/go-bench", 4, 8.71e6),
            ("FloatSub.100[note=after]/go-bench", 4, 12.69e6),
        ],
    );
    // A setting that is the same everywhere tells nothing apart.
    let run = crate::go::read("commit: 1\nBenchmarkA-8 1 5 ns/op\nBenchmarkA-8 1 6 ns/op\n", "x")
        .unwrap();
    assert_eq!((run.rows.len(), run.rows[0].workload.as_str()), (1, "A/go-bench"));
    let said = crate::go::read("cpu: a\nBenchmarkA 1 5 ns/op\ncpu: b\nBenchmarkA 1 6 ns/op\n", "x")
        .unwrap_err();
    assert!(said.starts_with("line 3: cpu is \"b\" here and \"a\" before"), "{said}");
    let run =
        crate::go::read("BenchmarkA 1 5 ns/op cold\nBenchmarkA 1 6 ns/op warm\n", "x").unwrap();
    assert_eq!(run.rows.len(), 2, "what stands behind a row is of it");
}

#[test]
fn what_is_no_measurement_is_left_out_and_the_rest_is_imported() {
    for (text, why) in [
        (fixture!("go-tiny.txt"), "lines with impossible figures"),
        (fixture!("go-zero.txt"), "results of 0 ns/op"),
    ] {
        let run = import(Source::GoBench, text, &ONE);
        assert_figures(&run, &[("Merge/go-bench", 8, 3.205e6)]);
        assert_eq!((run.left_out[0].what.as_str(), run.left_out[0].count), (why, 1));
    }
    // 8 threads may share what one can't do.
    let run = crate::go::read("BenchmarkA-8 1000000000 0.0400 ns/op\n", "x").unwrap();
    assert_eq!(run.rows.len(), 1);
    assert!(run.own_lacks()[0].contains("0.04 ns/op are too few for one"), "{:?}", run.lacks);
    let run =
        crate::openssl::read("type 16 bytes\nmd5 2000000000.00k\nsha1 10.00k\n", "x", 1).unwrap();
    assert_eq!((run.rows.len(), run.left_out[0].count), (1, 1));
}

#[test]
fn metrics_of_go_are_rows_or_counted() {
    let run = import(Source::GoBench, fixture!("go-metrics.txt"), &ONE);
    assert_figures(
        &run,
        &[("Serve[reqs]/go-bench", 8, 1200.0), ("Serve[p99-ns]/go-bench", 8, 1e9 / 410_000.0)],
    );
    assert_eq!(run.rows[0].unit.to_string(), "reqs/s");
    let run = import(Source::GoBench, fixture!("go-other-units.txt"), &ONE);
    assert_eq!(run.rows.len(), 5);
    assert_eq!(row(&run, "A/go-bench").threads, 8, "lines of another tool say nothing of names");
    let real = row(&run, "BuildA[build-real-ns]/go-bench");
    assert!((real.per_s[0] - 1.0 / 6.82).abs() < 1e-6);
    let run =
        crate::go::read("BenchmarkA 1 5 ns/op 7 hits\nBenchmarkB 1 5 ns/op 0 B/op 8 hits\n", "x")
            .unwrap();
    assert_eq!((run.rows.len(), run.left_out[0].count), (2, 2));
    let better = crate::go::read("Unit hits better=higher\nBenchmarkA 1 7 hits\n", "x").unwrap();
    assert_eq!(better.rows[0].unit.to_string(), "points");
}

#[test]
fn go_is_read_out_of_logs_and_events() {
    for text in
        [fixture!("go-log-stamp.txt"), fixture!("go-log-gh.txt"), fixture!("go-log-ansi.txt")]
    {
        let run = import(Source::GoBench, text, &ONE);
        assert_figures(&run, &[("Encode/go-bench", 4, 579_900.0)]);
        let cpu = run.machine.cpu.model.known().map(String::as_str);
        assert_eq!(cpu, Some("AMD EPYC 7763 64-Core Processor"));
    }
    let run = import(Source::GoBench, fixture!("go-test.json"), &ONE);
    assert_figures(&run, &[("Encode/go-bench", 8, 579_374.0)]);
    // In a log of a build, coloured.
    let stamped: String = fixture!("go-test.json")
        .lines()
        .map(|line| format!("2024-05-28T16:00:53.8440829Z {line}\n"))
        .collect();
    let coloured = stamped.replace("BenchmarkEncode", "\\u001b[32mBenchmarkEncode");
    let run = import(Source::GoBench, &coloured, &ONE);
    assert_figures(&run, &[("Encode/go-bench", 8, 579_374.0)]);
    // Packages that run at once: their parts are mixed.
    let event = |package: &str, output: &str| {
        serde_json::json!({ "Action": "output", "Package": package, "Output": output }).to_string()
    };
    let mixed = [
        event("a", "BenchmarkX-8 \t"),
        event("b", "BenchmarkX-8 \t"),
        event("a", " 9 100 ns/op\n"),
        event("b", " 9 200 ns/op\n"),
    ];
    let run = crate::go::read(&mixed.join("\n"), "x").unwrap();
    assert_figures(&run, &[("a.X/go-bench", 8, 1e7), ("b.X/go-bench", 8, 5e6)]);
    // A benchmark's own output stands between its name and its figures.
    let run = crate::go::read("BenchmarkTalks-8 \thello\nsome words\n     100\t 500 ns/op\n", "x")
        .unwrap();
    assert_figures(&run, &[("Talks/go-bench", 8, 2e6)]);
}

#[test]
fn tables_of_openssl_end_and_zero_sums_are_summed() {
    let run = import(Source::OpensslSpeed, fixture!("openssl-text-after.txt"), &ONE);
    assert_eq!((run.rows.len(), run.left_out.len()), (6, 0));
    let run = import(Source::OpensslSpeed, fixture!("openssl-zero-sums.txt"), &ONE);
    assert_figures(
        &run,
        &[
            ("256-sm2-curvesm2-sign/openssl-speed", 2, 2265.8),
            ("256-sm2-curvesm2-verify/openssl-speed", 2, 2360.1),
        ],
    );
    let alone: Vec<&str> =
        fixture!("openssl-zero-sums.txt").lines().filter(|line| !line.starts_with("Got")).collect();
    let said = crate::openssl::read(&alone.join("\n"), "x", 1).unwrap().check().unwrap_err();
    assert!(
        said.contains("openssl -multi does not sum all operations") && said.contains("SM2"),
        "{said}"
    );
}

#[test]
fn other_tools_exports_are_read() {
    let run = import(Source::Hyperfine, fixture!("hyperfine.json"), &ONE);
    assert_figures(&run, &[("sort-f/hyperfine", 1, 4.889)]);
    assert_eq!(run.rows[0].per_s.len(), 5);
    let run = import(Source::Hyperfine, fixture!("hyperfine.csv"), &ONE);
    assert_figures(&run, &[("sleep-0.2/hyperfine", 1, 4.8866)]);
    let run = import(Source::GoogleBenchmark, fixture!("google-benchmark.json"), &ONE);
    assert_figures(&run, &[("BM_Encode.64/google-benchmark", 4, 578_704.0)]);
    assert_eq!(run.rows[0].per_s.len(), 2);
    for (text, per_s) in [
        (fixture!("table-semicolon.csv"), [100.5e6, 200.5e6]),
        (fixture!("table-scores.csv"), [1133.0, 1807.0]),
    ] {
        let runs = crate::table::read(text).unwrap();
        assert_eq!([runs[0].rows[0].per_s[0], runs[1].rows[0].per_s[0]], per_s);
    }
}

/// Why a text is refused.
fn refusal(source: Source, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    std::fs::write(&path, text).unwrap();
    let said = source.read(&path, &ONE).unwrap_err().to_string();
    said.split_once(": ").unwrap().1.to_owned()
}

#[test]
fn a_file_of_another_tool_is_refused_with_the_source_that_reads_it() {
    for (source, text, other) in [
        (Source::Csv, fixture!("hyperfine.csv"), "hyperfine"),
        (Source::Hyperfine, fixture!("google-benchmark.json"), "google-benchmark"),
        (Source::GoogleBenchmark, fixture!("hyperfine.json"), "hyperfine"),
        (Source::Criterion, fixture!("go-test.json"), "go-bench"),
        (Source::GoBench, fixture!("openssl-software.txt"), "openssl-speed"),
        (Source::Kopia, "fib 20   time:   [26.0 ms 25.0 ms 26.5 ms]\n", "criterion"),
        (Source::OpensslSpeed, fixture!("kopia-hashing-0.17.txt"), "kopia"),
    ] {
        let said = refusal(source, text);
        assert!(said.ends_with(&format!(". `sizeup import {other}` can read it")), "{said}");
    }
}

#[test]
fn an_output_without_figures_is_refused_with_what_was_expected() {
    let said = refusal(Source::GoBench, "PASS\nok  \texample.com/x\t0.103s\n");
    assert!(said.ends_with("ns/op\", which `go test` prints with -bench"), "{said}");
    let said = refusal(Source::GoogleBenchmark, "BM_Encode   1726 ns   1724 ns   404321\n");
    assert!(said.ends_with("Write it with --benchmark_format=json"), "{said}");
    let said = refusal(Source::Hyperfine, "Time (mean ± σ):     204.6 ms ±   0.9 ms\n");
    assert!(said.contains("neither its JSON nor a table with command and mean"), "{said}");
    let said = refusal(Source::GoBench, "BenchmarkInit-8 1000000000 0.00 ns/op\n");
    assert!(said.starts_with("no figures found; left out: results of 0 ns/op"), "{said}");
}

/// Figures, and what was left out with its count.
fn parts(runs: &[ImportedRun]) -> (usize, Vec<(&str, usize)>) {
    let left_out = runs.iter().flat_map(|run| &run.left_out);
    let figures = runs.iter().flat_map(|run| &run.rows).map(|row| row.per_s.len()).sum();
    (figures, left_out.map(|loss| (loss.what.as_str(), loss.count)).collect())
}

#[test]
fn a_bad_cell_line_or_result_is_left_out_and_the_others_are_imported() {
    let table = "machine,workload,threads,value,unit\na,sum,1,2,MB/s\na,copy,1,n/a,MB/s\n\
                 a,sort,one,3,MB/s\na,hash,1,4,furlongs\nb,sum,1,5,MB/s,6\nb,sum,1,5,MB/s\n";
    let runs = crate::table::read(table).unwrap();
    assert_eq!(parts(&runs), (2, vec![("lines of the table that can't be read", 4)]));
    let tables =
        "type 16 bytes 64 bytes\nmd5 1000.00k 2000.00k\nsha1 nank 10.00k\nsha256 500.00k 900.00k\n";
    let run = openssl(tables);
    assert_eq!(parts(&[run]), (4, vec![("lines with missing or extra figures", 1)]));
    let results = r#"{"results":[{"command":"a","times":[0.1,0.2]},{"command":"b","times":[0.1,null]},{"command":"c","times":[0.3]}]}"#;
    let run = import(Source::Hyperfine, results, &ONE);
    assert_eq!(parts(&[run]), (3, vec![("results that can't be read", 1)]));
    let lines = "BenchmarkA-8 9 100 ns/op\nBenchmarkB-8 9 1.2.3 ns/op\nBenchmarkC-8 9 NaN ns/op\nBenchmarkD-8 9 300 ns/op\n";
    let run = import(Source::GoBench, lines, &ONE);
    let left_out = vec![("incomplete results", 1), ("lines with impossible figures", 1)];
    assert_eq!(parts(&[run]), (2, left_out));
}

#[test]
fn what_people_have_of_other_tools_is_read_in_all_its_forms() {
    // --export-json without the times of executions, as scripts shorten it; parameters as hyperfine 1.18 writes them.
    let short = r#"{"results":[{"command":"make -j4","mean":2.0,"stddev":null,"exit_codes":[],"parameters":{"jobs":"4"}}]}"#;
    let run = import(Source::Hyperfine, short, &ONE);
    assert_figures(&run, &[("make--j4/hyperfine", 1, 0.5)]);
    let semicolon = "command,mean,stddev,median,user,system,min,max,parameter_size\nsort {size},0.5,,0.5,0,0,0.5,0.5,10\n";
    let run = import(Source::Hyperfine, semicolon, &ONE);
    assert_figures(&run, &[("sort-{size}[size=10]/hyperfine", 1, 2.0)]);
    // Output of `cargo bench` in colours.
    let coloured = "\u{1b}[32mfib 20\u{1b}[0m                  time:   [\u{1b}[2m26.029 \u{b5}s\u{1b}[0m 25.000 \u{b5}s 26.505 \u{b5}s]\n";
    let run = import(Source::Criterion, coloured, &ONE);
    assert_figures(&run, &[("fib-20/criterion", 1, 40_000.0)]);
    let bencher = "test sum::small ... bench:       1,250 ns/iter (+/- 56) = 819 MB/s\ntest sum::tiny  ... bench:           2.50 ns/iter (+/- 0.01)\n";
    let run = import(Source::Criterion, bencher, &ONE);
    assert_figures(&run, &[("sum::small/criterion", 1, 8e5), ("sum::tiny/criterion", 1, 4e8)]);
    let metrics = "Unit allocs-saved better=higher\nBenchmarkA-4 9 100 ns/op 7.0 allocs-saved 3.5 msgs/sec\nBenchmarkA-4 9 100 ns/op 9.0 allocs-saved 3.5 msgs/sec\n";
    let run = import(Source::GoBench, metrics, &ONE);
    let named = [
        ("A/go-bench", 4, 1e7),
        ("A[allocs-saved]/go-bench", 4, 8.0),
        ("A[msgs]/go-bench", 4, 3.5),
    ];
    assert_figures(&run, &named);
}
