//! Sensors and counters that `sizeup run` reads while it measures.

use super::diagnostic;
use clap::Args;
use measure::telemetry::{PowerCommand, TelemetryAsk};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Clone)]
#[command(next_help_heading = "Telemetry")]
pub(super) struct TelemetryArgs {
    /// Also read power: ipmi, redfish=URL, command=COMMAND
    ///
    /// ipmi is this machine's BMC, by ipmitool; redfish=URL a BMC's Power, EnvironmentMetrics or Sensor, by curl, with the password
    /// in ~/.netrc; command=COMMAND prints watts, e.g. 142, "0.142 kW" or JSON with "power"; choose one of many by
    /// command="sensors | awk '/power1/ {print $2}'" or "curl -s URL | jq .apower". Can be given more than once. Sensors that the
    /// kernel shows are read anyway.
    #[arg(long, value_name = "SOURCE")]
    pub power: Vec<PowerCommand>,
    /// Leave the machine idle first, to read its power
    ///
    /// [default: 10s if it has a power meter, else 0s]
    #[arg(long, value_parser = parse_idle, value_name = "TIME")]
    pub idle: Option<Duration>,
    /// Where the sensors' /sys and /proc are
    ///
    /// In a container, this can be a folder with those of the host.
    #[arg(long, default_value = "/", value_name = "FOLDER")]
    pub sensors: PathBuf,
    /// Read no sensor and no meter
    #[arg(long, conflicts_with_all = ["power", "sensors"])]
    pub no_telemetry: bool,
}

impl TelemetryArgs {
    /// Reads each meter that was named once, and says which can't be read: the run goes on without.
    pub fn ask(&self) -> TelemetryAsk {
        for command in &self.power {
            if let Err(why) = command.watts_now() {
                diagnostic(format_args!("--power {command}: {why}; this run has no watts of it"));
            }
        }
        TelemetryAsk {
            root: (!self.no_telemetry).then(|| self.sensors.clone()),
            commands: self.power.clone(),
            idle: self.idle,
        }
    }
}

fn parse_idle(text: &str) -> Result<Duration, String> {
    let most = Duration::from_secs(3_600);
    match humantime::parse_duration(text) {
        Ok(time) if time <= most => Ok(time),
        Ok(_) => Err(format!("{text:?} is longer than an hour")),
        Err(e) => Err(format!("{text:?} is not a time: {e}, e.g. 10s")),
    }
}
