//! Forged runs: files with a correct digest whose records were never measured.

use super::honest::{Honest, honest, read_back, refused};
use super::*;
use catalog::NamedMix;

/// Why a file is refused in which a record is another.
#[track_caller]
fn lie(line: usize, change: impl Fn(&mut Record)) -> String {
    let mut run = honest();
    change(&mut run.records[line - 1]);
    refused(&run)
}

fn sample_of(record: &mut Record) -> &mut Sample {
    let Record::Sample(sample) = record else { panic!("{record:?}") };
    sample
}

fn shift(sample: &mut Sample, start_ns: u64) {
    let length_ns = sample.length_ns();
    (sample.measured.start_ns, sample.measured.end_ns) = (start_ns, start_ns + length_ns);
}

#[test]
fn a_launch_gives_no_more_samples_than_planned_and_none_after_its_end() {
    let mut run = honest();
    for _ in 0..2 {
        run.sample(0);
    }
    let last = run.records.len();
    let Some(Record::Sample(sample)) = run.records.last().cloned() else { unreachable!() };
    let again = |run: &mut Honest| {
        run.now_ns += MS;
        let mut sample = sample.clone();
        shift(&mut sample, run.now_ns);
        run.now_ns = sample.end_ns;
        run.records.push(Record::Sample(sample));
    };
    again(&mut run);
    let read_back = refused(&run);
    let line = last + 1;
    assert_eq!(read_back, format!("line {line}: launch 0 has more than 4 samples"));
    run.records.truncate(last - 1);
    run.verify(0);
    again(&mut run);
    let read_back = refused(&run);
    assert_eq!(read_back, format!("line {line}: launch 0 has ended but a later sample names it"));
}

#[test]
fn a_launch_ends_with_its_successor_its_case_and_its_run() {
    type End = fn(&mut Honest);
    let ends: [End; 3] = [
        |run| {
            run.live[0] = None;
            run.launch(0);
        },
        |run| run.fail(0),
        |run| run.resume(run.now_ns + 5),
    ];
    for end in ends {
        let mut run = honest();
        end(&mut run);
        run.live[0] = Some(0);
        run.sample(0);
        let read_back = refused(&run);
        assert!(
            read_back.ends_with("launch 0 has ended but a later sample names it"),
            "{read_back}"
        );
        run.records.pop();
        run.verify(0);
        assert!(refused(&run).contains("launch 0 has ended"));
    }
}

#[test]
fn a_case_that_has_an_outcome_has_no_other_and_no_launch() {
    let mut run = honest();
    run.fail(0);
    run.has_outcome[0] = false;
    run.fail(0);
    assert!(refused(&run).ends_with("case 0 already has an outcome"));
    run.records.pop();
    run.has_outcome[0] = false;
    run.launch(0);
    let read_back = refused(&run);
    assert!(
        read_back.ends_with("launch 2 belongs to case 0, which already has an outcome"),
        "{read_back}"
    );
}

#[test]
fn what_is_read_of_the_machine_has_its_time_and_a_meter_that_others_read_its_own() {
    let early = lie(6, |r| {
        let Record::Reading(reading) = r else { unreachable!() };
        reading.at_ns = 10;
    });
    assert!(early.starts_with("line 6: a reading is at 10 ns, before the start"), "{early}");
    let twice = lie(11, |r| {
        let Record::Activity(activity) = r else { unreachable!() };
        activity.since_ns = 1_000;
    });
    assert!(twice.starts_with("line 11: activity since 1000 ns overlaps"), "{twice}");
    // From another clock, and brought in later.
    for at_ns in [0, u64::MAX] {
        let mut run = honest();
        let source = "power_w.wall".to_owned();
        run.records.push(Record::Reading(Reading { at_ns, source, value: 1.0 }));
        let read = read_back(&run.records, run.now_ns).unwrap();
        assert_eq!(read.last_ns, run.now_ns);
    }
}

#[test]
fn readings_may_be_of_a_time_before_the_record_before_them_but_idle_time_is_not() {
    let mut run = honest();
    let (start_ns, now_ns) = (1_000, run.now_ns);
    let source = "temperature_c.x".to_owned();
    let readings = machine::Fact::Known(vec![source.clone()]);
    let telemetry = Telemetry { at_ns: start_ns, source: "fan".to_owned(), readings };
    run.records.push(Record::Telemetry(telemetry));
    run.records.push(Record::Reading(Reading { at_ns: start_ns, source, value: 40.0 }));
    run.records.push(Record::Idle(Idle { start_ns, end_ns: now_ns }));
    let read = read_back(&run.records, now_ns).expect("an honest run");
    assert_eq!((read.telemetry.len(), read.idles.len()), (1, 1));
    for (start_ns, end_ns) in [(10, now_ns), (now_ns, start_ns), (start_ns, start_ns)] {
        let mut run = honest();
        run.records.push(Record::Idle(Idle { start_ns, end_ns }));
        let refused = read_back(&run.records, now_ns).unwrap_err();
        assert!(refused.contains("idle"), "{refused}");
    }
}

