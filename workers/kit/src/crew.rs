//! The threads of a launch: pinned before they allocate, asleep between orders.

use crate::build::{Libraries, StartThread};
use crate::clock;
use crate::counters::{Counted, Counters};
use crate::error::{Kind, WorkerError};
use crate::fingerprint::sha256;
use crate::input::Inputs;
use crate::memory::Memory;
use crate::parameters::Values;
use crate::pulse::Pulse;
use crate::sample::{self, Gate, Span, ThreadSample};
use crate::setting::Setting;
use crate::sharing::Common;
use crate::work::{Operation, Work};
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// The data from which every thread of a launch is set up.
pub(crate) struct Job {
    pub operation: Operation,
    pub parameters: Values,
    pub inputs: Inputs,
    pub seed: u64,
    /// The CPU of each thread.
    pub cpus: Vec<u32>,
    pub common: Common,
    pub inject_wrong_answer: bool,
    pub clock_cost_ns: u64,
    /// Hardware events that each thread counts.
    pub counted: Counted,
}

/// The results of the threads' setup.
pub(crate) struct Prepared {
    pub batch_ops: u64,
    pub verified: &'static str,
    pub bytes_per_op: Option<u64>,
    /// Whether a part of each op counts.
    pub counts_part: bool,
    /// The output, if two ops of every thread produce the same.
    pub output: Option<Output>,
    /// Versions of programs that the work starts.
    pub libraries: Libraries,
}

/// Identifies an output.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Output {
    pub sha256: String,
    pub bytes: u64,
}

impl Output {
    fn of(bytes: &[u8]) -> Self {
        Self { sha256: sha256(bytes), bytes: bytes.len() as u64 }
    }
}

enum Order {
    Measure(Span, Arc<Gate>),
    Verify,
}

type Answer<T> = Result<T, WorkerError>;

enum Reply {
    Prepared(Answer<Prepared>),
    Measured(Answer<Box<ThreadSample>>),
    Verified(Answer<()>),
}

/// The threads of a launch. Dropping it ends them.
pub(crate) struct Crew {
    orders: Vec<Sender<Order>>,
    replies: Receiver<(usize, Reply)>,
    /// Those that the kit started itself.
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// Starts a thread for each CPU of the list and waits until all are set up and verified.
    pub fn start(job: Job, start_thread: Option<StartThread>) -> Answer<(Self, Prepared)> {
        let (reply, replies) = mpsc::channel();
        let mut crew = Self { orders: Vec::new(), replies, threads: Vec::new() };
        let job = Arc::new(job);
        for index in 0..job.cpus.len() {
            let (order, orders) = mpsc::channel();
            let (of_thread, reply) = (Arc::clone(&job), reply.clone());
            let serve = move || serve(index, of_thread, &orders, &reply);
            let started = match start_thread {
                Some(start_thread) => start_thread(Box::new(serve)),
                None => thread::Builder::new()
                    .name(format!("work-{index}"))
                    .spawn(serve)
                    .map(|thread| crew.threads.push(thread))
                    .map_err(|e| e.to_string()),
            };
            started.map_err(|e| {
                let message =
                    format!("thread {index} of {} cannot be started: {e}", job.cpus.len());
                WorkerError::new(Kind::Resources, message).hint("use fewer threads")
            })?;
            crew.orders.push(order);
        }
        drop((reply, job));
        let prepared = crew.gather(|reply| match reply {
            Reply::Prepared(answer) => Some(answer),
            _ => None,
        })?;
        // Threads may differ by a power of two; the longest batch suits all.
        let batch_ops = prepared.iter().map(|p| p.batch_ops).max().unwrap_or(1);
        // There is at least one thread, and in these fields all are alike.
        let Prepared { verified, bytes_per_op, counts_part, .. } = prepared[0];
        let libraries = prepared[0].libraries.clone();
        let outputs: BTreeSet<_> = prepared.into_iter().map(|p| p.output).collect();
        let output = if outputs.len() == 1 { outputs.into_iter().flatten().next() } else { None };
        let prepared =
            Prepared { batch_ops, verified, bytes_per_op, counts_part, output, libraries };
        Ok((crew, prepared))
    }

    /// One sample on all threads.
    pub fn measure(&self, span: Span) -> Answer<Vec<ThreadSample>> {
        let gate = Arc::new(Gate::new(self.orders.len()));
        self.send(|| Order::Measure(span, Arc::clone(&gate)));
        self.gather(|reply| match reply {
            Reply::Measured(answer) => Some(answer.map(|sample| *sample)),
            _ => None,
        })
    }

    /// Verifies one more op on every thread; then the threads end.
    pub fn finish(mut self) -> Answer<()> {
        self.send(|| Order::Verify);
        self.gather(|reply| match reply {
            Reply::Verified(answer) => Some(answer),
            _ => None,
        })?;
        self.orders.clear();
        for thread in self.threads.drain(..) {
            thread.join().map_err(|_| {
                WorkerError::new(Kind::Internal, "a thread panicked while it ended")
            })?;
        }
        Ok(())
    }

    fn send(&self, order: impl Fn() -> Order) {
        for orders in &self.orders {
            // A thread that has ended also closed its replies, which `gather` reports.
            let _ = orders.send(order());
        }
    }

