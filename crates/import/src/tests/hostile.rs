//! Output that is easily taken for something else.

use super::*;
use std::collections::BTreeSet;

#[test]
fn benchmarks_of_the_same_name_in_two_packages_are_two_rows() {
    let text = "pkg: ex/a\nBenchmarkEncode-8 100 500.0 ns/op\nPASS\npkg: ex/b\n\
                BenchmarkEncode-8 100 700.0 ns/op\nBenchmarkEncode-8 100 710.0 ns/op\n";
    let run = crate::go::read(text, "here").unwrap();
    assert_eq!(row(&run, "ex.a.Encode/go-bench").per_s, [2e6]);
    assert_eq!(row(&run, "ex.b.Encode/go-bench").per_s.len(), 2);
}

#[test]
fn bytes_of_an_op_may_differ_by_rounding_and_no_more() {
    let read = |lines: &str| crate::go::read(lines, "here");
    // 1024 bytes at 0.5 MB/s: 2007872 and 2048000 ns are printed as 0.51 and 0.50 MB/s.
    let near = read("BenchmarkX 1 2007872 ns/op 0.51 MB/s\nBenchmarkX 1 2048000 ns/op 0.50 MB/s\n");
    assert_eq!(near.unwrap().rows.len(), 1);
    let far =
        read("BenchmarkX 1 500.0 ns/op 2048.00 MB/s\nBenchmarkX 1 500.0 ns/op 4096.00 MB/s\n");
    let said = far.unwrap_err();
    assert!(said.starts_with("line 2: X/go-bench on 1 threads is {\"package\":\"\"}"), "{said}");
    assert!(said.contains("2048 bytes an op") && said.contains("1024 bytes an op"), "{said}");
}

#[test]
fn rows_of_openssl_since_3_2_are_read_or_listed_as_missing() {
    let run = openssl(
        "+F2:2:2048:1000.0:30000.0:29000.0:990.0\n+F7:0:256:CurveSM2:1500.0:1600.0\n\
         +F8:0:2048:2427.272727:0.000412\n+F8:3:5000.000000:6000.000000:7000.000000\n\
         +F9:0:321.800000:261201.500000:27769.300000\n+F10:0:1.0:2.0:3.0\n+F10:1:1.0:2.0:3.0\n",
    );
    assert_eq!(row(&run, "rsa-2048-encrypt/openssl-speed").per_s, [29000.0]);
    assert_eq!(row(&run, "rsa-2048-decrypt/openssl-speed").per_s, [990.0]);
    assert_eq!(row(&run, "curvesm2-verify/openssl-speed").per_s, [1600.0]);
    assert_eq!(row(&run, "ffdh-2048-op/openssl-speed").per_s, [2427.272727]);
    assert_eq!(run.rows.len(), 4 + 2 + 1);
    let expected = ["lines of kind +F8", "lines of kind +F9", "lines of kind +F10"];
    assert_eq!(run.lacks[3..], expected);
    // Since then numbers have moved.
    let moved = openssl("+F7:0:2048:2427.272727:0.000412\n");
    assert_eq!(row(&moved, "ffdh-2048-op/openssl-speed").per_s, [2427.272727]);
}

#[test]
fn tables_of_openssl_since_3_2_are_read() {
    let run = openssl(
        "                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s\n\
         rsa  2048 bits 0.000308s 0.000021s 0.000022s      infs   3245.2  48333.3  45000.1      0.0\n\
         \x20                              keygen    encaps    decaps keygens/s  encaps/s  decaps/s\n\
         \x20                    rsa512 0.003108s 0.000004s 0.000036s     321.8  261201.5   27769.3\n\
         \x20                              keygen     signs    verify keygens/s    sign/s  verify/s\n\
         \x20                    rsa512 0.002955s 0.000035s 0.000002s     338.5   28544.9  402499.9\n",
    );
    assert_eq!(row(&run, "rsa-2048-verify/openssl-speed").per_s, [48333.3]);
    assert_eq!(row(&run, "rsa-2048-encrypt/openssl-speed").per_s, [45000.1]);
    assert_eq!(row(&run, "rsa512-keygen/openssl-speed").per_s, [321.8]);
    assert_eq!(row(&run, "rsa512-decaps/openssl-speed").per_s, [27769.3]);
    assert_eq!(row(&run, "rsa512-sign-keygen/openssl-speed").per_s, [338.5]);
    assert_eq!(row(&run, "rsa512-verify/openssl-speed").per_s, [402499.9]);
    assert_eq!(run.rows.len(), 3 + 3 + 3);
}

