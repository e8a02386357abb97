use super::*;
use crate::fixture::{launch, served_sample, two_threads};
use crate::{ChainKernel, Part, Record};

const CPUS: [u32; 2] = [0, 1];
const SAMPLE_NS: u64 = 50_000_000;

fn ready(parts: &[&[u32]]) -> Ready {
    let Record::Launch(launch) = launch() else { unreachable!() };
    let part = |cpus: &&[u32]| Part { name: "side".to_owned(), cpus: cpus.to_vec() };
    Ready { parts: parts.iter().map(part).collect(), ..launch.ready }
}

#[track_caller]
fn lie(ready: &Ready, sample: &Measured) -> String {
    match (Request { cpus: &CPUS, ready, sample_ns: SAMPLE_NS }).check(sample) {
        Err(Flaw::Lie(what)) => what,
        other => panic!("{other:?}"),
    }
}

fn lie_of(change: impl Fn(&mut Measured)) -> String {
    let mut sample = two_threads(CPUS);
    change(&mut sample);
    lie(&ready(&[]), &sample)
}

#[test]
fn what_was_asked_for_is_believed() {
    let check = |ready: Ready, sample: &Measured| {
        (Request { cpus: &CPUS, ready: &ready, sample_ns: SAMPLE_NS }).check(sample)
    };
    assert_eq!(check(ready(&[]), &two_threads(CPUS)), Ok(()));
    assert_eq!(check(ready(&[&[0], &[1]]), &served_sample()), Ok(()));
}

#[test]
fn a_sample_is_no_shorter_than_was_asked_and_holds_three_ops_of_each_thread() {
    let short = lie_of(|s| s.threads[1].elapsed_ns = SAMPLE_NS - 1);
    assert_eq!(short, "a thread worked 49999999 ns; at least 50000000 required");
    assert_eq!(lie_of(|s| s.threads[1].ops = 2), "a thread has 2 ops; at least 3 required");
}

/// A sample of work that times its ops twice each, 10 ns altogether.
fn counted_sample() -> Measured {
    let mut sample = two_threads(CPUS);
    for thread in &mut sample.threads {
        thread.counted_ns = Some(thread.elapsed_ns - 7);
        thread.counted_stretches = Some(2 * thread.ops);
    }
    sample
}

#[test]
fn time_that_counts_lies_within_the_sample_in_stretches_of_each_op_where_the_worker_announced_it() {
    let counting = Ready { counts_part: true, ..ready(&[]) };
    let request = Request { cpus: &CPUS, ready: &counting, sample_ns: SAMPLE_NS };
    assert_eq!(request.check(&counted_sample()), Ok(()));
    let lie_of = |change: fn(&mut ThreadSample)| {
        let mut sample = counted_sample();
        change(&mut sample.threads[1]);
        lie(&counting, &sample)
    };
    assert_eq!(
        lie_of(|t| t.counted_ns = Some(SAMPLE_NS + 1)),
        "50000001 ns count in a sample of 50000000 ns"
    );
    assert_eq!(lie_of(|t| t.counted_ns = Some(0)), "0 ns count in a sample of 50000000 ns");
    for stretches in [4_999_999, SAMPLE_NS] {
        let mut sample = counted_sample();
        sample.threads[1].counted_stretches = Some(stretches);
        let what = lie(&counting, &sample);
        assert!(what.starts_with("5000000 ops were timed in"), "{what}");
    }
    assert_eq!(lie_of(|t| t.counted_ns = None), "a thread lacks the time that counts");
    assert_eq!(lie_of(|t| t.counted_stretches = None), "a thread lacks the time that counts");
    let unannounced = "a thread has time that counts unannounced";
    assert_eq!(lie(&ready(&[]), &counted_sample()), unannounced);
}

#[test]
fn throughput_is_that_of_the_time_that_counts() {
    let mut thread = two_threads(CPUS).threads[0].clone();
    assert!((thread.ops_per_s() - 1e8).abs() < 1e-3);
    thread.counted_ns = Some(thread.elapsed_ns / 4);
    assert!((thread.ops_per_s() - 4e8).abs() < 1e-3);
}

