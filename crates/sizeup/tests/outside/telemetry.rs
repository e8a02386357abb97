//! Meters and sensors of a machine that has some: fakes, for the machines that test this have none.

use crate::support::{Answer, Place};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const RANGE_UJ: f64 = 262_143_328_850.0;
const WATTS: f64 = 80.0;

/// A folder like /sys with an energy counter that a thread moves.
struct FakeRapl {
    root: PathBuf,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl FakeRapl {
    /// `joules` tells what it has counted after so many seconds.
    fn start(place: &Place, joules: impl Fn(f64) -> f64 + Send + 'static) -> Self {
        let root = place.path("host");
        let zone = root.join("sys/class/powercap/intel-rapl:0");
        std::fs::create_dir_all(&zone).expect("a folder");
        std::fs::write(zone.join("name"), "package-0\n").expect("a file");
        std::fs::write(zone.join("max_energy_range_uj"), format!("{RANGE_UJ}\n")).expect("a file");
        // Soon to wrap around.
        let show = move |zone: &Path, joules: f64| {
            let uj = ((RANGE_UJ - 100e6) + joules * 1e6) % RANGE_UJ;
            let new = zone.join("new");
            std::fs::write(&new, format!("{uj:.0}\n")).expect("a file");
            std::fs::rename(new, zone.join("energy_uj")).expect("a file");
        };
        show(&zone, joules(0.0));
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            while !over.load(Ordering::Relaxed) {
                show(&zone, joules(start.elapsed().as_secs_f64()));
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        Self { root, is_over, thread: Some(thread) }
    }

    fn run(&self, place: &Place) -> Answer {
        let root = self.root.display().to_string();
        place.sizeup(&run_arguments(&[
            "--sensors",
            &root,
            "--sample-time",
            "50ms",
            "--budget",
            "6s",
            "--idle",
            "2s",
        ]))
    }
}

/// A run until its budget is used up.
fn run_arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let own =
        ["run", "--with", "own", "-o", "out.jsonl", "--workload", "none/fake", "--threads", "1"];
    [&own[..], &["--precision", "0.01%"], more].concat()
}

impl Drop for FakeRapl {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a thread that ends");
        }
    }
}

fn sensor<'a>(data: &'a Value, name: &str) -> &'a Value {
    let sensors = data["sensors"].as_array().expect("sensors");
    sensors.iter().find(|sensor| sensor["name"] == name).unwrap_or_else(|| panic!("{name}: {data}"))
}

fn show(place: &Place) -> Value {
    place.sizeup(&["show", "out.jsonl", "--json"]).data()
}

#[test]
fn a_counter_that_wraps_gives_rows_and_the_idle_machine_their_watts() {
    let place = Place::new().with_faults(&["none"], &[]);
    let rapl = FakeRapl::start(&place, |seconds| seconds * WATTS);
    let answer = rapl.run(&place);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let data = show(&place);
    assert_eq!(sensor(&data, "energy_j.rapl-package-0")["state"], "good", "{data}");
    let power = &data["power"][0];
    let near =
        |watts: &Value| watts.as_f64().is_some_and(|watts| (watts / WATTS - 1.0).abs() < 0.2);
    assert!(near(&power["watts"]) && near(&power["idle_watts"]), "{power}");
    assert!(near(&data["rows"][0]["powers"][0]["watts"]["centre"]), "{}", data["rows"]);
    let cost = place.sizeup(&["cost", "out.jsonl", "--details"]).prose();
    assert!(cost.contains("measured by rapl-packages") && cost.contains("idle W"), "{cost}");
    let details = place.sizeup(&["show", "out.jsonl", "--details"]).prose();
    let absent = "fan absent no hardware sensor shows a fan";
    assert!(details.contains("rapl-package-0 good") || details.contains(absent), "{details}");
}

#[test]
fn a_fifo_or_a_device_among_the_sensors_is_waited_for_by_nobody() {
    let place = Place::new().with_faults(&["none"], &[]);
    let root = place.path("host");
    let chip = root.join("sys/class/hwmon/hwmon0");
    std::fs::create_dir_all(&chip).expect("a folder");
    let fifo = |name: &str| mkfifo(&chip.join(name), Mode::S_IRWXU).expect("a FIFO");
    ["name", "temp1_input", "fan1_input"].into_iter().for_each(fifo);
    symlink("/dev/zero", chip.join("power1_input")).expect("a link");
    std::fs::write(chip.join("temp2_input"), "41000\n").expect("a file");
    let root = root.display().to_string();
    let answer = place.sizeup(&run_arguments(&["--sensors", &root, "--budget", "3s"]));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert_eq!(sensor(&show(&place), "temperature_c.-2")["state"], "good");
}