#[test]
fn names_and_slow_rates_of_openssl_are_no_nonsense() {
    let head = "type             16 bytes     64 bytes\n";
    let run = openssl(&format!(
        "{head}hmac(md5)       104045.98k   204045.98k\nsha256 (ni)      29167.56k   101333.06k  \n\
         rc5-32/12 cbc       20.00k      9999.50 \nAES-128-SIV          0.00        30.00k\n"
    ));
    assert!((row(&run, "hmac-md5-64B/openssl-speed").per_s[0] * 64.0 - 204_045_980.0).abs() < 1.0);
    assert!((row(&run, "rc5-32-12-cbc-64B/openssl-speed").per_s[0] * 64.0 - 9999.5).abs() < 1e-6);
    assert!((row(&run, "aes-128-siv-64B/openssl-speed").per_s[0] * 64.0 - 30_000.0).abs() < 1e-6);
    assert_eq!((row(&run, "sha256-ni-16B/openssl-speed").threads, run.rows.len()), (1, 7));
    for line in [
        "md5 nank 10.00k",
        "md5 - 10.00k",
        "md5 1.00k 2.00k 3.00k",
        "md5 1.00k",
        "md5 x 1.00k",
        "md5 infk infk",
    ] {
        let run = crate::openssl::read(&format!("{head}{line}\n"), "here", 1).unwrap();
        assert_eq!(run.left_out[0].what, "lines with missing or extra figures", "{line}");
        assert!(run.rows.is_empty() && run.left_out[0].example.starts_with("line 2: "));
    }
}

#[test]
fn sizes_of_multi_are_those_of_its_processes() {
    let got = "Got: +H:64 from 0\nGot: +F:3:md5:67836544.00 from 0\nGot: +H:64 from 1\n\
               Got: +F:3:md5:68535936.00 from 1\n";
    for end in ["+F:3:md5:136372480.00\n", "version: 3.0.19\nmd5             136372.48k\n"] {
        let run = openssl(&format!("{got}{end}"));
        let md5 = row(&run, "md5-64B/openssl-speed");
        assert!((md5.per_s[0] * 64.0 - 136_372_480.0).abs() < 1e-3, "{end}");
        assert_eq!((md5.threads, run.rows.len()), (2, 1));
    }
    let run = crate::openssl::read("+F:3:md5:1.00\n", "here", 1).unwrap();
    assert!(run.rows.is_empty() && run.left_out[0].what.contains("than sizes of +H"));
}

const COMPRESSION: &str = "     Compression                Compressed   Throughput   Allocs   Memory Usage\n  \
                           0. s2-default                 127.1 MB      4.3 GB/s     3676     376.3 MB\n";