#[test]
fn threads_are_on_the_cpus_that_were_asked_for_in_that_order() {
    assert_eq!(lie_of(|s| s.threads[1].cpu = 77), "a thread ran on CPU 77, not 1");
    assert_eq!(lie_of(|s| s.threads.swap(0, 1)), "a thread ran on CPU 1, not 0");
}

#[test]
fn no_core_has_the_clock_that_cycles_and_time_of_a_pulse_would_make() {
    let expected = "the pulse implies a clock over 20 GHz";
    // 3 cycles an instruction at 20 GHz are 20 instructions in 3 ns.
    let pulse = |clock_ns| Pulse { clock_ops: 20_000_000, clock_ns, width_ops: 1, width_ns: 1 };
    assert_eq!(lie_of(|s| s.threads[1].pulse_after = pulse(2_999_999)), expected);
    let mut sample = two_threads(CPUS);
    sample.threads[1].pulse_before = pulse(3_000_000);
    let mut of_other_kernel = ready(&[]);
    let request = Request { cpus: &CPUS, ready: &of_other_kernel, sample_ns: SAMPLE_NS };
    assert_eq!(request.check(&sample), Ok(()));
    of_other_kernel.pulse.clock_cycles_per_op = 4;
    assert_eq!(lie(&of_other_kernel, &sample), expected);
}

#[test]
fn chains_are_as_many_and_take_as_long_as_can_be() {
    let mut with_chains = ready(&[]);
    with_chains.chain = Some(ChainKernel { ops: 4_000, cost_ns: 25 });
    let mut sample = two_threads(CPUS);
    assert_eq!(lie(&with_chains, &sample), "a thread has 0 chains, not 1 to 9");
    sample.threads.iter_mut().for_each(|thread| thread.chains_ns = vec![600; 9]);
    let request = Request { cpus: &CPUS, ready: &with_chains, sample_ns: SAMPLE_NS };
    assert_eq!(request.check(&sample), Ok(()));
    assert_eq!(lie(&ready(&[]), &sample), "9 chains, but the worker declares none");
    let lie_of = |chains_ns: &[u64]| {
        let mut sample = sample.clone();
        sample.threads[1].chains_ns = chains_ns.to_vec();
        lie(&with_chains, &sample)
    };
    assert_eq!(lie_of(&[600; 10]), "a thread has 10 chains, not 1 to 9");
    for ns in [0, 599] {
        let expected = format!("a chain of {ns} ns implies a clock over 20 GHz");
        assert_eq!(lie_of(&[600, ns]), expected);
    }
    assert_eq!(
        lie_of(&[SAMPLE_NS, 600]),
        "chains took 50000600 ns, more than the 50000000 ns available"
    );
    assert_eq!(
        lie_of(&[u64::MAX, 600]),
        "chains took 18446744073709551615 ns, more than the 50000000 ns available"
    );
}

#[test]
fn a_worker_has_no_chains_of_no_instruction_and_none_between_ops_of_others() {
    let check = |ops: Option<u64>, parts: &[&[u32]]| {
        let chain = ops.map(|ops| ChainKernel { ops, cost_ns: 25 });
        Ready { chain, ..ready(parts) }.check(&CPUS)
    };
    assert_eq!(check(Some(4_000), &[]), Ok(()));
    assert_eq!(check(None, &[&[0], &[1]]), Ok(()));
    assert_eq!(check(Some(0), &[]).unwrap_err(), "a chain has no instructions");
    assert!(check(Some(4_000), &[&[0], &[1]]).unwrap_err().contains("that does the work itself"));
}

#[test]
fn only_the_first_part_does_ops() {
    let mut sample = served_sample();
    sample.threads[1].ops = 3;
    let expected = "3 ops on CPU 1, which does not belong to the first part";
    assert_eq!(lie(&ready(&[&[0], &[1]]), &sample), expected);
    assert_eq!(lie(&ready(&[&[0]]), &served_sample()), "it reports 2 parts, not 1");
}

#[test]
fn a_flaw_that_a_machine_in_trouble_can_make_hides_no_lie() {
    let stray = lie_of(|s| {
        s.process_cpu_ns = 163_000_000;
        s.threads[0].cpu = 77;
    });
    assert_eq!(stray, "a thread ran on CPU 77, not 0");
}
