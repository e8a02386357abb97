//! Executions of commands by this program itself: a first one, which shows that each succeeds and how long it takes, and few ones
//! whose times are figures.

use super::commands::in_shell;
use anyhow::{Context, bail};
use measure::execute::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// With fewer executions of each command, warm-up and checks included, a run gets no figure (of two that sleep for half a second).
const LEAST_EXECUTIONS: u32 = 30;
/// Fewer have no margin.
const LEAST_RUNS: usize = 2;
/// More have no use if nobody asked for them.
const MOST_RUNS: usize = 100;
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// As much of what a command says is read to say why it failed.
const MOST_SAID_BYTES: u64 = 4096;
/// How long to wait for what a command said: what it left behind may hold it open.
const SAID_WITHIN: Duration = Duration::from_millis(500);

/// How commands are executed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Executing<'a> {
    /// Before each execution, outside of its time.
    pub prepare: Option<&'a str>,
    /// Whether an execution that fails counts.
    pub ignores_failure: bool,
    /// No execution takes longer.
    pub longest: Duration,
    pub interrupt: &'a Interrupt,
}

/// The time of one execution of each command.
pub(super) fn try_out(
    commands: &[Vec<String>],
    executing: &Executing,
) -> anyhow::Result<Vec<Duration>> {
    commands.iter().map(|words| executing.once(words)).collect()
}

/// Whether a run of samples would get a figure.
pub(super) fn has_time_for_samples(first: &[Duration], budget: Duration) -> bool {
    first.iter().sum::<Duration>() * LEAST_EXECUTIONS <= budget
}

/// Seconds of each execution of each command, the first ones included: in turns, as often as asked or as the budget
/// holds, which is oftener for short ones.
pub(super) fn few(
    commands: &[Vec<String>],
    first: &[Duration],
    (asked, budget): (Option<usize>, Duration),
    executing: &Executing,
) -> anyhow::Result<Vec<Vec<f64>>> {
    let started = Instant::now();
    let round: Duration = first.iter().sum();
    if asked.is_none() && round * LEAST_RUNS as u32 > budget {
        bail!(
            "--budget {}: one execution of each takes {:.1} s, and a figure needs {LEAST_RUNS}: {} s. Raise --budget",
            humantime::format_duration(budget),
            round.as_secs_f64(),
            (round * LEAST_RUNS as u32).as_secs() + 1
        );
    }
    let (least, most) = (asked.unwrap_or(LEAST_RUNS), asked.unwrap_or(MOST_RUNS));
    let mut all: Vec<Vec<f64>> = first.iter().map(|time| vec![time.as_secs_f64()]).collect();
    // With what is prepared.
    let mut last = first.to_vec();
    loop {
        let mut is_done = true;
        for ((words, times), last) in commands.iter().zip(&mut all).zip(&mut last) {
            let has_room = round + started.elapsed() + *last <= budget;
            if times.len() < least || (times.len() < most && has_room) {
                let begun = Instant::now();
                times.push(executing.once(words)?.as_secs_f64());
                *last = begun.elapsed();
                is_done = false;
            }
        }
        if is_done {
            return Ok(all);
        }
    }
}