#[test]
fn a_printed_parallelism_applies_to_the_next_section() {
    let text = format!(
        "Benchmarking hash 'X' (100 x 1048576 bytes, parallelism 4)\n     Hash      Throughput\n  \
         0. BLAKE3-256           2.9 GB / second\n     Encryption     Throughput\n  \
         0. AES256-GCM-HMAC-SHA256  1.1 GB / second\nsplitting 16 blocks of 32MiB each, parallelism 3\n\
         FIXED-1M   164.4 MB/s count:3160 min:9667\n  0. FIXED-1M   164.4 MB/s count:3160 min:9667\n\
         {COMPRESSION}"
    );
    let run = crate::kopia::read(&text, "here", 2, None).unwrap();
    let row_of = |name: &str| (row(&run, name).threads, row(&run, name).per_s.len());
    assert_eq!(row_of("hash-BLAKE3-256/kopia"), (4, 1));
    assert_eq!(row_of("encrypt-AES256-GCM-HMAC-SHA256/kopia"), (2, 1));
    assert_eq!(row_of("compress-s2-default/kopia"), (2, 1));
    // The table of ranks repeats the figure.
    assert_eq!(row_of("split-FIXED-1M/kopia"), (3, 1));
}

#[test]
fn what_kopia_tells_to_stderr_is_not_guessed() {
    let said = crate::kopia::read(&COMPRESSION.repeat(2), "here", 1, None).unwrap_err();
    assert!(said.starts_with("line 3: a second compression table"), "{said}");
    let both = format!(
        "Compressing input file \"x\" (1 MB)\n{COMPRESSION}Decompressing input file \"x\"\n{COMPRESSION}"
    );
    let run = crate::kopia::read(&both, "here", 1, None).unwrap();
    assert_eq!(row(&run, "decompress-s2-default/kopia").family, catalog::Family::Decompress);
    assert_eq!(row(&run, "compress-s2-default/kopia").per_s.len(), 1);
    // Splitters have no head.
    let text =
        "     Hash      Throughput\n  0. X-1     1 GB / second\nFIXED-1M   2 MB/s count:31 min:9\n";
    let run = crate::kopia::read(text, "here", 1, None).unwrap();
    assert_eq!(row(&run, "split-FIXED-1M/kopia").per_s, [2e6]);
}

fn server(files: &[(&str, &str)]) -> Result<ImportedRun, String> {
    let folder = tempfile::tempdir().unwrap();
    let lscpu = r#"{"lscpu":[{"field":"CPU(s):","data":"8"}]}"#;
    let meta = r#"{"start":"2025-01-02T03:04:05","exit_code":0,"version":"1"}"#;
    let given = [("lscpu/stdout", lscpu), ("stressngfull/meta.json", meta)];
    for (name, text) in given.iter().chain(files) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.replace("META", meta)).unwrap();
    }
    let runs = Source::SpareCores.read(folder.path(), &UserFacts { label: Some("x"), ..ONE });
    runs.map(|mut runs| runs.remove(0)).map_err(|e| e.to_string())
}

