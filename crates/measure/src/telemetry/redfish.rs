//! The power of a machine in a Redfish resource: DMTF's schemas `Power`, `EnvironmentMetrics` and `Sensor`, and what vendors put
//! beside them.

use machine::watts::{factor, words};
use serde_json::Value;

/// Words of a physical context or a name that are a part of a machine (DMTF DSP0268, `PhysicalContext`; Lenovo's names).
const PARTS: [&str; 24] = [
    "cpu",
    "cpusubsystem",
    "processor",
    "memory",
    "memorysubsystem",
    "dimm",
    "gpu",
    "gpusubsystem",
    "accelerator",
    "pcie",
    "fan",
    "storage",
    "storagedevice",
    "storagesubsystem",
    "drive",
    "disk",
    "nic",
    "networking",
    "networkingdevice",
    "psu",
    "supply",
    "powersupply",
    "voltageregulator",
    "backplane",
];
/// Words that are all of it.
const WHOLES: [&str; 6] = ["chassis", "system", "systemboard", "server", "total", "node"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Whole,
    Unsaid,
    Part,
}

/// The part of the machine that a resource's descriptive members name.
fn scope(json: &Value) -> Scope {
    let said = ["PhysicalContext", "Name", "Designation", "MemberId", "Id"]
        .map(|name| json[name].as_str().unwrap_or_default());
    // `CPUSubsystem` is one word or two.
    let all: Vec<String> =
        said.iter().flat_map(|text| words(text).into_iter().chain([text.to_lowercase()])).collect();
    let has = |those: &[&str]| all.iter().any(|word| those.contains(&word.as_str()));
    if has(&PARTS) {
        Scope::Part
    } else if has(&WHOLES) {
        Scope::Whole
    } else {
        Scope::Unsaid
    }
}

/// Watts of a resource.
///
/// # Errors
/// When it has none, or none that is surely of the whole machine.
pub(super) fn watts(output: &str) -> Result<f64, String> {
    let json: Value = serde_json::from_str(output).map_err(|_| "shows no JSON".to_owned())?;
    if let Some(watts) = of_controls(&json["PowerControl"])? {
        return Ok(watts);
    }
    let of_metrics = json["PowerWatts"]["Reading"].as_f64();
    let others = of_metrics.or_else(|| of_sensor(&json)).or_else(|| of_vendor(&json));
    match others {
        Some(_) if scope(&json) == Scope::Part => {
            Err("shows the power of a part, not of the machine".to_owned())
        }
        Some(watts) => Ok(watts),
        None => Err("shows no power".to_owned()),
    }
}

/// The one member of an array of domains, in no fixed order, that is the whole machine.
fn of_controls(controls: &Value) -> Result<Option<f64>, String> {
    let Some(controls) = controls.as_array() else { return Ok(None) };
    let is_there = |json: &Value| {
        !matches!(
            json["Status"]["State"].as_str(),
            Some("Absent" | "Disabled" | "UnavailableOffline")
        )
    };
    let mut found: Vec<(Scope, f64)> = controls
        .iter()
        .filter(|json| is_there(json))
        .filter_map(|json| Some((scope(json), json["PowerConsumedWatts"].as_f64()?)))
        .collect();
    let Some(best) = found.iter().map(|(scope, _)| *scope).min() else { return Ok(None) };
    found.retain(|(scope, _)| *scope == best);
    match (best, &found[..]) {
        (Scope::Part, _) => Err("shows the power of parts, not of the machine".to_owned()),
        (_, [(_, watts)]) => Ok(Some(*watts)),
        (_, several) if several.iter().all(|(_, watts)| *watts == several[0].1) => {
            Ok(Some(several[0].1))
        }
        (_, several) => Err(format!(
            "shows {} powers, and not which is the machine's: name a Sensor or EnvironmentMetrics instead",
            several.len()
        )),
    }
}

