//! A first execution of each command: that it succeeds, and how long it takes.

use super::commands::in_shell;
use anyhow::{Context, bail};
use measure::execute::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// With fewer executions of each command, warm-up and checks included, none gets a figure, and with so many most do (of two that
/// sleep for half a second).
const LEAST_EXECUTIONS: u32 = 30;
const EXECUTIONS: u32 = 60;
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Executes each command once. Refuses what fails, and what takes so long that the budget is too short for a figure. An interrupt
/// ends it, too.
pub(super) fn try_out(
    commands: &[Vec<String>],
    budget: Duration,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let mut all = Duration::ZERO;
    for words in commands {
        all += execute(words, budget, interrupt)?;
    }
    if all * LEAST_EXECUTIONS > budget {
        let each = if commands.len() == 1 { "the command takes" } else { "the commands take" };
        bail!(
            "--budget {}: {each} {:.1} s, and a figure needs some {EXECUTIONS} executions: {} s. Raise --budget, or give them less to do",
            humantime::format_duration(budget),
            all.as_secs_f64(),
            (all * EXECUTIONS).as_secs() + 1
        );
    }
    Ok(())
}

fn execute(words: &[String], longest: Duration, interrupt: &Interrupt) -> anyhow::Result<Duration> {
    let text = in_shell(words);
    let started = Instant::now();
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .with_context(|| format!("`{text}` can't be started"))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return match status.success() {
                true => Ok(started.elapsed()),
                false => bail!(
                    "`{text}` failed ({status}); its input is empty. Execute it by hand to see why"
                ),
            };
        }
        if interrupt.asked() || started.elapsed() > longest {
            // One that has just ended needs no signal.
            let _ = killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
            child.wait()?;
            bail!("`{text}` takes longer than the whole --budget");
        }
        sleep(LOOK_EVERY);
    }
}
