//! One worker process doing one case, from `prepare` to `finish`; its answers are checked.

use super::Interrupt;
use super::channel::Channel;
use super::failure::{ErrorAnswer, Failure};
use super::ready::check_ready;
use super::task::{FINISH, Task, measure_line};
use crate::telemetry::monotonic_ns;
use record::{CLOCKS_SPARE, Flaw, Measured, Ready, Request, Timing, WorkerBuild};
use serde::Deserialize;
use std::time::Duration;

/// What a worker may answer.
#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
enum Answer {
    Ready(Box<Ready>),
    Window(Measured),
    Done { verified: String, windows: u64, ops: u64 },
    Error(ErrorAnswer),
}

/// How long a worker may take for an answer, beyond what it was asked to take.
#[derive(Debug, Clone, Copy)]
pub struct Patience(pub Duration);

/// A window that this worker can have measured.
#[derive(Debug)]
pub struct Checked {
    /// What it answered.
    pub measured: Measured,
    /// Why no figure may be made of it, if so.
    pub stray: Option<String>,
}

/// A live worker, ready and verified.
#[derive(Debug)]
pub struct LiveLaunch {
    /// Its number in the run.
    pub number: u64,
    /// What it said when it was ready.
    pub ready: Ready,
    channel: Channel,
    cpus: Vec<u32>,
    patience: Patience,
    windows: u64,
    ops: u64,
}

impl LiveLaunch {
    /// Starts a worker and has it set the case up. `build` is what its manifest told.
    ///
    /// # Errors
    /// When it can't be started, doesn't answer, or answers what can't be.
    pub fn start(
        task: &Task,
        number: u64,
        seed: u64,
        build: &WorkerBuild,
        patience: Patience,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let mut channel = Channel::start(&task.program, &[], &task.case.cpus, interrupt)?;
        channel.send(&task.prepare_line(seed), patience.0)?;
        let answer = answer(&mut channel, "the answer to prepare", patience.0)?;
        let Answer::Ready(ready) = answer else {
            return Err(channel.failed(unfitting("prepare")));
        };
        let case = &task.case;
        check_ready(&ready, build, &case.cpus).map_err(|e| channel.failed(e))?;
        let cpus = case.cpus.iter().copied().cycle().take(case.threads).collect();
        Ok(Self { number, ready: *ready, channel, cpus, patience, windows: 0, ops: 0 })
    }

    /// The process, and its group.
    pub fn pid(&self) -> u32 {
        self.channel.pid()
    }

    /// One window. While it is open nothing else runs here.
    ///
    /// # Errors
    /// When the worker fails, doesn't answer, or gives a window that can't be.
    pub fn measure(&mut self, timing: &Timing) -> Result<Checked, Failure> {
        let sent_ns = self.ask(timing)?;
        self.window(timing, sent_ns)
    }

    /// Asks for a window, and gives the time at which that was done.
    ///
    /// # Errors
    /// When the worker doesn't take it.
    pub fn ask(&mut self, timing: &Timing) -> Result<u64, Failure> {
        let sent_ns = monotonic_ns();
        self.channel.send(&measure_line(timing), self.patience.0)?;
        Ok(sent_ns)
    }

    /// The window that was asked for at `sent_ns`.
    ///
    /// # Errors
    /// When the worker fails, doesn't answer, or gives a window that can't be.
    pub fn window(&mut self, timing: &Timing, sent_ns: u64) -> Result<Checked, Failure> {
        let asked = Duration::from_nanos(timing.settle_ns + timing.window_ns);
        let patience = self.patience.0 + asked;
        let answer = answer(&mut self.channel, "a window", patience)?;
        let Answer::Window(window) = answer else {
            return Err(self.channel.failed(unfitting("measure")));
        };
        let stray = match self.check_window(&window, timing, sent_ns, monotonic_ns()) {
            Ok(()) => None,
            Err(Flaw::Stray(what)) => Some(what),
            Err(Flaw::Lie(what)) => return Err(self.channel.failed(impossible(&what))),
        };
        self.windows += 1;
        self.ops += window.threads.iter().map(|thread| thread.ops).sum::<u64>();
        Ok(Checked { measured: window, stray })
    }

    /// The final verification; gives what was verified. The worker has ended then.
    ///
    /// # Errors
    /// When the verification fails, or the worker's totals are not those of its windows.
    pub fn finish(mut self) -> Result<String, Failure> {
        self.channel.send(FINISH, self.patience.0)?;
        let patience = self.patience.0;
        let answer = answer(&mut self.channel, "the answer to finish", patience)?;
        let Answer::Done { verified, windows, ops } = answer else {
            return Err(self.channel.failed(unfitting("finish")));
        };
        if (windows, ops) != (self.windows, self.ops) {
            let message = format!(
                "the worker says that it gave {windows} windows with {ops} ops in all, but it gave {} \
                 with {}",
                self.windows, self.ops
            );
            return Err(self.channel.failed(Failure::new("impossible", message, "")));
        }
        self.channel.end(patience)?;
        Ok(verified)
    }

    /// Whether a window is one that this machine can have given since it was asked for.
    fn check_window(
        &self,
        window: &Measured,
        timing: &Timing,
        sent_ns: u64,
        received_ns: u64,
    ) -> Result<(), Flaw> {
        let request = Request { cpus: &self.cpus, ready: &self.ready, window_ns: timing.window_ns };
        let measured = request.check(window);
        if let Err(Flaw::Lie(_)) = measured {
            return measured;
        }
        check_times(window, sent_ns, received_ns)?;
        measured
    }
}

/// Whether it lies between request and answer.
fn check_times(window: &Measured, sent_ns: u64, received_ns: u64) -> Result<(), String> {
    if window.start_ns < sent_ns || window.end_ns > received_ns {
        return Err(format!(
            "it lasts from {} to {} ns, but was asked for at {sent_ns} and told at {received_ns} ns",
            window.start_ns, window.end_ns
        ));
    }
    let known_ns = received_ns - sent_ns;
    let read_ns = window.threads.iter().filter_map(|thread| thread.cpu_elapsed_ns).max();
    match read_ns {
        Some(read_ns) if read_ns > known_ns + known_ns / CLOCKS_SPARE => Err(format!(
            "a thread's CPU time covers {read_ns} ns, but was requested {known_ns} ns ago"
        )),
        _ => Ok(()),
    }
}

/// A worker that is not believed.
pub(super) fn impossible(what: &str) -> Failure {
    let message = format!("the worker's window can't be: {what}");
    Failure::new("impossible", message, "don't trust this worker")
}

fn answer(channel: &mut Channel, what: &str, patience: Duration) -> Result<Answer, Failure> {
    let line = channel.receive(what, patience)?;
    match serde_json::from_str(&line) {
        Ok(Answer::Error(error)) => Err(channel.failed(error.into())),
        Ok(answer) => Ok(answer),
        Err(e) => Err(channel.failed(Failure::not_the_protocol(format!("{what}: {e}")))),
    }
}

fn unfitting(request: &str) -> Failure {
    Failure::not_the_protocol(format!("the answer does not fit the request {request:?}"))
}
