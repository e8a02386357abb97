//! An injected wrong answer, in each of the real workers: that workload fails with a message, the rest of
//! the run goes on, and the exit status says so.

use crate::support::{Answer, not_tested};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A workload of each worker and its operation, and one beside it that must not suffer.
const WORKLOADS: [(&str, &str, &str, &str); 11] = [
    ("x25519-derive/openssl", "x25519-derive/openssl", "brotli-5/brotli", "10s"),
    ("gzip-6/cloudflare-zlib", "gzip/cloudflare-zlib", "gzip-4/cloudflare-zlib", "10s"),
    ("html-escape/go", "html-escape/go", "gunzip-digits/go", "10s"),
    ("json-encode-api/serde_json", "json-encode/serde_json", "regex-literals/rust-regex", "10s"),
    ("syscall/linux", "syscall/linux", "tcp-echo-64/linux", "10s"),
    ("vector-scan-i8/std", "vector-scan-i8/std", "crc32-64KiB/zlib", "10s"),
    // This worker has no other.
    ("xxh3-64KiB/xxhash", "xxh3/xxhash", "crc32-64KiB/zlib", "10s"),
    // Its samples are longer, and there may be no interpreter.
    ("n-body-2000/cpython", "n-body/cpython", "json-parse-api/cpython", "25s"),
    ("json-encode-api/node", "json-encode/node", "json-parse-api/serde_json", "30s"),
    ("n-body-2000/jvm", "n-body/jvm", "n-body-2000/luajit", "30s"),
    // As above, and there may be no server on this machine.
    ("https-redirect/nginx", "https/nginx", "https-plain/nginx", "15s"),
];

fn may_be_missing(workload: &str) -> bool {
    ["/nginx", "/cpython", "/node", "/jvm"]
        .iter()
        .any(|implementation| workload.ends_with(implementation))
}

#[test]
fn a_flipped_bit_fails_its_workload_and_nothing_else() {
    let home = std::env::var_os("SIZEUP_HOME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"), Into::into);
    assert!(home.join("libexec/sizeup/go").exists(), "no workers there: run `make build`");
    for (injected, operation, beside, budget) in WORKLOADS {
        let folder = TempDir::new().expect("a temporary folder");
        let output = Command::new(env!("CARGO_BIN_EXE_sizeup"))
            .args(["run", "--workload", injected, "--workload", beside, "--threads", "1"])
            .args([
                "--inject-wrong-answer",
                injected,
                "--budget",
                budget,
                "--precision",
                "50%",
                "--json",
            ])
            .args(["--output", "injected.jsonl"])
            .env("SIZEUP_HOME", &home)
            .current_dir(folder.path())
            .output()
            .expect("sizeup can be started");
        let answer = Answer::of(output);
        assert_eq!(answer.status, 3, "{}", answer.stderr);
        let view = answer.data();
        let outcome = &view["rows"][0]["outcome"];
        if outcome["kind"] == "unavailable" && may_be_missing(injected) {
            not_tested(format_args!("{injected}: {outcome}"));
            continue;
        }
        assert_eq!(outcome["outcome"], "failed", "{view}");
        assert_eq!(outcome["kind"], "wrong-answer", "{view}");
        assert!(view["rows"][0]["delivered"].is_null(), "a wrong answer has a figure: {view}");
        assert!(answer.stderr.contains(&format!("{injected} on 1 thread: {operation}: ")));
        assert!(view["rows"][1]["outcome"].is_null(), "{view}");
        assert!(view["rows"][1]["delivered"]["centre"].as_f64() > Some(0.0), "{view}");
        let note = view["notes"][0].as_str().unwrap_or_default();
        assert!(note.contains("a wrong answer was injected"), "{view}");
    }
}
