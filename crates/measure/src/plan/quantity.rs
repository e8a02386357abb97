//! Quantities as users write them.

use record::Plan;
use std::time::Duration;

/// `1%` or `0.5%` as parts per million.
///
/// # Errors
/// When it is not a share between 0.01 % and 50 %.
pub fn parse_precision(text: &str) -> Result<u64, String> {
    let percent: Option<f64> = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
    match percent.map(|percent| (percent * 1e4).round() as u64) {
        Some(ppm) if Plan::POSSIBLE_PRECISION_PPM.contains(&ppm) => Ok(ppm),
        _ => Err(format!("{text:?} is not a precision: use 0.01% … 50%, e.g. 1%")),
    }
}

/// Parts per million as `1 %`.
pub fn format_ppm(ppm: u64) -> String {
    format!("{} %", ppm as f64 / 1e4)
}

/// `5m`, `90s` or `1h 30m`.
///
/// # Errors
/// When it is not a time between a second and a week.
pub fn parse_budget(text: &str) -> Result<Duration, String> {
    let is_possible = |budget: &Duration| {
        u64::try_from(budget.as_nanos()).is_ok_and(|ns| Plan::POSSIBLE_BUDGET_NS.contains(&ns))
    };
    match humantime::parse_duration(text) {
        Ok(budget) if is_possible(&budget) => Ok(budget),
        Ok(_) => Err(format!("{text:?} is not between 1s and 7days")),
        Err(e) => Err(format!("{text:?} is not a duration ({e}): use e.g. 90s or 5m")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_are_percents() {
        assert_eq!(parse_precision("1%"), Ok(10_000));
        assert_eq!(parse_precision("0.25 %"), Ok(2_500));
        for text in ["1", "0%", "-1%", "60%", "nan%", "inf%", "%", "one%"] {
            assert!(parse_precision(text).is_err(), "{text}");
        }
        assert_eq!(format_ppm(2_500), "0.25 %");
    }

    #[test]
    fn budgets_are_times_with_a_unit() {
        assert_eq!(parse_budget("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_budget("1h 30m"), Ok(Duration::from_secs(5400)));
        for text in ["", "5", "0s", "-5m", "1year", "5 minutes ago"] {
            assert!(parse_budget(text).is_err(), "{text}");
        }
    }
}