#[test]
fn a_server_without_figures_is_refused_with_the_file_that_is_at_fault() {
    let nowhere = Source::SpareCores.read(Path::new("/no/where"), &ONE).unwrap_err();
    assert_eq!(nowhere.to_string(), "/no/where: is not a server's folder");
    let empty = tempfile::tempdir().unwrap();
    let said = Source::SpareCores.read(empty.path(), &ONE).unwrap_err().to_string();
    assert!(said.contains("holds none of stressngfull, openssl and compression_text"), "{said}");
    for (name, text, says) in [
        ("lscpu/stdout", "{", "lscpu: stdout: EOF"),
        ("lscpu/stdout", r#"{"lscpu":[]}"#, "lscpu does not report the number of CPUs"),
        ("stressngfull/meta.json", "nonsense", "stressngfull: meta.json: expected"),
        ("stressngfull/meta.json", "{}", "stressngfull: meta.json: missing field"),
        (
            "stressngfull/stdout",
            "1,x\n",
            "lines that are not WORKERS,OPS: 1 (stressngfull: stdout: \"1,x\")",
        ),
        ("stressngfull/stdout", "1,1e400\n", "div16/stress-ng: throughput inf"),
        ("stressngfull/stdout", "1,nan\n", "div16/stress-ng: throughput NaN"),
        ("stressngfull/stdout", "0,1\n", "div16/stress-ng: 0 threads"),
    ] {
        let said = server(&[("stressngfull/stdout", "1,5\n"), (name, text)]).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
    for (speed, says) in [("1e400", "out of range"), ("null", "null"), ("\"fast\"", "string")] {
        let row = format!(r#"[{{"algo":"SHA256","block_size":16,"speed":{speed}}}]"#);
        let files = [
            ("stressngfull/stdout", "1,5\n"),
            ("openssl/meta.json", "META"),
            ("openssl/parsed.json", &row),
        ];
        let run = server(&files).unwrap();
        let said = run.left_out[0].to_string();
        assert!(
            run.rows.len() == 1 && said.contains("openssl: parsed.json: ") && said.contains(says),
            "{said}"
        );
    }
}

#[test]
fn figures_of_zero_are_listed_as_missing() {
    let speeds = r#"[{"algo":"SHA256","block_size":16,"speed":-1},{"algo":"SHA512","block_size":16,"speed":32}]"#;
    let levels = r#"{"zstd":{"3":[{"threads":8,"extra_args":{},"compress":null,"decompress":0}]}}"#;
    let run = server(&[
        ("stressngfull/stdout", "1,0\n8,5\n16,7\n"),
        ("openssl/meta.json", "META"),
        ("openssl/parsed.json", speeds),
        ("compression_text/meta.json", "META"),
        ("compression_text/stdout", levels),
    ])
    .unwrap();
    assert_eq!((run.rows.len(), run.rows[1].cpus), (3, Some(8)));
    let failed = [
        "div16/stress-ng",
        "sha256-16B/openssl",
        "compress-zstd-3-a-stream-a-thread/zstd",
        "decompress-zstd-3-a-stream-a-thread/zstd",
    ];
    assert_eq!(BTreeSet::from_iter(run.failed.iter().map(String::as_str)), failed.into());
}

#[test]
fn formats_at_the_same_level_are_different_operations() {
    let levels = r#"{"gzip":{"9":[{"threads":1,"extra_args":{},"compress":9,"decompress":90}]},
                     "bzip2":{"9":[{"threads":1,"extra_args":{},"compress":8,"decompress":80}]}}"#;
    let run = server(&[
        ("stressngfull/stdout", "1,5\n"),
        ("compression_text/meta.json", "META"),
        ("compression_text/stdout", levels),
    ])
    .unwrap();
    let operation =
        |row: &ImportedRow| row.workload.split_once('/').map(|parts| parts.0.to_owned());
    let operations: BTreeSet<String> = run.rows.iter().filter_map(operation).collect();
    assert_eq!(operations.len(), run.rows.len(), "{operations:?}");
    assert!(operations.contains("decompress-bzip2-9"), "{operations:?}");
}

#[test]
fn a_folder_of_servers_has_each_of_them_but_none_that_is_hidden_or_too_deep() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["data/aws/b/openssl", "data/aws/a/stressngfull", "data/c/lscpu", ".git/x/openssl"]
    {
        std::fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    std::fs::create_dir_all(folder.path().join("data/aws/deep/er/openssl")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("data/loop")).unwrap();
    let places = |root: &str| -> Vec<String> {
        let places = Source::SpareCores.places(&folder.path().join(root)).unwrap();
        let relative = |place: &std::path::PathBuf| {
            place.strip_prefix(folder.path()).unwrap().display().to_string()
        };
        places.iter().map(relative).collect()
    };
    assert_eq!(places(""), ["data/aws/a", "data/aws/b"]);
    assert_eq!(places("data/aws/a"), ["data/aws/a"]);
    assert_eq!(places("data/aws/deep"), ["data/aws/deep/er"]);
    assert_eq!(places("data/c"), ["data/c"], "it holds none: reading it says so");
    assert_eq!(places("no"), ["no"]);
    let table = Source::Csv.places(folder.path()).unwrap();
    assert_eq!(table, [folder.path()]);
}
