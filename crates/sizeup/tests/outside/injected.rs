//! An injected wrong answer, in each of the real workers: that workload fails with a message, the rest of
//! the run goes on, and the exit status says so.

use crate::support::{Answer, not_tested};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A workload and its operation, and one beside it that must not suffer: of workers over the kits for Rust, Go and C, and of two
/// whose work is done in other processes. `verification` shows that the checks of all workers notice.
const WORKLOADS: [(&str, &str, &str); 5] = [
    ("x25519-derive/openssl", "x25519-derive/openssl", "brotli-5/brotli"),
    ("html-escape/go", "html-escape/go", "gunzip-digits/go"),
    // The row beside it has short samples, so that it has enough of them on a busy machine, too.
    ("n-body-2000/cpython", "n-body/cpython", "crc32-64KiB/zlib"),
    ("git-status/git", "git-status/git", "crc32-64KiB/zlib"),
    ("https-redirect/nginx", "https/nginx", "https-plain/nginx"),
];

/// There may be no interpreter and no server.
fn may_be_missing(workload: &str) -> bool {
    ["/nginx", "/cpython", "/git"].iter().any(|implementation| workload.ends_with(implementation))
}

#[test]
fn a_flipped_bit_fails_its_workload_and_nothing_else() {
    let home = std::env::var_os("SIZEUP_HOME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"), Into::into);
    assert!(home.join("libexec/sizeup/go").exists(), "no workers there: run `make build`");
    for (injected, operation, beside) in WORKLOADS {
        let folder = TempDir::new().expect("a temporary folder");
        let output = Command::new(env!("CARGO_BIN_EXE_sizeup"))
            .args(["run", "--workload", injected, "--workload", beside, "--threads", "1"])
            .args(["--inject-wrong-answer", injected, "--budget", "25s", "--precision", "50%"])
            .args(["--json", "--output", "injected.jsonl"])
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
