//! Measurements of the machine itself.

use super::*;
use machine::{BatchTimes, ClockStep, CoreToCore, Fact, Ladder, LadderStep, Level};

fn machine_with(change: impl Fn(&mut BatchTimes, &mut ClockStep)) -> MeasuredMachine {
    let mut load = BatchTimes { ns: 90.0, quartiles_ns: [89.0, 92.0], batches: 9 };
    let mut clock = ClockStep {
        cores: 1,
        clock_hz: 3e9,
        quartiles_hz: [3e9; 2],
        cores_hz: [3e9; 2],
        samples: 7,
    };
    change(&mut load, &mut clock);
    MeasuredMachine {
        core_to_core: Fact::Known(CoreToCore::default()),
        ladder: Fact::Known(Ladder {
            cpu: 0,
            steps: vec![LadderStep {
                bytes: 1 << 27,
                level: Level::Memory,
                is_typical: true,
                load,
            }],
            large_page_share: None,
            largest_cache_bytes: None,
            other_nodes: Vec::new(),
            wanted_bytes: None,
        }),
        clocks: Fact::Known(vec![clock]),
        emulation: Fact::Known("none seen".to_owned()),
        activity: Activity { since_ns: 1_000, at_ns: 2_000, ..Activity::default() },
    }
}

/// A file in which the machine was measured, read again.
fn reread(measured: &MeasuredMachine) -> Result<Run, ReadError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.run.jsonl");
    let mut writer = Writer::create(&path, &header()).unwrap();
    writer.write(&Record::MeasuredMachine(Box::new(measured.clone()))).unwrap();
    for record in [launch(), sample(10 * MS)] {
        writer.write(&record).unwrap();
    }
    writer.close(Ended::Budget, CLOSED_NS).unwrap();
    read(&path)
}

#[test]
fn a_measured_machine_is_read_as_written_and_impossible_figures_are_refused() {
    let measured = machine_with(|_, _| {});
    assert_eq!(*reread(&measured).unwrap().measured_machine.unwrap(), measured);
    let refused = |change: fn(&mut BatchTimes, &mut ClockStep)| {
        reread(&machine_with(change)).unwrap_err().to_string()
    };
    assert!(refused(|load, _| load.ns = 0.0).contains("times of loads that no machine has"));
    assert!(refused(|load, _| load.quartiles_ns = [95.0, 96.0]).contains("times of loads"));
    assert!(refused(|_, clock| clock.clock_hz = 1e12).contains("clocks that no machine has"));
}
