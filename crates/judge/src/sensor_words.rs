//! Names of sensors, and the units people read them in.

use record::{ENERGY, POWER};

/// Sensors by what they begin with, what they are called (`{}` is the rest of the name), their unit, and how many of the
/// file's are one of it.
const KINDS: [(&str, &str, &str, f64); 13] = [
    (ENERGY, "{}", "W", 1.0),
    (POWER, "{}", "W", 1.0),
    ("temperature_c.", "{} (temperature)", "°C", 1.0),
    ("fan_rpm.", "{} (fan)", "rpm", 1.0),
    ("frequency_khz", "clock by the kernel", "GHz", 1e6),
    ("memory_available_bytes", "memory available", "GiB", (1_u64 << 30) as f64),
    ("load1", "load", "", 1.0),
    ("pressure_us.", "time that tasks waited for {}", "%", 1e4),
    ("context_switches", "context switches", "/s", 1.0),
    ("interrupts", "interrupts", "/s", 1.0),
    ("page_faults", "page faults", "/s", 1.0),
    ("major_page_faults", "major page faults", "/s", 1.0),
    ("telemetry_cpu_s.", "CPU time of reading {}", "%", 0.01),
];

/// A sensor in words.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorWords {
    /// Shown to people: `context switches`, `k10temp-tctl (temperature)`.
    pub name: String,
    /// Unit of the shown value: counters show their rate per second.
    pub unit: &'static str,
    /// How many of a run file's units are one of it.
    pub scale: f64,
}

/// A run file's name of a sensor in words.
pub fn sensor_words(name: &str) -> SensorWords {
    let known = KINDS.iter().find_map(|kind| Some((name.strip_prefix(kind.0)?, kind)));
    match known {
        None => SensorWords { name: name.replace('_', " "), unit: "", scale: 1.0 },
        Some((rest, (_, called, unit, scale))) => {
            SensorWords { name: called.replace("{}", rest), unit, scale: *scale }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensors_have_names_and_units_that_people_use() {
        let clock = sensor_words("frequency_khz");
        assert_eq!((&*clock.name, clock.unit, clock.scale), ("clock by the kernel", "GHz", 1e6));
        assert_eq!(sensor_words("temperature_c.k10temp-tctl").name, "k10temp-tctl (temperature)");
        assert_eq!(sensor_words("context_switches").unit, "/s");
        assert_eq!(sensor_words("pressure_us.cpu").name, "time that tasks waited for cpu");
    }
}
