//! Machines of seven kinds, as their sensors are found and read.

use super::*;
use crate::fixture::Fixture;

/// A machine's sensors, and the files that they read.
struct Found {
    fixture: Fixture,
    all: Vec<Sensors>,
}

fn found(name: &str) -> Found {
    let fixture = Fixture::named(name);
    Found { all: Sensors::find(fixture.root()), fixture }
}

impl Found {
    fn source(&mut self, source: &str) -> &mut Sensors {
        self.all.iter_mut().find(|sensors| sensors.source == source).expect("a source")
    }

    /// All readings of a source, as text.
    fn read(&mut self, source: &str) -> Vec<String> {
        let in_words =
            |(name, value): (&str, Result<f64, String>)| format!("{name} {}", value.unwrap());
        self.source(source).read().into_iter().map(in_words).collect()
    }

    fn why_not(&mut self, source: &str) -> String {
        self.source(source).channels.reason().expect("a reason").to_owned()
    }

    fn write(&self, path: &str, content: &str) {
        std::fs::write(self.fixture.root().join(path), content).unwrap();
    }
}

#[test]
fn two_sockets_have_energy_counters_of_each_and_of_their_memory() {
    let mut xeon = found("xeon-2s");
    let counters = [
        "energy_j.rapl-package-0 0",
        "energy_j.rapl-dram-0 0",
        "energy_j.rapl-package-1 0",
        "energy_j.rapl-dram-1 0",
    ];
    assert_eq!(xeon.read("rapl"), counters);
    assert_eq!(xeon.read("hwmon-power"), ["power_w.power-meter-1 412"]);
    let temperatures = [
        "temperature_c.coretemp-package-id-0 54",
        "temperature_c.coretemp-core-0 51",
        "temperature_c.coretemp-package-id-1 57",
        "temperature_c.coretemp-core-0-2 55",
    ];
    assert_eq!(xeon.read("hwmon-temperature"), temperatures);
    assert_eq!(xeon.why_not("fan"), "no hardware sensor shows a fan");
    let waited = ["pressure_us.cpu 1234567", "pressure_us.memory 89", "pressure_us.io 4500"];
    assert_eq!(xeon.read("pressure"), waited);
    let clocks = xeon.read("cpufreq");
    assert_eq!((clocks.len(), &*clocks[15]), (16, "frequency_khz.cpu15 3300000"));
}

#[test]
fn a_counter_that_wraps_between_two_readings_shows_the_energy_between_them() {
    let mut xeon = found("xeon-2s");
    xeon.read("rapl");
    xeon.write("sys/class/powercap/intel-rapl:0/energy_uj", "1671150\n");
    assert_eq!(xeon.read("rapl")[0], "energy_j.rapl-package-0 2");
}

#[test]
fn an_altra_shows_its_watts_and_no_counter() {
    let mut altra = found("altra");
    let watts = ["power_w.apm-xgene-cpu-power 58.73", "power_w.apm-xgene-io-power 11.24"];
    assert_eq!(altra.read("hwmon-power"), watts);
    assert!(altra.source("hwmon-power").is_meter());
    assert!(altra.why_not("rapl").contains("on Arm"));
    assert_eq!(altra.read("thermal-zone"), ["temperature_c.zone-thermal-zone0 41"]);
    assert!(altra.why_not("pressure").contains("CONFIG_PSI"));
}

#[test]
fn an_epyc_has_one_counter_a_socket_and_one_of_its_cores() {
    let mut epyc = found("epyc-bare-metal");
    assert_eq!(epyc.read("rapl"), ["energy_j.rapl-package-0 0", "energy_j.rapl-core-0 0"]);
    assert_eq!(epyc.read("fan"), ["fan_rpm.nct6798-1 5400", "fan_rpm.nct6798-2 0"]);
    let tctl = "temperature_c.k10temp-tctl 61.375";
    assert_eq!(epyc.read("hwmon-temperature")[0], tctl);
    assert!(epyc.why_not("hwmon-power").contains("no hardware sensor shows power"));
}

#[test]
fn a_laptop_has_a_meter_of_its_board_and_its_battery() {
    let mut laptop = found("hybrid-laptop");
    let counters = laptop.read("rapl");
    let names: Vec<&str> =
        counters.iter().filter_map(|counter| counter.split(' ').next()).collect();
    let zones = ["rapl-package-0", "rapl-core-0", "rapl-uncore-0", "rapl-psys"];
    assert_eq!(names, zones.map(|zone| format!("energy_j.{zone}")));
    assert_eq!(laptop.read("hwmon-power"), ["power_w.bat0-1 7.45"]);
    let clocks = laptop.read("cpufreq");
    assert_eq!(
        (&*clocks[3], &*clocks[4]),
        ("frequency_khz.cpu3 4200000", "frequency_khz.cpu4 3100000")
    );
}

