//! All sources of telemetry of a run.

use super::over::Over;
use super::poller::{Polled, Poller, read_all};
use super::{PowerCommand, monotonic_ns};
use machine::{Fact, Sensors};
use record::{Plan, Reading, Record, Telemetry};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long the machine is left idle if it has a meter, and at most this share of the run.
const IDLE: Duration = Duration::from_secs(10);
const MOST_IDLE_SHARE: f64 = 0.1;

/// Telemetry that the user requests.
#[derive(Debug, Clone, Default)]
pub struct TelemetryAsk {
    /// The folder with `/proc` and `/sys` of the sensors; `None` if none are to be read.
    pub root: Option<PathBuf>,
    /// Commands that show power.
    pub commands: Vec<PowerCommand>,
    /// For how long the machine is left idle first, to read its meters; `None`: for a moment if it has any.
    pub idle: Option<Duration>,
}

/// The sources of a run, read by threads of their own until it is dropped.
pub struct Sources {
    over: Arc<Over>,
    records: Receiver<Record>,
    threads: Vec<JoinHandle<()>>,
    /// Energy counters, which are also read before and after each sample.
    counters: Option<Arc<Mutex<Sensors>>>,
    has_meter: bool,
}

impl Sources {
    /// Finds the sources and begins to read them; `away` are the CPUs that the run needs least.
    pub fn start(ask: &TelemetryAsk, away: Vec<u32>) -> Self {
        let (sender, records) = channel();
        let found = ask.root.iter().flat_map(|root| Sensors::find(root));
        let mut sources = Self {
            over: Arc::default(),
            records,
            threads: Vec::new(),
            counters: None,
            has_meter: !ask.commands.is_empty(),
        };
        let mut polled = Vec::new();
        for sensors in found {
            announce(
                &sender,
                sensors.source,
                sensors
                    .channels
                    .map(|all| all.iter().map(|channel| channel.name.clone()).collect()),
            );
            sources.has_meter |= sensors.is_meter();
            if sensors.channels.known().is_some() {
                let is_counter = sensors.source == "rapl";
                let shared = Arc::new(Mutex::new(sensors));
                if is_counter {
                    sources.counters = Some(Arc::clone(&shared));
                }
                polled.push(Polled::Sensors(shared));
            }
        }
        let of_commands = ask.commands.iter().map(|command| {
            announce(
                &sender,
                &command.to_string(),
                Fact::Known(vec![command.channel().to_owned()]),
            );
            (command.to_string(), vec![Polled::Command(command.clone())])
        });
        let of_sensors = (!polled.is_empty()).then(|| ("sensors".to_owned(), polled));
        let pollers = of_sensors.into_iter().chain(of_commands);
        // A command may take its time, so it has a thread of its own.
        for (name, polled) in pollers {
            let poller = Poller::new(name, polled, sender.clone(), Arc::clone(&sources.over));
            let away = away.clone();
            let started = std::thread::Builder::new().spawn(move || poller.poll(&away));
            match started {
                Ok(thread) => sources.threads.push(thread),
                Err(error) => announce(
                    &sender,
                    "all",
                    Fact::NotAvailable(format!("no thread could be started: {error}")),
                ),
            }
        }
        sources
    }

    /// Records since the previous call.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        self.records.try_iter()
    }

    /// The energy counters now.
    pub fn energy(&self) -> Vec<Reading> {
        let Some(counters) = &self.counters else { return Vec::new() };
        let (at_ns, shown) = read_all(counters);
        let reading = |(source, value): (String, Result<f64, String>)| {
            Some(Reading { at_ns, source, value: value.ok()? })
        };
        shown.into_iter().filter_map(reading).collect()
    }

    /// The commands that run now.
    pub fn pids(&self) -> BTreeSet<u32> {
        self.over.pids()
    }

    /// For how long to leave the machine idle before a run of this length.
    pub fn idle_time(&self, asked: Option<Duration>, budget: Duration) -> Duration {
        match asked {
            Some(time) => time,
            None if self.has_meter => IDLE.min(budget.mul_f64(MOST_IDLE_SHARE)),
            None => Duration::ZERO,
        }
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.over.finish();
        for thread in self.threads.drain(..) {
            // One that panicked said so.
            let _ = thread.join();
        }
    }
}

fn announce(sender: &Sender<Record>, source: &str, readings: Fact<Vec<String>>) {
    let telemetry = Telemetry { at_ns: monotonic_ns(), source: source.to_owned(), readings };
    // The receiver is ours.
    let _ = sender.send(Record::Telemetry(telemetry));
}

/// Allowed CPUs that only rows on nearly all of them need; empty if there are none.
pub fn least_needed(plan: &Plan, allowed: &[u32]) -> Vec<u32> {
    let few = plan.cases.iter().filter(|case| case.cpus.len() < allowed.len());
    let needed: BTreeSet<u32> = few.flat_map(|case| &case.cpus).copied().collect();
    allowed.iter().copied().filter(|cpu| !needed.contains(cpu)).collect()
}

#[cfg(test)]
mod tests;
