//! One window on one thread, and the gate that holds a window's threads together.

use crate::clock;
use crate::pulse::Pulse;
use crate::usage::Usage;
use crate::work::{OpError, Work};
use serde::Serialize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A window is never shorter than this many ops, however long they take.
const MIN_OPS: u64 = 3;

/// What a thread is told about a window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub settle_ns: u64,
    pub window_ns: u64,
    pub batch_ops: u64,
}

/// One thread's share of a window, as the protocol tells it.
#[derive(Debug, Serialize)]
pub(crate) struct ThreadWindow {
    pub cpu: u32,
    pub ops: u64,
    pub elapsed_ns: u64,
    pub cpu_ns: u64,
    pub minor_faults: u64,
    pub major_faults: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
    pub pulse_before: Pulse,
    pub pulse_after: Pulse,
    #[serde(skip)]
    pub start_ns: u64,
    #[serde(skip)]
    pub process_cpu_ns: u64,
}

/// Where the threads of a window meet. Made anew for each window.
pub(crate) struct Gate {
    threads: usize,
    start: Barrier,
    working: AtomicUsize,
    left: AtomicUsize,
}

impl Gate {
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            start: Barrier::new(threads),
            working: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
        }
    }

    /// Waits for all threads, then stands for the calling thread in this window.
    fn enter(&self) -> Part<'_> {
        self.start.wait();
        Part { gate: self, working: false, left: false }
    }

    fn all_working(&self) -> bool {
        self.working.load(Ordering::Relaxed) >= self.threads
    }

    fn all_left(&self) -> bool {
        self.left.load(Ordering::Relaxed) >= self.threads
    }
}

/// A thread's part in a window. However the thread ends it (an op fails, even a panic), the others
/// are told, so that they do not wait for it forever.
struct Part<'a> {
    gate: &'a Gate,
    working: bool,
    left: bool,
}

impl Part<'_> {
    fn is_working(&mut self) {
        if !std::mem::replace(&mut self.working, true) {
            self.gate.working.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn has_left(&mut self) {
        if !std::mem::replace(&mut self.left, true) {
            self.gate.left.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.is_working();
        self.has_left();
    }
}

/// Performs one window on the calling thread, pinned to `cpu`.
pub(crate) fn measure(
    work: &mut dyn Work,
    span: Span,
    cpu: u32,
    gate: &Gate,
) -> Result<ThreadWindow, OpError> {
    let pulse_before = Pulse::take();
    let mut part = gate.enter();

    let settled_ns = clock::now_ns() + span.settle_ns;
    work.batch(span.batch_ops)?;
    part.is_working();
    while clock::now_ns() < settled_ns || !gate.all_working() {
        work.batch(span.batch_ops)?;
    }

    let usage_before = Usage::of_this_thread();
    let process_before_ns = clock::process_cpu_ns();
    let cpu_before_ns = clock::thread_cpu_ns();
    let start_ns = clock::now_ns();
    let mut ops = 0;
    let elapsed_ns = loop {
        work.batch(span.batch_ops)?;
        ops += span.batch_ops;
        let elapsed_ns = clock::now_ns() - start_ns;
        if elapsed_ns >= span.window_ns && ops >= MIN_OPS {
            break elapsed_ns;
        }
    };
    let cpu_ns = clock::thread_cpu_ns() - cpu_before_ns;
    let process_cpu_ns = clock::process_cpu_ns() - process_before_ns;
    let usage = Usage::of_this_thread();

    part.has_left();
    while !gate.all_left() {
        work.batch(span.batch_ops)?;
    }
    drop(part);

    Ok(ThreadWindow {
        cpu,
        ops,
        elapsed_ns,
        cpu_ns,
        minor_faults: usage.minor_faults - usage_before.minor_faults,
        major_faults: usage.major_faults - usage_before.major_faults,
        voluntary_switches: usage.voluntary_switches - usage_before.voluntary_switches,
        involuntary_switches: usage.involuntary_switches - usage_before.involuntary_switches,
        pulse_before,
        pulse_after: Pulse::take(),
        start_ns,
        process_cpu_ns,
    })
}

/// The least power of two of ops whose batch takes at least 1,000 looks at the clock `now_ns`.
pub(crate) fn find_batch(
    work: &mut dyn Work,
    clock_cost_ns: u64,
    now_ns: impl Fn() -> u64,
) -> Result<u64, OpError> {
    let mut batch_ops = 1;
    loop {
        let start_ns = now_ns();
        work.batch(batch_ops)?;
        if now_ns() - start_ns >= 1_000 * clock_cost_ns {
            return Ok(batch_ops);
        }
        batch_ops *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicU64;
    use std::thread;
    use std::time::{Duration, Instant};

    /// A workload whose op is a closure.
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
        fn bytes_per_op(&self) -> Option<u64> {
            None
        }
    }

    fn span(settle_ns: u64, window_ns: u64) -> Span {
        Span { settle_ns, window_ns, batch_ops: 1 }
    }

    fn alone(op: impl FnMut() -> Result<(), OpError>, span: Span) -> Result<ThreadWindow, OpError> {
        measure(&mut Do(op), span, 0, &Gate::new(1))
    }

    /// One window on two threads, each with an op of its own.
    fn together(
        first: impl FnMut() -> Result<(), OpError> + Send,
        second: impl FnMut() -> Result<(), OpError> + Send,
        span: Span,
    ) -> [Result<ThreadWindow, OpError>; 2] {
        let gate = Gate::new(2);
        thread::scope(|scope| {
            let first = scope.spawn(|| measure(&mut Do(first), span, 0, &gate));
            let second = scope.spawn(|| measure(&mut Do(second), span, 0, &gate));
            [first.join().unwrap(), second.join().unwrap()]
        })
    }

    /// Waits until `counter` reaches `least`; an op that waits in vain fails.
    fn wait_for(counter: &AtomicU64, least: u64) -> Result<(), OpError> {
        let start = Instant::now();
        while counter.load(Ordering::Relaxed) < least {
            if start.elapsed() > Duration::from_secs(10) {
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
    fn a_window_holds_whole_ops_and_lasts_at_least_as_long_as_asked() {
        let mut done = 0;
        let op = || {
            done += 1;
            nap()
        };
        let window = alone(op, span(4_000_000, 10_000_000)).unwrap();
        assert!(window.elapsed_ns >= 10_000_000);
        assert!(window.elapsed_ns >= window.ops * 1_000_000, "{window:?}");
        assert!(window.ops < done, "settling is not counted");
    }

    #[test]
    fn a_window_of_long_ops_still_holds_several() {
        assert_eq!(alone(nap, span(0, 1)).unwrap().ops, MIN_OPS);
    }

    #[test]
    fn a_thread_that_has_left_works_on_until_the_slowest_has_left() {
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
    fn no_thread_begins_its_window_before_all_are_working() {
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
    fn a_batch_is_the_least_power_of_two_that_is_long_against_a_look_at_the_clock() {
        let now_ns = AtomicU64::new(0);
        let mut tick = Do(|| {
            now_ns.fetch_add(1_000, Ordering::Relaxed);
            Ok(())
        });
        for (clock_cost_ns, batch_ops) in [(1, 1), (2, 2), (3, 4), (85, 128)] {
            let found = find_batch(&mut tick, clock_cost_ns, || now_ns.load(Ordering::Relaxed));
            assert_eq!(found, Ok(batch_ops));
        }
    }
}
