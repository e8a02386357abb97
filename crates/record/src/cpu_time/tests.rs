use super::super::bounds::check_measured;
use super::super::bounds::tests::lie;
use super::super::fixture::{served_sample, two_threads};
use super::*;
use crate::PartSample;
use proptest::prelude::*;

const SAMPLE_NS: u64 = 50_000_000;

fn checked(change: impl Fn(&mut Measured)) -> Result<(), Flaw> {
    let mut sample = two_threads([0, 1]);
    change(&mut sample);
    check_measured(&sample, 2)
}

#[track_caller]
fn stray(checked: Result<(), Flaw>) -> String {
    match checked {
        Err(Flaw::Stray(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nobody_has_more_cpu_time_than_there_was_while_it_was_read() {
    let thread = stray(checked(|w| w.threads[1].cpu_ns = Some(92_000_000)));
    assert_eq!(
        thread,
        "thread 1 used 92000000 ns of CPU time, but only 50000000 ns were available"
    );
    let process = stray(checked(|w| w.process_cpu_ns = 163_000_000));
    assert_eq!(
        process,
        "the process used 163000000 ns of CPU time, but only 100000000 ns were available"
    );
    let together = stray(checked(|w| {
        w.threads.iter_mut().for_each(|t| (t.cpu, t.cpu_ns) = (0, Some(SAMPLE_NS)));
    }));
    assert_eq!(
        together,
        "all threads used 100000000 ns of CPU time, but only 50000000 ns were available"
    );
}

#[test]
fn a_tick_may_count_what_a_thread_did_before_its_sample_as_kernel_time() {
    assert_eq!(checked(|w| w.threads[1].system_ns = Some(2 * SAMPLE_NS)), Ok(()));
}

#[test]
fn more_than_trouble_of_the_machine_explains_is_a_lie_at_once() {
    for change in [
        |w: &mut Measured| w.threads[0].cpu_ns = Some(10_000_000_000),
        |w: &mut Measured| w.threads[0].system_ns = Some(10_000_000_000),
        |w: &mut Measured| w.process_cpu_ns = 10_000_000_000,
        |w: &mut Measured| w.threads[0].cpu_elapsed_ns = Some(SAMPLE_NS - 1),
    ] {
        lie(checked(change));
    }
    let part = |change: fn(&mut PartSample)| {
        let mut sample = served_sample();
        change(&mut sample.parts[1]);
        check_measured(&sample, 2)
    };
    assert!(lie(part(|p| p.cpu_ns = 10_000_000_000)).starts_with("part 1 used 10000000000 ns"));
    assert!(
        stray(part(|p| p.cpu_ns = 92_000_000)).ends_with("but only 50000000 ns were available")
    );
    assert_eq!(lie(part(|p| p.cpu_count = 0)), "part 1: 0 CPUs for 50000000 ns");
}

#[test]
fn collections_stop_a_thread_for_no_longer_than_it_was_there() {
    assert_eq!(checked(|w| w.threads[0].gc_ns = Some(SAMPLE_NS)), Ok(()));
    assert_eq!(
        stray(checked(|w| w.threads[1].gc_ns = Some(92_000_000))),
        "thread 1 used 92000000 ns for collections, but only 50000000 ns were available"
    );
    lie(checked(|w| w.threads[1].gc_ns = Some(10_000_000_000)));
    lie(checked(|w| w.threads[1].gc_ns = Some(u64::MAX)));
}

#[test]
fn compilers_may_end_what_they_began_before_the_sample_and_no_more() {
    assert_eq!(checked(|w| w.threads[0].jit_ns = Some(LONGEST_COMPILATION_NS)), Ok(()));
    let beyond = |ns| checked(move |w| w.threads[0].jit_ns = Some(LONGEST_COMPILATION_NS + ns));
    stray(beyond(1_000_000_000));
    assert!(lie(beyond(10_000_000_000)).contains("for compilation"));
    lie(checked(|w| w.threads[1].jit_ns = Some(u64::MAX)));
}

#[test]
fn other_processes_have_no_runtime_that_a_thread_could_tell_of() {
    for change in
        [|t: &mut ThreadSample| t.gc_ns = Some(0), |t: &mut ThreadSample| t.jit_ns = Some(0)]
    {
        let mut sample = served_sample();
        change(&mut sample.threads[1]);
        let why = "thread 1: the time of a runtime where other processes do the work";
        assert_eq!(lie(check_measured(&sample, 2)), why);
    }
}

#[test]
fn a_stray_hides_no_lie() {
    lie(checked(|w| {
        w.process_elapsed_ns = SAMPLE_NS + LONGEST_STOP_NS + 1;
        w.threads[1].cpu_ns = Some(10_000_000_000);
    }));
    lie(checked(|w| {
        w.threads[0].cpu_ns = Some(92_000_000);
        w.threads[1].cpu_ns = Some(10_000_000_000);
    }));
}

#[test]
fn a_thread_that_starts_others_tells_of_its_warmup_too() {
    let long = checked(|w| w.threads[0].cpu_elapsed_ns = Some(60_000_000_000));
    assert_eq!(long, Ok(()));
}

#[test]
fn a_thread_may_be_stopped_between_any_two_readings() {
    // Thread 0, after its sample and before it reads the process's CPU time: the other worked on for a tenth of a second.
    let stopped_ns = 100_000_000;
    let mut sample = two_threads([0, 1]);
    sample.process_elapsed_ns += stopped_ns;
    sample.threads[0].cpu_elapsed_ns = Some(SAMPLE_NS + stopped_ns);
    sample.process_cpu_ns = 2 * SAMPLE_NS + stopped_ns;
    assert_eq!(check_measured(&sample, 2), Ok(()));
    // Where the kernel does not see a stop, it counts it as the thread's CPU time.
    sample.threads[0].cpu_ns = Some(SAMPLE_NS + stopped_ns);
    assert_eq!(check_measured(&sample, 2), Ok(()));
    // Held against the sample, as it once was, either would be a false accusation.
    sample.process_elapsed_ns = SAMPLE_NS;
    stray(check_measured(&sample, 2));
}

#[test]
fn what_a_stopped_virtual_cpu_did_before_may_count_within_and_its_sample_is_late() {
    // As on 32 emulated CPUs of a busy machine with two: all samples together took much longer than thread 0's.
    let mut sample = two_threads([0, 1]);
    let like = sample.threads[0].clone();
    sample.threads = (0..32).map(|cpu| ThreadSample { cpu, ..like.clone() }).collect();
    sample.process_elapsed_ns = 20_000_000;
    sample.process_cpu_ns = 2_200_000_000;
    assert!(stray(check_measured(&sample, 32)).starts_with("the process used 2200000000 ns"));
    sample.end_ns = sample.start_ns + 140_000_000;
    assert_eq!(check_measured(&sample, 32), Ok(()));
    sample.process_cpu_ns = 6_000_000_000;
    stray(check_measured(&sample, 32));
}

#[test]
fn a_stop_of_more_than_a_second_makes_a_sample_odd_and_nobody_a_liar() {
    let what = stray(checked(|w| w.process_elapsed_ns = SAMPLE_NS + LONGEST_STOP_NS + 1));
    assert_eq!(what, "CPU time of 1050000001 ns in a sample of 50000000 ns");
    let mut sample = served_sample();
    sample.parts[0].elapsed_ns = 2_000_000_000;
    stray(check_measured(&sample, 2));
}

#[test]
fn the_kernel_counts_in_ticks() {
    let most = 100_000_000 + 2_000_000 + SPARE_NS + 2 * TICK_NS;
    assert_eq!(checked(|w| w.process_cpu_ns = most), Ok(()));
    stray(checked(|w| w.process_cpu_ns = most + 1));
}

/// A time line of a thread's readings: the clock, CPU time, the clock, the ops, and back; stopped before any of them.
#[derive(Debug, Clone)]
struct Readings {
    /// How long it was stopped before each reading, in ns.
    stops_ns: [u64; 6],
    ops_ns: u64,
    /// Whether the kernel counts stops as the thread's CPU time, as it does where a hypervisor hides them.
    counts_stops: bool,
}

impl Readings {
    fn thread(&self, like: &ThreadSample) -> ThreadSample {
        let [_, before_cpu, before_start, in_ops, before_cpu_again, before_end] = self.stops_ns;
        let elapsed_ns = self.ops_ns + in_ops;
        let between_ns = before_start + in_ops + before_cpu_again;
        let cpu_ns = self.ops_ns + if self.counts_stops { between_ns } else { 0 };
        let cpu_elapsed_ns = before_cpu + between_ns + self.ops_ns + before_end;
        let (cpu_ns, cpu_elapsed_ns) = (Some(cpu_ns), Some(cpu_elapsed_ns));
        ThreadSample { ops: 5, elapsed_ns, cpu_ns, cpu_elapsed_ns, ..like.clone() }
    }

    /// From the start of its sample to its end, on a clock that begins when all threads do.
    fn sample(&self) -> (u64, u64) {
        let [first, before_cpu, before_start, in_ops, ..] = self.stops_ns;
        let start_ns = first + before_cpu + before_start;
        (start_ns, start_ns + self.ops_ns + in_ops)
    }
}

fn readings() -> impl Strategy<Value = Readings> {
    let stop = prop_oneof![4 => Just(0_u64), 1 => 0..300_000_000_u64];
    (prop::array::uniform6(stop), 1_000_000..100_000_000_u64, any::<bool>())
        .prop_map(|(stops_ns, ops_ns, counts_stops)| Readings { stops_ns, ops_ns, counts_stops })
}

proptest! {
    #[test]
    fn threads_that_tell_the_truth_are_believed_wherever_they_were_stopped(
        all in prop::collection::vec(readings(), 1..33),
        are_alone in any::<bool>(),
    ) {
        let mut sample = two_threads([0, 1]);
        let like = sample.threads[0].clone();
        let threads = all.iter().enumerate();
        sample.threads = threads
            .map(|(cpu, one)| ThreadSample { cpu: cpu as u32, ..one.thread(&like) })
            .collect();
        let samples = || all.iter().map(Readings::sample);
        let start_ns = samples().map(|(start_ns, _)| start_ns).min().unwrap();
        let end_ns = samples().map(|(_, end_ns)| end_ns).max().unwrap();
        (sample.start_ns, sample.end_ns) = (1_000 + start_ns, 1_000 + end_ns);
        // Others work on while thread 0 is stopped; at most all of the time in which it looks.
        sample.process_elapsed_ns = sample.threads[0].cpu_elapsed_ns.unwrap();
        let others = if are_alone { 0 } else { all.len() as u64 - 1 };
        sample.process_cpu_ns =
            sample.threads[0].cpu_ns.unwrap() + others * sample.process_elapsed_ns;
        let checked = check_measured(&sample, all.len());
        prop_assert!(!matches!(checked, Err(Flaw::Lie(_))), "{:?}", checked);
        let length_ns = sample.length_ns();
        let is_near = |ns: u64| ns <= length_ns + LONGEST_STOP_NS;
        if sample.threads.iter().all(|thread| is_near(thread.cpu_elapsed_ns.unwrap())) {
            prop_assert_eq!(checked, Ok(()));
        }
    }
}