#[test]
fn virtual_machines_and_containers_say_why_they_have_no_sensor() {
    for name in ["graviton3", "zen5-vm", "epyc-container"] {
        let mut vm = found(name);
        let why = "the kernel shows no RAPL zone here, as is usual in virtual machines, in containers and on Arm";
        assert_eq!(vm.why_not("rapl"), why, "{name}");
        assert!(vm.why_not("hwmon-power").starts_with("the kernel has no hardware sensors"));
        assert!(vm.why_not("cpufreq").contains("pulses measure the clock"));
        assert!(!vm.all.iter().any(Sensors::is_meter), "{name}");
    }
    let mut vm = found("zen5-vm");
    let counts = [
        "context_switches 7654321",
        "interrupts 123456",
        "page_faults 81920",
        "major_page_faults 12",
        "memory_available_bytes 24473600000",
    ];
    assert_eq!(vm.read("kernel"), counts);
    assert_eq!(vm.read("load"), ["load1 1.5"]);
}

#[test]
fn counters_that_only_root_may_read_say_what_to_set() {
    let fixture = Fixture::named("epyc-bare-metal");
    let path = fixture.root().join("sys/class/powercap/intel-rapl:0/energy_uj");
    // A folder where a file should be is as unreadable to root as a closed file is to others.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let all = Sensors::find(fixture.root());
    let why = Found { fixture, all }.why_not("rapl");
    assert!(
        why.starts_with("/sys/class/powercap/intel-rapl:0/energy_uj could not be read"),
        "{why}"
    );
    let closed = rapl::remedy("/sys/x is not readable by this user".to_owned());
    assert!(
        closed.contains("sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"),
        "{closed}"
    );
}

#[test]
fn a_channel_that_fails_later_says_so_and_the_others_go_on() {
    let mut altra = found("altra");
    for hostile in ["", "nan\n", "inf", "1e999", "-", "\u{1b}[2J", "12 13"] {
        altra.write("sys/class/hwmon/hwmon0/power1_input", hostile);
        let read = altra.source("hwmon-power").read();
        assert!(read[0].1.is_err() && read[1].1.is_ok(), "{hostile:?}: {read:?}");
    }
}

/// Writes both counters of a machine of two sockets again and again, until it is dropped.
struct Ticking {
    over: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ticking {
    fn start(root: &std::path::Path, start_uj: [u64; 2]) -> Self {
        let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (is_over, root) = (std::sync::Arc::clone(&over), root.to_owned());
        let write = move |step: u64| {
            for (zone, start) in start_uj.iter().enumerate() {
                let path = root.join(format!("sys/class/powercap/intel-rapl:{zone}/energy_uj"));
                let new = path.with_extension("new");
                std::fs::write(&new, format!("{}\n", start + step * 20_000)).unwrap();
                std::fs::rename(&new, &path).unwrap();
            }
        };
        write(0);
        let thread = std::thread::spawn(move || {
            for step in 1.. {
                if is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
                write(step);
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        Self { over, thread: Some(thread) }
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.over.store(true, std::sync::atomic::Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

#[test]
fn a_counter_that_two_zones_show_counts_once_and_two_counters_twice() {
    for (start_uj, expected) in [
        ([5_000_000_000, 5_000_000_000], vec!["energy_j.rapl-package-0"]),
        (
            [5_000_000_000, 5_900_000_000],
            vec!["energy_j.rapl-package-0", "energy_j.rapl-package-1"],
        ),
    ] {
        let fixture = Fixture::named("xeon-2s");
        let ticking = Ticking::start(fixture.root(), start_uj);
        let all = Sensors::find(fixture.root());
        drop(ticking);
        let rapl = all.iter().find(|sensors| sensors.source == "rapl").unwrap();
        let names: Vec<&str> =
            rapl.channels.known().unwrap().iter().map(|channel| channel.name.as_str()).collect();
        let packages: Vec<&str> =
            names.into_iter().filter(|name| name.contains("package")).collect();
        assert_eq!(packages, expected);
    }
}

#[test]
fn a_meter_that_shows_all_ones_shows_nothing() {
    let mut xeon = found("xeon-2s");
    for (text, is_power) in [("4294967295000", false), ("4294967295", false), ("412000000", true)] {
        xeon.write("sys/class/hwmon/hwmon2/power1_average", text);
        let read = xeon.source("hwmon-power").read();
        assert_eq!(read[0].1.is_ok(), is_power, "{text}: {read:?}");
    }
}
