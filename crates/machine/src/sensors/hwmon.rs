//! Sensors of chips and boards (Documentation/hwmon/sysfs-interface.rst): temperatures, fans, power.

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::{SensorChannel, label};

const FOLDER: &str = "/sys/class/hwmon";

/// Start and end of an attribute's name, the channel's quantity, and how many of the file's units are one of it.
struct Attribute {
    kind: &'static str,
    ends: &'static str,
    quantity: &'static str,
    scale: f64,
}

const TEMPERATURE: [Attribute; 1] =
    [Attribute { kind: "temp", ends: "_input", quantity: "temperature_c", scale: 1e3 }];
const FAN: [Attribute; 1] =
    [Attribute { kind: "fan", ends: "_input", quantity: "fan_rpm", scale: 1.0 }];
/// A meter that shows both the moment and the mean is read once.
const POWER: [Attribute; 2] = [
    Attribute { kind: "power", ends: "_average", quantity: "power_w", scale: 1e6 },
    Attribute { kind: "power", ends: "_input", quantity: "power_w", scale: 1e6 },
];
const ENERGY: [Attribute; 1] =
    [Attribute { kind: "energy", ends: "_input", quantity: "energy_j", scale: 1e6 }];

/// `temperature_c.CHIP-LABEL`.
pub(super) fn temperatures(files: &Files) -> Read<Vec<SensorChannel>> {
    all(files, &[&TEMPERATURE], "temperature")
}

/// `fan_rpm.CHIP-LABEL`.
pub(super) fn fans(files: &Files) -> Read<Vec<SensorChannel>> {
    all(files, &[&FAN], "a fan")
}

/// `power_w.CHIP-LABEL`, and `energy_j.CHIP-LABEL` of what counts.
pub(super) fn power(files: &Files) -> Read<Vec<SensorChannel>> {
    all(files, &[&POWER, &ENERGY], "power")
}

fn all(files: &Files, kinds: &[&[Attribute]], what: &str) -> Read<Vec<SensorChannel>> {
    let chips = files.numbered(FOLDER, "hwmon").unwrap_or_default();
    let channels_of = |chip: &u32| {
        let folder = format!("{FOLDER}/hwmon{chip}");
        let of_kind = |attributes: &&[Attribute]| of_chip(files, &folder, attributes);
        kinds.iter().flat_map(of_kind).collect::<Vec<_>>()
    };
    let channels: Vec<SensorChannel> = chips.iter().flat_map(channels_of).collect();
    match channels.is_empty() {
        true if chips.is_empty() => Err(files
            .or_no_sys("the kernel has no hardware sensors here, as is usual in virtual machines")),
        true => Err(format!("no hardware sensor shows {what}")),
        false => Ok(channels),
    }
}

/// The channels of a chip that can be read now.
fn of_chip(files: &Files, folder: &str, attributes: &[Attribute]) -> Vec<SensorChannel> {
    let chip = label(&files.value(&format!("{folder}/name")).unwrap_or_default());
    let names = files.names(folder).unwrap_or_default();
    let mut seen = Vec::new();
    let mut channels = Vec::new();
    for Attribute { kind, ends, quantity, scale } in attributes {
        let mut numbers: Vec<u32> = names
            .iter()
            .filter_map(|name| name.strip_prefix(kind)?.strip_suffix(ends)?.parse().ok())
            .collect();
        numbers.sort_unstable();
        for number in numbers {
            let path = format!("{folder}/{kind}{number}{ends}");
            if seen.contains(&number) || files.number::<f64>(&path).is_err() {
                continue;
            }
            seen.push(number);
            let own = files.value(&format!("{folder}/{kind}{number}_label"));
            let own = own.map_or_else(|_| number.to_string(), |own| label(&own));
            channels.push(SensorChannel::alone(format!("{quantity}.{chip}-{own}"), path, *scale));
        }
    }
    channels
}
