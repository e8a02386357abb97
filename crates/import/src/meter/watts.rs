//! A meter's values, in watts.

use super::layout::Layout;
use record::POSSIBLE_WATTS;

/// What tools write where a meter has no value.
const MISSING: [&str; 7] = ["", "-", "--", "n/a", "na", "null", "none"];

/// Watts of a field; `None` where the meter has no value.
pub(super) fn parse(field: &str, layout: &Layout) -> Result<Option<f64>, String> {
    if MISSING.contains(&field.to_lowercase().as_str()) {
        return Ok(None);
    }
    let number = field.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = &field[number.len()..];
    let wrong = || {
        format!(
            "{field:?} is not a power value: use a number of watts, or nothing if there is no value"
        )
    };
    let factor = match unit {
        "" => layout.factor,
        _ if number.is_empty() => return Err(wrong()),
        unit => factor(unit).ok_or_else(|| format!("{field:?}: {}", unknown(unit)))?,
    };
    let watts = number_of(number.trim(), layout).ok_or_else(wrong)? * factor;
    // A meter may well show nothing before the machine is switched on.
    let most = *POSSIBLE_WATTS.end();
    match watts {
        0.0.. if watts <= most => Ok(Some(watts)),
        _ => Err(format!("{field:?}: {watts} W is not between 0 and {most}")),
    }
}

/// A number, with a comma for its point where commas part no fields.
pub(super) fn number_of(text: &str, layout: &Layout) -> Option<f64> {
    let number: f64 = match layout.delimiter {
        ',' => text.parse().ok()?,
        _ => text.replacen(',', ".", 1).parse().ok()?,
    };
    number.is_finite().then_some(number)
}

/// The words of a name.
pub(super) fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Units in small letters and what they are in watts, longer ones before those that they end with.
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

fn unknown(unit: &str) -> String {
    format!("the unit {unit:?} is unknown: use W, kW, mW or uW")
}

fn factor(unit: &str) -> Option<f64> {
    let small = unit.to_lowercase();
    if is_too_great(unit) {
        return None;
    }
    let known = UNITS.iter().find(|(name, _)| *name == small).map(|(_, factor)| *factor);
    known.or_else(|| (small == "w").then_some(1.0))
}

/// The factor of the unit that a column's name holds: `Power (kW)`, `power_mw`, `PowerWatts`. `None` if it holds none.
pub(super) fn unit_in(name: &str) -> Result<Option<f64>, String> {
    let of_word = |word: &str| {
        let small = word.to_lowercase();
        let ends = UNITS.iter().find(|(name, _)| small.ends_with(name)).map(|(_, factor)| *factor);
        ends.or_else(|| (small == "w").then_some(1.0))
    };
    match words(name).find(|word| is_too_great(word)) {
        Some(great) => Err(unknown(great)),
        None => Ok(words(name).find_map(of_word)),
    }
}
