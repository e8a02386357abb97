//! The threads of a launch: pinned before they allocate, asleep between orders.

use crate::clock;
use crate::error::{Kind, WorkerError};
use crate::input::{Inputs, sha256};
use crate::parameters::Values;
use crate::pulse::Pulse;
use crate::setting::Setting;
use crate::window::{self, Gate, Span, ThreadWindow};
use crate::work::{Operation, Work};
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// What all threads of a launch are set up from.
pub(crate) struct Job {
    pub operation: Operation,
    pub parameters: Values,
    pub inputs: Inputs,
    pub seed: u64,
    pub plant_wrong_answer: bool,
    pub clock_cost_ns: u64,
}

/// What the threads found out when they set themselves up.
pub(crate) struct Prepared {
    pub batch_ops: u64,
    pub verified: &'static str,
    pub bytes_per_op: Option<u64>,
    /// The output, where two ops of every thread make the same.
    pub output: Option<Output>,
}

/// What tells one output from another.
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
    Measured(Answer<ThreadWindow>),
    Verified(Answer<()>),
}

/// The threads. Dropping it ends them.
pub(crate) struct Crew {
    orders: Vec<Sender<Order>>,
    replies: Receiver<(usize, Reply)>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// Starts a thread for each CPU of the list and waits until all are set up and verified.
    pub fn start(job: Job, cpus: &[u32]) -> Answer<(Self, Prepared)> {
        let (reply, replies) = mpsc::channel();
        let mut crew = Self { orders: Vec::new(), replies, threads: Vec::new() };
        let job = Arc::new(job);
        for (index, &cpu) in cpus.iter().enumerate() {
            let (order, orders) = mpsc::channel();
            let (job, reply) = (Arc::clone(&job), reply.clone());
            let thread = thread::Builder::new()
                .name(format!("work-{index}"))
                .spawn(move || serve(index, cpu, job, &orders, &reply))
                .map_err(|e| {
                    let message = format!("thread {index} of {} can't be started: {e}", cpus.len());
                    WorkerError::new(Kind::Resources, message).hint("ask for fewer threads")
                })?;
            crew.orders.push(order);
            crew.threads.push(thread);
        }
        drop((reply, job));
        let prepared = crew.gather(|reply| match reply {
            Reply::Prepared(answer) => Some(answer),
            _ => None,
        })?;
        // Threads may disagree by a power of two; the longest batch is right for all.
        let batch_ops = prepared.iter().map(|p| p.batch_ops).max().unwrap_or(1);
        // There is at least one, and in these two all are alike.
        let (verified, bytes_per_op) = (prepared[0].verified, prepared[0].bytes_per_op);
        let outputs: BTreeSet<_> = prepared.into_iter().map(|p| p.output).collect();
        let output = if outputs.len() == 1 { outputs.into_iter().flatten().next() } else { None };
        Ok((crew, Prepared { batch_ops, verified, bytes_per_op, output }))
    }

    /// One window on all threads.
    pub fn measure(&self, span: Span) -> Answer<Vec<ThreadWindow>> {
        let gate = Arc::new(Gate::new(self.orders.len()));
        self.tell(|| Order::Measure(span, Arc::clone(&gate)));
        self.gather(|reply| match reply {
            Reply::Measured(answer) => Some(answer),
            _ => None,
        })
    }

    /// One more op on every thread, verified; then the threads end.
    pub fn finish(mut self) -> Answer<()> {
        self.tell(|| Order::Verify);
        self.gather(|reply| match reply {
            Reply::Verified(answer) => Some(answer),
            _ => None,
        })?;
        self.orders.clear();
        for thread in self.threads.drain(..) {
            thread
                .join()
                .map_err(|_| WorkerError::new(Kind::Internal, "a thread panicked at its end"))?;
        }
        Ok(())
    }

    fn tell(&self, order: impl Fn() -> Order) {
        for orders in &self.orders {
            // A thread that is gone also closed its replies: gather says so.
            let _ = orders.send(order());
        }
    }

    /// One reply from each thread, in the threads' order; the first failure if there is one.
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
                    Err(WorkerError::new(Kind::Internal, "a thread gave no fitting reply"))
                })
            })
            .collect()
    }
}

/// A thread's life.
fn serve(
    index: usize,
    cpu: u32,
    job: Arc<Job>,
    orders: &Receiver<Order>,
    reply: &Sender<(usize, Reply)>,
) {
    let say = |answer| reply.send((index, answer)).is_ok();
    let name = job.operation.name.clone();
    let plant_wrong_answer = job.plant_wrong_answer;
    let mut work = match guarded(|| prepare(cpu, &job)) {
        Ok((work, prepared)) => {
            say(Reply::Prepared(Ok(prepared)));
            work
        }
        Err(error) => {
            say(Reply::Prepared(Err(error)));
            return;
        }
    };
    // The inputs are not needed any more, each thread has its own copy.
    drop(job);
    while let Ok(order) = orders.recv() {
        let answer = match order {
            Order::Measure(span, gate) => Reply::Measured(guarded(|| {
                let span = Span { reads_process_clock: index == 0, ..span };
                window::measure(work.as_mut(), span, cpu, &gate, Pulse::take)
                    .map_err(|e| WorkerError::from(e).at(&name))
            })),
            Order::Verify => Reply::Verified(guarded(|| {
                verify(work.as_mut(), &name, plant_wrong_answer).map(|_| ())
            })),
        };
        if !say(answer) {
            return;
        }
    }
}

/// Runs a thread's step so that a panic becomes an answer.
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

/// Pins the thread, sets its work up, verifies two ops and finds the batch size, in this order.
fn prepare(cpu: u32, job: &Job) -> Answer<(Box<dyn Work>, Prepared)> {
    pin(cpu)?;
    let setting = Setting { parameters: &job.parameters, inputs: &job.inputs, seed: job.seed };
    let Operation { name, setup, .. } = &job.operation;
    let mut work = setup(&setting).map_err(|e| e.at(name))?;
    let first = Output::of(&verify(work.as_mut(), name, job.plant_wrong_answer)?);
    let second = Output::of(&verify(work.as_mut(), name, job.plant_wrong_answer)?);
    let output = (first == second).then_some(first);
    let batch_ops = window::find_batch(work.as_mut(), job.clock_cost_ns, clock::now_ns)
        .map_err(|e| WorkerError::from(e).at(name))?;
    let (verified, bytes_per_op) = (work.verified(), work.bytes_per_op());
    Ok((work, Prepared { batch_ops, verified, bytes_per_op, output }))
}

/// Performs one op and checks its output, which it gives; a planted wrong answer flips one bit in between.
fn verify(work: &mut dyn Work, name: &str, plant_wrong_answer: bool) -> Answer<Vec<u8>> {
    let mut output = work.output().map_err(|e| WorkerError::from(e).at(name))?;
    if plant_wrong_answer {
        let middle = output.len() / 2;
        output[middle] ^= 1;
    }
    work.check(&output).map_err(|what| {
        WorkerError::new(Kind::WrongAnswer, what)
            .hint("don't trust this machine or this build with this operation; its figures are not kept")
            .at(name)
    })?;
    Ok(output)
}

/// Pins the calling thread to one CPU.
pub(crate) fn pin(cpu: u32) -> Answer<()> {
    let refused = |why: String| {
        WorkerError::new(Kind::Resources, format!("CPU {cpu} can't be had: {why}"))
            .hint("`sizeup machine` shows the CPUs that may be used here")
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
