//! A thread that reads sources again and again, as often as that costs little.

use super::over::Over;
use super::{PowerCommand, monotonic_ns};
use machine::{Fact, Sensors};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::time::{ClockId, clock_gettime};
use record::{Reading, Record, Telemetry};
use std::collections::BTreeSet;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is read more often, …
const LEAST_EVERY: Duration = Duration::from_secs(1);
/// … a source of many channels less often, so that a run file does not fill with them: 20 readings a second, …
const EVERY_OF_A_CHANNEL: Duration = Duration::from_millis(50);
/// … and one whose reading takes much CPU time less often: a kind of sensors takes 0.01 % of a CPU at most, a command that the
/// user asked for 0.1 %.
const SENSORS_COST_FACTOR: u32 = 10_000;
const COMMAND_COST_FACTOR: u32 = 1_000;
/// How often what the reading itself took is recorded.
const COST_EVERY: Duration = Duration::from_secs(10);
/// CPU time of the reading itself, in seconds since the run's start.
const OWN_COST: &str = "telemetry_cpu_s";

/// A source of readings. Sensors are shared with other readers.
pub(super) enum Polled {
    Sensors(Arc<Mutex<Sensors>>),
    Command(PowerCommand),
}

/// A channel and what it shows, or why it shows nothing.
type SensorShown = (String, Result<f64, String>);

/// One thread's work.
pub(super) struct Poller {
    polled: Vec<(Polled, Instant)>,
    sender: Sender<Record>,
    over: Arc<Over>,
    broken: BTreeSet<String>,
    /// Names its sources in the record of its own cost.
    name: String,
}

impl Poller {
    pub fn new(name: String, polled: Vec<Polled>, sender: Sender<Record>, over: Arc<Over>) -> Self {
        let now = Instant::now();
        let polled = polled.into_iter().map(|polled| (polled, now)).collect();
        Self { polled, sender, over, broken: BTreeSet::new(), name }
    }

    /// Reads until it is over, on these CPUs if there are any.
    pub fn poll(mut self, away: &[u32]) {
        keep_away(away);
        let mut of_commands = Duration::ZERO;
        let mut cost_due = Instant::now();
        while !self.over.is_over() {
            for place in 0..self.polled.len() {
                if self.polled[place].1 <= Instant::now() {
                    of_commands += self.read(place);
                }
            }
            if cost_due <= Instant::now() {
                cost_due += COST_EVERY;
                let source = format!("{OWN_COST}.{}", self.name);
                let value = Ok((thread_cpu_time() + of_commands).as_secs_f64());
                self.report(monotonic_ns(), source, value);
            }
            let due = self.polled.iter().map(|(_, due)| *due).min().unwrap_or(cost_due);
            self.over.sleep(due.saturating_duration_since(Instant::now()));
        }
    }

    /// Reads a source, tells what it shows, and sets when it is due again. Returns what a command took.
    fn read(&mut self, place: usize) -> Duration {
        let (start, at) = (thread_cpu_time(), Instant::now());
        let mut at_ns = None;
        let (shown, of_command, factor) = match &self.polled[place].0 {
            Polled::Sensors(sensors) => {
                let (read_ns, shown) = read_all(sensors);
                at_ns = Some(read_ns);
                (shown, Duration::ZERO, SENSORS_COST_FACTOR)
            }
            Polled::Command(command) => {
                let read = command.read(&self.over);
                let watts = read.watts.map_err(|no_power| no_power.why);
                (vec![(command.channel().to_owned(), watts)], read.cost, COMMAND_COST_FACTOR)
            }
        };
        let cost = thread_cpu_time().saturating_sub(start) + of_command;
        self.polled[place].1 = at + every(shown.len(), cost, factor);
        let at_ns = at_ns.unwrap_or_else(monotonic_ns);
        for (source, value) in shown {
            self.report(at_ns, source, value);
        }
        of_command
    }

    /// Sends a reading; of a channel that fails, why, once.
    fn report(&mut self, at_ns: u64, source: String, value: Result<f64, String>) {
        let record = match value {
            Ok(value) => {
                if self.broken.remove(&source) {
                    let readings = Fact::Known(vec![source.clone()]);
                    let telemetry = Telemetry { at_ns, source: source.clone(), readings };
                    let _ = self.sender.send(Record::Telemetry(telemetry));
                }
                Record::Reading(Reading { at_ns, source, value })
            }
            Err(_) if self.over.is_over() || self.broken.contains(&source) => return,
            Err(why) => {
                self.broken.insert(source.clone());
                let readings = Fact::NotAvailable(why);
                Record::Telemetry(Telemetry { at_ns, source, readings })
            }
        };
        // Where nobody listens any more, the run is over.
        let _ = self.sender.send(record);
    }
}

fn every(channels: usize, cost: Duration, factor: u32) -> Duration {
    let channels = u32::try_from(channels).unwrap_or(u32::MAX);
    let of_channels = EVERY_OF_A_CHANNEL.saturating_mul(channels);
    LEAST_EVERY.max(of_channels).max(cost.saturating_mul(factor))
}

/// Reads all channels of a source that others may be reading; when, in ns.
pub(super) fn read_all(sensors: &Mutex<Sensors>) -> (u64, Vec<SensorShown>) {
    let mut sensors = sensors.lock().unwrap_or_else(PoisonError::into_inner);
    // While nobody else reads: times and counts must be in one order.
    let at_ns = monotonic_ns();
    let shown = sensors.read().into_iter().map(|(name, value)| (name.to_owned(), value));
    (at_ns, shown.collect())
}

fn thread_cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Moves this thread, and what it starts, to these CPUs if that is possible.
fn keep_away(cpus: &[u32]) {
    let mut set = CpuSet::new();
    let settable = cpus.iter().filter_map(|cpu| usize::try_from(*cpu).ok());
    if settable.map(|cpu| set.set(cpu)).filter(Result::is_ok).count() > 0 {
        let _ = sched_setaffinity(nix::unistd::Pid::from_raw(0), &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_much_or_shows_much_is_read_less_often() {
        let ms = Duration::from_millis;
        assert_eq!(every(1, Duration::from_micros(20), SENSORS_COST_FACTOR), ms(1_000));
        assert_eq!(every(128, Duration::from_micros(20), SENSORS_COST_FACTOR), ms(6_400));
        assert_eq!(every(1, ms(1), SENSORS_COST_FACTOR), ms(10_000));
        assert_eq!(every(1, ms(30), COMMAND_COST_FACTOR), ms(30_000));
    }
}
