//! One sample on one thread, and the gate that synchronises a sample's threads.

use crate::chain::Chains;
use crate::clock;
use crate::counters::{Counters, Counts, between};
use crate::memory::MemoryPulse;
use crate::pulse::Pulse;
use crate::usage::{CpuTicks, Usage};
use crate::work::{OpError, RuntimeTime, Work};
use serde::Serialize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The minimum number of ops in a sample, however long they take.
const MIN_OPS: u64 = 3;

/// When the batch size is chosen, a batch takes at least this many times as long as a clock reading. The readings
/// then cost under 0.1 % even if the core later becomes two and a half times as fast because a neighbour that shared
/// it has gone and the clock has risen.
const READINGS_PER_BATCH: u64 = 2_500;

/// The parameters of a sample on one thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub warmup_ns: u64,
    pub sample_ns: u64,
    pub batch_ops: u64,
    /// Whether this thread reads the process's CPU time.
    pub reads_process_clock: bool,
    /// Whether it has chains, as every sample of a worker has.
    pub has_chains: bool,
}

/// One thread's share of a sample, as the protocol reports it.
#[derive(Debug, Serialize)]
pub(crate) struct ThreadSample {
    pub cpu: u32,
    pub ops: u64,
    pub elapsed_ns: u64,
    /// For work that times a part of each op.
    #[serde(flatten)]
    pub counted: Option<CountedTime>,
    pub cpu_ns: u64,
    pub cpu_elapsed_ns: u64,
    /// CPU time in the kernel, of the thread and of processes that it started; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_ns: Option<u64>,
    #[serde(flatten)]
    pub runtime: RuntimeTime,
    #[serde(flatten)]
    pub usage: Usage,
    pub pulse_before: Pulse,
    pub pulse_after: Pulse,
    pub chains_ns: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_before: Option<MemoryPulse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_after: Option<MemoryPulse>,
    /// By group of counters; empty without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Counts,
    #[serde(skip)]
    pub start_ns: u64,
    #[serde(skip)]
    pub process_cpu_ns: u64,
}

/// The time in a sample that counts, and in how many stretches it was timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct CountedTime {
    pub counted_ns: u64,
    pub counted_stretches: u64,
}

/// Synchronises the threads of a sample. Made anew for each sample.
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

    /// Waits for all threads; the result represents the calling thread in this sample.
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

/// A thread's part in a sample. However the thread ends it (an op fails, even a panic), the others are notified, so
/// that they do not wait for it forever.
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

/// Performs one sample on the calling thread, pinned to `cpu`, between two pulses.
pub(crate) fn measure(
    work: &mut dyn Work,
    span: Span,
    cpu: u32,
    gate: &Gate,
    counters: &Counters,
    pulse: fn() -> Pulse,
) -> Result<ThreadSample, OpError> {
    let pulse_before = pulse();
    let mut chains = Chains::of(span.sample_ns);
    let mut part = gate.enter();

    let warm_ns = clock::now_ns() + span.warmup_ns;
    work.batch(span.batch_ops)?;
    // Brings the kernel's accounting of this thread up to date, which may be old on a CPU without a tick: thread 0
    // soon reads the sum over all threads.
    let _ = clock::thread_cpu_ns();
    part.is_working();
    while clock::now_ns() < warm_ns || !gate.all_working() {
        work.batch(span.batch_ops)?;
    }

    // Thread 0 reads it for all: the kernel sums over all threads at each reading.
    let process_clock = || if span.reads_process_clock { clock::process_cpu_ns() } else { 0 };
    let children_before = work.children();
    let ticks = || (children_before.cpu_ns > 0).then(|| CpuTicks::of(cpu)).flatten();
    let ticks_before = ticks();
    let usage_before = Usage::of_this_thread();
    let counts_before = counters.read();
    // The thread may be preempted between any two readings. These two clocks enclose those of CPU time, so that CPU
    // time can't exceed elapsed time; the two that time the ops enclose nothing else.
    let looked_ns = clock::now_ns();
    let runtime_before = work.runtime()?;
    let process_before_ns = process_clock();
    let counted_before = work.counted();
    let cpu_before_ns = clock::thread_cpu_ns();
    let start_ns = clock::now_ns();
    let mut ops = 0;
    let elapsed_ns = loop {
        work.batch(span.batch_ops)?;
        ops += span.batch_ops;
        let elapsed_ns = clock::now_ns() - start_ns;
        let is_over = elapsed_ns >= span.sample_ns && ops >= MIN_OPS;
        if span.has_chains && (is_over || chains.is_due(elapsed_ns)) {
            chains.run(elapsed_ns);
        }
        if is_over {
            break elapsed_ns;
        }
    };
    let counted = work.counted().zip(counted_before).map(|(after, before)| {
        let (counted_ns, counted_stretches) = after.since(before);
        CountedTime { counted_ns, counted_stretches }
    });
    let children = work.children().since(children_before);
    let cpu_ns = clock::thread_cpu_ns() - cpu_before_ns + children.cpu_ns;
    let process_cpu_ns = process_clock() - process_before_ns + children.cpu_ns;
    let runtime = work.runtime()?.since(runtime_before);
    let cpu_elapsed_ns = clock::now_ns() - looked_ns;
    let counts = between(&counts_before, &counters.read());
    let usage = Usage::of_this_thread().since(usage_before, children);
    let has_children = children.cpu_ns > 0;
    let system_ns = match has_children {
        true => ticks_before.and_then(|before| ticks()?.part_in_kernel(before, cpu_ns)),
        false => Some(usage.system_ns),
    };

    part.has_left();
    while !gate.all_left() {
        work.batch(span.batch_ops)?;
    }
    drop(part);

    Ok(ThreadSample {
        cpu,
        ops,
        elapsed_ns,
        counted,
        cpu_ns,
        cpu_elapsed_ns,
        system_ns,
        runtime,
        usage,
        pulse_before,
        pulse_after: pulse(),
        chains_ns: chains.took_ns(),
        memory_before: None,
        memory_after: None,
        // Those of the thread alone would pass for the whole work.
        counters: if has_children { Counts::new() } else { counts },
        start_ns,
        process_cpu_ns,
    })
}

/// This many ops of one cycle each take minutes.
const MOST_BATCH_OPS: u64 = 1 << 40;

/// The least power of two of ops whose batch takes at least [`READINGS_PER_BATCH`] readings of the clock `now_ns`, three
/// times out of three: one interruption must not make a batch look long.
///
/// # Errors
/// When an op fails, or any number of ops takes no time.
pub(crate) fn find_batch(
    work: &mut dyn Work,
    clock_cost_ns: u64,
    now_ns: impl Fn() -> u64,
) -> Result<u64, OpError> {
    const TRIES: usize = 3;
    let mut batch_ops = work.least_batch_ops();
    let mut long = 0;
    while long < TRIES {
        let start_ns = now_ns();
        work.batch(batch_ops)?;
        if now_ns() - start_ns >= READINGS_PER_BATCH * clock_cost_ns {
            long += 1;
        } else if batch_ops < MOST_BATCH_OPS {
            batch_ops *= 2;
            long = 0;
        } else {
            return Err(OpError::new(format!(
                "{batch_ops} ops take no time: the compiler has left the work out"
            )));
        }
    }
    Ok(batch_ops)
}

#[cfg(test)]
mod tests;