/// A resource that is a sensor.
fn of_sensor(json: &Value) -> Option<f64> {
    let is_power = json["ReadingType"].as_str().is_none_or(|kind| kind == "Power");
    let factor = factor(json["ReadingUnits"].as_str()?)?;
    json["Reading"].as_f64().filter(|_| is_power).map(|reading| reading * factor)
}

/// Fujitsu's iRMC in `Oem.ts_fujitsu`, and HPE's iLO beside the standard's members.
fn of_vendor(json: &Value) -> Option<f64> {
    let fujitsu = &json["Oem"]["ts_fujitsu"]["ChassisPowerConsumption"]["CurrentPowerConsumptionW"];
    fujitsu.as_f64().or_else(|| json["PowerConsumedWatts"].as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_member_that_is_the_whole_machine_is_taken() {
        for (json, expected) in [
            (
                r#"{"PowerControl":[{"PhysicalContext":"CPU","PowerConsumedWatts":120},{"PhysicalContext":"Chassis","PowerConsumedWatts":410}]}"#,
                410.0,
            ),
            (
                r#"{"PowerControl":[{"Name":"CPU sub-system Power","PowerConsumedWatts":120},{"Name":"Memory sub-system Power","PowerConsumedWatts":20},{"Name":"Server Power Control","PowerConsumedWatts":300}]}"#,
                300.0,
            ),
            (
                r#"{"PowerControl":[{"Name":"System Power Control","MemberId":"0","PowerConsumedWatts":344}]}"#,
                344.0,
            ),
            (
                r#"{"PowerControl":[{"MemberId":"0","PowerConsumedWatts":344},{"PhysicalContext":"GPUSubsystem","PowerConsumedWatts":99}]}"#,
                344.0,
            ),
            (
                r#"{"PowerControl":[{"Status":{"State":"Absent"},"PowerConsumedWatts":1},{"PowerConsumedWatts":344}]}"#,
                344.0,
            ),
            (r#"{"PowerControl":[{"PowerConsumedWatts":null}],"PowerConsumedWatts":93}"#, 93.0),
            (r#"{"PowerWatts":{"Reading":343.5}}"#, 343.5),
            (
                r#"{"Id":"power_total_power","Name":"total power","Reading":303.0,"ReadingUnits":"W","ReadingType":"Power"}"#,
                303.0,
            ),
            (r#"{"Id":"total","Reading":0.303,"ReadingUnits":"kW"}"#, 303.0),
            (
                r#"{"Oem":{"ts_fujitsu":{"ChassisPowerConsumption":{"CurrentPowerConsumptionW":150,"MinimumPowerW":140}}}}"#,
                150.0,
            ),
        ] {
            assert_eq!(watts(json), Ok(expected), "{json}");
        }
    }

    #[test]
    fn what_is_not_surely_the_machine_is_refused() {
        for (json, says) in [
            ("", "no JSON"),
            ("[]", "shows no power"),
            ("{}", "shows no power"),
            (r#"{"PowerControl":[{"PowerConsumedWatts":null}]}"#, "shows no power"),
            (
                r#"{"PowerControl":[{"PhysicalContext":"CPU","PowerConsumedWatts":120}]}"#,
                "of parts",
            ),
            (
                r#"{"PowerControl":[{"MemberId":"0","PowerConsumedWatts":120},{"MemberId":"1","PowerConsumedWatts":410}]}"#,
                "shows 2 powers",
            ),
            (r#"{"PhysicalContext":"CPU","Reading":99,"ReadingUnits":"W"}"#, "of a part"),
            (r#"{"Reading":41.0,"ReadingUnits":"Cel"}"#, "shows no power"),
            (r#"{"PowerControl":[{"PowerConsumedWatts":"344"}]}"#, "shows no power"),
        ] {
            let said = watts(json).unwrap_err();
            assert!(said.contains(says), "{json}: {said}");
        }
    }
}
