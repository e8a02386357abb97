use super::fixture::{header, launch, two_threads};
use super::*;
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

mod beside;
mod changed;
mod emulated;
mod honest;
mod laws;
mod lies;
mod measured_machine;

const MS: u64 = 1_000_000;
const CLOSED_NS: u64 = 130 * MS;

/// A sample of 50 ms with 5 ops on one thread.
fn sample(start_ns: u64) -> Record {
    let mut measured = two_threads([0, 1]);
    measured.threads.truncate(1);
    measured.threads[0].ops = 5;
    measured.end_ns = start_ns + measured.length_ns();
    measured.start_ns = start_ns;
    Record::Sample(Sample {
        launch: 0,
        case: 0,
        round: 0,
        steal_ticks: Some(0),
        idle_ticks: None,
        total_ticks: None,
        measured,
    })
}

/// A run file with two samples, open.
fn open_file() -> (TempDir, PathBuf, Writer) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs/a.run.jsonl");
    let mut writer = Writer::create(&path, &header()).unwrap();
    for record in [launch(), sample(10 * MS), sample(70 * MS)] {
        writer.write(&record).unwrap();
    }
    writer.flush().unwrap();
    (folder, path, writer)
}

/// Another launch of the only case.
fn second_launch(at_ns: u64) -> Record {
    let Record::Launch(launch) = launch() else { unreachable!() };
    Record::Launch(Box::new(Launch { launch: 1, at_ns, ..*launch }))
}

fn of_second_launch(record: Record) -> Record {
    let Record::Sample(sample) = record else { unreachable!() };
    Record::Sample(Sample { launch: 1, ..sample })
}

fn refusal(content: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, content).unwrap();
    read(&path).unwrap_err().to_string()
}

/// The text of a good file after a change.
fn changed(change: impl Fn(String) -> String) -> String {
    let (_folder, path, _writer) = open_file();
    change(fs::read_to_string(path).unwrap())
}

#[test]
fn what_is_written_is_read() {
    let (_folder, path, writer) = open_file();
    writer.close(Ended::Precision, CLOSED_NS).unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.header, header());
    assert_eq!(run.samples.len(), 2);
    assert_eq!(run.spent_ns, CLOSED_NS - 1_000);
    assert!(run.is_complete());
    assert_eq!(run.notes, []);
}

#[test]
fn a_run_that_was_killed_is_a_valid_shorter_file() {
    let (_folder, path, _writer) = open_file();
    let run = read(&path).unwrap();
    assert_eq!(run.samples.len(), 2);
    assert_eq!(run.notes, [Note::Open]);
}

#[test]
fn a_truncated_last_line_is_ignored_and_noted_wherever_it_ends() {
    let (_folder, path, _writer) = open_file();
    let text = fs::read(&path).unwrap();
    let last_line = text[..text.len() - 1].iter().rposition(|b| *b == b'\n').unwrap() + 1;
    for end in last_line + 1..text.len() {
        fs::write(&path, &text[..end]).unwrap();
        let run = read(&path).unwrap();
        assert_eq!(run.samples.len(), 1);
        assert_eq!(run.whole_bytes, last_line as u64);
        let bytes = (end - last_line) as u64;
        assert_eq!(run.notes, [Note::Torn { bytes }, Note::Open]);
    }
}

#[test]
fn a_resumed_file_loses_its_torn_line_and_keeps_its_digest_right() {
    let (_folder, path, writer) = open_file();
    drop(writer);
    let whole_bytes = fs::metadata(&path).unwrap().len();
    let mut text = fs::read(&path).unwrap();
    text.extend_from_slice(b"{\"record\":\"sam");
    fs::write(&path, text).unwrap();
    assert_eq!(read(&path).unwrap().whole_bytes, whole_bytes);

    let resume = Resume { at_unix_ns: 9, at_ns: 50, torn_bytes: 0 };
    let claim = Claim::take(&path).unwrap();
    let mut writer = Writer::resume(claim, whole_bytes, resume).unwrap();
    writer.write(&second_launch(60)).unwrap();
    writer.write(&of_second_launch(sample(MS))).unwrap();
    writer.close(Ended::Budget, 60 * MS).unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.samples.len(), 3);
    assert_eq!(run.notes, []);
    // From 1,000 ns to the end of the second sample before, from 50 ns on after, on a clock that started anew.
    assert_eq!(run.spent_ns, 120 * MS - 1_000 + 60 * MS - 50);
    assert_eq!(run.last_clock, ClockStart { launches: 1, samples: 2, ..ClockStart::default() });
    assert_eq!(run.resumes.len(), 1);
    assert!(fs::read_to_string(&path).unwrap().contains("\"torn_bytes\":14"));
}

