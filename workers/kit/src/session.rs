//! A worker's life: the manifest, or one launch from `prepare` to `finish`.

use crate::build::{Build, Language};
use crate::chain::ChainKernel;
use crate::clock;
use crate::counters::Counted;
use crate::crew::{Crew, Job};
use crate::error::{Kind, WorkerError};
use crate::input::Inputs;
use crate::parameters;
use crate::protocol::{Answer, Inject, PROTOCOL, Prepare, Ready, Request, Sample};
use crate::pulse::KERNELS;
use crate::sample::Span;
use crate::sharing::Common;
use crate::usage;
use crate::work::{Operation, Worker};
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs a worker according to its command line and stdin, and returns its exit status.
pub fn run(worker: &Worker) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ExitCode::from(run_in(&Language::rust(), worker, &arguments))
}

/// Takes the language of the worker's operations and the arguments of its command line.
pub fn run_in(language: &Language, worker: &Worker, arguments: &[String]) -> u8 {
    let mut out = io::stdout().lock();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Session { language, worker, launch: None, samples: 0, ops: 0 }.serve(&mut out),
        ["--list"] => list(language, worker, &mut out),
        _ => {
            eprintln!(
                "usage: {} [--list]   (requests on stdin, see docs/protocol.md)",
                worker.name
            );
            return 2;
        }
    };
    let Err(error) = result else {
        return 0;
    };
    let answer = Answer::Error { kind: error.kind, message: &error.message, hint: &error.hint };
    if let Err(e) = answer.write(&mut out) {
        eprintln!("{}: {error} (and cannot write stdout: {e})", worker.name);
    }
    1
}

fn list(language: &Language, worker: &Worker, out: &mut impl Write) -> Result<(), WorkerError> {
    self_test(worker)?;
    let started = worker.operations.iter().flat_map(|operation| &operation.starts);
    let build = Build {
        late_libraries: started.copied().collect(),
        ..Build::new(language, (worker.libraries)(), (worker.paths)())
    };
    write_answer(
        out,
        &Answer::List {
            protocol: PROTOCOL,
            worker: worker.name,
            build,
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
        .hint("the wrong library is linked; rebuild from a clean tree")
    })
}

fn write_answer(out: &mut impl Write, answer: &Answer) -> Result<(), WorkerError> {
    answer
        .write(out)
        .map_err(|e| WorkerError::new(Kind::Internal, format!("cannot write stdout: {e}")))
}

/// One launch.
struct Session<'a> {
    language: &'a Language,
    worker: &'a Worker,
    launch: Option<Launch>,
    samples: u64,
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
                Some(Request::Measure { warmup_ns, sample_ns }) => {
                    self.measure(warmup_ns, sample_ns, out)?;
                }
                Some(Request::Finish {}) => return write_answer(out, &self.finish()?),
                None => {
                    // Whoever closed stdin may have gone and left the answer unread.
                    let _ = self.finish()?.write(out);
                    return Ok(());
                }
            }
        }
    }

    fn prepare(&mut self, prepare: Prepare, out: &mut impl Write) -> Result<(), WorkerError> {
        if self.launch.is_some() {
            return Err(WorkerError::bad_request("a second prepare: a launch runs one case"));
        }
        self_test(self.worker)?;
        let operation = self.operation(&prepare.operation)?;
        parameters::check(&operation.parameters, &prepare.parameters)?;
        // Without a crossing not even an indirect call is timed.
        let clock_cost_ns = match self.language.crossing {
            Some(crossing) => clock::cost_ns(crossing),
            None => clock::cost_ns(|| ()),
        };
        let cpus: Vec<u32> = prepare.cpus.iter().copied().cycle().take(prepare.threads).collect();
        let counted = Counted::find(prepare.threads);
        let job = Job {
            operation: operation.clone(),
            parameters: prepare.parameters,
            inputs: Inputs::load(&prepare.inputs)?,
            seed: prepare.seed,
            cpus,
            common: Common::default(),
            inject_wrong_answer: prepare.inject == Inject::WrongAnswer,
            clock_cost_ns,
            counted: counted.clone(),
        };
        let (crew, prepared) = Crew::start(job, self.language.start_thread)?;
        let (batch_ops, verified) = (prepared.batch_ops, prepared.verified);
        self.launch = Some(Launch { crew, verified, batch_ops });

        let (output_sha256, output_bytes) =
            prepared.output.map(|output| (output.sha256, output.bytes)).unzip();
        let mut libraries = (self.worker.libraries)();
        libraries.retain(|name, _| name == operation.implementation);
        libraries.extend(prepared.libraries);
        let mut paths = (self.worker.paths)();
        paths.retain(|name, _| name == operation.implementation);
        write_answer(
            out,
            &Answer::Ready(Box::new(Ready {
                protocol: PROTOCOL,
                worker: self.worker.name,
                build: Build::new(self.language, libraries, paths),
                bytes_per_op: prepared.bytes_per_op,
                counts_part: prepared.counts_part,
                batch_ops,
                clock_cost_ns,
                resident_bytes: usage::resident_bytes(),
                verified,
                output_sha256,
                output_bytes,
                pulse: KERNELS,
                chain: ChainKernel::measure(),
                counters: counted,
            })),
        )
    }

    fn operation(&self, name: &str) -> Result<&'a Operation, WorkerError> {
        self.worker.operations.iter().find(|operation| operation.name == name).ok_or_else(|| {
            let message = format!("{} has no operation {name:?}", self.worker.name);
            WorkerError::new(Kind::UnknownOperation, message).hint("--list shows its operations")
        })
    }

    fn measure(
        &mut self,
        warmup_ns: u64,
        sample_ns: u64,
        out: &mut impl Write,
    ) -> Result<(), WorkerError> {
        let launch = self
            .launch
            .as_ref()
            .ok_or_else(|| WorkerError::bad_request("measure before prepare"))?;
        let reads_process_clock = false; // the crew sets it for one thread
        let batch_ops = launch.batch_ops;
        let span = Span { warmup_ns, sample_ns, batch_ops, reads_process_clock, has_chains: true };
        let sample = Sample::of(launch.crew.measure(span)?);
        self.samples += 1;
        self.ops += sample.threads.iter().map(|thread| thread.ops).sum::<u64>();
        write_answer(out, &Answer::Sample(sample))
    }

    fn finish(self) -> Result<Answer<'static>, WorkerError> {
        let verified = match self.launch {
            Some(launch) => {
                launch.crew.finish()?;
                launch.verified
            }
            None => "nothing was prepared",
        };
        Ok(Answer::Done { verified, samples: self.samples, ops: self.ops })
    }
}

#[cfg(test)]
mod tests;