    /// One reply from each thread, in thread order, or the first failure.
    fn gather<T>(&self, expect: impl Fn(Reply) -> Option<Answer<T>>) -> Answer<Vec<T>> {
        let mut answers: Vec<Option<Answer<T>>> = self.orders.iter().map(|_| None).collect();
        for _ in 0..self.orders.len() {
            let (index, reply) = self
                .replies
                .recv()
                .map_err(|_| WorkerError::new(Kind::Internal, "a thread ended without a reply"))?;
            answers[index] = expect(reply);
        }
        answers
            .into_iter()
            .map(|answer| {
                answer.unwrap_or_else(|| {
                    Err(WorkerError::new(Kind::Internal, "a thread sent an unexpected reply"))
                })
            })
            .collect()
    }
}

/// A thread's main loop.
fn serve(index: usize, job: Arc<Job>, orders: &Receiver<Order>, reply: &Sender<(usize, Reply)>) {
    let send_reply = |answer| reply.send((index, answer)).is_ok();
    let cpu = job.cpus[index];
    let name = job.operation.name.clone();
    let inject_wrong_answer = job.inject_wrong_answer;
    let (memory, counters);
    let mut work = match guarded(|| prepare(index, &job)) {
        Ok((work, prepared)) => {
            // Without room for it the sample has no memory pulses.
            memory = Memory::new();
            counters = Counters::open(&job.counted);
            send_reply(Reply::Prepared(Ok(prepared)));
            work
        }
        Err(error) => {
            send_reply(Reply::Prepared(Err(error)));
            return;
        }
    };
    // The inputs are no longer needed: each thread has its own copy, or a part of what they share.
    drop(job);
    while let Ok(order) = orders.recv() {
        let answer = match order {
            Order::Measure(span, gate) => Reply::Measured(guarded(|| {
                let span = Span { reads_process_clock: index == 0, ..span };
                let memory_before = memory.as_ref().map(Memory::before);
                let sample =
                    sample::measure(work.as_mut(), span, cpu, &gate, &counters, Pulse::take)
                        .map_err(|e| WorkerError::from(e).at(&name))?;
                let memory_after = memory.as_ref().map(Memory::after);
                Ok(Box::new(ThreadSample { memory_before, memory_after, ..sample }))
            })),
            Order::Verify => Reply::Verified(guarded(|| {
                verify(work.as_mut(), &name, inject_wrong_answer).map(|_| ())
            })),
        };
        if !send_reply(answer) {
            return;
        }
    }
}

/// Runs a step of a thread and turns a panic into an error answer.
fn guarded<T>(step: impl FnOnce() -> Answer<T>) -> Answer<T> {
    panic::catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "without a message".to_owned());
        Err(WorkerError::new(Kind::Internal, format!("panic: {what}")))
    })
}

/// Pins the thread, sets its work up, verifies two ops, warms up and finds the batch size, in this order.
fn prepare(thread: usize, job: &Job) -> Answer<(Box<dyn Work>, Prepared)> {
    pin(job.cpus[thread])?;
    let Operation { name, setup, .. } = &job.operation;
    let setting = Setting {
        operation: name,
        parameters: &job.parameters,
        inputs: &job.inputs,
        seed: job.seed,
        thread,
        cpus: &job.cpus,
        common: &job.common,
    };
    let mut work = setup(&setting).map_err(|e| e.at(name))?;
    let first = Output::of(&verify(work.as_mut(), name, job.inject_wrong_answer)?);
    let second = Output::of(&verify(work.as_mut(), name, job.inject_wrong_answer)?);
    let output = (first == second).then_some(first);
    let batch_ops = work
        .warm_up()
        .and_then(|()| sample::find_batch(work.as_mut(), job.clock_cost_ns, clock::now_ns))
        .map_err(|e| WorkerError::from(e).at(name))?;
    let (verified, bytes_per_op) = (work.verified(), work.bytes_per_op());
    let counts_part = work.counted().is_some();
    let libraries = work.libraries();
    let prepared = Prepared { batch_ops, verified, bytes_per_op, counts_part, output, libraries };
    Ok((work, prepared))
}

/// Performs one op, checks its output and returns it; an injected wrong answer flips one bit in between.
fn verify(work: &mut dyn Work, name: &str, inject_wrong_answer: bool) -> Answer<Vec<u8>> {
    let mut output = work.output().map_err(|e| WorkerError::from(e).at(name))?;
    if inject_wrong_answer {
        let middle = output.len() / 2;
        output[middle] ^= 1;
    }
    work.check(&output).map_err(|what| {
        WorkerError::new(Kind::WrongAnswer, what)
            .hint("do not trust this operation on this machine or build; its results are discarded")
            .at(name)
    })?;
    Ok(output)
}

/// Pins the calling thread to one CPU, as the threads of a launch are: for threads that an operation starts itself.
///
/// # Errors
/// When the CPU is unavailable.
pub fn pin(cpu: u32) -> Answer<()> {
    let refused = |why: String| {
        WorkerError::new(Kind::Resources, format!("CPU {cpu} is unavailable: {why}"))
            .hint("`sizeup machine` lists the available CPUs")
    };
    if cpu as usize >= libc::CPU_SETSIZE as usize {
        return Err(refused(format!(
            "numbers of {} and above are not supported",
            libc::CPU_SETSIZE
        )));
    }
    // SAFETY: an all-zero cpu_set_t is the empty set; the CPU is below CPU_SETSIZE.
    let status = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu as usize, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set)
    };
    if status == 0 { Ok(()) } else { Err(refused(std::io::Error::last_os_error().to_string())) }
}