#[test]
fn a_run_does_not_end_before_its_samples_and_a_complete_one_does_not_go_on() {
    let read_back = read_back(&honest().records, 10 * MS).unwrap_err();
    assert!(
        read_back.starts_with("line 12: the run ends at 10000000 ns, but the previous record"),
        "{read_back}"
    );
    let mut run = honest();
    let (at_ns, ended) = (run.now_ns, Ended::Budget);
    let sha256 = String::new();
    run.records.push(Record::Close(Close { at_ns, ended, sha256 }));
    run.resume(at_ns + 1);
    let read_back = refused(&run);
    assert!(read_back.ends_with("the run continues after it was complete"), "{read_back}");
}

#[test]
fn six_samples_twenty_times_are_six_samples() {
    let mut run = honest();
    for _ in 0..6 {
        run.sample(0);
    }
    let is_sample = |record: &&Record| matches!(record, Record::Sample(w) if w.case == 0);
    let six: Vec<Record> = run.records.iter().filter(is_sample).rev().take(6).cloned().collect();
    for copy in six.iter().cycle().take(19 * 6) {
        if run.samples[0] == 4 {
            run.launch(0);
        }
        let mut copy = copy.clone();
        let sample = sample_of(&mut copy);
        shift(sample, run.now_ns + MS);
        (sample.launch, sample.round) = (run.live[0].unwrap(), run.round);
        run.samples[0] += 1;
        run.now_ns = sample.end_ns;
        run.round += 1;
        run.records.push(copy);
    }
    let read_back = refused(&run);
    let says = "5 of 13 samples of case 0 have the same figures as others to the nanosecond";
    assert!(read_back.ends_with(says), "{read_back}");
}

#[test]
fn figures_are_measured_or_imported_and_not_both() {
    let figure = Record::Imported(Imported { case: 0, per_s: 1.0, bytes_per_op: None });
    let mut run = honest();
    run.records.insert(3, figure.clone());
    let read_back = refused(&run);
    assert_eq!(read_back, "line 4: an imported figure in a measured run");
    let imported = lie(1, |r| {
        let Record::Header(header) = r else { unreachable!() };
        let (tool, sources, lacks) = ("a table".to_owned(), Vec::new(), Vec::new());
        header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    });
    assert_eq!(imported, "line 2: a launch in a run that a table measured");
}

/// The first two cases as a mix that was measured at once for so long.
fn mixed(run: &mut Honest, length_ns: u64) {
    let Record::Header(header) = &mut run.records[0] else { unreachable!() };
    header.plan.cases.truncate(2);
    header.plan.cases[1].workload = "zip/other".to_owned();
    let definition = header.workloads["zip/zip"].clone();
    header.workloads.insert("zip/other".to_owned(), definition);
    let mix = "[[demand]]\nworkload = \"zip/zip\"\nrate = \"1 ops/s\"\n\
               [[demand]]\nworkload = \"zip/other\"\nrate = \"1 ops/s\"\n";
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("mix.toml"), mix).unwrap();
    header.plan.mix = Some(NamedMix::read(&folder.path().join("mix.toml")).unwrap().mix);
    run.now_ns += MS;
    let share = |case: usize, run: &mut Honest| {
        let measured = run.measured(case, length_ns);
        MixedShare { launch: run.live[case].unwrap(), case, nice: 0, measured }
    };
    let shares = vec![share(0, run), share(1, run)];
    run.now_ns += length_ns;
    run.records.push(Record::Mixed(Mixed { round: run.round, shares }));
}

#[test]
fn only_the_work_of_a_mix_is_measured_at_the_same_time_and_for_a_second() {
    let mut run = honest();
    mixed(&mut run, Mixed::SAMPLE_NS);
    assert_eq!(read_back(&run.records, run.now_ns).unwrap().mixed.len(), 1);
    let mut without = Honest { records: run.records.clone(), ..honest() };
    let Record::Header(header) = &mut without.records[0] else { unreachable!() };
    header.plan.mix = None;
    let read_back = read_back(&without.records, run.now_ns).unwrap_err();
    assert_eq!(read_back, "line 12: a mix record, but the plan has no mix");
    let mut run = honest();
    mixed(&mut run, Mixed::SAMPLE_NS - 1);
    let read_back = refused(&run);
    assert_eq!(read_back, "line 12: a thread worked 999999999 ns; at least 1000000000 required");
    let mut run = honest();
    mixed(&mut run, Mixed::SAMPLE_NS);
    let Some(Record::Mixed(mixed)) = run.records.last_mut() else { unreachable!() };
    mixed.shares[1].measured.start_ns -= 2 * MS;
    let read_back = refused(&run);
    assert!(read_back.starts_with("line 12: the sample starts at"), "{read_back}");
}
