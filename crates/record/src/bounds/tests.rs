use super::*;
use crate::fixture::served_sample;
use crate::fixture::two_threads as sample;

fn refusal(change: impl Fn(&mut Measured)) -> String {
    let mut sample = sample([0, 1]);
    change(&mut sample);
    lie(check_measured(&sample, 2))
}

/// The text of an expected lie.
#[track_caller]
pub(crate) fn lie(checked: Result<(), Flaw>) -> String {
    match checked {
        Err(Flaw::Lie(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_workers_give_is_taken() {
    assert_eq!(check_measured(&sample([0, 1]), 2), Ok(()));
    assert_eq!(check_measured(&sample([0, 0]), 2), Ok(()));
}

#[test]
fn no_pulse_is_silent_or_wider_than_any_core() {
    let pulse =
        |clock_ns, width_ns| Pulse { clock_ops: 600_000, clock_ns, width_ops: 6_000_000, width_ns };
    let refused = |pulse: Pulse| refusal(move |w| w.threads[1].pulse_after = pulse);
    assert!(refused(pulse(0, 400_000)).contains("no time"));
    assert!(refused(pulse(500_000, 1)).contains("more instructions per cycle than any core"));
}

#[test]
fn no_memory_pulse_is_empty_or_faster_than_any_memory() {
    let good = MemoryPulse { loads: 2_048, loads_ns: 300_000, lines: 16_384, lines_ns: 26_000 };
    let with = |pulse| {
        let mut sample = sample([0, 1]);
        sample.threads[1].memory_before = Some(good);
        sample.threads[1].memory_after = Some(pulse);
        check_measured(&sample, 2)
    };
    let alone = refusal(|sample| sample.threads[0].memory_before = Some(good));
    assert_eq!(alone, "thread 0: a memory pulse on one side of the sample only");
    let served = |sample: &mut Measured| {
        (sample.threads[0].memory_before, sample.threads[0].memory_after) =
            (Some(good), Some(good));
    };
    assert!(lie(self::served(served)).contains("where other processes do the work"));
    assert_eq!(with(good), Ok(()));
    for bad in [
        MemoryPulse { loads: 0, ..good },
        MemoryPulse { loads_ns: 0, ..good },
        MemoryPulse { lines: 0, ..good },
        MemoryPulse { lines_ns: 0, ..good },
        MemoryPulse { loads_ns: 102, ..good },
        MemoryPulse { lines_ns: 819, ..good },
    ] {
        assert!(lie(with(bad)).starts_with("thread 1: a memory pulse of "), "{bad:?}");
    }
}

fn served(change: impl Fn(&mut Measured)) -> Result<(), Flaw> {
    let mut sample = served_sample();
    change(&mut sample);
    check_measured(&sample, 2)
}

#[test]
fn only_where_processes_have_parts_a_cpu_may_have_no_ops_and_tell_no_counters() {
    assert_eq!(served(|_| ()), Ok(()));
    assert!(served(|w| w.parts.clear()).is_err());
    assert_eq!(lie(served(|w| w.threads[0].ops = 0)), "no thread has any ops");
    let untold = refusal(|w| w.threads[1].minor_faults = None);
    assert_eq!(untold, "thread 1: a counter is missing");
}

#[test]
fn latencies_are_of_what_was_due() {
    assert!(lie(served(|w| w.due_ops = Some(6))).contains("Some(6) were due"));
    assert!(served(|w| w.due_ops = None).is_err());
    let many = served(|w| (w.due_ops, w.latency) = (Some(u64::MAX), vec![(1, u64::MAX)]));
    assert!(lie(many).contains("were due in 50000000 ns"));
    assert!(served(|w| w.latency = vec![(100, 5), (101, 0)]).is_err());
    assert!(lie(served(|w| w.latency = vec![(101, 2), (100, 3)])).contains("not ascending"));
    assert!(served(|w| w.latency = vec![(100, u64::MAX), (101, 6)]).is_err());
    assert!(lie(served(|w| w.latency[1].0 = u64::MAX)).ends_with("more than a day"));
}

#[test]
fn no_sample_is_longer_than_a_day() {
    let endless = refusal(|w| {
        (w.start_ns, w.end_ns) = (0, u64::MAX);
        w.threads.iter_mut().for_each(|t| (t.elapsed_ns, t.cpu_ns) = (u64::MAX, Some(u64::MAX)));
    });
    assert!(endless.ends_with("more than a day"), "{endless}");
}
