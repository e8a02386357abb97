//! Watts in the output of meters, drivers and tools: units, members of JSON, and the values that mean "unknown".

use serde_json::Value;

/// The words of a name, in lower case: `PowerWatts`, `power_w` and `Power (W)` have two.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars() {
        let begins = !last.is_alphanumeric() || (last.is_lowercase() && c.is_uppercase());
        if c.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        last = c;
    }
    words
}

/// Units in lower case and what they are in watts, longer ones before those that they end with.
const UNITS: [(&str, f64); 12] = [
    ("kilowatts", 1e3),
    ("kilowatt", 1e3),
    ("milliwatts", 1e-3),
    ("milliwatt", 1e-3),
    ("microwatts", 1e-6),
    ("microwatt", 1e-6),
    ("watts", 1.0),
    ("watt", 1.0),
    ("kw", 1e3),
    ("mw", 1e-3),
    ("uw", 1e-6),
    ("µw", 1e-6),
];
/// Units of power stations, which begin as those of a thousandth do.
const TOO_GREAT: [&str; 3] = ["MW", "Megawatt", "megawatt"];

fn is_too_great(unit: &str) -> bool {
    TOO_GREAT.iter().any(|great| unit.contains(great))
}

/// Why a unit is refused.
pub fn unknown_unit(unit: &str) -> String {
    format!("the unit {unit:?} is unknown: use W, kW, mW or uW")
}

/// How many watts one of a unit is.
pub fn factor(unit: &str) -> Option<f64> {
    if is_too_great(unit) {
        return None;
    }
    let small = unit.to_lowercase().replace('\u{3bc}', "µ");
    let known = UNITS.iter().find(|(name, _)| *name == small).map(|(_, factor)| *factor);
    known.or_else(|| (small == "w").then_some(1.0))
}

/// The factor of the unit that a name holds: `Power (kW)`, `power_mw`, `PowerWatts`. `None` if it holds none.
///
/// # Errors
/// When it is a unit of power stations.
pub fn unit_in(name: &str) -> Result<Option<f64>, String> {
    let parts = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let in_word = |word: &str| {
        let small = word.to_lowercase();
        let ends = UNITS.iter().find(|(name, _)| small.ends_with(name)).map(|(_, factor)| *factor);
        ends.or_else(|| (small == "w").then_some(1.0))
    };
    match parts().find(|word| is_too_great(word)) {
        Some(great) => Err(unknown_unit(great)),
        None => Ok(parts().find_map(in_word)),
    }
}

/// A name with one of these words is not of the power that is drawn now.
const NO_POWER: [&str; 25] = [
    "va",
    "kva",
    "var",
    "kvar",
    "wh",
    "kwh",
    "factor",
    "pf",
    "apparent",
    "reactive",
    "limit",
    "cap",
    "max",
    "maximum",
    "min",
    "minimum",
    "peak",
    "rated",
    "capacity",
    "crit",
    "threshold",
    "budget",
    "returned",
    "export",
    "interval",
];

/// Whether a name is that of a power that is drawn.
pub fn is_power(name: &str) -> bool {
    let words = words(name);
    let is_other = words.iter().any(|word| NO_POWER.contains(&word.as_str()));
    let says = |word: &String| word.contains("power");
    !is_other && (words.iter().any(says) || !matches!(unit_in(name), Ok(None)))
}

/// Values of registers that are not set, or can't be read: all ones of 16 and 32 bits, and 31 of them (of `acpi_power_meter`,
/// 0xFFFFFFFF mW).
const ALL_ONES: [f64; 3] = [4_294_967_295.0, 2_147_483_647.0, 65_535.0];
/// In watts, milliwatts and microwatts.
const PARTS: [f64; 3] = [1.0, 1e-3, 1e-6];

/// Whether so many watts are a register of all ones, which drivers and controllers show where they know nothing.
pub fn is_unknown(watts: f64) -> bool {
    let is = |limit: f64| (watts - limit).abs() <= limit * 1e-12;
    ALL_ONES.iter().any(|ones| PARTS.iter().any(|part| is(ones * part)))
}

/// The watts in a text that a program printed: a number alone, the one beside a unit of watts, or a member of JSON whose name
/// says power.
///
/// # Errors
/// When it is below zero, there is none, or several could be it.
pub fn in_text(text: &str) -> Result<f64, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let last = text.lines().last().unwrap_or_default();
    let json = [text, last].into_iter().find_map(|text| serde_json::from_str::<Value>(text).ok());
    let watts = match json {
        Some(json) if json.is_object() || json.is_array() => in_json(&json),
        _ => in_words(text),
    }?;
    if watts < 0.0 {
        return Err(format!("{watts} W is below 0: a clamp may be the wrong way round"));
    }
    Ok(watts)
}