#[test]
fn a_file_modified_after_its_close_is_noted() {
    let (_folder, path, writer) = open_file();
    writer.close(Ended::Budget, CLOSED_NS).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"ops\":5", "\"ops\":6", 1)).unwrap();
    assert_eq!(read(&path).unwrap().notes, [Note::Changed]);
}

#[test]
fn records_after_the_close_are_noted() {
    let (_folder, path, writer) = open_file();
    writer.close(Ended::Budget, CLOSED_NS).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let sample = serde_json::to_string(&sample(140 * MS)).unwrap();
    for behind in [format!("{sample}\n"), "{\"record\"".to_owned()] {
        fs::write(&path, format!("{text}{behind}")).unwrap();
        assert_eq!(read(&path).unwrap().notes, [Note::Changed], "{behind}");
    }
}

#[test]
fn a_row_that_is_planned_twice_is_refused() {
    let mut header = header();
    let case = header.plan.cases[0].clone();
    header.plan.cases.push(case);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.run.jsonl");
    Writer::create(&path, &header).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("is defined twice"));
}

#[test]
fn a_file_is_never_written_over() {
    let (_folder, path, _writer) = open_file();
    let error = Writer::create(&path, &header()).unwrap_err().to_string();
    assert!(error.contains("exists"), "{error}");
}

#[test]
fn a_file_that_could_not_be_started_is_not_left_behind() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.run.jsonl");
    let no_locks = |_: &fs::File| Err(std::io::Error::other("no locks here"));
    let error = Writer::create_with(&path, &header(), no_locks).unwrap_err().to_string();
    assert!(error.contains("no locks here"), "{error}");
    assert!(!path.exists(), "the next try would find it in its way");
}

#[test]
fn a_file_is_claimed_by_one_at_a_time() {
    let (_folder, path, writer) = open_file();
    let error = Claim::take(&path).unwrap_err().to_string();
    assert!(error.contains("another sizeup process is writing it"), "{error}");
    drop(writer);
    let claim = Claim::take(&path).unwrap();
    assert!(Claim::take(&path).is_err(), "it is claimed while it is read");
    drop(claim);
}

#[test]
fn other_files_are_refused_with_the_reason() {
    assert!(refusal(b"").contains("it is empty"));
    assert!(refusal(b"hello\n").contains("not JSON"));
    assert!(refusal(b"{}\n").contains("not a header"));
    assert!(refusal(&[0x7f, b'E', b'L', b'F', 0, 0xff, b'\n', 1, 2]).contains("is not a run file"));
    assert!(refusal(&[0; 70_000]).contains("is not a run file"));
}

#[test]
fn other_major_formats_are_refused_and_a_newer_minor_one_is_not() {
    let ours = format!("\"{}.{}\"", FORMAT.0, FORMAT.1);
    let newer = |format: &str| changed(|text| text.replacen(&ours, &format!("{format:?}"), 1));
    assert!(refusal(newer("3.0").as_bytes()).contains("Use a newer sizeup"));
    assert!(refusal(newer("1.8").as_bytes()).contains("this sizeup reads 2.x: measure again"));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, newer(&format!("{}.{}", FORMAT.0, FORMAT.1 + 1))).unwrap();
    assert_eq!(read(&path).unwrap().samples.len(), 2);
}

#[test]
fn unknown_fields_are_ignored_and_unknown_records_are_counted() {
    let text = changed(|text| {
        text.replace("\"ops\":5", "\"ops\":5,\"colour\":\"red\"") + "{\"record\":\"song\"}\n"
    });
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, text).unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.samples.len(), 2);
    assert!(run.notes.contains(&Note::Unknown { records: 1 }));
}

