//! Playing transcripts to a worker.

use super::laws::Exchange;
use super::pattern::mismatch;
use super::process::PlayedWorker;
use super::transcript::{Action, TranscriptStep};
use catalog::Program;
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::time::Duration;

/// A worker under test.
pub struct TestedWorker {
    /// The command, its folder and its environment.
    pub program: Program,
    /// How long an answer, or its end, may take.
    pub patience: Duration,
}

/// A worker that runs, or ran last.
struct Running {
    process: PlayedWorker,
    launch: Exchange,
}

/// Whether it went as expected, or what was got instead.
type Kept = Result<(), String>;

/// Plays a transcript; of each worker that it starts the first step that goes wrong is told, with all
/// that belongs to it.
pub fn play(subject: &TestedWorker, transcript: &str, steps: &[TranscriptStep]) -> Vec<String> {
    let one_worker =
        |_: &TranscriptStep, next: &TranscriptStep| !matches!(next.action, Action::Run(_));
    steps
        .chunk_by(one_worker)
        .filter_map(|steps| play_one(subject, transcript, steps).err())
        .collect()
}

fn play_one(subject: &TestedWorker, transcript: &str, steps: &[TranscriptStep]) -> Kept {
    let mut run = None;
    for step in steps {
        take(subject, step, &mut run).map_err(|got| {
            let stderr = run.as_mut().map(|run| run.process.stderr());
            let stderr = match stderr.as_deref().map(str::trim_end) {
                Some(text) if !text.is_empty() => format!("\n  stderr:   {text}"),
                _ => String::new(),
            };
            let (worker, line, expected) = (&subject.program.name, step.line, &step.text);
            format!(
                "worker {worker}, transcript {transcript}, line {line}:\n  \
                 expected: {expected}\n  got:      {got}{stderr}"
            )
        })?;
    }
    Ok(())
}

fn take(subject: &TestedWorker, step: &TranscriptStep, running: &mut Option<Running>) -> Kept {
    if let Action::Run(arguments) = &step.action {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        *running = Some(Running {
            process: PlayedWorker::start(&subject.program, &arguments, subject.patience)?,
            launch: Exchange::default(),
        });
        return Ok(());
    }
    let Some(Running { process, launch }) = running else {
        return Err("no worker was started".to_owned());
    };
    match &step.action {
        Action::Run(_) => Ok(()),
        Action::Send(bytes) => {
            if !launch.waits() {
                nothing_unasked(process)?;
            }
            launch.sent(bytes, now_ns());
            process.send(bytes)
        }
        Action::Answer(pattern) => {
            let line = process.receive()?;
            let fault = |what: String| format!("{line}\n  {what}");
            let answer: Value =
                serde_json::from_str(&line).map_err(|e| fault(format!("it is no JSON: {e}")))?;
            match mismatch(pattern, &answer) {
                Some(what) => Err(fault(what)),
                None => launch.answered(&answer, now_ns()).map_err(fault),
            }
        }
        Action::CloseStdin => {
            launch.sent(br#"{"request":"finish"}"#, now_ns());
            process.close_stdin();
            Ok(())
        }
        Action::CloseStdout => {
            process.close_stdout();
            Ok(())
        }
        Action::Exit(expected) => {
            let status = process.exit()?;
            nothing_unasked(process)?;
            if status == *expected { Ok(()) } else { Err(format!("exit status {status}")) }
        }
        Action::Stderr(pattern) => match mismatch(pattern, &Value::String(process.stderr())) {
            Some(what) => Err(what),
            None => Ok(()),
        },
    }
}

fn nothing_unasked(process: &mut PlayedWorker) -> Kept {
    match process.unasked() {
        Some(text) => Err(format!("what nobody had asked for: {text}")),
        None => Ok(()),
    }
}

/// The clock that the workers tell their times in.
fn now_ns() -> u64 {
    let ns =
        |time: TimeSpec| i128::from(time.tv_sec()) * 1_000_000_000 + i128::from(time.tv_nsec());
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, ns);
    // Below 0 where a virtual machine's clock was set wrong.
    u64::try_from(now).unwrap_or(0)
}
