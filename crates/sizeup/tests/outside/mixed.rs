//! A mix that runs all at once, by the real workers.

use crate::support::installed as sizeup;
use serde_json::Value;
use tempfile::TempDir;

/// Checksums and random numbers: they share nothing but the CPUs. The rates are of one machine as of another in so far as
/// the first takes most of it.
const MIX: &str = "[[demand]]\nworkload = \"sha-256-16KiB/openssl\"\nrate = \"20 GB/s\"\n\
                   [[demand]]\nworkload = \"crc32-64KiB/zlib\"\nrate = \"200 MB/s\"\n";

fn place(mix: &str) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("mix.toml"), mix).expect("a file");
    folder
}

/// Field 19 of proc_pid_stat(5).
fn our_niceness() -> i32 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has it");
    let behind_name = stat.rsplit(')').next().expect("the name is in brackets");
    behind_name.split_whitespace().nth(16).and_then(|nice| nice.parse().ok()).expect("a number")
}

#[test]
fn a_mix_is_measured_part_by_part_and_all_at_once_and_planned_with() {
    let folder = place(MIX);
    let run = ["run", "--mix", "mix.toml", "--budget", "60s", "-o", "mix.jsonl", "--json"];
    let answer = sizeup(&folder, &run);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let together = &answer.data()["together"];
    assert!(together["rounds"].as_u64() > Some(1), "{together}");
    let part = |number: usize, field: &str| together["parts"][number][field].clone();
    let number = |value: Value| value.as_f64().expect("a number");
    assert!(number(part(0, "wanted")) > 0.8, "{together}");
    // Who has less to do stands back for who has more, as far as our own niceness leaves room for that.
    let notes = answer.data()["notes"].to_string();
    if our_niceness() < 10 {
        assert!(number(part(0, "share")) > 0.6, "{together}");
        assert!(!notes.contains("nice values"), "{notes}");
    } else if number(part(0, "share")) < 0.55 {
        assert!(notes.contains("nice values"), "{notes}");
    }
    // How much the parts slow each other down is the machine's and its other work's; that it is told is ours.
    let bound = |name: &str| number(together["factor"][name].clone());
    assert!(0.0 < bound("low") && bound("low") < bound("centre"), "{together}");
    assert!(bound("centre") < bound("high"), "{together}");
    let planned = |file: &str| {
        // Whatever else this machine did meanwhile.
        let busy = ["--view", "delivered", "--allow", "invalid", "--json"];
        let answer = sizeup(&folder, &[&["capacity", file, "mix.jsonl"], &busy[..]].concat());
        assert_ne!(answer.status, 2, "{}", answer.stderr);
        answer.data()[0]["together"].clone()
    };
    assert_eq!(planned("mix.toml")["centre"], together["factor"]["centre"]);
    // Another mix was not measured.
    std::fs::write(folder.path().join("other.toml"), MIX.replace("200 MB", "900 MB"))
        .expect("a file");
    assert_eq!(planned("other.toml"), Value::Null);
}

#[test]
fn a_mix_of_which_a_part_fails_is_not_measured_and_that_is_told() {
    let folder = place(MIX);
    let arguments = ["run", "--mix", "mix.toml", "--budget", "8s", "-o", "mix.jsonl"];
    let injected = ["--inject-wrong-answer", "crc32-64KiB/zlib", "--json"];
    let answer = sizeup(&folder, &[&arguments[..], &injected[..]].concat());
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let view = answer.data();
    assert_eq!(view["together"], Value::Null);
    assert!(view["notes"].to_string().contains("never measured all at once"), "{view}");
}

#[test]
fn a_mix_that_cannot_be_measured_is_refused_before_anything_starts() {
    for (mix, says) in [
        (
            MIX.replace("crc32-64KiB/zlib", "https-plain/nginx"),
            "runs in processes other than its worker",
        ),
        (MIX.replace("crc32-64KiB/zlib", "no\\u001b[31m/such"), "no workload is named"),
        (MIX.replace("rate = \"200 MB/s\"", "weight = 1"), "a rate, or every one a weight"),
    ] {
        let answer = sizeup(&place(&mix), &["run", "--mix", "mix.toml"]);
        answer.refuses(2, says);
        assert!(!answer.stderr.contains('\u{1b}'), "{}", answer.stderr);
    }
}
