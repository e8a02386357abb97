//! A worker's life: the manifest, or one launch from `prepare` to `finish`.

use crate::build::Build;
use crate::chain::ChainKernel;
use crate::clock;
use crate::crew::{Crew, Job};
use crate::error::{Kind, WorkerError};
use crate::input::Inputs;
use crate::parameters;
use crate::protocol::{Answer, PROTOCOL, Plant, Prepare, Ready, Request, Window};
use crate::pulse::KERNELS;
use crate::usage;
use crate::window::Span;
use crate::work::{Operation, Worker};
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs a worker as its command line and its stdin ask, and gives its exit status.
pub fn run(worker: &Worker) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Session { worker, launch: None, windows: 0, ops: 0 }.serve(&mut out),
        ["--list"] => list(worker, &mut out),
        _ => {
            eprintln!(
                "usage: {} [--list]   (requests on stdin, see docs/protocol.md)",
                worker.name
            );
            return ExitCode::from(2);
        }
    };
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let answer = Answer::Error { kind: error.kind, message: &error.message, hint: &error.hint };
    if let Err(e) = answer.write(&mut out) {
        eprintln!("{}: {error} (and stdout can't be written: {e})", worker.name);
    }
    ExitCode::FAILURE
}

fn list(worker: &Worker, out: &mut impl Write) -> Result<(), WorkerError> {
    self_test(worker)?;
    say(
        out,
        &Answer::List {
            protocol: PROTOCOL,
            worker: worker.name,
            build: Build::new((worker.libraries)(), (worker.paths)()),
            operations: &worker.operations,
        },
    )
}

fn self_test(worker: &Worker) -> Result<(), WorkerError> {
    (worker.self_test)().map_err(|what| {
        WorkerError::new(
            Kind::WrongAnswer,
            format!("the self-test of {} failed: {what}", worker.name),
        )
        .hint("this build is not what it claims to be; build it again from a clean tree")
    })
}

fn say(out: &mut impl Write, answer: &Answer) -> Result<(), WorkerError> {
    answer
        .write(out)
        .map_err(|e| WorkerError::new(Kind::Internal, format!("stdout can't be written: {e}")))
}

/// One launch.
struct Session<'a> {
    worker: &'a Worker,
    launch: Option<Launch>,
    windows: u64,
    ops: u64,
}

struct Launch {
    crew: Crew,
    verified: &'static str,
    batch_ops: u64,
}

impl<'a> Session<'a> {
    fn serve(mut self, out: &mut impl Write) -> Result<(), WorkerError> {
        let mut stdin = io::stdin().lock();
        loop {
            match Request::read(&mut stdin)? {
                Some(Request::Prepare(prepare)) => self.prepare(prepare, out)?,
                Some(Request::Measure { settle_ns, window_ns }) => {
                    self.measure(settle_ns, window_ns, out)?;
                }
                Some(Request::Finish {}) => return say(out, &self.finish()?),
                None => {
                    // Whoever closed stdin may have gone, and leave the answer unread.
                    let _ = self.finish()?.write(out);
                    return Ok(());
                }
            }
        }
    }

    fn prepare(&mut self, prepare: Prepare, out: &mut impl Write) -> Result<(), WorkerError> {
        if self.launch.is_some() {
            return Err(WorkerError::bad_request("prepare came twice: a launch is one case"));
        }
        self_test(self.worker)?;
        let operation = self.operation(&prepare.operation)?;
        parameters::check(&operation.parameters, &prepare.parameters)?;
        let clock_cost_ns = clock::cost_ns(|| ());
        let cpus: Vec<u32> = prepare.cpus.iter().copied().cycle().take(prepare.threads).collect();
        let job = Job {
            operation: operation.clone(),
            parameters: prepare.parameters,
            inputs: Inputs::load(&prepare.inputs)?,
            seed: prepare.seed,
            plant_wrong_answer: prepare.plant == Plant::WrongAnswer,
            clock_cost_ns,
        };
        let (crew, prepared) = Crew::start(job, &cpus)?;
        let (batch_ops, verified) = (prepared.batch_ops, prepared.verified);
        self.launch = Some(Launch { crew, verified, batch_ops });

        let (output_sha256, output_bytes) =
            prepared.output.map(|output| (output.sha256, output.bytes)).unzip();
        let mut libraries = (self.worker.libraries)();
        libraries.retain(|name, _| name == operation.implementation);
        let mut paths = (self.worker.paths)();
        paths.retain(|name, _| name == operation.implementation);
        say(
            out,
            &Answer::Ready(Box::new(Ready {
                protocol: PROTOCOL,
                worker: self.worker.name,
                build: Build::new(libraries, paths),
                bytes_per_op: prepared.bytes_per_op,
                batch_ops,
                clock_cost_ns,
                resident_bytes: usage::resident_bytes(),
                verified,
                output_sha256,
                output_bytes,
                pulse: KERNELS,
                chain: ChainKernel::measure(),
            })),
        )
    }

    fn operation(&self, name: &str) -> Result<&'a Operation, WorkerError> {
        self.worker.operations.iter().find(|operation| operation.name == name).ok_or_else(|| {
            let message = format!("{} does not have the operation {name:?}", self.worker.name);
            WorkerError::new(Kind::UnknownOperation, message).hint("--list shows what it has")
        })
    }

    fn measure(
        &mut self,
        settle_ns: u64,
        window_ns: u64,
        out: &mut impl Write,
    ) -> Result<(), WorkerError> {
        let launch = self
            .launch
            .as_ref()
            .ok_or_else(|| WorkerError::bad_request("measure came before prepare"))?;
        let reads_process_clock = false; // the crew says who does
        let batch_ops = launch.batch_ops;
        let span = Span { settle_ns, window_ns, batch_ops, reads_process_clock, has_chains: true };
        let window = Window::of(launch.crew.measure(span)?);
        self.windows += 1;
        self.ops += window.threads.iter().map(|thread| thread.ops).sum::<u64>();
        say(out, &Answer::Window(window))
    }

    fn finish(self) -> Result<Answer<'static>, WorkerError> {
        let verified = match self.launch {
            Some(launch) => {
                launch.crew.finish()?;
                launch.verified
            }
            None => "nothing was prepared",
        };
        Ok(Answer::Done { verified, windows: self.windows, ops: self.ops })
    }
}

#[cfg(test)]
mod tests;
