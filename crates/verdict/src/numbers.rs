//! Numbers for people.

use stats::Interval;

/// A margin from here on is written as a factor, `×÷2`, and not as `±70 %`: e^0.7 is about 2.
const FROM_FACTOR: f64 = 0.7;

/// Four significant digits or all before the point, thousands apart: `1,234,567`, `12.35`, `0.001235`, `0`.
pub fn four_digits(value: f64) -> String {
    if !value.is_finite() {
        return dash();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = usize::try_from(3 - magnitude).unwrap_or(0).min(9);
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').map_or((&text[..], None), |(w, f)| (w, Some(f)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match fraction {
        Some(fraction) => format!("{sign}{grouped}.{fraction}"),
        None => format!("{sign}{grouped}"),
    }
}

/// Three significant digits or all before the point: `0.953`, `2.25`, `38.7`, `1234`.
pub fn three_digits(value: f64) -> String {
    if !value.is_finite() {
        return dash();
    }
    // A value rounded up to the next power of ten has one more digit before the point.
    let rounded = value.abs() * 1.0005;
    let magnitude = if rounded > 0.0 { rounded.log10().floor() as i32 } else { 0 };
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0).min(6);
    format!("{value:.decimals$}")
}

/// Three digits with a fitting unit: `85.2 ns`, `3.21 s`.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{} ns", three_digits(s * 1e9)),
        s if s < 1e-3 => format!("{} µs", three_digits(s * 1e6)),
        s if s < 1.0 => format!("{} ms", three_digits(s * 1e3)),
        s => format!("{} s", three_digits(s)),
    }
}

/// `±1.2 %`.
pub fn plus_minus(interval: &Interval) -> String {
    percent(interval.margin())
}

/// A clock in GHz, as far as machines and rows differ in it: `2.60`.
pub fn ghz(clock_hz: &Interval) -> String {
    format!("{:.2}", clock_hz.centre / 1e9)
}

/// `1 host`, `2 hosts`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `17 of 19 machines`, or `19 machines` where all are ranked.
pub fn ranked_machines(ranked: usize, all: usize) -> String {
    if ranked < all { format!("{ranked} of {all} machines") } else { format!("{all} machines") }
}

/// Printed in place of a missing number.
pub fn dash() -> String {
    "–".to_owned()
}

/// A margin as `±1.2 %`; above a factor of 2 as what it is.
pub fn percent(margin: f64) -> String {
    if !margin.is_finite() {
        return "unknown".to_owned();
    }
    if margin > FROM_FACTOR {
        format!("×÷{:.1}", margin.exp())
    } else {
        format!("±{:.1} %", margin * 100.0)
    }
}

/// A difference as `2.3 %`.
pub fn share(difference: f64) -> String {
    if difference.is_finite() { format!("{:.1} %", difference * 100.0) } else { dash() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fitting_unit() {
        let times = [8.52e-8, 1.5e-4, 0.0123, 3.21].map(time);
        assert_eq!(times, ["85.2 ns", "150 µs", "12.3 ms", "3.21 s"]);
    }

    #[test]
    fn numbers_have_as_many_digits_as_count() {
        let small = [0.0, 0.001_234_56, 12.3456, 999.96].map(four_digits);
        assert_eq!(small, ["0", "0.001235", "12.35", "1,000.0"]);
        let great = [1234.6, 1_234_567.0, -12_345.0, 1_234_567_890_123.0].map(four_digits);
        assert_eq!(great, ["1,235", "1,234,567", "-12,345", "1,234,567,890,123"]);
        assert_eq!([1.234_56e-7, f64::INFINITY].map(four_digits), ["0.000000123", "–"]);
        let ratios = [0.0, 0.9531, 2.249, 9.996, 38.66, 1234.4, f64::INFINITY].map(three_digits);
        assert_eq!(ratios, ["0.00", "0.953", "2.25", "10.0", "38.7", "1234", "–"]);
        let margins = [0.0, 0.0123, 0.69, 0.8, 1.0, f64::INFINITY].map(percent);
        assert_eq!(margins, ["±0.0 %", "±1.2 %", "±69.0 %", "×÷2.2", "×÷2.7", "unknown"]);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "row")), ["0 rows", "1 row", "2 rows"]);
    }
}
