//! Where workloads spend their time: of a real worker by the built-in profiler, and profiles of two machines.

use crate::support::{Answer, Place, installed, installed_command};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

const FILES: [&str; 4] = ["--save", "one.profile.json", "-o", "flames.svg"];

fn blake3(folder: &TempDir, more: &[&str]) -> Answer {
    let profile = ["profile", "blake3-16KiB/blake3", "--profiler", "builtin", "--time", "3s"];
    installed(folder, &[&profile[..], more].concat())
}

#[test]
fn the_built_in_profiler_finds_the_function_that_hashes() {
    let folder = TempDir::new().unwrap();
    let answer = blake3(&folder, &[&FILES[..], &["--json"]].concat());
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let data = answer.data();
    let hottest = &data["functions"][0];
    assert!(hottest["name"].as_str().is_some_and(|name| name.contains("blake3")), "{data}");
    assert_eq!((&hottest["module"], &data["worker"]), (&json!("openssl"), &json!("openssl")));
    let [of_it, of_all] = [hottest, &data].map(|counted| counted["samples"].as_u64().unwrap());
    assert!(2 * of_it > of_all, "{data}");
    // Whatever this machine has, this library has vector code for it.
    assert!(!hottest["code"]["kinds"].as_array().unwrap().is_empty(), "{data}");
    // The pulses around each sample take 1 % of the worker's time: some stacks of any profile, did they count.
    let mut functions = data["functions"].as_array().unwrap().iter();
    assert!(
        !functions.any(|function| function["name"].as_str().unwrap().contains("pulse")),
        "{data}"
    );
    assert_eq!(data["method"]["profiler"], "built-in");
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join(FILES[1])).unwrap()).unwrap();
    assert_eq!(saved["data"], data);
    let svg = fs::read_to_string(folder.path().join(FILES[3])).unwrap();
    let svg = roxmltree::Document::parse(&svg).expect("XML");
    let titles: Vec<&str> = svg
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    assert!(titles.iter().any(|title| title.contains("blake3")), "{titles:?}");
    // Files that are there stay, and that is said before anything is measured.
    let refused = blake3(&folder, &FILES);
    refused.refuses(2, "one.profile.json already exists");
    let shown = installed(&folder, &["profile", FILES[1]]);
    assert!(
        shown.prose().starts_with("blake3-16KiB/blake3 on 1 thread spends"),
        "{}",
        shown.stdout
    );
}

#[test]
fn the_kernel_comes_first_and_its_time_is_not_booked_on_a_function() {
    let folder = TempDir::new().unwrap();
    let page_faults = ["profile", "brotli-9/brotli", "--profiler", "builtin", "--time", "3s"];
    let saved = ["--save", "brotli.profile.json"];
    let answer = installed(&folder, &[&page_faults[..], &saved].concat());
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let said = answer.prose();
    // Each op gets its memory from the kernel and gives it back.
    let says = "brotli-9/brotli on 1 thread spends ";
    let rest = said.strip_prefix(says).unwrap_or_else(|| panic!("{said}"));
    let (kernel, rest) =
        rest.split_once(" % of its time in the kernel").unwrap_or_else(|| panic!("{said}"));
    assert!(kernel.parse::<f64>().unwrap() > 5.0 && rest.starts_with(" ("), "{said}");
    let (_, about) = rest.split_once("About ").unwrap_or_else(|| panic!("{said}"));
    let of_function: f64 = about.split_once(" % is in ").unwrap().0.parse().unwrap();
    assert!(of_function + kernel.parse::<f64>().unwrap() <= 101.0, "{said}");
    assert!(answer.stdout.contains("(by the accounts)"), "{}", answer.stdout);
}

#[test]
fn code_that_luajit_compiled_has_the_name_of_its_function() {
    let folder = TempDir::new().unwrap();
    let asked =
        ["profile", "mandelbrot-100/luajit", "--profiler", "builtin", "--time", "3s", "--json"];
    let data = installed(&folder, &asked).data();
    let hottest = &data["functions"][0];
    let name = hottest["name"].as_str().unwrap();
    assert!(name.starts_with("trace of belongs at mandelbrot.lua:"), "{data}");
    assert_eq!(hottest["module"], "no file");
}

#[test]
fn where_perf_does_not_work_the_reason_is_told_and_the_other_profiler_used() {
    let folder = TempDir::new().unwrap();
    let perf = folder.path().join("perf");
    let script = "#!/bin/sh\n[ $1 = --version ] && echo perf version 9 && exit\n\
                  echo 'Error:' >&2; echo 'Nothing to count \u{1b}[2J' >&2; exit 255\n";
    fs::write(&perf, script).unwrap();
    fs::set_permissions(&perf, fs::Permissions::from_mode(0o755)).unwrap();
    let profile = |profiler: &str| {
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let mut command = installed_command(&folder, &["profile", "blake3-16KiB/blake3"]);
        command.args(["--time", "1s", "--json", "--profiler", profiler]).env("PATH", path);
        Answer::of(command.output().unwrap())
    };
    let method = &profile("auto").data()["method"];
    assert_eq!(method["profiler"], "built-in");
    let why = method["why"].as_str().unwrap();
    // Debian's and Ubuntu's kernels may forbid it, too, which then is the reason.
    assert!(why.contains("Nothing to count") || why.contains("perf_event_paranoid"), "{why}");
    profile("perf").refuses(2, "--profiler perf: ");
}