impl Executing<'_> {
    fn once(&self, words: &[String]) -> anyhow::Result<Duration> {
        if let Some(prepare) = self.prepare {
            let shell = ["sh", "-c", prepare].map(str::to_owned);
            let (status, _, said) = self.execute(&shell)?;
            if !status.success() {
                bail!("--prepare `{prepare}` failed ({status}){}", in_words(&said));
            }
        }
        let (status, took, said) = self.execute(words)?;
        let text = in_shell(words);
        match status.code() {
            _ if status.success() || self.ignores_failure => Ok(took),
            Some(127) if words[0] == "sh" => bail!(
                "`{text}` failed ({status}): sh finds no such command{}. An alias or a function is known to your interactive \
                 shell only: write out what it stands for",
                in_words(&said)
            ),
            _ => bail!(
                "`{text}` failed ({status}){}. Its input is empty. If it is meant to fail, add --ignore-failure",
                in_words(&said)
            ),
        }
    }

    /// How it ended, how long that took, and the first line that it said of an error.
    fn execute(&self, words: &[String]) -> anyhow::Result<(ExitStatus, Duration, Option<String>)> {
        let text = in_shell(words);
        let started = Instant::now();
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("`{text}` can't be started"))?;
        let group = Pid::from_raw(child.id().cast_signed());
        let said = child.stderr.take();
        let (to_reader, heard) = channel();
        thread::spawn(move || {
            let mut first = Vec::new();
            if let Some(mut said) = said {
                let _ = said.by_ref().take(MOST_SAID_BYTES).read_to_end(&mut first);
                // A closed pipe would end the command.
                let _ = std::io::copy(&mut said, &mut std::io::sink());
            }
            let _ = to_reader.send(first);
        });
        let was_ended = AtomicBool::new(false);
        let (ended, watched) = channel::<()>();
        let (status, took) = thread::scope(|scope| {
            scope.spawn(|| {
                let watched = watched;
                while watched.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                    if self.interrupt.asked() || started.elapsed() > self.longest {
                        was_ended.store(true, Ordering::Relaxed);
                        // One that has just ended needs no signal.
                        let _ = killpg(group, Signal::SIGKILL);
                    }
                }
            });
            let status = child.wait();
            let took = started.elapsed();
            drop(ended);
            (status, took)
        });
        let status = status?;
        if was_ended.load(Ordering::Relaxed) && status.signal() == Some(Signal::SIGKILL as i32) {
            bail!("`{text}` takes longer than the whole --budget");
        }
        let said = heard.recv_timeout(SAID_WITHIN).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
        Ok((status, took, said))
    }
}

fn in_words(said: &Option<String>) -> String {
    said.as_ref().map_or_else(String::new, |said| format!(": {said:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        ["sh", "-c", text].map(str::to_owned).to_vec()
    }

    fn with<T>(
        prepare: Option<&str>,
        ignores_failure: bool,
        use_it: impl Fn(&Executing) -> T,
    ) -> T {
        let interrupt = Interrupt::catch().unwrap();
        let longest = Duration::from_secs(600);
        use_it(&Executing { prepare, ignores_failure, longest, interrupt: &interrupt })
    }

    #[test]
    fn few_executions_are_as_many_as_asked_or_as_the_budget_holds() {
        with(None, false, |executing| {
            let commands = [words("true"), words("sleep 0.05")];
            let first = try_out(&commands, executing).unwrap();
            let asked = few(&commands, &first, (Some(4), Duration::ZERO), executing).unwrap();
            assert_eq!(asked.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
            assert!(asked[1].iter().all(|seconds| *seconds >= 0.05));
            let long = Duration::from_secs(1_000);
            let most = few(&commands[..1], &first[..1], (None, long), executing).unwrap();
            assert_eq!(most[0].len(), MOST_RUNS);
            let said =
                few(&commands[..1], &[long], (None, long), executing).unwrap_err().to_string();
            assert!(said.contains("a figure needs 2: 2001 s"), "{said}");
        });
    }

    #[test]
    fn what_prepares_an_execution_is_not_in_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        let prepare = format!("sleep 0.2; touch {}", file.display());
        let remove = words(&format!("rm {}", file.display()));
        with(Some(&prepare), false, |executing| {
            let first = try_out(std::slice::from_ref(&remove), executing).unwrap();
            let times =
                few(std::slice::from_ref(&remove), &first, (Some(3), Duration::ZERO), executing);
            // It would fail without its file.
            assert!(times.unwrap()[0].iter().any(|seconds| *seconds < 0.2));
        });
        let said = with(Some("echo no >&2; exit 4"), false, |executing| {
            executing.once(&remove).unwrap_err().to_string()
        });
        assert!(said.contains("--prepare") && said.contains("\"no\""), "{said}");
    }

    #[test]
    fn a_failure_says_why_and_what_to_do() {
        let said = |text: &str| {
            with(None, false, |executing| executing.once(&words(text)).unwrap_err().to_string())
        };
        let failed = said("echo 'no such host' >&2; exit 3");
        assert!(
            failed.contains("\"no such host\"") && failed.contains("--ignore-failure"),
            "{failed}"
        );
        let alias = said("ll_is_an_alias /");
        assert!(
            alias.contains("An alias or a function is known to your interactive shell only"),
            "{alias}"
        );
        assert!(with(None, true, |executing| executing.once(&words("exit 3")).is_ok()));
    }
}
