//! The worker from outside: programs that lie, are missing or read what they must not; what is left of it when it ends.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

/// A worker at the other end of two pipes.
struct Worker {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Worker {
    /// One whose programs are found in these folders only.
    fn start(path: &str, environment: &[(&str, &Path)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sizeup-worker-agents"))
            .env("PATH", path)
            .env_remove(APPS)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the worker starts");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, answers }
    }

    fn ask(&mut self, request: &Value) -> Value {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        writeln!(stdin, "{request}").expect("the worker reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the worker answers");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    fn prepare(&mut self, operation: &str) -> Value {
        self.ask(&json!({
            "request": "prepare", "protocol": 1, "operation": operation, "parameters": {}, "threads": 1,
            "cpus": [cpu()], "seed": 1, "inputs": inputs(operation),
        }))
    }

    fn measure(&mut self) -> Value {
        self.ask(&json!({"request": "measure", "warmup_ns": 0, "sample_ns": 1_000_000}))
    }

    /// Its folder, which has its number.
    fn folder(&self) -> Option<PathBuf> {
        let start = format!("sizeup-agents-{}-", self.child.id());
        let places = [PathBuf::from("/dev/shm"), std::env::temp_dir()];
        let entries =
            places.iter().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
        let is_its = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start))
        };
        entries.map(|entry| entry.path()).find(is_its)
    }

    fn signal(&self, signal: i32) {
        // SAFETY: the process is ours and has not been waited for.
        unsafe { libc::kill(self.child.id() as i32, signal) };
    }

