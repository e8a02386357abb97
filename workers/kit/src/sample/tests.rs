use super::*;
use crate::usage::ChildUsage;
use crate::work::{RuntimeTime, Stopwatch};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

/// Work whose op is a closure.
struct Do<F>(F);

impl<F: FnMut() -> Result<(), OpError>> Work for Do<F> {
    fn op(&mut self) -> Result<(), OpError> {
        self.0()
    }
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op().map(|()| vec![0])
    }
    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
    fn verified(&self) -> &'static str {
        "nothing"
    }
    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

fn span(warmup_ns: u64, sample_ns: u64) -> Span {
    Span { warmup_ns, sample_ns, batch_ops: 1, reads_process_clock: true, has_chains: true }
}

fn alone(op: impl FnMut() -> Result<(), OpError>, span: Span) -> Result<ThreadSample, OpError> {
    measure(&mut Do(op), span, 0, &Gate::new(1), &Counters::default(), Pulse::take)
}

/// One sample on two threads, each with an op of its own.
fn together(
    first: impl FnMut() -> Result<(), OpError> + Send,
    second: impl FnMut() -> Result<(), OpError> + Send,
    span: Span,
) -> [Result<ThreadSample, OpError>; 2] {
    let gate = Gate::new(2);
    thread::scope(|scope| {
        let first = scope
            .spawn(|| measure(&mut Do(first), span, 0, &gate, &Counters::default(), Pulse::take));
        let second = scope
            .spawn(|| measure(&mut Do(second), span, 0, &gate, &Counters::default(), Pulse::take));
        [first.join().unwrap(), second.join().unwrap()]
    })
}

/// Waits until `counter` reaches `least`; after a long wait the op fails.
fn wait_for(counter: &AtomicU64, least: u64) -> Result<(), OpError> {
    let start = Instant::now();
    while counter.load(Ordering::Relaxed) < least {
        if start.elapsed() > Duration::from_secs(60) {
            return Err(OpError::new("the other thread has stopped working"));
        }
        thread::yield_now();
    }
    Ok(())
}

fn nap() -> Result<(), OpError> {
    thread::sleep(Duration::from_millis(1));
    Ok(())
}

#[test]
fn a_sample_holds_whole_ops_and_lasts_at_least_the_requested_time() {
    let mut done = 0;
    let op = || {
        done += 1;
        nap()
    };
    let sample = alone(op, span(4_000_000, 10_000_000)).unwrap();
    assert!(sample.elapsed_ns >= 10_000_000);
    assert!(sample.elapsed_ns >= sample.ops * 1_000_000, "{sample:?}");
    assert!(sample.ops < done, "warm-up is not counted");
}

#[test]
fn a_sample_of_long_ops_still_holds_several() {
    assert_eq!(alone(nap, span(0, 1)).unwrap().ops, MIN_OPS);
}

#[test]
fn a_sample_has_a_chain_after_each_long_op_and_one_at_its_end() {
    let long = || {
        thread::sleep(Duration::from_millis(7));
        Ok(())
    };
    let sample = alone(long, span(0, 1)).unwrap();
    assert_eq!((sample.ops, sample.chains_ns.len()), (MIN_OPS, 3));
    let without = alone(nap, Span { has_chains: false, ..span(0, 1) }).unwrap();
    assert!(without.chains_ns.is_empty());
}

