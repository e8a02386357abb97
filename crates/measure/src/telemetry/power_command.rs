//! Commands that show power: the board's controller (BMC) by `ipmitool` or Redfish, or one of the user's.

use super::over::Over;
use machine::process_cpu_time;
use record::POSSIBLE_WATTS;
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A command that takes longer is ended: its reading would be of another time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for what was ended.
const LAST_WAIT: Duration = Duration::from_secs(1);
/// How often to see whether it has ended, or should.
const EVERY: Duration = Duration::from_millis(5);
/// More output than this is no reading.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// A command to read power with, again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PowerCommand {
    /// `ipmitool dcmi power reading`, of this machine's BMC.
    Ipmi,
    /// A Redfish resource, read with curl and the user's `.netrc`: `…/Power` or `…/EnvironmentMetrics` of a chassis.
    Redfish(String),
    /// The user's: the first number that it prints is watts.
    Own(String),
}

impl FromStr for PowerCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = |text: &str| !text.trim().is_empty() && !text.chars().any(char::is_control);
        match text.split_once('=') {
            None if text == "ipmi" => Ok(Self::Ipmi),
            Some(("redfish", url)) if is_plain(url) && url.starts_with("https://") => {
                Ok(Self::Redfish(url.to_owned()))
            }
            Some(("command", command)) if is_plain(command) => Ok(Self::Own(command.to_owned())),
            _ => Err(
                "expected ipmi, redfish=https://BMC/redfish/v1/Chassis/1/Power or command=COMMAND"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for PowerCommand {
    /// Without what names a host or a user's file.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Ipmi => "ipmi",
            Self::Redfish(_) => "redfish",
            Self::Own(_) => "command",
        })
    }
}

/// A reading, and the CPU time that it took.
#[derive(Debug, PartialEq)]
pub(super) struct CommandShown {
    pub watts: Result<f64, String>,
    pub cost: Duration,
}

impl PowerCommand {
    /// The source of its readings: `power_w.bmc` or `power_w.command`.
    pub fn channel(&self) -> &'static str {
        match self {
            Self::Ipmi | Self::Redfish(_) => "power_w.bmc",
            Self::Own(_) => "power_w.command",
        }
    }

    fn command(&self) -> Command {
        let (program, arguments): (&str, &[&str]) = match self {
            Self::Ipmi => ("ipmitool", &["dcmi", "power", "reading"]),
            Self::Redfish(url) => {
                ("curl", &["--silent", "--fail", "--netrc", "--max-time", "9", "--", url])
            }
            Self::Own(command) => ("/bin/sh", &["-c", command]),
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    /// Reads once.
    ///
    /// # Errors
    /// Says why it shows no power.
    pub fn watts_now(&self) -> Result<f64, String> {
        self.read(&Over::default()).watts
    }

    /// Reads once; gives up when it takes too long, or when it is over.
    pub(super) fn read(&self, over: &Over) -> CommandShown {
        let (output, cost) = run(self.command(), over);
        let watts = output.and_then(|output| self.watts(&output)).and_then(|watts| {
            let is_possible = POSSIBLE_WATTS.contains(&watts);
            is_possible.then_some(watts).ok_or_else(|| "shows no possible power".to_owned())
        });
        CommandShown { watts, cost }
    }

    fn watts(&self, output: &str) -> Result<f64, String> {
        let found = match self {
            Self::Ipmi => output.lines().find_map(|line| {
                first_number(line.trim().strip_prefix("Instantaneous power reading:")?)
            }),
            Self::Redfish(_) => {
                serde_json::from_str(output).ok().and_then(|json| of_redfish(&json))
            }
            Self::Own(_) => first_number(output),
        };
        found.ok_or_else(|| "shows no power".to_owned())
    }
}

/// DMTF's schemas `Power` (all supplies of a chassis) and `EnvironmentMetrics`.
fn of_redfish(json: &Value) -> Option<f64> {
    let controls = json["PowerControl"].as_array();
    let of_controls = || controls?.first()?["PowerConsumedWatts"].as_f64();
    of_controls().or_else(|| json["PowerWatts"]["Reading"].as_f64())
}

fn first_number(text: &str) -> Option<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| word.parse().ok())
}

/// Runs a command in a process group of its own. Its messages are dropped: they may name hosts.
fn run(mut command: Command, over: &Over) -> (Result<String, String>, Duration) {
    let program = command.get_program().to_string_lossy().into_owned();
    let spawned = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return (Err(format!("{program} can't be started: {error}")), Duration::ZERO),
    };
    let (sender, output) = channel();
    let stdout = child.stdout.take();
    let reading = std::thread::Builder::new().spawn(move || {
        let mut text = String::new();
        let read = stdout.map(|stdout| stdout.take(LONGEST_OUTPUT).read_to_string(&mut text));
        // Nobody waits for it any more.
        let _ = sender.send(read.map(|read| read.map(|_| text)));
    });
    over.started(child.id());
    let (status, cost) = ended(&mut child, over);
    over.ended(child.id());
    // What it left behind may hold its output open.
    let text = output.recv_timeout(LAST_WAIT).ok().flatten().and_then(Result::ok);
    let text = match (status, text) {
        _ if reading.is_err() => Err(format!("{program}: no thread can be started to read it")),
        (Some(status), Some(text)) if status.success() => Ok(text),
        (Some(status), _) => Err(format!("{program} ended with {}", in_words(status))),
        (None, _) => Err(format!("{program} gave no answer within {} s", PATIENCE.as_secs())),
    };
    (text, cost)
}

fn in_words(status: ExitStatus) -> String {
    status.code().map_or_else(|| "a signal".to_owned(), |code| format!("exit status {code}"))
}

/// Waits for a process, and ends its group if it takes too long. `None` if it had to be ended.
fn ended(child: &mut Child, over: &Over) -> (Option<ExitStatus>, Duration) {
    use nix::sys::signal::{Signal, killpg};
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let start = Instant::now();
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
    // Left unreaped until its CPU time was read.
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let is_running = || matches!(waitid(Id::Pid(pid), flags), Ok(WaitStatus::StillAlive));
    while is_running() && !over.is_over() && start.elapsed() < PATIENCE {
        std::thread::sleep(EVERY);
    }
    let was_in_time = !is_running();
    let cost = process_cpu_time(child.id()).unwrap_or_default();
    // Also what it left behind, which holds its output open.
    let _ = killpg(pid, Signal::SIGKILL);
    // A process of another user can't be ended: it is left to itself.
    let deadline = Instant::now() + LAST_WAIT;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return (was_in_time.then_some(status), cost),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(EVERY),
            Ok(None) | Err(_) => return (None, cost),
        }
    }
}

#[cfg(test)]
mod tests;