    /// Waits until neither it nor its folder is there.
    fn assert_leaves_nothing(mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let start = Instant::now();
        while let Some(folder) = self.folder() {
            assert!(start.elapsed() < PATIENCE, "{} is still there", folder.display());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The file that a compiler gets.
fn inputs(operation: &str) -> Value {
    let file = match operation {
        "compile-c/clang" => "entropy_common.i",
        "compile-go/go" => "syntax.go",
        _ => return json!({}),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../inputs/compile").join(file);
    let content = fs::read(&path).expect("a source");
    let sha256 = HEXLOWER.encode(&Sha256::digest(&content));
    json!({"source": {"path": path, "bytes": content.len(), "sha256": sha256}})
}

/// The first CPU that this process may use.
fn cpu() -> usize {
    // SAFETY: all zeros is the empty set, and the pointer is valid for one set.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        set
    };
    // SAFETY: the numbers are below the size of a set.
    (0..1024).find(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).expect("a CPU")
}

/// Names the apps pack. Its programs come last here, so that lies can come before them.
const APPS: &str = "SIZEUP_APPS";

fn path() -> String {
    let path = std::env::var("PATH").expect("a path");
    std::env::var(APPS).map_or(path.clone(), |apps| format!("{path}:{apps}/usr/bin"))
}

/// Whether a row can be done here; under an emulator of programs none can.
fn is_available(operation: &str) -> bool {
    static KNOWN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(operation.to_owned()).or_insert_with(|| find_out(operation))
}

fn find_out(operation: &str) -> bool {
    let mut worker = Worker::start(&path(), &[]);
    let answer = worker.prepare(operation);
    worker.assert_leaves_nothing();
    let is_missing =
        answer["kind"] == "unavailable" || std::env::var_os("SIZEUP_EMULATED").is_some();
    if is_missing {
        println!("not tested: {operation}: {answer}");
    } else {
        assert_eq!(answer["answer"], "ready", "{operation}: {answer}");
    }
    !is_missing
}

/// Where an installed program is.
fn installed(program: &str) -> PathBuf {
    let places = path();
    let mut places = std::env::split_paths(&places).map(|place| place.join(program));
    places.find(|found| found.exists()).expect("it was found before")
}

/// A folder in which a program is a script that does something else with the installed one, REAL.
fn lying(program: &str, lie: &str) -> (TempDir, String) {
    let folder = TempDir::new().expect("a folder");
    let real = installed(program).display().to_string();
    let script = folder.path().join(program);
    let text = format!("#!/bin/sh\n{}\n", lie.replace("REAL", &real));
    write_program(&script, &text);
    let path = format!("{}:{}", folder.path().display(), path());
    (folder, path)
}

fn write_program(file: &Path, text: &str) {
    fs::write(file, text).expect("it can be written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// Begins lies of programs whose version is true.
const HONEST: &str = r#"[ "$1" != --version ] || exec REAL "$@"; "#;

#[test]
fn no_program_that_lies_has_a_figure() {
    for (operation, program, lie) in [
        ("rg-search/ripgrep", "rg", r#"REAL "$@" | sed 1d"#),
        ("tar-zstd/tar", "tar", r#"exec REAL "$@" --exclude=table.c"#),
        ("tar-zstd/tar", "tar", r#"REAL "$@" | sed s/merge_window/marge_window/"#),
        (
            "tar-zstd/tar",
            "zstd",
            r#"case "$*" in *-3*) REAL "$@" | head -c -9;; *) exec REAL "$@";; esac"#,
        ),
        ("sqlite-query/sqlite3", "sqlite3", r#"REAL "$@" | sed s/1/2/"#),
        ("agent-turn/tools", "sed", r#"[ "$1" = -i ] || exec REAL "$@""#),
        (
            "agent-turn/tools",
            "sed",
            r#"case "$1" in -n) REAL "$@" | REAL '$d';; *) exec REAL "$@";; esac"#,
        ),
        (
            "agent-turn/tools",
            "cc",
            r#"REAL "$@" && sed -i 's/sizeup agents/sizeup agentz/' ../out/table.o"#,
        ),
        ("agent-turn/tools", "cc", "exit 0"),
    ] {
        if !is_available(operation) {
            continue;
        }
        let (_folder, path) = lying(program, &format!("{HONEST}{lie}"));
        let mut worker = Worker::start(&path, &[]);
        let answer = worker.prepare(operation);
        let kind = answer["kind"].as_str().unwrap_or_default();
        let is_refused = ["wrong-answer", "operation-failed"].contains(&kind);
        assert!(is_refused, "{operation}: {lie}: {answer}");
        worker.assert_leaves_nothing();
    }
}

/// Mistakes of a compiler, as commands after it has done its work.
const MISTAKES: [&str; 5] = [
    "printf x | dd of=../out/object.o bs=1 seek=99 conv=notrunc 2>/dev/null",
    "printf x >> ../out/object.o",
    "rm ../out/object.o",
    "echo 'warning: deprecated' >&2",
    "exit 1",
];

#[test]
fn no_compiler_that_makes_a_mistake_has_a_figure() {
    for (operation, program) in [("compile-c/clang", "zig"), ("compile-go/go", "go")] {
        if !is_available(operation) || !is_installed(program) {
            continue;
        }
        for (is_known, mistake) in
            MISTAKES.iter().flat_map(|mistake| [(true, mistake), (false, mistake)])
        {
            // The first time all is well: what follows is compared with it, where the version is not known.
            let first = if is_known { "false" } else { "! [ -e FOLDER/was ]" };
            let mistake = format!("if {first}; then touch FOLDER/was; else {mistake}; fi");
            let (_folder, path) = lying_compiler(program, is_known, &mistake);
            let mut worker = Worker::start(&path, &[]);
            let answer = worker.prepare(operation);
            let kind = answer["kind"].as_str().unwrap_or_default();
            let is_refused = ["wrong-answer", "operation-failed"].contains(&kind);
            assert!(is_refused, "{operation}: {mistake}: {answer}");
            worker.assert_leaves_nothing();
        }
    }
}

#[test]
fn a_compiler_that_is_not_known_must_make_the_same_object_for_the_target() {
    for (operation, program) in [("compile-c/clang", "zig"), ("compile-go/go", "go")] {
        if !is_available(operation) || !is_installed(program) {
            continue;
        }
        for (mistake, kind) in [
            ("true", Value::Null),
            ("date +%N >> ../out/object.o", json!("wrong-answer")),
            (
                "printf x | dd of=../out/object.o bs=1 conv=notrunc 2>/dev/null",
                json!("wrong-answer"),
            ),
            ("echo nothing > ../out/object.o", json!("wrong-answer")),
        ] {
            let (_folder, path) = lying_compiler(program, false, mistake);
            let mut worker = Worker::start(&path, &[]);
            let answer = worker.prepare(operation);
            assert_eq!(answer["kind"], kind, "{operation}: {mistake}: {answer}");
            worker.assert_leaves_nothing();
        }
    }
}

fn is_installed(program: &str) -> bool {
    let is_there = std::env::split_paths(&path()).any(|place| place.join(program).exists());
    if !is_there {
        println!("not tested: {program} is not installed");
    }
    is_there
}

/// A folder with a compiler that does its work and then something else. Its version is the true one, or one of which no object is known.
fn lying_compiler(program: &str, is_known: bool, then: &str) -> (TempDir, String) {
    let (folder, path) = match (program, is_known) {
        ("zig", true) => lying("zig", &format!(r#"{HONEST_ZIG}REAL "$@" || exit; {then}"#)),
        ("zig", false) => lying(
            "zig",
            &format!(r#"[ "$1" != version ] || exec echo 0.1; REAL "$@" || exit; {then}"#),
        ),
        (_, true) => lying("go", "REAL env GOVERSION; echo FOLDER"),
        (_, false) => lying("go", "echo \"$(REAL env GOVERSION) X:none\"; echo FOLDER"),
    };
    if program == "go" {
        let go = installed("go").display().to_string();
        let text = format!("#!/bin/sh\n$({go} env GOTOOLDIR)/compile \"$@\" || exit; {then}\n");
        write_program(&folder.path().join("compile"), &text);
    }
    // Where the script itself is.
    for name in [program, "compile"] {
        let file = folder.path().join(name);
        if let Ok(text) = fs::read_to_string(&file) {
            write_program(&file, &text.replace("FOLDER", &folder.path().display().to_string()));
        }
    }
    (folder, path)
}

const HONEST_ZIG: &str = r#"[ "$1" != version ] || exec REAL "$@"; "#;

#[test]
fn a_git_that_leaves_out_a_line_has_no_figure() {
    for operation in ["git-grep/git", "git-log/git", "git-status/git", "agent-turn/tools"] {
        if !is_available(operation) {
            continue;
        }
        // A change of one letter, a line less, and success without work.
        let lies = [
            r#"case "$1" in grep|log|status) REAL "$@" | sed 's/e/f/';; *) exec REAL "$@";; esac"#,
            r#"case "$1" in grep|log|status) REAL "$@" | sed '$d';; *) exec REAL "$@";; esac"#,
            r#"case "$1" in grep|log|status) exit 0;; *) exec REAL "$@";; esac"#,
        ];
        for lie in lies {
            let (_folder, path) = lying("git", lie);
            let mut worker = Worker::start(&path, &[]);
            let answer = worker.prepare(operation);
            assert_eq!(answer["kind"], "wrong-answer", "{operation}: {lie}: {answer}");
            worker.assert_leaves_nothing();
        }
    }
}

#[test]
fn each_step_of_a_turn_is_checked() {
    if !is_available("agent-turn/tools") {
        return;
    }
    for step in ["diff", "checkout", "add", "commit", "log", "reset", "branch"] {
        let lie = format!(r#"[ "$1" = {step} ] || exec REAL "$@""#);
        let (_folder, path) = lying("git", &lie);
        let mut worker = Worker::start(&path, &[]);
        let answer = worker.prepare("agent-turn/tools");
        let kind = answer["kind"].as_str().unwrap_or_default();
        assert!(["wrong-answer", "operation-failed"].contains(&kind), "{step}: {answer}");
        worker.assert_leaves_nothing();
    }
}

#[test]
fn a_repository_of_other_contents_is_refused() {
    if !is_available("git-status/git") {
        return;
    }
    let lie =
        r#"case "$*" in *fast-import*) sed s/merge/marge/ | REAL "$@";; *) exec REAL "$@";; esac"#;
    let (_folder, path) = lying("git", lie);
    let mut worker = Worker::start(&path, &[]);
    let answer = worker.prepare("git-status/git");
    assert_eq!(answer["kind"], "wrong-answer", "{answer}");
    assert!(
        answer["message"].as_str().is_some_and(|what| what.contains("last commit")),
        "{answer}"
    );
    worker.assert_leaves_nothing();
}

#[test]
fn a_file_that_changes_between_samples_has_no_figure() {
    for (operation, file) in [
        ("git-status/git", "notes.txt"),
        ("git-grep/git", "tests/run.py"),
        ("agent-turn/tools", "tests/run.py"),
        ("agent-turn/tools", "src/table/table.c"),
        ("compile-c/clang", "source.i"),
        ("compile-go/go", "source.go"),
    ] {
        if !is_available(operation) {
            continue;
        }
        let mut worker = Worker::start(&path(), &[]);
        assert_eq!(worker.prepare(operation)["answer"], "ready");
        assert_eq!(worker.measure()["answer"], "sample");
        let tree = worker.folder().expect("its folder").join("0/tree");
        match operation {
            "git-status/git" => fs::remove_file(tree.join(file)),
            _ if file.starts_with("source.") => fs::write(tree.join(file), "package syntax;\n"),
            _ => fs::write(tree.join(file), "merge_window\n"),
        }
        .expect("the file is ours");
        let answer = worker.measure();
        assert_eq!(answer["kind"], "operation-failed", "{operation}, {file}: {answer}");
        worker.assert_leaves_nothing();
    }
}

#[test]
fn what_programs_use_counts() {
    for (operation, programs) in [("git-status/git", 1), ("agent-turn-x4/tools", 24)] {
        if !is_available(operation) {
            continue;
        }
        let mut worker = Worker::start(&path(), &[]);
        assert_eq!(worker.prepare(operation)["answer"], "ready");
        // Long enough for ticks of any kernel.
        let sample =
            worker.ask(&json!({"request": "measure", "warmup_ns": 0, "sample_ns": 300_000_000}));
        let thread = &sample["threads"][0];
        let number = |field: &str| {
            thread[field].as_u64().unwrap_or_else(|| panic!("{operation}: {field}: {thread}"))
        };
        // None starts with fewer.
        assert!(number("minor_faults") > 40 * programs * number("ops"), "{operation}: {thread}");
        // Beside others on its CPU it is unknown.
        if !thread["system_ns"].is_null() {
            let (system_ns, cpu_ns) = (number("system_ns"), number("cpu_ns"));
            assert!(0 < system_ns && system_ns <= cpu_ns, "{operation}: {thread}");
        }
        worker.assert_leaves_nothing();
    }
}

#[test]
fn nothing_of_a_worker_is_left_however_it_ends() {
    let operation = "python-start/cpython";
    if !is_available(operation) {
        return;
    }
    for signal in [libc::SIGTERM, libc::SIGKILL, libc::SIGINT, libc::SIGHUP] {
        let mut worker = Worker::start(&path(), &[]);
        assert_eq!(worker.prepare(operation)["answer"], "ready");
        assert!(worker.folder().is_some());
        worker.signal(signal);
        worker.assert_leaves_nothing();
    }
    let mut worker = Worker::start(&path(), &[]);
    assert_eq!(worker.prepare(operation)["answer"], "ready");
    assert_eq!(worker.ask(&json!({"request": "finish"}))["answer"], "done");
    let _ = worker.child.wait();
    assert_eq!(worker.folder(), None, "its end comes after that of its folder");
}

#[test]
fn a_killed_worker_leaves_nothing_though_programs_still_run() {
    let operation = "agent-turn-x4/tools";
    if !is_available(operation) {
        return;
    }
    let mut worker = Worker::start(&path(), &[]);
    let stdin = worker.child.stdin.as_mut().expect("a pipe");
    let request = json!({
        "request": "prepare", "protocol": 1, "operation": operation, "parameters": {}, "threads": 1,
        "cpus": [cpu()], "seed": 1, "inputs": {},
    });
    writeln!(stdin, "{request}").expect("the worker reads");
    let start = Instant::now();
    let is_at_work = |folder: PathBuf| folder.join("0-3/tree/.git/index").exists();
    while !worker.folder().is_some_and(is_at_work) {
        assert!(start.elapsed() < PATIENCE, "no clone is made");
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(100));
    worker.signal(libc::SIGKILL);
    worker.assert_leaves_nothing();
}

/// A folder with some of the installed programs.
fn folder_with(programs: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for program in programs {
        symlink(installed(program), folder.path().join(program)).expect("a link");
    }
    folder
}

#[test]
fn a_missing_program_is_named_with_its_package() {
    if !is_available("git-status/git") {
        return;
    }
    let folder = folder_with(&["git"]);
    for (operation, missing, packages) in [
        ("rg-search/ripgrep", "rg is not installed", "ripgrep"),
        ("tar-zstd/tar", "tar is not installed; zstd is not installed", "tar zstd"),
        ("sqlite-query/sqlite3", "sqlite3 is not installed", "sqlite3"),
        ("node-start/node", "node is not installed", "nodejs"),
        ("python-start/cpython", "python3 is not installed", "python3"),
        ("agent-turn/tools", "cc is not installed", "sed python3 gcc"),
        ("compile-c/clang", "clang is not installed", "that `make apps` has made"),
        ("compile-go/go", "go is not installed", "golang-go"),
    ] {
        let mut worker = Worker::start(&folder.path().display().to_string(), &[]);
        let answer = worker.prepare(operation);
        assert_eq!(answer["kind"], "unavailable", "{answer}");
        let text = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
        assert!(text("message").contains(missing), "{answer}");
        assert!(text("hint").ends_with(packages), "{answer}");
    }
}

#[test]
fn no_configuration_of_the_user_is_read() {
    let home = TempDir::new().expect("a folder");
    let config = "[status]\n\tshowUntrackedFiles = no\n[log]\n\tdate = iso\n[core]\n\tabbrev = 4\n[color]\n\tui = always\n\
        [commit]\n\tgpgsign = true\n[diff]\n\tnoprefix = true\n[grep]\n\tlineNumber = false\n";
    fs::write(home.path().join(".gitconfig"), config).expect("it can be written");
    fs::write(home.path().join(".sqliterc"), ".mode json\n").expect("it can be written");
    fs::write(home.path().join("sitecustomize.py"), "print('here')\n").expect("it can be written");
    let environment = [
        ("HOME", home.path()),
        ("PYTHONPATH", home.path()),
        ("GIT_DIR", home.path()),
        ("NODE_OPTIONS", Path::new("--require=/nowhere")),
        ("GOFLAGS", Path::new("-toolexec=/nowhere")),
        ("GOARCH", Path::new("arm64")),
        ("CCC_OVERRIDE_OPTIONS", Path::new("+-O0")),
    ];
    let operations = [
        "git-status/git",
        "git-log/git",
        "git-grep/git",
        "sqlite-query/sqlite3",
        "python-start/cpython",
        "agent-turn/tools",
        "compile-c/clang",
        "compile-go/go",
    ];
    for operation in operations.into_iter().filter(|operation| is_available(operation)) {
        // A script that chooses a Python may need its user's home.
        let own = folder_with(&["git", "sed", "cc"]);
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin:{}", own.path().display(), path());
        let mut worker = Worker::start(&path, &environment);
        let answer = worker.prepare(operation);
        assert_eq!(answer["answer"], "ready", "{operation}: {answer}");
        worker.assert_leaves_nothing();
    }
}