/// Members that are the whole of a device's power, before those that only say power.
const WHOLE: [&str; 8] = [
    "power",
    "apower",
    "watts",
    "watt",
    "power_w",
    "total_act_power",
    "total_power",
    "active_power",
];

fn in_json(json: &Value) -> Result<f64, String> {
    if let Some(alone) = json.as_f64() {
        return Ok(alone);
    }
    let mut found = Vec::new();
    members(json, &mut found);
    let is_whole = |(name, _): &&(String, f64)| {
        WHOLE.contains(&name.to_lowercase().as_str())
            || words(name).concat() == "powerconsumedwatts"
    };
    let whole: Vec<&(String, f64)> = found.iter().filter(is_whole).collect();
    let all: Vec<&(String, f64)> = if whole.is_empty() { found.iter().collect() } else { whole };
    match &all[..] {
        [] => Err("its JSON has no number whose name says power".to_owned()),
        [(_, watts)] => Ok(*watts),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            Err(format!("its JSON has several that may be the power: {}", names.join(", ")))
        }
    }
}

/// The numbers in watts whose names say power.
fn members(json: &Value, found: &mut Vec<(String, f64)>) {
    match json {
        Value::Object(all) => {
            for (name, value) in all {
                let number = match value {
                    Value::Number(number) => number.as_f64(),
                    Value::String(text) => in_words(text).ok(),
                    _ => None,
                };
                match (number, unit_in(name)) {
                    // A text may have a unit of its own.
                    (Some(watts), Ok(_)) if is_power(name) && value.is_string() => {
                        found.push((name.clone(), watts));
                    }
                    (Some(number), Ok(factor)) if is_power(name) => {
                        found.push((name.clone(), number * factor.unwrap_or(1.0)));
                    }
                    _ => members(value, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|value| members(value, found)),
        _ => {}
    }
}

/// A number in a line, and what stands around it.
struct Found<'a> {
    number: f64,
    /// Since the number before, or the line's start.
    before: &'a str,
    /// The word behind it.
    unit: &'a str,
}

fn in_words(text: &str) -> Result<f64, String> {
    let mut found = Vec::new();
    for line in text.lines() {
        numbers(line, &mut found)?;
    }
    let is_now =
        |found: &&Found| !words(found.before).iter().any(|word| NO_POWER.contains(&word.as_str()));
    let with_unit: Vec<&Found> =
        found.iter().filter(|found| factor(found.unit).is_some()).collect();
    let now: Vec<&&Found> = with_unit.iter().filter(|found| is_now(found)).collect();
    let watts = |found: &Found| found.number * factor(found.unit).unwrap_or(1.0);
    match (&now[..], &with_unit[..], &found[..]) {
        ([only], ..) => Ok(watts(only)),
        ([], [only], _) => Ok(watts(only)),
        ([], [], [alone]) => without_unit(text, alone),
        ([], [], []) => Err("it shows no number".to_owned()),
        ([], [], _) => Err("it shows several numbers, and no unit of watts".to_owned()),
        _ => Err("it shows several numbers of watts".to_owned()),
    }
}

/// A number alone, or behind a name that says power.
fn without_unit(text: &str, alone: &Found) -> Result<f64, String> {
    match alone.unit {
        "" if alone.before.trim().is_empty() && text.lines().count() == 1 => Ok(alone.number),
        "" if is_power(text.lines().next().unwrap_or_default()) || is_power(alone.before) => {
            Ok(alone.number * unit_in(text)?.unwrap_or(1.0))
        }
        "" => Err("its number has no unit, and no name that says power".to_owned()),
        unit => Err(unknown_unit(unit)),
    }
}

/// The numbers of a line that are no part of a word: `77h` and `power1` are words.
fn numbers<'a>(line: &'a str, found: &mut Vec<Found<'a>>) -> Result<(), String> {
    let mut at = 0;
    let mut last = 0;
    while let Some(start) = line[at..].find(|c: char| c.is_ascii_digit()).map(|place| at + place) {
        let digits = |c: char| !(c.is_ascii_digit() || c == '.' || c == ',');
        let mut end = line[start..].find(digits).map_or(line.len(), |place| start + place);
        let exponent = line[end..].strip_prefix(['e', 'E']).and_then(|rest| {
            let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| line.len() - rest.len() + digits)
        });
        end = exponent.unwrap_or(end);
        let text = line[start..end].trim_end_matches(['.', ',']);
        end = start + text.len();
        at = end.max(start + 1);
        let before = line[..start].chars().next_back();
        // Digits within a word, a date, a time or a version are no value.
        let is_part = before.is_some_and(|c| c.is_alphanumeric() || "_:/#".contains(c));
        let after = &line[end..];
        let rest = after.trim_start_matches([' ', '\t', '"']);
        let letters = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let unit = &rest[..letters];
        let is_near = after.len() == rest.len();
        let goes_on = rest[letters..].starts_with(|c: char| c.is_alphanumeric() || c == ':');
        // `77h` is a word, `0.14kW` is not.
        let is_word = is_near && !unit.is_empty() && factor(unit).is_none() && !is_too_great(unit);
        if is_part || is_word || (is_near && goes_on) || after.starts_with([':', '/', '-', '_']) {
            continue;
        }
        let sign = matches!(before, Some('-' | '\u{2212}'));
        let number = number(text).ok_or_else(|| format!("{text:?} can be read in two ways"))?;
        let number = if sign { -number } else { number };
        if is_too_great(unit) {
            return Err(unknown_unit(unit));
        }
        let before = line[last..start].trim_end_matches(['-', '+', '\u{2212}']);
        found.push(Found { number, before, unit });
        last = end;
    }
    Ok(())
}

