use super::super::{PowerCommand, TelemetryAsk};
use super::*;
use machine::fixture::Fixture;
use std::time::{Duration, Instant};

/// All sensors of a recorded machine.
fn ask(fixture: &Fixture) -> TelemetryAsk {
    TelemetryAsk { root: Some(fixture.root().to_owned()), ..TelemetryAsk::default() }
}

/// Reads until there are records for which this holds.
fn until(sources: &Sources, is_enough: impl Fn(&[Record]) -> bool) -> Vec<Record> {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut all = Vec::new();
    while !is_enough(&all) {
        assert!(Instant::now() < deadline, "{all:?}");
        std::thread::sleep(Duration::from_millis(10));
        all.extend(sources.records());
    }
    all
}

fn readings<'a>(records: &'a [Record], source: &str) -> Vec<&'a Reading> {
    let reading_of = |record: &'a Record| match record {
        Record::Reading(reading) => Some(reading),
        _ => None,
    };
    records.iter().filter_map(reading_of).filter(|reading| reading.source == source).collect()
}

fn state_of<'a>(records: &'a [Record], source: &str) -> Option<&'a Fact<Vec<String>>> {
    records.iter().rev().find_map(|record| match record {
        Record::Telemetry(telemetry) if telemetry.source == source => Some(&telemetry.readings),
        _ => None,
    })
}

#[test]
fn every_source_is_told_with_its_channels_or_why_it_has_none() {
    let fixture = Fixture::named("xeon-2s");
    let ask = ask(&fixture);
    let sources = Sources::start(&ask, Vec::new());
    let records = until(&sources, |all| !readings(all, "load1").is_empty());
    let rapl = state_of(&records, "rapl").and_then(Fact::known).expect("RAPL");
    assert!(rapl.contains(&"energy_j.rapl-package-1".to_owned()), "{rapl:?}");
    assert_eq!(readings(&records, "temperature_c.coretemp-package-id-1")[0].value, 57.0);
    let no_fan = state_of(&records, "fan").and_then(Fact::reason);
    assert_eq!(no_fan, Some("no hardware sensor shows a fan"));
    assert!(sources.idle_time(None, Duration::from_secs(60)) > Duration::ZERO);
}

#[test]
fn counters_are_read_between_samples_and_at_intervals_as_one() {
    let fixture = Fixture::named("epyc-bare-metal");
    let ask = ask(&fixture);
    let sources = Sources::start(&ask, Vec::new());
    let name = "energy_j.rapl-package-0";
    until(&sources, |all| !readings(all, name).is_empty());
    let path = fixture.root().join("sys/class/powercap/intel-rapl:0/energy_uj");
    // 65,532 J is the range: it wraps.
    std::fs::write(path, "1000000\n").unwrap();
    let energy = sources.energy();
    let package = energy.iter().find(|reading| reading.source == name).expect("a package");
    assert!((package.value - (65_532.610_987 - 31_337.0 + 1.0)).abs() < 1e-3, "{package:?}");
    let later = until(&sources, |all| {
        readings(all, name).last().is_some_and(|reading| reading.value > 1.0)
    });
    assert!(readings(&later, name).iter().all(|reading| reading.value <= package.value));
}

#[test]
fn a_source_that_breaks_is_told_once_and_the_others_go_on() {
    let fixture = Fixture::named("altra");
    let ask =
        TelemetryAsk { commands: vec![PowerCommand::Own("exit 1".to_owned())], ..ask(&fixture) };
    let sources = Sources::start(&ask, vec![u32::MAX]);
    let records = until(&sources, |all| {
        state_of(all, "power_w.command").is_some()
            && readings(all, "telemetry_cpu_s.sensors").len() == 1
    });
    let why = state_of(&records, "power_w.command").and_then(Fact::reason);
    assert_eq!(why, Some("/bin/sh ended with exit status 1"));
    assert_eq!(readings(&records, "power_w.apm-xgene-cpu-power")[0].value, 58.73);
}

#[test]
fn a_source_that_works_again_is_no_longer_absent() {
    let fixture = Fixture::named("altra");
    let path = fixture.root().join("sys/class/hwmon/hwmon0/power1_input");
    let sources = Sources::start(&ask(&fixture), Vec::new());
    let name = "power_w.apm-xgene-cpu-power";
    until(&sources, |all| !readings(all, name).is_empty());
    std::fs::write(&path, "broken\n").unwrap();
    until(&sources, |all| state_of(all, name).is_some_and(|state| state.reason().is_some()));
    std::fs::write(&path, "60000000\n").unwrap();
    let later =
        until(&sources, |all| state_of(all, name).is_some_and(|state| state.known().is_some()));
    assert_eq!(readings(&later, name).last().map(|reading| reading.value), Some(60.0));
}

#[test]
fn a_command_that_runs_is_known_until_it_has_ended() {
    let commands = vec![PowerCommand::Own("sleep 1000".to_owned())];
    let sources = Sources::start(&TelemetryAsk { commands, ..TelemetryAsk::default() }, Vec::new());
    let deadline = Instant::now() + Duration::from_secs(60);
    while sources.pids().is_empty() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    let over = Arc::clone(&sources.over);
    drop(sources);
    assert!(over.pids().is_empty());
}

#[test]
fn nothing_is_read_unless_it_is_asked_for_and_a_command_that_hangs_ends_with_the_run() {
    let sources = Sources::start(&TelemetryAsk::default(), Vec::new());
    let minute = Duration::from_secs(60);
    assert_eq!((sources.records().count(), sources.idle_time(None, minute)), (0, Duration::ZERO));
    assert_eq!(sources.idle_time(Some(minute), minute), minute);
    let hangs = vec![PowerCommand::Own("sleep 1000".to_owned())];
    let ask = TelemetryAsk { commands: hangs, ..TelemetryAsk::default() };
    let sources = Sources::start(&ask, Vec::new());
    assert_eq!(sources.idle_time(None, minute), Duration::from_secs(6));
    drop(sources);
}

#[test]
fn telemetry_is_kept_from_the_cpus_of_rows_on_few_threads() {
    let mut plan = record::fixture::header().plan;
    plan.cases.push(plan.cases[0].clone());
    plan.cases[1].cpus = vec![0, 1, 2, 3];
    assert_eq!(least_needed(&plan, &[0, 1, 2, 3]), [1, 2, 3]);
    plan.cases[1].cpus = vec![1, 2];
    assert_eq!(least_needed(&plan, &[0, 1, 2]), [] as [u32; 0]);
}
