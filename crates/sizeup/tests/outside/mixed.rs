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

/// Three kinds of work of two workers, whose ops are short: on a busy machine, too, there is time for two passes.
const ROLLING: &str = "[[demand]]\nworkload = \"sha-256-16KiB/ring\"\nweight = 2\n\
                       [[demand]]\nworkload = \"crc32-64KiB/zlib\"\nweight = 1\n\
                       [[demand]]\nworkload = \"blake3-16KiB/blake3\"\nweight = 1\n";

#[test]
fn a_mix_rolls_over_all_threads_and_is_compared_with_what_its_rows_add_up_to() {
    let folder = place(ROLLING);
    let run = ["run", "--mix", "mix.toml", "--rolling", "--budget", "40s", "-o", "mix.jsonl"];
    let answer = sizeup(&folder, &[&run[..], &["--json"]].concat());
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let view = answer.data();
    let rolling = &view["rolling"];
    assert!(rolling["passes"].as_u64() > Some(1), "{view}");
    let bound = |what: &Value, name: &str| what[name].as_f64().expect("a number");
    for what in ["measured", "computed", "additivity"] {
        let interval = &rolling[what];
        assert!(0.0 < bound(interval, "low"), "{rolling}");
        assert!(bound(interval, "low") < bound(interval, "centre"), "{rolling}");
        assert!(bound(interval, "centre") < bound(interval, "high"), "{rolling}");
    }
    let centre = |what: &str| bound(&rolling[what], "centre");
    let ratio = centre("measured") / centre("computed");
    assert!((ratio / centre("additivity") - 1.0).abs() < 1e-9, "{rolling}");
    let shares: f64 = (0..3).map(|part| bound(&rolling["parts"][part], "share")).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{rolling}");
    // The list is made once; each thread does each item once a pass, from another place on.
    let text = std::fs::read_to_string(folder.path().join("mix.jsonl")).expect("a run file");
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let those = |kind: &'static str| records.iter().filter(move |record| record["record"] == kind);
    assert_eq!(those("rolling_list").count(), 1);
    let threads = records[0]["plan"]["cases"][0]["threads"].as_u64().expect("a number") as usize;
    for pass in those("rolling_pass") {
        let cases = |thread: usize| -> Vec<u64> {
            let shares = pass["threads"][thread].as_array().expect("shares");
            shares.iter().filter_map(|share| share["case"].as_u64()).collect()
        };
        for thread in 0..threads {
            let mut expected = vec![0, 1, 2];
            expected.rotate_left(thread * 3 / threads);
            assert_eq!(cases(thread), expected);
        }
    }
    // All that was started was verified at its end.
    assert_eq!(those("rolling_launch").count(), those("rolling_verified").count());
    let shown = sizeup(&folder, &["show", "mix.jsonl"]).prose();
    assert!(
        shown.contains("Rolling mix: ") && shown.contains("what its rows alone add up to"),
        "{shown}"
    );
}

#[test]
fn a_rolling_mix_of_which_a_part_fails_is_not_measured_and_that_is_told() {
    let folder = place(ROLLING);
    let run = ["run", "--mix", "mix.toml", "--rolling", "--budget", "8s", "-o", "mix.jsonl"];
    let injected = ["--inject-wrong-answer", "crc32-64KiB/zlib", "--json"];
    let answer = sizeup(&folder, &[&run[..], &injected[..]].concat());
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let view = answer.data();
    assert_eq!(view["rolling"], Value::Null);
    assert!(view["notes"].to_string().contains("crc32-64KiB/zlib was not measured"), "{view}");
}

#[test]
fn a_mix_that_cannot_roll_is_refused_with_the_reason() {
    let with = |other: &str| ROLLING.replace("crc32-64KiB/zlib", other);
    for (mix, says) in [
        (with("json-encode-api/go"), "json-encode-api/go is of the worker go; only rows of native"),
        (with("https-plain/nginx"), "is of the worker serve; only rows of native"),
        (with("no/such"), "no workload is named"),
    ] {
        let answer = sizeup(&place(&mix), &["run", "--mix", "mix.toml", "--rolling"]);
        answer.refuses(2, says);
    }
    sizeup(&place(ROLLING), &["run", "--rolling"]).refuses(2, "--mix");
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
