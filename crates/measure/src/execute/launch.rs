//! One worker process doing one case, from `prepare` to `finish`; its answers are checked.

use super::Interrupt;
use super::channel::Channel;
use super::failure::{ErrorAnswer, Failure};
use super::ready::check_ready;
use super::receipt::PROTOCOL;
use crate::telemetry::monotonic_ns;
use catalog::{Catalog, Program, Workload};
use record::{CLOCKS_SPARE, Case, Flaw, Measured, Ready, Request, Timing, Variant, WorkerBuild};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Everything that it takes to launch a case.
#[derive(Debug, Clone)]
pub struct Task {
    /// The case's number in the plan.
    pub number: usize,
    /// The case.
    pub case: Case,
    /// Who does it.
    pub program: Program,
    /// What the worker calls the workload.
    pub asked_as: String,
    /// What the case keeps in memory, at most; 0 where its table doesn't say, for it isn't much.
    pub memory_bytes: u64,
    prepare: Value,
}

impl Task {
    /// A case of a workload; `plant_wrong_answer` has the worker damage its own output.
    pub fn new(
        number: usize,
        case: &Case,
        workload: &Workload,
        catalog: &Catalog,
        plant_wrong_answer: bool,
    ) -> Self {
        let inputs: serde_json::Map<String, Value> = workload
            .definition
            .inputs
            .keys()
            .map(|name| {
                let input = &catalog.inputs[name];
                let file =
                    json!({ "path": input.path, "bytes": input.bytes, "sha256": input.sha256 });
                (name.clone(), file)
            })
            .collect();
        let mut prepare = json!({
            "request": "prepare",
            "protocol": PROTOCOL,
            "workload": workload.asked_as,
            "parameters": workload.parameters,
            "threads": case.threads,
            "cpus": case.cpus,
            "seed": 0,
            "inputs": inputs,
        });
        if plant_wrong_answer {
            prepare["plant"] = json!("wrong-answer");
        }
        Self {
            number,
            case: case.clone(),
            program: workload.program.clone(),
            asked_as: workload.asked_as.clone(),
            memory_bytes: workload.memory_bytes(case.threads),
            prepare,
        }
    }

    /// The same in a variant's setting.
    #[must_use]
    pub fn in_setting(mut self, variant: &Variant) -> Self {
        let program = &mut self.program;
        let other = variant.workers.get(&program.name);
        program.name = variant.name_of(&program.name);
        if let Some(other) = other {
            program.run = vec![other.clone()];
        }
        program.environment.extend(variant.environment.clone());
        self
    }

    fn prepare_line(&self, seed: u64) -> String {
        let mut prepare = self.prepare.clone();
        prepare["seed"] = json!(seed);
        prepare.to_string()
    }
}

/// The requests of a launch with a few windows, to run a worker by hand.
pub fn request_lines(task: &Task, seed: u64, timing: &Timing, windows: usize) -> Vec<String> {
    let mut lines = vec![task.prepare_line(seed)];
    lines.extend(std::iter::repeat_n(measure_line(timing), windows));
    lines.push(FINISH.to_owned());
    lines
}

const FINISH: &str = r#"{"request":"finish"}"#;

fn measure_line(timing: &Timing) -> String {
    let (settle_ns, window_ns) = (timing.settle_ns, timing.window_ns);
    json!({ "request": "measure", "settle_ns": settle_ns, "window_ns": window_ns }).to_string()
}

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
    /// Starts a worker and has it set the case up. `build` is what its receipt told.
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