/// With a point or a comma before its decimals. `1,234` may be two numbers.
fn number(text: &str) -> Option<f64> {
    let separators = text.matches([',', '.']).count();
    let decimals = text.rsplit_once(',').map(|(whole, decimals)| (whole, decimals.len()));
    match (separators, decimals) {
        (0 | 1, None) => text.parse().ok(),
        (1, Some((whole, 3))) if !whole.trim_start_matches('0').is_empty() => None,
        (1, Some(_)) => text.replace(',', ".").parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_beside_watts_is_taken() {
        for (text, watts) in [
            ("143.5", 143.5),
            ("143\n", 143.0),
            ("+143", 143.0),
            ("0.140 kW", 140.0),
            ("0.14kW", 140.0),
            ("142000 mW", 142.0),
            ("142,5 W", 142.5),
            ("0,142 kW", 142.0),
            ("1.4e2 W", 140.0),
            ("power: 143.5 W, 2 supplies", 143.5),
            ("Pwr Consumption  | 77h | ok  |  7.1 | 98 Watts", 98.0),
            ("power1:      142.00 W  (interval =   1.00 s)", 142.0),
            ("power1:       45.12 W  (crit = 300.00 W, cap = 280.00 W)", 45.12),
            ("PSU2 142 W", 142.0),
            ("power_w=143.5", 143.5),
            ("Power (mW)\n143500", 143.5),
            ("2026-11-26T01:02:03Z 143 W", 143.0),
            (
                "    Instantaneous power reading:   216 Watts\n    Minimum during sampling period:  8 Watts\n    Maximum: 419 Watts\n",
                216.0,
            ),
            (r#"{"id":0,"output":true,"apower":141.9,"voltage":237.5}"#, 141.9),
            (
                r#"{"StatusSNS":{"ENERGY":{"Total":1.2,"Power":142,"ApparentPower":150,"ReactivePower":9,"Factor":0.9}}}"#,
                142.0,
            ),
            (r#"{"power_mw": 142000, "voltage_mv": 230000}"#, 142.0),
            (r#"{"a_act_power": 10, "b_act_power": 20, "total_act_power": 30}"#, 30.0),
            (r#"[{"power": "142.5 W"}]"#, 142.5),
        ] {
            let found = in_text(text);
            assert!(
                found.as_ref().is_ok_and(|known| (known - watts).abs() < 1e-9),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn what_may_be_something_else_is_refused() {
        for (text, says) in [
            ("", "no number"),
            ("watts", "no number"),
            ("-10.11", "below 0"),
            ("-10 W", "below 0"),
            ("power: -10", "below 0"),
            ("1,234 W", "two ways"),
            ("5 MW", "unit \"MW\" is unknown"),
            ("142 VA", "unit \"VA\" is unknown"),
            ("230.1 142.5", "several numbers, and no unit"),
            ("140 W 141 W", "several numbers of watts"),
            ("temperature 45", "no name that says power"),
            ("power1", "no number"),
            (r#"{"id":0}"#, "no number whose name says power"),
            (r#"{"apower":-3}"#, "below 0"),
            (
                r#"{"left_power":3,"right_power":4}"#,
                "several that may be the power: left_power, right_power",
            ),
        ] {
            let said = in_text(text).unwrap_err();
            assert!(said.contains(says), "{text}: {said}");
        }
    }

    #[test]
    fn registers_of_all_ones_are_unknown() {
        for watts in
            [4_294_967.295, 4_294_967_295.0, 65_535.0, 2_147_483.647, 4_294_967_295_000.0 / 1e6]
        {
            assert!(is_unknown(watts), "{watts}");
        }
        for watts in [0.0, 184.322_356, 655.35, 65_534.0] {
            assert!(!is_unknown(watts), "{watts}");
        }
    }
}
