//! The machine as a whole: it survives any input, keeps no secrets, and reads back.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::fixture::{self, Fixture, MACHINES};
use super::*;

/// Everything that is shown or stored of a machine, as one text.
fn all_output(machine: &Machine) -> String {
    let rows = machine.rows().into_iter();
    let table: String = rows.map(|row| format!("{} {}\n", row.label, row.value)).collect();
    let json = serde_json::to_string(machine).unwrap();
    format!("{table}{json}{}", machine.fingerprint())
}

#[test]
fn nothing_that_identifies_a_person_or_a_network_is_kept() {
    for (name, tree) in MACHINES {
        assert!(tree.contains("SECRET"), "{name} has no secret");
        let actual = all_output(&fixture::machine(name));
        for secret in ["SECRET", "02:5e:c2", "192.0.2.", "UUID", "session-", "job-42"] {
            assert!(!actual.contains(secret), "{name} reveals {secret}");
        }
    }
}

#[test]
fn reasons_do_not_name_the_folder_that_stands_for_the_root() {
    let empty = tempfile::tempdir().unwrap();
    let actual = all_output(&Machine::read(empty.path()));
    assert!(!actual.contains(empty.path().to_str().unwrap()));
}

#[test]
fn every_machine_reads_back_from_json_as_it_was() {
    for (name, _) in MACHINES {
        let machine = fixture::machine(name);
        let json = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine, "{name}");
    }
}

#[test]
fn a_record_with_unknown_fields_and_without_known_ones_still_reads() {
    let json = r#"{"gpu": {"model": "x"}, "cpu": {"model": "M", "stars": 5}, "memory": {}}"#;
    let machine: Machine = serde_json::from_str(json).unwrap();
    assert_eq!(machine.cpu.model.to_string(), "M");
    assert_eq!(machine.cpu.core.to_string(), "not available: not recorded");
    assert_eq!(machine.kernel.release.to_string(), "not available: not recorded");
}

#[test]
fn every_value_of_an_empty_machine_has_a_reason() {
    let empty = tempfile::tempdir().unwrap();
    let machine = Machine::read(empty.path());
    assert_eq!(machine.cpu.model.reason(), Some("/proc/cpuinfo does not exist"));
    for row in machine.rows() {
        let known = ["usable threads", "CPUs allowed", "container"].contains(&row.label.as_str());
        assert!(known || row.value.starts_with("not available: "), "{row:?}");
    }
}

#[test]
fn this_machine_is_read_with_its_cpus_and_memory() {
    let machine = Machine::read(Path::new("/"));
    assert!(!machine.topology.cpus.is_empty());
    assert!(machine.limits.usable_threads().threads >= 1);
    assert!(*machine.memory.total_bytes.known().unwrap() > 1 << 20);
    let page = *machine.memory.page_bytes.known().unwrap();
    assert!(page.is_power_of_two());
    assert_eq!(machine.cpu.architecture.to_string(), std::env::consts::ARCH);
}

/// Contents of a broken or hostile file: any bytes, or plausible words.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    const WORD: &str = "-?[0-9]{1,21}(\\.[0-9]+)?|0x[0-9a-f]{1,9}|nan|inf|max|[0-9]+-[0-9]+|\
        [A-Za-z_]{1,9}:?|/|\\.\\.";
    let words = proptest::collection::vec(WORD, 0..12);
    let text = words.prop_map(|words| words.join(" ").into_bytes());
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..400),
        text,
        "\\PC{0,200}".prop_map(String::into_bytes),
        Just(b"0-4294967295\n".to_vec()),
    ]
}

/// Puts files back as they were, also when the check in between panics.
struct Mend(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Drop for Mend {
    fn drop(&mut self) {
        for (path, content) in &self.0 {
            match content {
                Some(content) => fs::write(path, content).unwrap(),
                None => drop(fs::remove_file(path)),
            }
        }
    }
}

/// Runs a check on every machine with some of its files broken. The trees are unpacked once and
/// repaired after each case, as writing thousands of files takes far longer than reading them.
fn with_broken_files<S: Strategy>(
    broken: S,
    pick: impl Fn(&Fixture, S::Value) -> Vec<(String, Vec<u8>)>,
    check: impl Fn(&Fixture) -> Result<(), TestCaseError>,
) {
    for (_, tree) in MACHINES {
        let fixture = Fixture::unpack(tree);
        let mut runner = TestRunner::new(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(32)
        });
        let outcome = runner.run(&broken, |broken| {
            let broken = pick(&fixture, broken);
            let locate = |path: &String| fixture.locate(path);
            let whole = broken.iter().map(|(path, _)| (locate(path), fs::read(locate(path)).ok()));
            let _mend = Mend(whole.collect());
            for (path, content) in &broken {
                let file = locate(path);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, content).unwrap();
            }
            check(&fixture)
        });
        outcome.unwrap();
    }
}

#[test]
fn no_content_of_any_file_makes_reading_or_describing_panic() {
    let broken = proptest::collection::vec((any::<prop::sample::Index>(), contents()), 1..12);
    let pick = |fixture: &Fixture, broken: Vec<(prop::sample::Index, Vec<u8>)>| {
        let path = |index: prop::sample::Index| index.get(&fixture.paths).clone();
        broken.into_iter().map(|(index, content)| (path(index), content)).collect()
    };
    with_broken_files(broken, pick, |fixture| {
        let read = fixture.machine();
        let json = serde_json::to_string(&read).unwrap();
        prop_assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), read.clone());
        let escape_codes = all_output(&read).contains('\u{1b}');
        prop_assert!(!escape_codes);
        prop_assert!(read.rows().iter().all(|row| !row.value.is_empty()));
        let placed = place(&read.topology, &read.limits.allowed_cpus, Placement::Cores, 3);
        prop_assert!(placed.len() == 3 || read.limits.allowed_cpus.is_empty());
        for sensors in &mut Sensors::find(fixture.root()) {
            let read = sensors.read();
            let is_fine = |value: &Result<f64, String>| value.as_ref().is_ok_and(|v| v.is_finite());
            let is_plain = |name: &str| !name.contains(char::is_control);
            prop_assert!(read.iter().all(|(name, v)| is_plain(name) && (v.is_err() || is_fine(v))));
        }
        Ok(())
    });
}

#[test]
fn no_content_of_the_files_that_matter_most_makes_reading_panic() {
    const PATHS: [&str; 9] = [
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/cmdline",
        "/proc/self/cgroup",
        "/proc/self/limits",
        "/proc/self/mountinfo",
        "/proc/self/status",
        "/proc/stat",
        "/proc/loadavg",
    ];
    let all_alike = |_: &Fixture, (prefix, content): (String, Vec<u8>)| {
        let content = [prefix.as_bytes(), &content].concat();
        PATHS.map(|path| (path.to_owned(), content.clone())).into()
    };
    with_broken_files(("[a-zA-Z :_]{0,20}", contents()), all_alike, |fixture| {
        all_output(&fixture.machine());
        let _ = CpuTimes::read(fixture.root());
        let _ = LoadAverage::read(fixture.root());
        Ok(())
    });
}