#[test]
fn a_finished_thread_keeps_working_until_the_slowest_has_finished() {
    let quick_done = AtomicU64::new(0);
    let quick = || {
        quick_done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    // Each slow op needs a hundred more quick ones, far more than the quick thread counts.
    let slow = || wait_for(&quick_done, quick_done.load(Ordering::Relaxed) + 100);
    let [quick, slow] = together(quick, slow, span(0, 1));
    assert_eq!(slow.unwrap().ops, MIN_OPS);
    assert!(quick.is_ok());
}

#[test]
fn no_thread_begins_its_sample_before_all_are_working() {
    let first_slow_op = Mutex::new(None);
    let slow = || {
        nap()?;
        first_slow_op.lock().unwrap().get_or_insert_with(clock::now_ns);
        Ok(())
    };
    let [quick, slow] = together(|| Ok(()), slow, span(0, 1));
    let slow_works_ns = first_slow_op.lock().unwrap().unwrap();
    assert!(quick.unwrap().start_ns >= slow_works_ns);
    assert!(slow.is_ok());
}

#[test]
fn an_op_that_fails_ends_its_thread_and_leaves_the_others_free() {
    for fails_at in [1, 3] {
        let mut done = 0;
        let failing = || {
            done += 1;
            if done == fails_at { Err(OpError::new("no")) } else { nap() }
        };
        let [failed, other] = together(failing, nap, span(0, 5_000_000));
        assert_eq!(failed.unwrap_err(), OpError::new("no"));
        assert!(other.is_ok());
    }
}

#[test]
fn a_batch_is_the_least_power_of_two_that_is_long_compared_with_a_clock_reading() {
    let now_ns = AtomicU64::new(0);
    let mut tick = Do(|| {
        now_ns.fetch_add(READINGS_PER_BATCH, Ordering::Relaxed);
        Ok(())
    });
    for (clock_cost_ns, batch_ops) in [(1, 1), (2, 2), (3, 4), (85, 128)] {
        let found = find_batch(&mut tick, clock_cost_ns, || now_ns.load(Ordering::Relaxed));
        assert_eq!(found, Ok(batch_ops));
    }
}

#[test]
fn one_interruption_does_not_make_a_batch_look_long() {
    let now_ns = AtomicU64::new(0);
    let mut ops = 0;
    let mut tick = Do(|| {
        ops += 1;
        // The second op is interrupted for a long time.
        now_ns.fetch_add(if ops == 2 { 1_000_000 } else { READINGS_PER_BATCH }, Ordering::Relaxed);
        Ok(())
    });
    let found = find_batch(&mut tick, 3, || now_ns.load(Ordering::Relaxed));
    assert_eq!(found, Ok(4));
}

#[test]
fn ops_that_take_no_time_are_refused_instead_of_tried_forever() {
    /// An op that the compiler removed because its result is unused.
    struct LeftOut;
    impl Work for LeftOut {
        fn op(&mut self) -> Result<(), OpError> {
            Ok(())
        }
        fn batch(&mut self, _: u64) -> Result<(), OpError> {
            Ok(())
        }
        fn output(&mut self) -> Result<Vec<u8>, OpError> {
            Ok(Vec::new())
        }
        fn check(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
        fn verified(&self) -> &'static str {
            "nothing"
        }
        fn bytes_per_op(&self) -> Option<u64> {
            None
        }
    }
    let refused = find_batch(&mut LeftOut, 40, || 0).unwrap_err().to_string();
    assert!(refused.contains("take no time"), "{refused}");
}

/// Work whose every op has a process use an hour of CPU time and take faults, and a collector take a millisecond. Its compilers
/// can't report.
#[derive(Default)]
struct Hiring {
    children: ChildUsage,
    collector_ns: u64,
}

const HOUR_NS: u64 = 3_600_000_000_000;

impl Work for Hiring {
    fn op(&mut self) -> Result<(), OpError> {
        self.children +=
            ChildUsage { cpu_ns: HOUR_NS, minor_faults: 1_000_000, major_faults: 1000 };
        self.collector_ns += 1_000_000;
        nap()
    }
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(Vec::new())
    }
    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
    fn verified(&self) -> &'static str {
        "nothing"
    }
    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
    fn children(&self) -> ChildUsage {
        self.children
    }
    fn runtime(&self) -> Result<RuntimeTime, OpError> {
        Ok(RuntimeTime { collector_ns: Some(self.collector_ns), compilers_ns: None })
    }
}

#[test]
fn cpu_time_and_faults_of_processes_that_the_work_waits_for_count() {
    let span = span(4_000_000, 10_000_000);
    let sample =
        measure(&mut Hiring::default(), span, 0, &Gate::new(1), &Counters::default(), Pulse::take)
            .unwrap();
    assert_eq!(sample.cpu_ns / HOUR_NS, sample.ops, "warm-up is not counted: {sample:?}");
    assert_eq!(sample.process_cpu_ns / HOUR_NS, sample.ops, "{sample:?}");
    assert_eq!(sample.usage.minor_faults / 1_000_000, sample.ops, "{sample:?}");
    assert_eq!(sample.usage.major_faults / 1000, sample.ops, "{sample:?}");
}

/// Work that naps twice in each op and times the first nap.
#[derive(Default)]
struct Half(Stopwatch);

impl Work for Half {
    fn op(&mut self) -> Result<(), OpError> {
        self.0.time(nap)?;
        nap()
    }
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(Vec::new())
    }
    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
    fn verified(&self) -> &'static str {
        "nothing"
    }
    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
    fn counted(&self) -> Option<Stopwatch> {
        Some(self.0)
    }
}

#[test]
fn the_time_that_counts_is_that_of_the_counted_ops_and_less_than_the_samples() {
    let span = span(4_000_000, 10_000_000);
    let sample =
        measure(&mut Half::default(), span, 0, &Gate::new(1), &Counters::default(), Pulse::take)
            .unwrap();
    let counted = sample.counted.unwrap();
    assert_eq!(counted.counted_stretches, sample.ops, "warm-up is not counted");
    // Each nap takes a millisecond at least, also that which does not count.
    assert!(counted.counted_ns >= sample.ops * 1_000_000, "{sample:?}");
    assert!(counted.counted_ns + sample.ops * 1_000_000 <= sample.elapsed_ns, "{sample:?}");
}

#[test]
fn a_runtimes_time_is_that_within_the_sample_and_left_out_where_it_is_unknown() {
    let span = span(4_000_000, 10_000_000);
    let mut work = Hiring::default();
    let sample =
        measure(&mut work, span, 0, &Gate::new(1), &Counters::default(), Pulse::take).unwrap();
    let answer = serde_json::to_value(&sample).unwrap();
    assert_eq!(answer["gc_ns"], sample.ops * 1_000_000, "warm-up is not counted");
    assert_eq!(answer.get("jit_ns"), None);
    let unknown = alone(nap, span).unwrap();
    assert_eq!(serde_json::to_value(&unknown).unwrap().get("gc_ns"), None);
}
