//! One worker process that runs one case, from `prepare` to `finish`. Its answers are checked.

use super::Interrupt;
use super::channel::{Channel, have_output};
use super::failure::{ErrorAnswer, Failure};
use super::ready::check_ready;
use super::task::{FINISH, Task, measure_line};
use crate::telemetry::monotonic_ns;
use record::{CLOCKS_SPARE, Flaw, Measured, Ready, Request, Timing, WorkerBuild};
use serde::Deserialize;
use std::time::Duration;

/// A line from a worker.
#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
enum Answer {
    Ready(Box<Ready>),
    Sample(Measured),
    Done { verified: String, samples: u64, ops: u64 },
    Error(ErrorAnswer),
}

/// How long a worker may take for an answer, in addition to the requested sample time.
#[derive(Debug, Clone, Copy)]
pub struct Patience(pub Duration);

/// A plausible sample.
#[derive(Debug)]
pub struct Checked {
    pub measured: Measured,
    /// Why the sample must not be used, if it is unusable.
    pub stray: Option<String>,
    /// From the request to the answer.
    pub took: Duration,
}

/// A live worker, ready and verified.
#[derive(Debug)]
pub struct LiveLaunch {
    pub number: u64,
    /// The worker's answer to `prepare`.
    pub ready: Ready,
    channel: Channel,
    cpus: Vec<u32>,
    patience: Patience,
    samples: u64,
    ops: u64,
}

impl LiveLaunch {
    /// Starts a worker and prepares the case. `build` is from its manifest.
    ///
    /// # Errors
    /// When it can't be started, doesn't answer, or gives an impossible answer.
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
        Ok(Self { number, ready: *ready, channel, cpus, patience, samples: 0, ops: 0 })
    }

    /// The process ID, which is also that of its group.
    pub fn pid(&self) -> u32 {
        self.channel.pid()
    }

    /// Measures one sample. The harness does nothing else meanwhile.
    ///
    /// # Errors
    /// When the worker fails, doesn't answer, or gives an impossible sample.
    pub fn measure(&mut self, timing: &Timing) -> Result<Checked, Failure> {
        let sent_ns = self.request(timing)?;
        self.sample(timing, sent_ns)
    }

    /// Requests a sample and returns the time of the request.
    ///
    /// # Errors
    /// When the worker doesn't read it.
    pub fn request(&mut self, timing: &Timing) -> Result<u64, Failure> {
        let sent_ns = monotonic_ns();
        self.channel.send(&measure_line(timing), self.patience.0)?;
        Ok(sent_ns)
    }

    /// Whether the answer to a request comes within this time. It is not read.
    pub fn answers_within(&self, at_most: Duration) -> bool {
        have_output(&[&self.channel], at_most)[0]
    }

    /// Which of these workers have answered, after this time at most. Nothing is read.
    pub fn answered(launches: &[&Self], at_most: Duration) -> Vec<bool> {
        let channels: Vec<&Channel> = launches.iter().map(|launch| &launch.channel).collect();
        have_output(&channels, at_most)
    }

    /// The sample requested at `sent_ns`.
    ///
    /// # Errors
    /// When the worker fails, doesn't answer, or gives an impossible sample.
    pub fn sample(&mut self, timing: &Timing, sent_ns: u64) -> Result<Checked, Failure> {
        let requested = Duration::from_nanos(timing.warmup_ns + timing.sample_ns);
        let patience = self.patience.0 + requested;
        let answer = answer(&mut self.channel, "a sample", patience)?;
        let Answer::Sample(sample) = answer else {
            return Err(self.channel.failed(unfitting("measure")));
        };
        let received_ns = monotonic_ns();
        let stray = match self.check_sample(&sample, timing, sent_ns, received_ns) {
            Ok(()) => None,
            Err(Flaw::Stray(what)) => Some(what),
            Err(Flaw::Lie(what)) => return Err(self.channel.failed(impossible(&what))),
        };
        self.samples += 1;
        self.ops += sample.threads.iter().map(|thread| thread.ops).sum::<u64>();
        let took = Duration::from_nanos(received_ns.saturating_sub(sent_ns));
        Ok(Checked { measured: sample, stray, took })
    }

    /// Runs the final verification, ends the worker, and returns what was verified.
    ///
    /// # Errors
    /// When the verification fails, or the worker's totals differ from those of its samples.
    pub fn finish(mut self) -> Result<String, Failure> {
        self.channel.send(FINISH, self.patience.0)?;
        let patience = self.patience.0;
        let answer = answer(&mut self.channel, "the answer to finish", patience)?;
        let Answer::Done { verified, samples, ops } = answer else {
            return Err(self.channel.failed(unfitting("finish")));
        };
        if (samples, ops) != (self.samples, self.ops) {
            let message = format!(
                "the worker reports {samples} samples with {ops} ops, but sent {} \
                 with {}",
                self.samples, self.ops
            );
            return Err(self.channel.failed(Failure::new("impossible", message, "")));
        }
        self.channel.end(patience)?;
        Ok(verified)
    }

    /// Checks that a sample is plausible and was measured since its request.
    fn check_sample(
        &self,
        sample: &Measured,
        timing: &Timing,
        sent_ns: u64,
        received_ns: u64,
    ) -> Result<(), Flaw> {
        let request = Request { cpus: &self.cpus, ready: &self.ready, sample_ns: timing.sample_ns };
        let measured = request.check(sample);
        if let Err(Flaw::Lie(_)) = measured {
            return measured;
        }
        check_times(sample, sent_ns, received_ns)?;
        measured
    }
}

/// Checks that a sample lies between request and answer.
fn check_times(sample: &Measured, sent_ns: u64, received_ns: u64) -> Result<(), String> {
    if sample.start_ns < sent_ns || sample.end_ns > received_ns {
        return Err(format!(
            "it spans {} to {} ns, but was requested at {sent_ns} and received at {received_ns} ns",
            sample.start_ns, sample.end_ns
        ));
    }
    let known_ns = received_ns - sent_ns;
    let read_ns = sample.threads.iter().filter_map(|thread| thread.cpu_elapsed_ns).max();
    match read_ns {
        Some(read_ns) if read_ns > known_ns + known_ns / CLOCKS_SPARE => Err(format!(
            "a thread's CPU time covers {read_ns} ns, but was requested {known_ns} ns ago"
        )),
        _ => Ok(()),
    }
}

/// The failure of a worker that gives impossible samples.
pub(super) fn impossible(what: &str) -> Failure {
    let message = format!("the worker reported an impossible sample: {what}");
    Failure::new("impossible", message, "do not trust this worker")
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
    Failure::not_the_protocol(format!("the answer does not match the request {request:?}"))
}

#[cfg(test)]
mod changed;