#[test]
fn a_counter_that_sticks_and_one_that_counts_nothing_are_told_and_give_no_watts() {
    type Joules = fn(f64) -> f64;
    let kinds: [(&str, &str, Joules); 2] = [
        ("stuck", "is stuck", |seconds| seconds.min(1.0) * WATTS),
        ("zero", "showed 0 W all the time", |_| 0.0),
    ];
    for (state, says, joules) in kinds {
        let place = Place::new().with_faults(&["none"], &[]);
        let rapl = FakeRapl::start(&place, joules);
        assert_eq!(rapl.run(&place).status, 0);
        let data = show(&place);
        assert_eq!(sensor(&data, "energy_j.rapl-package-0")["state"], state, "{data}");
        assert!(data["power"].is_null() && data["rows"][0]["powers"].is_null(), "{data}");
        let told = place.sizeup(&["-v", "show", "out.jsonl"]).prose();
        assert!(told.contains("power meter rapl-package-0") && told.contains(says), "{told}");
    }
}

#[test]
fn a_bmc_is_read_by_ipmitool_and_what_fails_is_told() {
    let place = Place::new().with_faults(&["none"], &[]);
    std::fs::create_dir(place.path("tools")).expect("a folder");
    let tool = place.write(
        "tools/ipmitool",
        "#!/bin/sh\n[ \"$*\" = 'dcmi power reading' ] || exit 9\n\
         echo \"    Instantaneous power reading:    $((200 + $(date +%N | cut -c1))) Watts\"\n",
    );
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let tools = place.path("tools").display().to_string();
    let path = format!("{tools}:{}", std::env::var("PATH").unwrap_or_default());
    let power = ["--power", "ipmi", "--power", "command=exit 5", "--idle", "0s", "--budget", "8s"];
    let arguments = run_arguments(&power);
    let run = place.command(&arguments).env("PATH", path).output().expect("sizeup can be started");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    let told = "--power command: /bin/sh ended with exit status 5; this run has no watts of it";
    assert!(said.contains(told) && !said.contains("--power ipmi"), "{said}");
    let data = show(&place);
    let bmc = sensor(&data, "power_w.bmc");
    assert!(bmc["readings"].as_u64().is_some_and(|readings| readings > 0), "{bmc}");
    assert!(bmc["range"][0].as_f64().is_some_and(|least| (200.0..210.0).contains(&least)), "{bmc}");
    let command = sensor(&data, "power_w.command");
    assert_eq!(command["state"], "absent");
    assert_eq!(command["reason"], "/bin/sh ended with exit status 5");
}

#[test]
fn nothing_is_read_where_that_is_asked_for_and_wrong_sources_are_refused() {
    let place = Place::new().with_faults(&["none"], &[]);
    let both = ["--no-telemetry", "--power", "ipmi"];
    place.sizeup(&run_arguments(&both)).refuses(2, "cannot be used with");
    place
        .sizeup(&run_arguments(&["--power", "redfish=http://bmc"]))
        .refuses(2, "expected ipmi, redfish=");
    place.sizeup(&run_arguments(&["--idle", "2h"])).refuses(2, "longer than an hour");
    let without = run_arguments(&["--no-telemetry", "--budget", "2s"]);
    assert_eq!(place.sizeup(&without).status, 0);
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    assert!(!text.contains("\"record\":\"reading\"") && !text.contains("\"telemetry\""), "{text}");
}

#[test]
fn a_row_loaded_without_pauses_settles_and_that_is_done_once() {
    let place = Place::new().with_faults(&["none"], &[]);
    let own = ["run", "--with", "own", "-o", "out.jsonl", "--workload", "none/fake"];
    let more = ["--threads", "1,all", "--budget", "3s", "--sustain", "3s", "--precision", "5%"];
    let run = place.sizeup(&[&own[..], &more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.prose().contains("Without pauses, all threads"), "{}", run.stdout);
    let data = show(&place);
    let rows = data["sustained"].as_array().expect("rows");
    assert_eq!(rows.len(), 1, "one thread is not loaded: {data}");
    let settled = rows[0]["settled"]["centre"].as_f64().expect("a figure");
    assert!(
        settled > 0.0 && rows[0]["elapsed_s"].as_f64().is_some_and(|elapsed_s| elapsed_s < 60.0),
        "{data}"
    );
    let again = place.sizeup(&["run", "--with", "own", "--resume", "out.jsonl"]);
    assert!(again.stderr.contains("already complete"), "{}", again.stderr);
    place.sizeup(&[&own[..], &["--sustain", "1ms"]].concat()).refuses(2, "is not between");
}

#[test]
fn a_power_command_is_no_orphan_of_a_worker_that_failed() {
    let place = Place::new().with_faults(&["none", "operation-failed"], &[]);
    let slow = [
        "--power",
        "command=sleep 2; echo 50",
        "--workload",
        "operation-failed/fake",
        "--budget",
        "8s",
    ];
    // Rows fail while the command runs: what they left behind is ended, and it is not.
    place.sizeup(&run_arguments(&slow));
    let command = &show(&place);
    let command = sensor(command, "power_w.command");
    assert!(command["readings"].as_u64() > Some(0), "{command}");
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let mut failures = text.lines().filter(|line| {
        line.contains("\"source\":\"power_w.command\"") && line.contains("not_available")
    });
    assert_eq!(failures.next(), None);
}
