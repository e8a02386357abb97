//! A meter's values, in watts.

use super::layout::Layout;
use foreign::given::decimal;
use machine::watts::{factor, is_unknown, unknown_unit};
use record::POSSIBLE_WATTS;

/// Words for a missing value.
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
        unit => factor(unit).ok_or_else(|| format!("{field:?}: {}", unknown_unit(unit)))?,
    };
    let watts = number_of(number.trim(), layout).ok_or_else(wrong)? * factor;
    if is_unknown(watts) {
        return Ok(None);
    }
    // A meter may well show nothing before the machine is switched on.
    let most = *POSSIBLE_WATTS.end();
    match watts {
        0.0.. if watts <= most => Ok(Some(watts)),
        _ => Err(format!("{field:?}: {watts} W is not between 0 and {most}")),
    }
}

/// A number as the log writes them.
pub(super) fn number_of(text: &str, layout: &Layout) -> Option<f64> {
    decimal(text, layout.delimiter)
}