#[test]
fn impossible_values_are_refused_with_their_line() {
    for (from, to, what) in [
        ("\"ops\":5", "\"ops\":0", "line 3: thread 0: 0 ops"),
        ("\"ops\":5", "\"ops\":-5", "line 3"),
        (
            "\"steal_ticks\":0",
            "\"steal_ticks\":1,\"idle_ticks\":6,\"total_ticks\":6",
            "line 3: its CPUs were idle for 6 and stolen for 1 of 6 ticks",
        ),
        (
            "\"elapsed_ns\":50000000,\"cpu",
            "\"elapsed_ns\":50000001,\"cpu",
            "within a sample of 50000000 ns",
        ),
        ("\"start_ns\":10000000", "\"start_ns\":60000000", "ends before it starts"),
        (
            "\"launch\":0,\"case\":0,\"round\"",
            "\"launch\":1,\"case\":0,\"round\"",
            "has another case",
        ),
        ("\"clock_ns\":1", "\"clock_ns\":0", "a pulse has no"),
        (
            "\"cpu_ns\":25000000",
            "\"cpu_ns\":10000000000",
            "line 3: thread 0 used 10000000000 ns of CPU time",
        ),
        ("\"round\":0", "\"round\":18446744073709551615", "line 3: round 18446744073709551615"),
        ("\"launch\":0", "\"launch\":18446744073709551615", "line 2: launch 18446744073709551615"),
        (
            "{\"record\":\"sample\"",
            "{\"record\":\"verified\",\"launch\":1,\"at_ns\":8000,\"verified\":\"\"}\n{\"record\":\"sample\"",
            "line 3: unknown launch 1",
        ),
        ("\"case\":0,\"at_ns\"", "\"case\":3,\"at_ns\"", "line 2: unknown case 3"),
        ("\"threads\":1", "\"threads\":0", "line 1: case 0 has no thread"),
        (
            "{\"record\":\"sample\"",
            "{\"record\":\"activity\",\"since_ns\":9,\"at_ns\":8,\"took_ns\":1,\"cpus\":[]}\n{\"record\":\"sample\"",
            "line 3: activity that ends before it starts",
        ),
        ("\"clock_cycles_per_op\":3", "\"clock_cycles_per_op\":0", "line 2: the clock pulse"),
    ] {
        let error = refusal(changed(|text| text.replacen(from, to, 1)).as_bytes());
        assert!(error.contains(what), "{to}: {error}");
    }
}

#[test]
fn only_imports_have_other_units_than_ops_and_unknown_units_are_refused() {
    let measured = refusal(
        changed(|text| text.replacen("\"inputs\":{}", "\"inputs\":{},\"unit\":\"bytes/s\"", 1))
            .as_bytes(),
    );
    assert!(measured.contains("line 1: zip/zip is in bytes/s"), "{measured}");
    let import =
        fixture::imported("m", &catalog::Unit::Bytes, &[("a/x", ThreadSpec::All, 4, &[1.0])]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    let mut writer = Writer::create(&path, &import.header).unwrap();
    writer.write(&Record::Imported(import.imported[0].clone())).unwrap();
    writer.close(Ended::Precision, 2_000).unwrap();
    assert_eq!(read(&path).unwrap().unit_of(0), &catalog::Unit::Bytes);
    let text = fs::read_to_string(&path).unwrap();
    let nonsense = refusal(text.replacen("bytes/s", "furlongs per fortnight", 1).as_bytes());
    assert!(nonsense.contains("the unit \"furlongs per fortnight\" is unknown"), "{nonsense}");
}

proptest! {
    #[test]
    fn no_damage_makes_the_reader_panic(at in 0.0..1.0_f64, byte in any::<u8>(), cut in 0.0..1.0_f64) {
        let mut bytes = changed(|text| text).into_bytes();
        let position = (at * bytes.len() as f64) as usize;
        bytes[position] = byte;
        bytes.truncate((cut * 2.0 * bytes.len() as f64) as usize);
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, bytes).unwrap();
        if let Ok(run) = read(&path) {
            let _ = run.notes.iter().map(ToString::to_string).collect::<Vec<_>>();
        }
    }
}

#[test]
fn facts_that_a_user_could_not_have_given_are_refused() {
    let with = |facts: String| {
        changed(|text| {
            text.replacen("\"machine\":{", &format!("\"facts\":{facts},\"machine\":{{"), 1)
        })
    };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, with("{\"tdp_w\":\"250\"}".to_owned())).unwrap();
    assert_eq!(read(&path).unwrap().header.facts["tdp_w"], "250");
    let many: Vec<String> = (0..65).map(|number| format!("\"{number}\":\"x\"")).collect();
    for (facts, why) in [
        ("{\"a\":\"\\u001b[2J\"}".to_owned(), "its value must have"),
        ("{\"\":\"x\"}".to_owned(), "its key must have"),
        (format!("{{\"{}\":\"x\"}}", "k".repeat(41)), "its key must have"),
        (format!("{{{}}}", many.join(",")), "65 facts are given"),
        ("[]".to_owned(), "the header: "),
    ] {
        let refused = refusal(with(facts).as_bytes());
        assert!(refused.contains("line 1: ") && refused.contains(why), "{refused}");
    }
}
