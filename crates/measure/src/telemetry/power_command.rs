//! Commands that show power: the board's controller (BMC) by `ipmitool` or Redfish, or one of the user's.

use super::over::Over;
use super::redfish;
use machine::{process_cpu_time, watts};
use record::POSSIBLE_WATTS;
use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A command that takes longer is ended: its reading would be of another time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for what was ended.
const LAST_WAIT: Duration = Duration::from_secs(1);
/// How often to see whether it has ended, or should.
const EVERY: Duration = Duration::from_millis(5);
/// More output than this is no reading.
const LONGEST_OUTPUT: u64 = 1 << 20;
/// So many characters of a line are shown.
const LONGEST_SHOWN: usize = 120;

/// A command to read power with, again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PowerCommand {
    /// `ipmitool dcmi power reading`, of this machine's BMC.
    Ipmi,
    /// A Redfish resource, read with curl and the user's `.netrc`: `…/Power` or `…/EnvironmentMetrics` of a chassis, or a sensor.
    Redfish(String),
    /// The user's, which prints watts: a number alone or beside its unit, or JSON with a member for the power.
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
    pub watts: Result<f64, NoPower>,
    pub cost: Duration,
}

/// Why a command shows no power.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPower {
    /// For the run file: names no host and no file.
    pub why: String,
    /// The line that says so, for who started it.
    pub shown: Option<String>,
}

impl fmt::Display for NoPower {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)?;
        self.shown.as_ref().map_or(Ok(()), |shown| write!(f, ": {shown:?}"))
    }
}

impl From<String> for NoPower {
    fn from(why: String) -> Self {
        Self { why, shown: None }
    }
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
            Self::Redfish(url) => (
                "curl",
                &["--silent", "--show-error", "--fail", "--netrc", "--max-time", "9", "--", url],
            ),
            Self::Own(command) => ("/bin/sh", &["-c", command]),
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    /// Reads once, and keeps what the command says of an error.
    ///
    /// # Errors
    /// Says why it shows no power.
    pub fn watts_now(&self) -> Result<f64, NoPower> {
        self.read_with(Messages::Kept, &Over::default()).watts
    }

    /// Reads once; gives up when it takes too long, or when it is over.
    pub(super) fn read(&self, over: &Over) -> CommandShown {
        self.read_with(Messages::Dropped, over)
    }

    fn read_with(&self, messages: Messages, over: &Over) -> CommandShown {
        let (output, cost) = run(self.command(), messages, over);
        let output = output.map_err(|ended| self.failed(ended));
        let watts = output.and_then(|output| {
            let wrong = |why: String| NoPower { why, shown: first_line(&output) };
            let watts = self.watts(&output).map_err(wrong)?;
            let why = match watts {
                _ if watts::is_unknown(watts) => {
                    format!("shows {watts} W, which is all ones: its value is unknown")
                }
                _ if POSSIBLE_WATTS.contains(&watts) => return Ok(watts),
                _ => "shows no possible power".to_owned(),
            };
            Err(wrong(why))
        });
        CommandShown { watts, cost }
    }

    fn watts(&self, output: &str) -> Result<f64, String> {
        match self {
            Self::Ipmi => output
                .lines()
                .find_map(|line| {
                    let rest = line.trim().strip_prefix("Instantaneous power reading:")?;
                    watts::in_text(rest).ok()
                })
                .ok_or_else(|| "shows no power".to_owned()),
            Self::Redfish(_) => redfish::watts(output),
            Self::Own(_) => watts::in_text(output)
                .map_err(|why| format!("its output has no unambiguous watts ({why})")),
        }
    }

    /// Explains an exit without success.
    fn failed(&self, ended: Failed) -> NoPower {
        let meaning = match (self, ended.code) {
            (Self::Redfish(_), Some(code)) => of_curl(code).map(|meaning| format!(": {meaning}")),
            _ => None,
        };
        NoPower { why: format!("{}{}", ended.why, meaning.unwrap_or_default()), shown: ended.said }
    }
}

/// The meaning of an exit status of curl, with a remedy (man curl, "EXIT CODES").
fn of_curl(code: i32) -> Option<&'static str> {
    Some(match code {
        6 => "the host name in the URL is unknown",
        7 => "nothing answers at this address",
        22 => "the BMC refuses the request. Check the password in ~/.netrc and the path in the URL",
        28 => "the BMC took too long",
        35 => "the BMC speaks no TLS that curl accepts",
        51 | 60 => {
            "the BMC's certificate is self-signed or of an unknown authority. Write `cacert = FILE` with its certificate, \
             or `insecure`, into ~/.curlrc, which curl reads"
        }
        _ => return None,
    })
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST_SHOWN).collect())
}

/// Treatment of a command's error messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Messages {
    /// Its first line, for who started it.
    Kept,
    /// They may name hosts.
    Dropped,
}

/// A command that ended without success, or did not end.
struct Failed {
    why: String,
    code: Option<i32>,
    said: Option<String>,
}

/// Runs a command in a process group of its own.
fn run(
    mut command: Command,
    messages: Messages,
    over: &Over,
) -> (Result<String, Failed>, Duration) {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |what: String| Failed { why: format!("{program} {what}"), code: None, said: None };
    let stderr = if messages == Messages::Kept { Stdio::piped() } else { Stdio::null() };
    let spawned =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr).process_group(0).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return (Err(failed(format!("can't be started: {error}"))), Duration::ZERO),
    };
    let output = read_beside(child.stdout.take());
    let said = read_beside(child.stderr.take());
    over.started(child.id());
    let (status, cost) = ended(&mut child, over);
    over.ended(child.id());
    let text = match (status, output) {
        (_, Err(error)) => Err(failed(format!("can't be read, no thread can be started: {error}"))),
        (Some(status), Ok(output)) => match (status.success(), taken(output)) {
            (true, Some(text)) => Ok(text),
            _ => Err(Failed {
                code: status.code(),
                said: said.ok().and_then(taken).as_deref().and_then(first_line),
                ..failed(format!("ended with {}", in_words(status)))
            }),
        },
        (None, _) => Err(failed(format!("gave no answer within {} s", PATIENCE.as_secs()))),
    };
    (text, cost)
}

/// Reads what a process writes while it runs.
fn read_beside(from: Option<impl Read + Send + 'static>) -> io::Result<Receiver<Option<String>>> {
    let (sender, output) = channel();
    std::thread::Builder::new().spawn(move || {
        let mut text = String::new();
        let read = from.map(|from| from.take(LONGEST_OUTPUT).read_to_string(&mut text));
        // Nobody may wait for it any more.
        let _ = sender.send(read.and_then(Result::ok).map(|_| text));
    })?;
    Ok(output)
}

/// Waits briefly for the output: a process that outlives the command may hold it open.
fn taken(output: Receiver<Option<String>>) -> Option<String> {
    output.recv_timeout(LAST_WAIT).ok().flatten()
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