/// A profile as `sizeup profile` saves it.
pub(crate) fn saved(label: &str, functions: &[(&str, u64, Value)]) -> String {
    let functions: Vec<Value> = functions
        .iter()
        .map(|(name, samples, code)| json!({ "name": name, "module": "go", "samples": samples, "code": code }))
        .collect();
    let data = json!({
        "label": label, "taken": "2026-01-01T00:00:00Z", "cpu_model": null, "architecture": "x86_64",
        "workload": "regexp/go", "implementation": "go", "threads": 1, "cpus": [0], "worker": "go",
        "build": { "version": "1", "compiler": "go", "flags": "", "target": "", "libraries": { "go": "1.25" }, "paths": {} },
        "method": { "profiler": "perf 6.1", "why": "" }, "sampled_ns": 1_000_000_000, "samples": 1000,
        "functions": functions,
    });
    json!({ "program": "sizeup", "version": "0", "command": "profile", "answer": [], "data": data, "notes": [] })
        .to_string()
}

pub(crate) fn code(kinds: &[&str]) -> Value {
    json!({ "kinds": kinds, "in_loop": true })
}

fn two_machines(place: &Place, name: &str) {
    let fast = [("regexp.match", 700, code(&[])), (name, 200, code(&["256-bit vector"]))];
    let slow = [(name, 600, code(&[])), ("regexp.match", 400, code(&[]))];
    place.write("xeon.json", saved("xeon", &fast));
    place.write("altra.json", saved("altra", &slow));
}

#[test]
fn a_function_without_assembly_on_one_machine_is_in_the_answer() {
    let place = Place::new();
    two_machines(&place, "internal/bytealg.IndexByte");
    let answer = place.sizeup(&["profile", "xeon.json", "altra.json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let says = "internal/bytealg.IndexByte (go) is other code: 256-bit vector on xeon, scalar only on altra.";
    assert!(answer.prose().contains(says), "{}", answer.stdout);
    assert!(
        answer.prose().starts_with("regexp/go spends 70 % on xeon in regexp.match"),
        "{}",
        answer.stdout
    );
    let data = place.sizeup(&["profile", "xeon.json", "altra.json", "--json"]).data();
    assert_eq!(data["functions"][1]["shares"], json!([0.2, 0.6]), "{data}");
}

#[test]
fn names_of_functions_do_not_reach_the_terminal_as_they_are() {
    let place = Place::new();
    two_machines(&place, "evil\u{1b}[2J\u{202e}\n\u{9b}31m");
    for files in [&["xeon.json"][..], &["xeon.json", "altra.json"]] {
        for more in [&[][..], &["--json"], &["--all"]] {
            let answer = place.sizeup(&[&["profile"], files, more].concat());
            assert_eq!(answer.status, 0, "{}", answer.stderr);
            let harmful = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
            assert!(!answer.stdout.contains(harmful), "{:?}", answer.stdout);
            assert!(answer.stdout.contains("evil"), "{}", answer.stdout);
        }
    }
}

#[test]
fn files_that_are_no_profiles_are_refused_by_name() {
    let place = Place::new();
    two_machines(&place, "f");
    let good = fs::read_to_string(place.path("xeon.json")).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}: {good}");
        good.replace(from, to)
    };
    let cases = [
        ("{}".to_owned(), "missing field"),
        ("not JSON \u{1b}[2J".to_owned(), "expected"),
        (changed("\"samples\":700", "\"samples\":NaN"), "expected value"),
        (changed("\"samples\":700", "\"samples\":1e300"), "invalid type"),
        (changed("\"samples\":700", "\"samples\":900"), "more than its 1000 samples"),
        (changed("\"command\":\"profile\"", "\"command\":\"show\""), "sizeup show --json"),
        (" ".repeat(5 << 20), "4 MiB"),
    ];
    for (content, fault) in cases {
        place.write("bad.json", &content);
        for files in [&["bad.json"][..], &["xeon.json", "bad.json"]] {
            let answer = place.sizeup(&[&["profile"], files].concat());
            assert_eq!(answer.status, 2, "{content:.80}");
            assert!(answer.stderr.contains(fault), "{content:.80}: {}", answer.stderr);
            assert!(answer.stderr.contains("bad.json"), "{}", answer.stderr);
            assert!(!answer.stderr.contains('\u{1b}'), "{:?}", answer.stderr);
        }
    }
    let plain =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/runs/plain.jsonl");
    let run = fs::read_to_string(plain).unwrap();
    place.write("q.run.jsonl", &run);
    place.sizeup(&["profile", "q.run.jsonl"]).refuses(2, "it is a run file, which has no stacks");
    place.sizeup(&["profile", "none/such"]).refuses(2, "no workload is named");
}
